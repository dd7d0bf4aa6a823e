import { countWords } from '../../../core/text/count-words.js';
import { detectLanguage, WHOLE_TEXT } from '../../../core/text/detect-language.js';
import { sentencesOf } from '../../../core/text/sentences.js';
import { words } from '../../../core/text/tokens.js';
import { type Language } from '../../../core/text/languages.js';
import { yielder } from '../../../core/async.js';
import type { PromptPart } from '../../../model/ai-sdk.js';
import { EXAMPLES } from '../../prompts/write.prompt.js';
import { cleanOutput, type KnownOutput } from '../parse/clean-output.js';
import { beforeLoop, dropUnfinished, limitWords } from '../parse/limit-text.js';
import type { Point, ProposedPoint } from '../parse/point.js';
import { parseWritten, type ProposedSection } from '../parse/written-summary.js';
import type { SummaryRun } from '../summary-run.js';
import { SentenceChecker, type CheckedSentence } from '../verify/check-sentences.js';
import type { Flaw } from '../verify/verify-points.js';

/** A written answer, read and checked. */
export interface Written {
  /** Plain text; paragraphs are separated by an empty line. */
  text: string;
  /** True when the model wrote more than twice as much as was asked for, and the rest was left out. */
  cut: boolean;
  /** The language it is in. */
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

/** Words from which on the language of a list can be told. */
const LIST_WORDS = 15;
const FEWEST_WORDS = 5;
/** Sentences of talk at one end of a text that are left out. */
const MOST_CHATTER = 3;
/** Sentences with invented numbers go, unless they are so many that the reading of numbers must be wrong. */
const MOST_INVENTED = 0.5;
const SECOND_TOLERANCE = 2;
/** A key point says the same as a note when so many of its words are in it. */
const SAME_SHARE = 0.5;
/** Longest stretch of checking without giving way to other requests, ms. */
const SLICE_MS = 12;

/**
 * Reads an answer to the write prompt and checks it against the transcript.
 *
 * @param source what it was written from, and what was asked for
 * @param truncated true when it ran out of tokens
 */
export async function readWritten(
  run: SummaryRun,
  answer: string,
  { parts, notes, asked }: { parts: readonly PromptPart[]; notes?: readonly Point[]; asked: string },
  truncated: boolean,
): Promise<Written> {
  const { request, size } = run;
  const marks = marksOf(parts);
  const known = knownOutput(run, marks);
  const pause = yielder(SLICE_MS, run.context.signal);
  const parsed = parseWritten(beforeLoop(answer));
  const unfinished = truncated && parsed.keyPoints.length === 0;
  const prose = proseOf(parsed);
  const checker = new SentenceChecker(run.facts, known, request.outputLanguage, asked);
  const paragraphs: CheckedSentence[][][] = [];
  for (const paragraph of (unfinished ? dropUnfinished(prose, request.outputLanguage) : prose).split(
    /\n\s*\n/,
  )) {
    const lines: CheckedSentence[][] = [];
    for (const line of paragraph.split('\n')) {
      const checked: CheckedSentence[] = [];
      for (const sentence of sentencesOf(line, { language: request.outputLanguage })) {
        const one = checker.check(sentence);
        if (one && one.text !== '') checked.push(one);
        await pause();
      }
      if (checked.length > 0) lines.push(checked);
    }
    if (lines.length > 0) paragraphs.push(lines);
  }
  const all = withoutChatter(paragraphs.flat(2));
  const invented = all.filter((sentence) => sentence.invented).length;
  const keepsAll = invented > all.length * MOST_INVENTED;
  const kept = new Set(all.filter((sentence) => keepsAll || !sentence.invented));
  const whole = textOf(paragraphs, kept);
  const text = limitWords(whole, size.words, request.outputLanguage);
  const checkable = all.filter(({ grounded }) => grounded !== undefined);
  const language = detectLanguage(text, WHOLE_TEXT) ?? request.outputLanguage;
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
    cut: text !== whole,
    language,
    ...(otherLanguage === undefined ? {} : { otherLanguage }),
    sentences: all.length,
    invented: keepsAll ? 0 : invented,
    ...(checkable.length === 0
      ? {}
      : { grounding: checkable.filter(({ grounded }) => grounded).length / checkable.length }),
    keyPoints: points,
    dropped,
    sections,
    seen: parsed.seen.map((point) => ({ ...point, claim: cleanOutput(point.claim, known) })),
    marks,
    empty:
      countWords(text) < FEWEST_WORDS ||
      (!says && all.every(({ chatter }) => chatter)) ||
      (!says && checker.isEmptyTalk(text, parsed.keyPoints.length)),
  };
}

