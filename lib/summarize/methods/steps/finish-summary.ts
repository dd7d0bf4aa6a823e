import type { Chapter } from '../../../content/content-source.js';
import { sentencesOf } from '../../../text/sentences.js';
import type { ConcreteMethod, Summary, SummarySection } from '../../summarizer.js';
import type { ProposedSection } from '../parse/written-summary.js';
import type { SummaryRun } from '../summary-run.js';
import { distinct, type Flaw, type Point } from '../verify/fact-checker.js';
import { firstFrom } from '../verify/transcript-index.js';
import { shareOf } from './merge-notes.js';
import type { Written } from './read-written.js';

/** Result of a method before the last checks. */
interface Draft {
  method: ConcreteMethod;
  /** Default: that of the run. */
  engine?: string;
  written: Written;
  /** Verified notes that the text was written from; absent when it was written from the transcript itself. */
  notes?: readonly Point[];
  /** Statements that only the picture supports. */
  seen?: readonly Point[];
  coverage: number;
}

/** Number of equal parts of the content that should have a key point each. */
const TENTHS = 10;
/** Two statements that share this many of their words say the same. */
const SAME_SHARE = 0.7;
/** A section's time may be this far from a mark, seconds. */
const MISPLACED = 60;
/** The mark below a chapter's title may be rounded to the second before it. */
const CHAPTER_TOLERANCE = 1;

/** Makes the summary of a written answer: sections with true times, key points over the whole content, warnings about omissions. */
export function finishSummary(run: SummaryRun, draft: Draft): Summary {
  const { written, notes } = draft;
  const spoken = completed(run, written, notes);
  const keyPoints = [...spoken, ...(draft.seen ?? [])].sort((a, b) => a.startMs - b.startMs);
  const sections = sectionsOf(run, written, keyPoints);
  warnOfDropped(run, written);
  return {
    method: draft.method,
    text: written.text,
    language: written.language,
    otherLanguage: written.otherLanguage,
    keyPoints: keyPoints.map(({ claim, startMs, source }) => ({ text: claim, startMs, source })),
    sections,
    engine: draft.engine ?? run.engine,
    usage: run.meter.usage,
    coverage: round(draft.coverage),
    grounding: written.grounding === undefined ? undefined : round(written.grounding),
    warnings: run.warnings,
  };
}

/**
 * Key points up to the number that was asked for: for stretches of the content that the model left out from its own verified notes; without
 * notes and key points, the sentences of its text that stand in the transcript. Only where they are in the language of the text.
 */
function completed(run: SummaryRun, written: Written, notes: readonly Point[] | undefined): Point[] {
  const { keyPoints, language, text } = written;
  if (language !== run.language) return keyPoints;
  const most = run.size.points;
  if (!notes) {
    if (keyPoints.length > 0) return keyPoints;
    return distinct(sentencesOf(text, { language }).map((claim) => ({ claim })))
      .map((sentence) => run.facts.checkPoint(sentence))
      .filter((point) => typeof point !== 'string')
      .slice(0, most);
  }
  const end = run.pieces.at(-1)?.endMs || 1;
  const tenth = ({ startMs }: Point): number => Math.min(TENTHS - 1, Math.floor((TENTHS * startMs) / end));
  const all = [...keyPoints];
  for (let n = 0; n < TENTHS && all.length < most; n++) {
    if (all.some((point) => tenth(point) === n)) continue;
    const own = notes.filter(
      (note) =>
        !note.standIn &&
        tenth(note) === n &&
        all.every(({ claim }) => shareOf(note.claim, claim) < SAME_SHARE),
    );
    const middle = own[Math.floor(own.length / 2)];
    if (middle) all.push(middle);
  }
  return all.sort((a, b) => a.startMs - b.startMs);
}

/** Sections in order and within the content. The sections of a video with chapters are its chapters. A single section is left out. */
function sectionsOf(run: SummaryRun, written: Written, keyPoints: readonly Point[]): SummarySection[] {
  const supported = written.sections.filter(({ title, summary }) => {
    const facts = run.facts.facts(`${title} ${summary}`, undefined, written.language);
    const invented = facts.support === 'absent' && facts.flaw === 'number';
    if (invented) written.dropped.number++;
    return !invented;
  });
  const sections = run.size.byChapter
    ? chapterSections(run, supported, keyPoints)
    : freeSections(run, supported, written.marks, keyPoints);
  return sections.length < 2 ? [] : sections;
}

