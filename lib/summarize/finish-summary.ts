import type { Chapter } from '../content/content-source.js';
import { evenly } from '../content/transcript-formats.js';
import type { Warning } from '../core/warning.js';
import type { ConcreteMethod, Summary, SummarySection } from './summarizer.js';
import type { SummaryRun } from './summary-run.js';
import type { Problem } from '../data/prompts.js';
import { problemOf } from '../writing/write-checked.js';
import { checkDraft, type Point } from './key-points.js';
import { shareRead, unreadWarnings, type ChunkNotes } from './chunks.js';
import type { WrittenSection, WrittenSummary } from './summary-text.js';

/** Result of a method before the last checks. */
interface Draft {
  method: ConcreteMethod;
  /** Default: that of the run. */
  engine?: string;
  written: WrittenSummary;
  /** Verified notes that the text was written from; absent when it was written from the transcript itself. */
  notes?: readonly Point[];
  /** What the notes are on; absent where the writer had the whole transcript. */
  chunks?: readonly ChunkNotes[];
  /** Statements that only the picture supports. */
  seen?: readonly Point[];
}

/** Findings that a warning names, and characters of each; a plain bound. */
const MOST_NAMED = 6;
const LONGEST_NAMED = 120;
/** The mark below a chapter's title may be rounded to the second before it, s; set by hand. */
const CHAPTER_TOLERANCE = 1;

/** Makes the summary of a written reply: sections with true times, key points over the whole content, warnings about omissions. */
export async function finishSummary(run: SummaryRun, draft: Draft): Promise<Summary> {
  const { written, notes = [], chunks = [] } = draft;
  // A model that writes prose names no key points.
  const isProse = written.keyPoints.length === 0 && written.language === run.language;
  const spoken = isProse ? evenly(notes, run.size.points) : written.keyPoints.slice(0, run.size.points);
  const keyPoints = [...spoken, ...(draft.seen ?? [])].sort((a, b) => a.startMs - b.startMs);
  const { sections, dropped } = await sectionsOf(run, written, keyPoints);
  return {
    method: draft.method,
    text: written.text,
    language: written.language,
    otherLanguage: written.otherLanguage,
    keyPoints: keyPoints.map(({ text, startMs, source }) => ({ text, startMs, source })),
    sections,
    engine: draft.engine ?? run.engine,
    usage: run.meter.usage,
    coverage: Math.round(shareRead(chunks) * 100) / 100,
    grounding: written.grounding,
    unsupported: written.unsupported.length > 0 ? written.unsupported : undefined,
    ...(written.data ? { data: written.data } : {}),
    warnings: [
      ...unreadWarnings(chunks),
      ...written.warnings,
      ...unsupportedWarnings(written),
      ...droppedWarnings([...chunks.flatMap((chunk) => chunk.dropped), ...written.dropped, ...dropped]),
    ],
  };
}

/** Sections in order and within the content. The sections of a video with chapters are its chapters. A single section is left out. */
async function sectionsOf(
  run: SummaryRun,
  written: WrittenSummary,
  keyPoints: readonly Point[],
): Promise<{ sections: SummarySection[]; dropped: Problem[] }> {
  const texts = written.sections.map(({ title, text }) => [title, text].filter(Boolean).join(': '));
  const statements = texts.map((text) => ({ text }));
  const checks = await checkDraft(run, statements, written.language, written.calculations);
  const faults = new Map(
    written.sections.map((section, i) => [section, problemOf({ text: texts[i]!, ...checks[i]! })] as const),
  );
  const holds = (section: WrittenSection): boolean => faults.get(section) === undefined;
  const sections = run.size.byChapter
    ? chapterSections(run, written.sections.filter(holds), keyPoints)
    : freeSections(run, written.sections, holds, keyPoints);
  return {
    sections: sections.length < 2 ? [] : sections,
    dropped: [...faults.values()].flatMap((fault) => fault ?? []),
  };
}

/** Every chapter of the video, with what the model wrote on it, else with a key point that is said in it. */
function chapterSections(
  run: SummaryRun,
  proposed: readonly WrittenSection[],
  keyPoints: readonly Point[],
): SummarySection[] {
  const { chapters } = run.content;
  const summaries = new Map<number, string>();
  const inOrder = proposed.length === chapters.length;
  proposed.forEach(({ second, title, text }, i) => {
    const timed = second === undefined ? -1 : chapterAt(chapters, (second + CHAPTER_TOLERANCE) * 1000);
    const chapter = timed < 0 && inOrder ? i : timed;
    const summary = text || title;
    if (chapter < 0 || summary === '') return;
    const before = summaries.get(chapter);
    summaries.set(chapter, before === undefined ? summary : `${before} ${summary}`);
  });
  for (const { startMs, text } of keyPoints) {
    const chapter = chapterAt(chapters, startMs);
    if (chapter >= 0 && !summaries.has(chapter)) summaries.set(chapter, text);
  }
  return chapters.map(({ title, startMs, endMs }, i) => ({
    title,
    startMs,
    endMs,
    summary: summaries.get(i) ?? '',
  }));
}

/** Index of the chapter at a time; -1 before the first. */
function chapterAt(chapters: readonly Chapter[], ms: number): number {
  const next = chapters.findIndex(({ startMs }) => startMs > ms);
  return next < 0 ? chapters.length - 1 : next - 1;
}

/**
 * Sections that the model made, each from the second that it names up to the next. One that does not hold leaves a gap: its neighbours say
 * nothing about its time.
 */
function freeSections(
  run: SummaryRun,
  proposed: readonly WrittenSection[],
  holds: (section: WrittenSection) => boolean,
  keyPoints: readonly Point[],
): SummarySection[] {
  const endOfContent = run.content.durationMs ?? run.pieces.at(-1)?.endMs ?? 0;
  const placed = proposed
    .filter((section) => section.title !== '' && section.second !== undefined)
    .map((section) => ({ section, startMs: Math.floor(section.second! * 1000) }))
    .filter(({ startMs }) => startMs < endOfContent)
    .sort((a, b) => a.startMs - b.startMs)
    .filter(({ startMs }, i, all) => i === 0 || startMs > all[i - 1]!.startMs);
  return placed.flatMap(({ section, startMs }, i): SummarySection[] => {
    const endMs = placed[i + 1]?.startMs ?? endOfContent;
    // A title without a sentence gets that of the key point that is said there.
    const point = keyPoints.find((keyPoint) => keyPoint.startMs >= startMs && keyPoint.startMs < endMs);
    const summary = section.text || point?.text;
    return summary && holds(section) ? [{ title: section.title, startMs, endMs, summary }] : [];
  });
}

function unsupportedWarnings({ unsupported }: WrittenSummary): Warning[] {
  const message = `The checks did not find ${unsupported.length} of the statements in the transcript. See \`unsupported\`.`;
  return unsupported.length === 0 ? [] : [{ code: 'unsupported_statements', message }];
}

function droppedWarnings(dropped: readonly Problem[]): Warning[] {
  if (dropped.length === 0) return [];
  const named = dropped
    .slice(0, MOST_NAMED)
    .map(({ text, why }) => `“${text.slice(0, LONGEST_NAMED)}” (${why})`);
  const rest = dropped.length > MOST_NAMED ? [`${dropped.length - MOST_NAMED} more`] : [];
  const message = `Left out ${dropped.length} of the model's key points, notes and sections: ${[...named, ...rest].join(', ')}.`;
  return [{ code: 'points_dropped', message }];
}