/** Facts about a run that cleaning needs. */
export function knownOutput(run: SummaryRun, marks: readonly number[]): KnownOutput {
  const sent = new Set(marks);
  return {
    hasAddress: (address, explicit) => run.hasAddress(address, explicit),
    isTimeMark: (second) => sent.has(second) && !run.index.numbers.has(second),
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

/** The prose of an answer; of one that holds lists only, what they say. */
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
function withoutChatter(sentences: readonly CheckedSentence[]): CheckedSentence[] {
  let from = 0;
  let to = sentences.length;
  while (from < MOST_CHATTER && from < to - 1 && sentences[from]!.chatter) from++;
  while (sentences.length - to < MOST_CHATTER && to > from + 1 && sentences[to - 1]!.chatter) to--;
  return sentences.slice(from, to);
}

function textOf(paragraphs: readonly CheckedSentence[][][], kept: ReadonlySet<CheckedSentence>): string {
  const joined = (sentences: readonly CheckedSentence[]): string =>
    sentences
      .filter((sentence) => kept.has(sentence))
      .map(({ text }) => text)
      .join(' ');
  return paragraphs
    .map((lines) => lines.map(joined).filter(Boolean).join('\n'))
    .filter(Boolean)
    .join('\n\n');
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
  const seen = new Set<string>();
  const own = proposed.filter(({ claim }) => {
    const key = words(claim).join(' ');
    if (seen.has(key) || claim === EXAMPLES.point || !claim.includes(' ')) return false;
    return seen.add(key);
  });
  // What was asked for and a little more is looked at: the last may hold where others do not.
  for (const point of own.slice(0, 2 * run.size.points)) {
    const written = detectLanguage(point.claim) ?? language;
    const noted = notes && fromNote(run, point, notes, written);
    if (noted && noted !== 'words') {
      if (typeof noted === 'string') dropped[noted]++;
      else points.push(noted);
    } else {
      const { points: verified, rejected } = run.facts.verifyPoints([point], undefined, written, (second) =>
        sent.has(second),
      );
      points.push(...verified);
      for (const { flaw } of rejected) dropped[flaw]++;
    }
    await pause();
  }
  const known = knownOutput(run, marks);
  const clean = points
    .slice(0, run.size.points)
    .map((point) => ({ ...point, claim: cleanOutput(point.claim, known) }))
    .filter(({ claim }) => claim !== '');
  return { points: clean.sort((a, b) => a.startMs - b.startMs), dropped };
}

/** The note that a key point rests on: the one whose second it names, else the one that says the same. */
function fromNote(
  run: SummaryRun,
  point: ProposedPoint,
  notes: readonly Point[],
  language: Language,
): Point | Flaw {
  const { claim, second } = point;
  const note =
    (second === undefined
      ? undefined
      : notes.find(({ startMs }) => Math.abs(Math.floor(startMs / 1000) - second) <= SECOND_TOLERANCE)) ??
    mostAlike(claim, notes);
  if (!note) return 'words';
  const facts = run.facts.facts(claim, undefined, language);
  if (facts.support === 'absent') return facts.flaw!;
  return { claim, startMs: note.startMs, quote: note.quote };
}

/** The note that has most of the words of a claim, if it has enough. */
function mostAlike(claim: string, notes: readonly Point[]): Point | undefined {
  let best: Point | undefined;
  let most = SAME_SHARE;
  for (const note of notes) {
    const share = shareOf(claim, note.claim);
    if (share > most) [best, most] = [note, share];
  }
  return best;
}

/** Share of the words of a text that another one has. */
export function shareOf(text: string, other: string): number {
  const has = new Set(words(other));
  const own = words(text);
  return own.length === 0 ? 0 : own.filter((word) => has.has(word)).length / own.length;
}