/** The chapters that the model wrote a sentence on, or that a key point falls into. */
function chapterSections(
  run: SummaryRun,
  proposed: readonly ProposedSection[],
  keyPoints: readonly Point[],
): SummarySection[] {
  const { chapters } = run.content;
  const summaries = new Map<number, string>();
  const inOrder = proposed.length === chapters.length;
  proposed.forEach((section, i) => {
    const titled = chapters.findIndex(({ title }) => isSameTitle(title, section.title));
    const { second } = section;
    const timed = second === undefined ? -1 : chapterAt(chapters, (second + CHAPTER_TOLERANCE) * 1000);
    const chapter = titled >= 0 ? titled : timed >= 0 ? timed : inOrder ? i : -1;
    if (chapter < 0) return;
    // Words before a colon may look like a title and be part of the sentence.
    const text = titled >= 0 ? section.summary : [section.title, section.summary].filter(Boolean).join(': ');
    if (text !== '' && !isSameTitle(text, chapters[chapter]!.title)) {
      const before = summaries.get(chapter);
      summaries.set(chapter, before === undefined ? text : `${before} ${text}`);
    }
  });
  for (const { startMs, claim } of keyPoints) {
    const chapter = chapterAt(chapters, startMs);
    if (chapter >= 0 && !summaries.has(chapter)) summaries.set(chapter, claim);
  }
  return chapters.flatMap(({ title, startMs, endMs }, i): SummarySection[] => {
    const summary = summaries.get(i);
    return summary === undefined ? [] : [{ title, startMs, endMs, summary }];
  });
}

/** Index of the chapter at a time; -1 before the first. */
function chapterAt(chapters: readonly Chapter[], ms: number): number {
  const next = chapters.findIndex(({ startMs }) => startMs > ms);
  return next < 0 ? chapters.length - 1 : next - 1;
}

function isSameTitle(a: string, b: string): boolean {
  return a !== '' && shareOf(a, b) >= SAME_SHARE && shareOf(b, a) >= SAME_SHARE;
}

/** Sections that the model made: at the marks that were sent, each up to the next. */
function freeSections(
  run: SummaryRun,
  proposed: readonly ProposedSection[],
  marks: readonly number[],
  keyPoints: readonly Point[],
): SummarySection[] {
  const end = run.content.durationMs ?? run.pieces.at(-1)?.endMs ?? 0;
  const placed = proposed
    .flatMap(({ second, title, summary }): Omit<SummarySection, 'endMs'>[] => {
      const mark = second === undefined ? undefined : nearest(marks, second);
      return mark === undefined || mark * 1000 >= end || title === ''
        ? []
        : [{ title, startMs: mark * 1000, summary }];
    })
    .sort((a, b) => a.startMs - b.startMs)
    .filter(({ startMs }, i, all) => i === 0 || startMs > all[i - 1]!.startMs)
    .slice(0, Math.max(2, run.size.sections));
  return placed.flatMap((section, i): SummarySection[] => {
    const endMs = placed[i + 1]?.startMs ?? end;
    // A title without a sentence gets that of the key point that is said there.
    const point = keyPoints.find(({ startMs }) => startMs >= section.startMs && startMs < endMs);
    const summary = section.summary || point?.claim;
    return summary ? [{ ...section, endMs, summary }] : [];
  });
}

/** The mark that is nearest to a second, at most a minute away. */
function nearest(marks: readonly number[], second: number): number | undefined {
  const after = firstFrom(marks, second);
  const [before, next] = [marks[after - 1], marks[after]];
  const closest =
    next === undefined || (before !== undefined && second - before < next - second) ? before : next;
  return closest === undefined || Math.abs(closest - second) > MISPLACED ? undefined : closest;
}

const REASONS: Readonly<Record<Flaw, string>> = {
  words: 'whose words are not in the transcript',
  number: 'with a number that the transcript does not have',
  name: 'with a name that the transcript does not have',
};

/** Warns about everything that was left out. */
function warnOfDropped(run: SummaryRun, { cut, sentences, invented, dropped }: Written): void {
  if (cut) {
    run.warnings.push({
      code: 'summary_truncated',
      message: `The model wrote more than twice the ${run.size.words} words that were asked for. The rest was left out.`,
    });
  }
  if (invented > 0) {
    run.warnings.push({
      code: 'unsupported_removed',
      message: `${invented} of ${sentences} sentences held numbers that the transcript does not have and were left out.`,
    });
  }
  const counts = (Object.keys(REASONS) as Flaw[]).map(
    (flaw) => [flaw, dropped[flaw] + run.dropped[flaw]] as const,
  );
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return;
  const reasons = counts.filter(([, count]) => count > 0).map(([flaw, count]) => `${count} ${REASONS[flaw]}`);
  run.warnings.push({
    code: 'points_dropped',
    message: `Left out ${total} of the model's key points, notes and sections: ${reasons.join(', ')}.`,
  });
}

function round(share: number): number {
  return Math.round(share * 100) / 100;
}
