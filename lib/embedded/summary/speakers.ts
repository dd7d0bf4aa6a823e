import { type TranscriptSegment } from '../../content/content-source.js';

/** A stretch of text; its times are NaN when they are not known. */
export type TimedText = Omit<TranscriptSegment, 'nonSpeech'>;

/** `Host:`, `Dr. Reyes:`, `P1 :`, `>> SPEAKER 2:` at the start of a line: at most four words, the first with a capital letter or a digit. */
const LABEL =
  /^\s*(?:>>+\s*|[-–—]\s+)?\[?((?:\p{Lu}|\d)[^\s:,;!?[\]()]*(?:\s[^\s:,;!?[\]()]+){0,3}?)\]?\s?:(?:\s+|$)/u;
/** Fewest `>>` at changes of speaker that show several speakers. */
const MARKS = 4;

/**
 * Takes the names of speakers off the lines, and notes them where each line has one: a label holds for its own line only. Labels count
 * when they come back, and where only some lines have one, when they take turns: one comes back behind another.
 *
 * @returns `named`: each line names its speaker, and there are two at least; `several`: several people speak
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
  const said = labels.map((label) => label?.[1]).filter((name) => name !== undefined && names.includes(name));
  const turns = said.filter((name, k) => name !== said[k - 1]).length;
  const partly = !named && turns > names.length;
  const marks = lines.reduce((sum, { text }) => sum + text.split('>>').length - 1, 0);
  const several = named || partly || marks >= MARKS;
  if (!named && !partly) return { lines, named, several };
  let speaker: string | undefined;
  const bare = lines.map((line, k): TimedText => {
    const label = labels[k];
    speaker = label?.[1] ?? speaker;
    const isName = label && (named || names.includes(label[1]!));
    const text = isName ? line.text.slice(label[0].length) : line.text;
    return named ? { ...line, text, speaker } : { ...line, text };
  });
  return { lines: bare, named, several };
}
