import { UpstreamUnavailableError } from '../../core/errors.js';
import { languageOf } from '../../text/languages.js';
import type { PromptPart } from '../../model/ai-sdk.js';
import { IMAGE_TOKENS } from '../../model/model-profile.js';
import { contactSheets, FRAMES_PER_SHEET, type ContactSheet, type FrameSource } from './storyboard.js';
import type { Summary } from '../summarizer.js';
import { finishSummary } from '../finish-summary.js';
import { mapChunks, notesThatFit, planChunks, renderNotes, type ChunkNotes } from '../chunks.js';
import { renderLines } from '../prompt-transcript.js';
import type { Point } from '../key-points.js';
import type { ProposedPoint } from '../prompts.js';
import { summarizeRecursively } from '../summarize-transcript.js';
import type { SummaryRun } from '../summary-run.js';
import { dataCall } from '../summary-data.js';
import { FRAMES_LABEL, tokensForNotes, writeCall, writeSummary } from '../summary-text.js';

/** Frames a minute, and least and most of them; set by hand. */
const FRAMES_PER_MINUTE = 0.8;
const FRAMES = { least: 6, most: 36 };
/** Share of the window that pictures may take; set by hand. */
const PICTURE_SHARE = 0.25;
/** Words spoken within this time of a frame, in this share, do not count as seen only in it; set by hand. */
const NEARBY_MS = 60_000;
const SAID_SHARE = 0.6;
const MOST_SEEN = 6; // as the prompt says

/**
 * Words and picture: frames of the storyboard go between the words of the same minutes.
 *
 * @throws ToolsError 422 without storyboard; MethodUnavailableError without `sharp`; upstream errors; what the model client throws
 */
export async function summarizeWithPicture(run: SummaryRun, source: FrameSource): Promise<Summary> {
  const { content, context, models } = run;
  context.progress({ stage: 'frames' });
  const { profile } = models.vision;
  const sheetsThatFit = Math.floor((profile.contextTokens * PICTURE_SHARE) / IMAGE_TOKENS);
  if (sheetsThatFit === 0)
    return withoutPicture(run, 'The context window of the model is too small for pictures.');
  const minutes = (content.durationMs ?? run.pieces.at(-1)?.endMs ?? 0) / 60_000;
  const wanted = Math.min(FRAMES.most, Math.max(FRAMES.least, Math.round(minutes * FRAMES_PER_MINUTE)));
  const most = Math.min(wanted, sheetsThatFit * FRAMES_PER_SHEET);
  const sheets = await contactSheets(content, most, source, context);
  context.progress({ stage: 'frames', done: sheets.length, total: sheets.length });
  try {
    return await writeWithSheets(run, sheets);
  } catch (error) {
    // A model that takes no pictures refuses the request outright.
    if (!(error instanceof UpstreamUnavailableError) || error.shouldRetry) throw error;
    return withoutPicture(run, 'The model does not take pictures (option `visionModel`).');
  }
}

async function withoutPicture(run: SummaryRun, reason: string): Promise<Summary> {
  const warning = { code: 'picture_not_seen', message: `${reason} The summary rests on the words.` };
  const summary = await summarizeRecursively(run);
  return { ...summary, method: 'multi_modal', warnings: [warning, ...summary.warnings] };
}

async function writeWithSheets(run: SummaryRun, sheets: readonly ContactSheet[]): Promise<Summary> {
  const engine = run.models.vision.id;
  const { notes, chunks, parts } = wholeWithSheets(run, sheets) ?? (await notesWithSheets(run, sheets));
  const written = await writeSummary(run, run.models.vision, { parts, notes });
  const seen = seenOnly(run, written.seen, sheets, written.language);
  return finishSummary(run, { method: 'multi_modal', engine, written, notes, seen, chunks });
}

/** The material of the text: all words or the notes on them, with the sheets between. */
interface PictureMaterial {
  parts: PromptPart[];
  notes?: readonly Point[];
  /** What the notes are on; absent where all words are there. */
  chunks?: readonly ChunkNotes[];
}

/** All words with the sheets; undefined where they do not fit one call. */
function wholeWithSheets(run: SummaryRun, sheets: readonly ContactSheet[]): PictureMaterial | undefined {
  const model = run.models.vision;
  const parts = interleave(run, sheets, (from, to) =>
    renderLines(within(run.pieces, from, to), run.content.chapters),
  );
  const data = dataCall(run);
  const fits =
    model.profile.tokensLeft(writeCall(run, { parts })) >= 0 &&
    (!data || run.models.write.profile.tokensLeft(data) >= 0);
  return fits ? { parts } : undefined;
}

async function notesWithSheets(run: SummaryRun, sheets: readonly ContactSheet[]): Promise<PictureMaterial> {
  const model = run.models.vision;
  const chunks = await mapChunks(run, await planChunks(run));
  const pictures = interleave(run, sheets, () => '');
  const points = chunks.flatMap((chunk) => chunk.points);
  const notes = notesThatFit(run, points, tokensForNotes(run, model, pictures));
  const parts = interleave(run, sheets, (from, to) =>
    renderNotes(within(notes, from, to), run.content.chapters),
  );
  return { parts, notes, chunks };
}

/** Words up to the last frame of a sheet, then the sheet; the rest of the words at the end. */
function interleave(
  run: SummaryRun,
  sheets: readonly ContactSheet[],
  wordsBetween: (fromMs: number, toMs: number) => string,
): PromptPart[] {
  const parts: PromptPart[] = [];
  let from = -Infinity;
  sheets.forEach(({ jpeg, startsMs }, i) => {
    const to = i === sheets.length - 1 ? Infinity : startsMs.at(-1)! + 1;
    const header = i === 0 ? run.header : '';
    parts.push({ type: 'text', text: run.delimiter.wrap(header + wordsBetween(from, to)) });
    const times = startsMs.map((ms) => `[${Math.floor(ms / 1000)}]`).join(' ');
    parts.push({ type: 'text', text: `${FRAMES_LABEL}, left to right and top to bottom: ${times}` });
    parts.push({ type: 'image', data: jpeg, mediaType: 'image/jpeg' });
    from = to;
  });
  return parts;
}

function within<T extends { startMs: number }>(all: readonly T[], fromMs: number, toMs: number): T[] {
  return all.filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
}

/** The statements about frames that were really sent, without those that the speaker makes at the same time. */
function seenOnly(
  run: SummaryRun,
  proposed: readonly ProposedPoint[],
  sheets: readonly ContactSheet[],
  language: string,
): Point[] {
  const times = sheets.flatMap(({ startsMs }) => startsMs);
  return proposed.slice(0, MOST_SEEN).flatMap(({ text, t: second = -1 }): Point[] => {
    const startMs = times.find((ms) => Math.floor(ms / 1000) === second);
    if (startMs === undefined || text === '') return [];
    const near = run.transcript.between(startMs - NEARBY_MS, startMs + NEARBY_MS);
    const [overlap] = run.transcript.overlaps(text, languageOf(language), '', near);
    return (overlap?.together ?? 0) >= SAID_SHARE ? [] : [{ text, startMs, source: 'frame' }];
  });
}
