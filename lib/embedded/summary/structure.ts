import { WORD } from './lexicon.js';
import { type Sentences } from './sentences.js';
import { type Pause, type TimedText, TOKEN, type TokenTable } from './token-table.js';

/** `Host:`, `Dr. Reyes:`, `P1 :`, `>> SPEAKER 2:` at the start of a line: at most four words, the first with a capital letter or a digit. */
const LABEL =
  /^\s*(?:>>+\s*|[-–—]\s+)?\[?((?:\p{Lu}|\d)[^\s:,;!?[\]()]*(?:\s[^\s:,;!?[\]()]+){0,3}?)\]?\s?:(?:\s+|$)/u;

/** Signs of speakers in the lines of a transcript. */
interface Speakers {
  /** The lines, without labels where these name speakers. */
  lines: readonly TimedText[];
  /** True when each line names its speaker, and there are two at least. */
  named: boolean;
  /** True when labels come back among lines without one: nobody can say who speaks there. */
  partly: boolean;
}

/** Whether each piece of a text starts a line of it. Where nobody knows, each piece is a line. */
function lineStarts(pieces: readonly TimedText[]): boolean[] {
  const known = pieces.some(({ startsLine }) => startsLine);
  return pieces.map(({ startsLine }) => !known || startsLine === true);
}

/**
 * Takes the names of speakers off the lines, and notes them where each line has one: a label holds for its own line only. Labels count
 * when they come back. Where only some lines have one, the first line shows that they are names: "Note: …" among other lines is none.
 */
export function findSpeakers(lines: readonly TimedText[]): Speakers {
  const starts = lineStarts(lines);
  const labels = lines.map(({ text }, k) =>
    starts[k] && text.includes(':') ? LABEL.exec(text.slice(0, 80)) : null,
  );
  const counts = new Map<string, number>();
  for (const label of labels) if (label) counts.set(label[1]!, (counts.get(label[1]!) ?? 0) + 1);
  const names = [...counts].filter(([, n]) => n > 1).map(([name]) => name);
  const isComplete = lines.every(({ text }, k) => labels[k] || !starts[k] || !text.trim());
  const named = counts.size > 1 && names.length > 0 && isComplete;
  const first = labels[lines.findIndex(({ text }) => text.trim() !== '')]?.[1];
  const opens = names.length > 1 ? names.includes(first ?? '') : (counts.get(first ?? '') ?? 0) > 2;
  const partly = !named && names.length > 0 && (opens || names.every(isCode));
  if (!named && !partly) return { lines, named, partly };
  let speaker: string | undefined;
  const bare = lines.map((line, k): TimedText => {
    const label = labels[k];
    speaker = label?.[1] ?? speaker;
    if (!label || !(named || names.includes(label[1]!))) return named ? { ...line, speaker } : line;
    const text = line.text.slice(label[0].length);
    return named ? { ...line, text, speaker } : { ...line, text };
  });
  return { lines: bare, named, partly };
}

/** Whether a label can only be the mark of a speaker: `P1`, `JOHN`, not `Note`. */
const isCode = (name: string): boolean => name === name.toUpperCase() && /\p{L}/u.test(name);

/**
 * Thresholds of lyrics. `lines`, `mostLines`: fewest and most lines; `longest`: characters of a line. Shares of lines: `repeated` come back, `ends` end
 * a sentence, `notes` have a note sign.
 */
const VERSE = { lines: 8, mostLines: 400, longest: 200, repeated: 0.25, ends: 0.3, notes: 0.3 };

/** Whether the lines are those of a song or a poem: they come back word for word, and do not form sentences. */
export async function isVerse(lines: readonly TimedText[], pause: Pause): Promise<boolean> {
  const seen = new Map<string, number>();
  let [count, ends, notes] = [0, 0, 0];
  if (lines.length > VERSE.mostLines) return false;
  for (const { text: line } of lines) {
    const text = line.length > VERSE.longest ? '' : line;
    if (text.includes('♪') || text.includes('♫')) notes++;
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    await pause();
    if (words.length < 2) continue;
    count++;
    if (/[.!?…]["'”»)]?\s*$/.test(text.slice(-4))) ends++;
    const key = words.join(' ');
    seen.set(key, (seen.get(key) ?? 0) + 1);
  }
  if (count < VERSE.lines || ends > count * VERSE.ends) return false;
  let repeated = 0;
  for (const n of seen.values()) if (n > 1) repeated += n;
  return repeated >= count * VERSE.repeated || notes >= lines.length * VERSE.notes;
}

/**
 * Fewest marks of a change of speaker; fewest sentences that only show that somebody listens, and fewest questions that another line
 * answers, alone and as a share; and in how many tenths of a text somebody is greeted or thanked, and how often. Talks ask as well, but go on
 * in the same line, and thank in at most three tenths.
 */
const VOICES = {
  marks: 4,
  replies: { least: 8, share: 0.1 },
  answered: { least: 2, share: 0.02 },
  thanks: { least: 8, tenths: 4 },
};
/** Sentences of a line from which on lines are turns of speakers and not cues. */
const TURN = 1.5;

/** Whether several people speak: `>>` at changes of speaker, "Yeah." and "Mm-hmm.", questions before a turn, or thanks all over the text. */
export function hasSeveralVoices(table: TokenTable, sentences: Sentences): boolean {
  const { lexicon, form, source, start, mark, count } = table;
  const starts = lineStarts(table.lines);
  let [marks, thanks] = [0, 0];
  const tenths = new Set<number>();
  for (let i = 0; i < count; i++) {
    if (source.charCodeAt(start[i]!) === 62 && source.charCodeAt(start[i]! + 1) === 62) marks++;
    if (lexicon.bits[form[i]!]! & WORD.greeting) {
      thanks++;
      tenths.add(Math.floor((10 * i) / count));
    }
  }
  if (marks >= VOICES.marks) return true;
  if (!sentences.spoken) return false;
  if (thanks >= VOICES.thanks.least && tenths.size >= VOICES.thanks.tenths) return true;
  if (sentences.unpunctuated) return false;
  let replies = 0;
  for (let s = 0; s < sentences.count; s++) {
    let only = true;
    for (let i = sentences.from[s]!; i < sentences.to[s]! && only; i++)
      only = !form[i] || (lexicon.bits[form[i]!]! & (WORD.answer | WORD.hesitation)) > 0;
    if (only) replies++;
  }
  const turns = table.lineStarts.filter((_, l) => starts[l]);
  const answered = turns.filter((i) => i > 0 && i < count && mark[i - 1]! & TOKEN.question).length;
  const isMany = (n: number, { least, share }: { least: number; share: number }): boolean =>
    n >= Math.max(least, sentences.count * share);
  return (
    isMany(replies, VOICES.replies) ||
    (sentences.count > TURN * turns.length && isMany(answered, VOICES.answered))
  );
}
