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
  /** True when every line has a speaker, and there are two at least. */
  named: boolean;
  /** True when one label comes back among lines without one: somebody else speaks there. */
  partly: boolean;
}

/**
 * Takes the names of speakers off the lines and notes them. A label counts when it comes back: two labels that do name the speakers; a
 * line without one goes on with the speaker before. "Note: …" alone is no speaker.
 */
export function findSpeakers(lines: readonly TimedText[]): Speakers {
  const counts = new Map<string, number>();
  const labels = lines.map(({ text }) => (text.includes(':') ? LABEL.exec(text.slice(0, 80)) : null));
  for (const label of labels) if (label) counts.set(label[1]!, (counts.get(label[1]!) ?? 0) + 1);
  const names = new Set([...counts].filter(([, n]) => n > 1).map(([name]) => name));
  const first = labels.findIndex((label) => label !== null && names.has(label[1]!));
  const named = names.size > 1 && first === lines.findIndex(({ text }) => text.trim() !== '');
  const partly = names.size > 0 && !named;
  if (names.size === 0 || (partly && !isCode(names))) return { lines, named: false, partly: false };
  let speaker: string | undefined;
  const bare = lines.map((line, k): TimedText => {
    const label = labels[k];
    if (!label || !counts.has(label[1]!)) return named ? { ...line, speaker } : line;
    if (!names.has(label[1]!) && !named) return line;
    speaker = label[1];
    const text = line.text.slice(label[0].length);
    return named ? { ...line, text, speaker } : { ...line, text };
  });
  return { lines: bare, named, partly };
}

/** Whether labels can only be marks of speakers: `P1`, `JOHN`, not `Note`. */
const isCode = (names: ReadonlySet<string>): boolean =>
  [...names].every((name) => name === name.toUpperCase() && /\p{L}/u.test(name));

/** Fewest and most lines of a song, the most characters of one, and the shares of lines that come back, end a sentence, or stand between notes. */
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
 * Fewest marks of a change of speaker; fewest sentences that only show that somebody listens, and fewest that ask, alone and as a share; and
 * in how many tenths of a text somebody is greeted or thanked, and how often. Talks ask in at most 4.5 % of their sentences and thank in at most
 * three tenths, meetings of committees and debates in 8 % and more, or in six tenths.
 */
const VOICES = {
  marks: 4,
  replies: { least: 5, share: 0.04 },
  questions: { least: 6, share: 0.08 },
  thanks: { least: 8, tenths: 4 },
};

/** Whether several people speak: `>>` at changes of speaker, "Yeah." and "Mm-hmm.", many questions, or thanks all over the text. */
export function hasSeveralVoices(table: TokenTable, sentences: Sentences): boolean {
  const { lexicon, form, source, start, mark, count } = table;
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
  let [replies, questions] = [0, 0];
  for (let s = 0; s < sentences.count; s++) {
    let only = true;
    for (let i = sentences.from[s]!; i < sentences.to[s]! && only; i++)
      only = !form[i] || (lexicon.bits[form[i]!]! & (WORD.answer | WORD.hesitation)) > 0;
    if (only) replies++;
    if (mark[sentences.to[s]! - 1]! & TOKEN.question) questions++;
  }
  const isMany = (n: number, { least, share }: { least: number; share: number }): boolean =>
    n >= Math.max(least, sentences.count * share);
  return isMany(replies, VOICES.replies) || isMany(questions, VOICES.questions);
}
