import { type TranscriptSegment } from '../../content/content-source.js';
import { type Pause } from '../../core/async.js';

/** A stretch of text; its times are NaN when they are not known. */
export type TimedText = Omit<TranscriptSegment, 'nonSpeech'>;

/** `Host:`, `Dr. Reyes:`, `P1 :`, `>> SPEAKER 2:` at the start of a line: at most four words, the first with a capital letter or a digit. */
const LABEL =
  /^\s*(?:>>+\s*|[-–—]\s+)?\[?((?:\p{Lu}|\d)[^\s:,;!?[\]()]*(?:\s[^\s:,;!?[\]()]+){0,3}?)\]?\s?:(?:\s+|$)/u;
/** Fewest `>>` at changes of speaker that show several speakers; set by hand. */
const MARKS = 4;

/**
 * Takes the names of speakers off the lines, and notes them where each line has one: a label holds for its own line only. Labels count
 * when they come back, and where only some lines have one, when they take turns: one comes back behind another.
 *
 * @returns `named`: each line names its speaker, and there are two at least; `several`: several people speak
 */
export async function findSpeakers(lines: readonly TimedText[], pause: Pause) {
  const isKnown = lines.some(({ startsLine }) => startsLine);
  const labels: (RegExpExecArray | null)[] = [];
  const counts = new Map<string, number>();
  let [isComplete, marks] = [true, 0];
  for (const { text, startsLine } of lines) {
    await pause();
    // Where nobody knows, each piece is a line.
    const starts = !isKnown || startsLine === true;
    const label = starts && text.includes(':') ? LABEL.exec(text.slice(0, 80)) : null;
    labels.push(label);
    if (label) counts.set(label[1]!, (counts.get(label[1]!) ?? 0) + 1);
    else if (starts && text.trim()) isComplete = false;
    for (let at = text.indexOf('>>'); at >= 0; at = text.indexOf('>>', at + 2)) marks++;
  }
  const isName = (label: RegExpExecArray | null | undefined): boolean =>
    label != null && counts.get(label[1]!)! > 1;
  let [names, turns, before] = [0, 0, ''];
  for (const count of counts.values()) if (count > 1) names++;
  for (const label of labels) {
    if (!isName(label)) continue;
    if (label![1] !== before) turns++;
    before = label![1]!;
  }
  const named = counts.size > 1 && names > 0 && isComplete;
  const partly = !named && turns > names;
  const several = named || partly || marks >= MARKS;
  if (!named && !partly) return { lines, named, several };
  let speaker: string | undefined;
  const bare: TimedText[] = [];
  for (const [k, line] of lines.entries()) {
    await pause();
    const label = labels[k];
    speaker = label?.[1] ?? speaker;
    const text = label && (named || isName(label)) ? line.text.slice(label[0].length) : line.text;
    bare.push(named ? { ...line, text, speaker } : { ...line, text });
  }
  return { lines: bare, named, several };
}
