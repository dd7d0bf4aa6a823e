import { countWords } from '../../../text/count-words.js';
import { detectLanguage, WHOLE_TEXT } from '../../../text/detect-language.js';
import { sentencesOf } from '../../../text/sentences.js';
import { type Language } from '../../../text/languages.js';
import { yielder } from '../../../core/async.js';
import type { PromptPart } from '../../../model/ai-sdk.js';
import { EXAMPLES } from '../../prompts.js';
import { beforeLoop, cleanOutput, type KnownOutput } from '../parse/clean-output.js';
import { parseWritten, type ProposedPoint, type ProposedSection } from '../parse/written-summary.js';
import type { SummaryRun } from '../summary-run.js';
import { SentenceChecker, type CheckedSentence } from '../verify/check-sentences.js';
import { distinct, type Flaw, type Point } from '../verify/fact-checker.js';
import { fromNote } from './merge-notes.js';

/** A written answer, read and checked. */
export interface Written {
  /** Plain text; paragraphs are separated by an empty line. */
  text: string;
  /** True when the model wrote more than twice as much as was asked for, and the rest was left out. */
  cut: boolean;
  language: Language;
  /** That of key points or sections where it is another one. */
  otherLanguage?: Language;
  /** Sentences that the model wrote; those with invented numbers that were left out of the text; and share of the checked ones that hold. */
  sentences: number;
  invented: number;
  /** Share of the sentences that could be checked and hold, 0..1; undefined when none could be. */
  grounding?: number;
  /** Verified, in order of time. */
  keyPoints: Point[];
  /** Key points that were left out, by reason. */
  dropped: Record<Flaw, number>;
  sections: ProposedSection[];
  seen: ProposedPoint[];
  /** Seconds that were sent with the material, ascending. */
  marks: readonly number[];
  /** True when it says nothing about the video. */
  empty: boolean;
}

/** A sentence of the text, with what stands before it: a blank, or one or two line breaks. */
interface WrittenSentence extends CheckedSentence {
  gap: string;
}

/** A summary may be this many times as long as asked. It is cut at the end of a sentence. */
export const MAX_LENGTH_FACTOR = 2;
/** Words from which on the language of a list can be told. */
const LIST_WORDS = 15;
const FEWEST_WORDS = 5;
/** Sentences of talk at one end of a text that are left out. */
const MOST_CHATTER = 3;
/** Sentences with invented numbers are left out. If they are more than this share, our reading of numbers must be wrong. */
const MOST_INVENTED = 0.5;
/** Longest stretch of checking without giving way to other requests, ms. */
const SLICE_MS = 12;

/**
 * Reads an answer to the write prompt and checks it against the transcript.
 *
 * @param source the material of the answer, and the words that asked for it
 * @param truncated true when it ran out of tokens
 */
