import type { Chapter } from '../../../content/content-source.js';
import { sentencesOf } from '../../../core/text/sentences.js';
import type { ConcreteMethod, KeyPoint, Summary, SummarySection } from '../../summarizer.js';
import type { Point } from '../parse/point.js';
import type { ProposedSection } from '../parse/written-summary.js';
import type { SummaryRun } from '../summary-run.js';
import type { Flaw } from '../verify/verify-points.js';
import { firstFrom } from '../verify/transcript-index.js';
import { shareOf, type Written } from './read-written.js';

/** Result of a method before the last checks. */
interface Draft {
  method: ConcreteMethod;
  methodReason?: string;
  engine: string;
  written: Written;
  /** Verified notes that the text was written from; absent when it was written from the transcript itself. */
  notes?: readonly Point[];
  /** What the picture shows in addition to the words. */
  seen?: readonly Point[];
  coverage: number;
}

/** So many equal parts of the content are looked at for gaps between key points. */
const TENTHS = 10;
/** Two statements with so many words in common say the same. */
const SAME_SHARE = 0.7;
/** Share of a section's words that must stand together to tell where it begins, and how far from its mark. */
const LOCATED_SHARE = 0.6;
const MISPLACED_MS = 60_000;
/** The mark below a chapter's title may be rounded to the second before it. */
const CHAPTER_TOLERANCE = 1;

/** Makes a summary of what was written: sections with true times, key points over the whole content, warnings of what was left out. */
export function finishSummary(run: SummaryRun, draft: Draft): Summary {
  const { written, notes } = draft;
  const spoken = completed(run, written, notes);
  const keyPoints = [...spoken, ...(draft.seen ?? [])].sort((a, b) => a.startMs - b.startMs);
  const sections = sectionsOf(run, written, keyPoints);
  warnOfDropped(run, written);
  const { modelCalls, inputTokens, outputTokens, stages, cost } = run.meter.usage;
  return {
    method: draft.method,
    ...(draft.methodReason === undefined ? {} : { methodReason: draft.methodReason }),
    text: written.text,
    language: written.language,
    ...(written.otherLanguage === undefined ? {} : { otherLanguage: written.otherLanguage }),
    keyPoints: keyPoints.map(toKeyPoint),
    sections,
    engine: draft.engine,
    usage: { modelCalls, inputTokens, outputTokens, stages, ...(cost === undefined ? {} : { cost }) },
    coverage: round(draft.coverage),
    ...(written.grounding === undefined ? {} : { grounding: round(written.grounding) }),
    warnings: run.warnings,
  };
}

function toKeyPoint({ claim, startMs, source }: Point): KeyPoint {
  return { text: claim, startMs, ...(source ? { source } : {}) };
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
    const sentences = sentencesOf(text, { language }).map((claim) => ({ claim }));
    return run.facts.verifyPoints(sentences).points.slice(0, most);
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

/** Sections in order, within the content; a single section counts as no sections. Those of a video with chapters are its chapters. */
function sectionsOf(run: SummaryRun, written: Written, keyPoints: readonly Point[]): SummarySection[] {
  const supported = written.sections.filter(({ title, summary }) => {
    const facts = run.facts.facts(`${title} ${summary}`, undefined, written.language);
    const invented = facts.support === 'absent' && facts.flaw === 'number';
    if (invented) written.dropped.number++;
    return !invented;
  });
  const sections = run.size.byChapter
    ? chapterSections(run, supported, keyPoints)
    : freeSections(run, supported, written, keyPoints);
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
    const text =
      titled >= 0 || section.title === ''
        ? section.summary || section.title
        : sentenceOf(section, chapters[chapter]!.title);
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

/** What a line says of a chapter: all of it, for what looked like a title of its own may be part of the sentence. */
function sentenceOf({ title, summary }: ProposedSection, chapter: string): string {
  if (summary === '') return title;
  return shareOf(title, chapter) >= 0.5 ? summary : `${title}: ${summary}`;
}

function isSameTitle(a: string, b: string): boolean {
  return a !== '' && shareOf(a, b) >= SAME_SHARE && shareOf(b, a) >= SAME_SHARE;
}

/** Sections that the model made: at the marks that were sent, each up to the next. */
function freeSections(
  run: SummaryRun,
  proposed: readonly ProposedSection[],
  { marks, language }: Written,
  keyPoints: readonly Point[],
): SummarySection[] {
  const end = run.content.durationMs ?? run.pieces.at(-1)?.endMs ?? 0;
  const placed = proposed
    .flatMap((section): Omit<SummarySection, 'endMs'>[] => {
      const { title, summary } = section;
      const startMs = startOf(run, section, marks, language === run.language);
      return startMs === undefined || startMs >= end || title === '' ? [] : [{ title, startMs, summary }];
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

/** The mark that a section begins at: the one it names, or the one before its words where it names a time that is none or too late. */
function startOf(
  run: SummaryRun,
  { second, title, summary }: ProposedSection,
  marks: readonly number[],
  sameLanguage: boolean,
): number | undefined {
  const markBefore = (value: number): number | undefined =>
    marks[firstFrom(marks, value + 1) - 1] ?? marks[0];
  const located = sameLanguage ? run.index.locate(`${title} ${summary}`, run.index.whole) : undefined;
  const said = located && located.share >= LOCATED_SHARE ? located.startMs : undefined;
  const snapped = second === undefined ? undefined : nearest(marks, second);
  if (said !== undefined && (snapped === undefined || said < snapped * 1000 - MISPLACED_MS)) {
    const mark = markBefore(Math.floor(said / 1000));
    return mark === undefined ? said : mark * 1000;
  }
  return snapped === undefined ? undefined : snapped * 1000;
}

/** The mark that is nearest to a second, at most a minute away. */
function nearest(marks: readonly number[], second: number): number | undefined {
  const after = firstFrom(marks, second);
  const [before, next] = [marks[after - 1], marks[after]];
  const closest =
    next === undefined || (before !== undefined && second - before < next - second) ? before : next;
  return closest === undefined || Math.abs(closest - second) * 1000 > MISPLACED_MS ? undefined : closest;
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
