import { WORD } from './lexicon.js';
import { type Sentences } from './sentences.js';
import { type Pause, type TimedText, type TokenTable } from './token-table.js';

/** `Host:`, `Dr. Reyes:`, `P1 :`, `>> SPEAKER 2:` at the start of a line: at most four words, the first with a capital letter or a digit. */
const LABEL =
  /^\s*(?:>>+\s*|[-–—]\s+)?\[?((?:\p{Lu}|\d)[^\s:,;!?[\]()]*(?:\s[^\s:,;!?[\]()]+){0,3}?)\]?\s?:(?:\s+|$)/u;

/**
 * Takes the names of speakers off the lines, and notes them where each line has one: a label holds for its own line only. Labels count
 * when they come back, and where only some lines have one, when there are two of them or one comes back twice.
 *
 * @returns `named`: each line names its speaker, and there are two at least; `partly`: only some do, so nobody can say who speaks in the others
 */
export function findSpeakers(lines: readonly TimedText[]) {
  const isKnown = lines.some(({ startsLine }) => startsLine);
  // Where nobody knows, each piece is a line.
  const starts = lines.map(({ startsLine }) => !isKnown || startsLine === true);
  const labels = lines.map(({ text }, k) =>
    starts[k] && text.includes(':') ? LABEL.exec(text.slice(0, 80)) : null,
  );
  const counts = new Map<string, number>();
  for (const label of labels) if (label) counts.set(label[1]!, (counts.get(label[1]!) ?? 0) + 1);
  const names = [...counts.keys()].filter((name) => counts.get(name)! > 1);
  const isComplete = lines.every(({ text }, k) => labels[k] || !starts[k] || !text.trim());
  const named = counts.size > 1 && names.length > 0 && isComplete;
  const partly = !named && (names.length > 1 || (counts.get(names[0] ?? '') ?? 0) > 2);
  if (!named && !partly) return { lines, named, partly };
  let speaker: string | undefined;
  const bare = lines.map((line, k): TimedText => {
    const label = labels[k];
    speaker = label?.[1] ?? speaker;
    const isName = label && (named || names.includes(label[1]!));
    const text = isName ? line.text.slice(label[0].length) : line.text;
    return named ? { ...line, text, speaker } : { ...line, text };
  });
  return { lines: bare, named, partly };
}

/**
 * Thresholds of lyrics. `lines`, `mostLines`: fewest and most lines; `longest`: characters of a line. Shares of lines: `repeated` come back, `ends` end
 * a sentence, `notes` have a note sign.
 */
const VERSE = { lines: 8, mostLines: 400, longest: 200, repeated: 0.25, ends: 0.3, notes: 0.3 };

/** Whether the lines are those of a song or a poem: they come back word for word, and do not form sentences. */
export async function isVerse(lines: readonly TimedText[], pause: Pause): Promise<boolean> {
  if (lines.length > VERSE.mostLines) return false;
  const seen = new Map<string, number>();
  let [count, ends, notes] = [0, 0, 0];
  for (const { text } of lines) {
    if (text.length > VERSE.longest) continue;
    if (/[♪♫]/.test(text)) notes++;
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    await pause();
    if (words.length < 2) continue;
    count++;
    if (/[.!?…]["'”»)]?\s*$/.test(text.slice(-4))) ends++;
    const key = words.join(' ');
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  const repeated = [...seen.values()].reduce((sum, n) => sum + (n > 1 ? n : 0), 0);
  return (
    count >= VERSE.lines &&
    ends <= count * VERSE.ends &&
    (repeated >= count * VERSE.repeated || notes >= lines.length * VERSE.notes)
  );
}

/** Fewest marks of a change of speaker, and fewest sentences that only show that somebody listens, alone and as a share. */
const VOICES = { marks: 4, replies: 8, share: 0.1 };

/** Whether several people speak: `>>` at changes of speaker, or many sentences such as "Yeah." and "Mm-hmm.". */
export function hasSeveralVoices(
  { tokens, lines }: TokenTable,
  { bounds, border, spoken }: Sentences,
): boolean {
  const marks = lines.reduce((sum, { text }) => sum + text.split('>>').length - 1, 0);
  if (marks >= VOICES.marks) return true;
  if (!spoken || border) return false;
  const count = bounds.length - 1;
  const replies = bounds
    .slice(1)
    .filter((to, k) =>
      tokens.slice(bounds[k], to).every(({ word }) => !word || word.bits & (WORD.answer | WORD.hesitation)),
    ).length;
  return replies >= Math.max(VOICES.replies, count * VOICES.share);
}