export async function readWritten(
  run: SummaryRun,
  answer: string,
  { parts, notes, asked }: { parts: readonly PromptPart[]; notes?: readonly Point[]; asked: string },
  truncated: boolean,
): Promise<Written> {
  const { outputLanguage } = run.request;
  const marks = marksOf(parts);
  const known = knownOutput(run, marks);
  const pause = yielder(SLICE_MS, run.context.signal);
  const parsed = parseWritten(beforeLoop(answer));
  const checker = new SentenceChecker(run.facts, known, outputLanguage, asked);
  const sentences: WrittenSentence[] = [];
  let gap = '';
  for (const line of proseOf(parsed).split('\n')) {
    if (line.trim() === '') gap = '\n\n';
    for (const sentence of sentencesOf(line, { language: outputLanguage })) {
      const checked = checker.check(sentence);
      if (checked && checked.text !== '') {
        sentences.push({ ...checked, gap });
        gap = ' ';
      }
      await pause();
    }
    if (gap === ' ') gap = '\n';
  }
  const isCutOff = truncated && parsed.keyPoints.length === 0 && sentences.length > 1;
  if (isCutOff && !/[.!?…]["'»”)]*$/.test(sentences.at(-1)!.text)) sentences.pop();
  const all = withoutChatter(sentences);
  const invented = all.filter((sentence) => sentence.invented).length;
  const keepsAll = invented > all.length * MOST_INVENTED;
  const { text, cut } = textOf(
    all,
    (sentence) => keepsAll || !sentence.invented,
    run.size.words * MAX_LENGTH_FACTOR,
  );
  const checkable = all.filter(({ grounded }) => grounded !== undefined);
  const language = detectLanguage(text, WHOLE_TEXT) ?? outputLanguage;
  const { points, dropped } = await keyPointsOf(run, parsed.keyPoints, notes, marks, language, pause);
  const sections = parsed.sections
    .filter(({ title, summary }) => summary !== EXAMPLES.sentence && title !== EXAMPLES.title)
    .map((section) => ({
      ...section,
      title: cleanOutput(section.title, known),
      summary: cleanOutput(section.summary, known),
    }));
  const otherLanguage = [points.map(({ claim }) => claim), sections.map(({ summary }) => summary)]
    .map((list) => listLanguage(list))
    .find((one) => one !== undefined && one !== language);
  const says = points.length > 0 || (sections.length > 1 && parsed.keyPoints.length === 0);
  return {
    text,
    cut,
    language,
    otherLanguage,
    sentences: all.length,
    invented: keepsAll ? 0 : invented,
    grounding:
      checkable.length > 0
        ? checkable.filter(({ grounded }) => grounded).length / checkable.length
        : undefined,
    keyPoints: points,
    dropped,
    sections,
    seen: parsed.seen.map((point) => ({ ...point, claim: cleanOutput(point.claim, known) })),
    marks,
    empty: countWords(text) < FEWEST_WORDS || (!says && checker.isEmptyTalk(text)),
  };
}

/** Facts about a run that cleaning needs. */
export function knownOutput(run: SummaryRun, marks: readonly number[]): KnownOutput {
  const sent = new Set(marks);
  return {
    hasAddress: (address, explicit) => run.hasAddress(address, explicit),
    isTimeMark: (second) => sent.has(second) && !run.index.states(second),
  };
}

/** The seconds that stand in brackets at the beginnings of lines and below frames, ascending. */
export function marksOf(material: readonly PromptPart[]): number[] {
  const marks = new Set<number>();
  for (const part of material) {
    if (part.type !== 'text') continue;
    const pattern = part.text.startsWith(FRAMES_LABEL) ? /\[(\d{1,6})\]/g : /^\[(\d{1,6})\]/gm;
    for (const [, second] of part.text.matchAll(pattern)) marks.add(Number(second));
  }
  return [...marks].sort((a, b) => a - b);
}

/** How the line below a sheet of frames begins. */
export const FRAMES_LABEL = 'Frames of the video';

/** The prose of an answer, or the statements of its lists if it has no prose. */
function proseOf({
  text,
  sections,
  keyPoints,
}: {
  text: string;
  sections: ProposedSection[];
  keyPoints: ProposedPoint[];
}): string {
  if (text !== '') return text;
  const told = sections.map(({ summary }) => summary).filter(Boolean);
  return (told.length > 1 ? told : keyPoints.map(({ claim }) => claim)).join(' ');
}

/** Talk of the model about its answer stands at its ends. */
function withoutChatter(sentences: readonly WrittenSentence[]): WrittenSentence[] {
  let from = 0;
  let to = sentences.length;
  while (from < MOST_CHATTER && from < to - 1 && sentences[from]!.chatter) from++;
  while (sentences.length - to < MOST_CHATTER && to > from + 1 && sentences[to - 1]!.chatter) to--;
  return sentences.slice(from, to);
}

/** The sentences that are kept, with the widest gap that stood between them, up to the last that ends within so many words. */
function textOf(
  sentences: readonly WrittenSentence[],
  keeps: (sentence: WrittenSentence) => boolean,
  mostWords: number,
): { text: string; cut: boolean } {
  let text = '';
  let gap = '';
  let count = 0;
  for (const sentence of sentences) {
    if (gap === '' || gap === ' ' || sentence.gap === '\n\n') gap = sentence.gap;
    if (!keeps(sentence)) continue;
    count += countWords(sentence.text);
    if (count > mostWords && text !== '') return { text, cut: true };
    text += (text === '' ? '' : gap) + sentence.text;
    gap = '';
  }
  if (count <= mostWords) return { text, cut: false };
  // One endless sentence.
  return { text: `${text.split(/\s+/).slice(0, mostWords).join(' ')}…`, cut: true };
}

function listLanguage(list: readonly string[]): Language | undefined {
  const text = list.join(' ');
  return countWords(text) < LIST_WORDS ? undefined : detectLanguage(text, WHOLE_TEXT);
}

/** The key points that hold, each at the time of the words it rests on. A copied example does not count. */
async function keyPointsOf(
  run: SummaryRun,
  proposed: readonly ProposedPoint[],
  notes: readonly Point[] | undefined,
  marks: readonly number[],
  language: Language,
  pause: () => Promise<void> | undefined,
): Promise<{ points: Point[]; dropped: Record<Flaw, number> }> {
  const dropped = { words: 0, number: 0, name: 0 };
  const points: Point[] = [];
  const sent = new Set(marks);
  const own = distinct(proposed).filter(({ claim }) => claim !== EXAMPLES.point && claim.includes(' '));
  // Twice as many as asked for are checked: later ones may hold where earlier ones do not.
  for (const point of own.slice(0, 2 * run.size.points)) {
    const written = detectLanguage(point.claim) ?? language;
    let checked = notes && fromNote(run, point, notes, written);
    if (checked === undefined || checked === 'words')
      checked = run.facts.checkPoint(point, undefined, written, (second) => sent.has(second));
    if (typeof checked === 'string') dropped[checked]++;
    else points.push(checked);
    await pause();
  }
  const known = knownOutput(run, marks);
  const clean = points
    .slice(0, run.size.points)
    .map((point) => ({ ...point, claim: cleanOutput(point.claim, known) }))
    .filter(({ claim }) => claim !== '');
  return { points: clean.sort((a, b) => a.startMs - b.startMs), dropped };
}
