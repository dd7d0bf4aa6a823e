import { sentencesOf } from '../../../core/text/index.js';
import type { ConcreteMethod, KeyPoint, Summary, SummarySection } from '../../summarizer.js';
import { cleanOutput } from '../parse/clean-output.js';
import type { Point, ProposedPoint } from '../parse/point.js';
import type { SummaryRun } from '../summary-run.js';
import { factsOccur, numbersSupported, verifyPoints } from '../verify/verify-points.js';
import type { Written } from './write-summary.js';
import type { ProposedSection } from '../parse/written-summary.js';

/** Share of a sentence's content words that must stand near each other somewhere in the transcript. */
const SENTENCE_SHARE = 0.5;
/** A key point's second is copied from a note; rounding may move it. */
const SECOND_TOLERANCE = 2;
/** Sentences with invented numbers go, unless hardly anything would be left. */
const KEEP_AT_LEAST = 0.5;
const MOST_KEY_POINTS = 12;
/** So many equal parts of the content each get a key point where there is a note on them. */
const TENTHS = 10;

/** What a method hands over for the last checks. */
export interface Draft {
  method: ConcreteMethod;
  methodReason?: string;
  engine: string;
  written: Written;
  /** Verified notes that the text was written from; absent when it was written from the transcript itself. */
  notes?: readonly Point[];
  /** What the picture shows beside the words. */
  seen?: readonly Point[];
  coverage: number;
}

/**
 * Checks what was written against the transcript and makes the summary of it. Key points that nothing bears out are left out;
 * sentences with numbers that nobody said are taken out; `grounding` is the share of all statements that held.
 */
export function finishSummary(run: SummaryRun, draft: Draft): Summary {
  const { written, notes } = draft;
  const sameLanguage = written.language === run.language;
  const { text, checked, held } = checkSentences(run, written.text, sameLanguage);
  const proposed = written.keyPoints.slice(0, MOST_KEY_POINTS);
  const verified = notes
    ? proposed.flatMap((point) => fromNote(run, point, notes))
    : verifyPoints(proposed, run.index, run.index.whole, run.known, written.language).points;
  const spoken = sameLanguage ? completed(run, verified, notes, text) : verified;
  const keyPoints = [...spoken, ...(draft.seen ?? [])].sort((a, b) => a.startMs - b.startMs);
  const total = checked + proposed.length;
  const { modelCalls, inputTokens, outputTokens, stages, cost } = run.meter.usage;
  return {
    method: draft.method,
    ...(draft.methodReason === undefined ? {} : { methodReason: draft.methodReason }),
    text,
    language: written.language,
    keyPoints: keyPoints.map((point) => toKeyPoint(run, point)).filter(({ text }) => text !== ''),
    sections: sectionsOf(run, written.sections),
    engine: draft.engine,
    usage: { modelCalls, inputTokens, outputTokens, stages, ...(cost === undefined ? {} : { cost }) },
    coverage: round(draft.coverage),
    grounding: round(total === 0 ? 0 : (held + verified.length) / total),
    warnings: run.warnings,
  };
}

function toKeyPoint(run: SummaryRun, { claim, startMs, source }: Point): KeyPoint {
  return { text: cleanOutput(claim, run.hasAddress), startMs, ...(source ? { source } : {}) };
}

/** The note that a key point names by its second, if the facts of the key point are in the transcript. */
function fromNote(run: SummaryRun, point: ProposedPoint, notes: readonly Point[]): Point[] {
  const second = point.second ?? -1;
  const note = notes.find(({ startMs }) => Math.abs(Math.floor(startMs / 1000) - second) <= SECOND_TOLERANCE);
  if (!note || !numbersOccur(run, point.claim)) return [];
  return [{ ...note, claim: point.claim }];
}

function checkSentences(
  run: SummaryRun,
  text: string,
  sameLanguage: boolean,
): { text: string; checked: number; held: number } {
  const { index, known } = run;
  let checked = 0;
  let held = 0;
  let invented = 0;
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) =>
    sentencesOf(paragraph).filter((sentence) => {
      checked++;
      if (!numbersOccur(run, sentence)) {
        invented++;
        return false;
      }
      // Names are translated with the text, and its words are others: in another language only the numbers can be checked.
      const located = sameLanguage ? (index.locate(sentence, index.whole)?.share ?? 1) : 1;
      if (located >= SENTENCE_SHARE && (!sameLanguage || factsOccur(sentence, index, index.whole, known)))
        held++;
      return true;
    }),
  );
  if (invented === 0 || checked - invented < checked * KEEP_AT_LEAST) return { text, checked, held };
  run.warnings.push({
    code: 'unsupported_removed',
    message: `${invented} of ${checked} sentences held numbers that the transcript does not have and were left out.`,
  });
  const kept = paragraphs.filter((sentences) => sentences.length > 0).map((sentences) => sentences.join(' '));
  return { text: kept.join('\n\n'), checked, held };
}

/** True when every number above ten in a statement is in the transcript or the title. */
function numbersOccur({ index, known }: SummaryRun, statement: string): boolean {
  return numbersSupported(statement, index, index.whole, known);
}

/**
 * Key points for the tenths of the content that the model left out, from its own verified notes; without notes and key points, the
 * sentences of its text that stand in the transcript. Only where they are in the language of the text.
 */
function completed(
  run: SummaryRun,
  keyPoints: readonly Point[],
  notes: readonly Point[] | undefined,
  text: string,
): Point[] {
  if (!notes) {
    if (keyPoints.length > 0) return [...keyPoints];
    const sentences = sentencesOf(text).map((claim) => ({ claim }));
    return verifyPoints(sentences, run.index, run.index.whole, run.known).points.slice(0, MOST_KEY_POINTS);
  }
  const end = run.pieces.at(-1)?.endMs || 1;
  const tenth = ({ startMs }: Point): number => Math.min(TENTHS - 1, Math.floor((TENTHS * startMs) / end));
  const all = [...keyPoints];
  for (let n = 0; n < TENTHS; n++) {
    if (all.some((point) => tenth(point) === n)) continue;
    const own = notes.filter((point) => tenth(point) === n);
    const middle = own[Math.floor(own.length / 2)];
    if (middle) all.push(middle);
  }
  return all.sort((a, b) => a.startMs - b.startMs);
}

/** Sections in order, within the content, each up to the next; fewer than two are none. */
function sectionsOf(run: SummaryRun, proposed: readonly ProposedSection[]): SummarySection[] {
  const end = run.content.durationMs ?? run.pieces.at(-1)?.endMs ?? 0;
  const inside = proposed
    .map(({ second, title, summary }) => ({
      startMs: Math.round(second * 1000),
      title: cleanOutput(title, run.hasAddress),
      summary: cleanOutput(summary, run.hasAddress),
    }))
    .filter(
      ({ startMs, title, summary }) =>
        startMs < end && title && summary && numbersOccur(run, `${title} ${summary}`),
    )
    .sort((a, b) => a.startMs - b.startMs)
    .filter(({ startMs }, i, all) => i === 0 || startMs > all[i - 1]!.startMs);
  if (inside.length < 2) return [];
  return inside.map((section, i) => ({ ...section, endMs: inside[i + 1]?.startMs ?? end }));
}

function round(share: number): number {
  return Math.round(share * 100) / 100;
}
