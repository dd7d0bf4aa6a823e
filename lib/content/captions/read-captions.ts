import { at, openAtEnd, parseJson } from '../../core/json.js';
import type { TranscriptSegment } from '../content-source.js';
import { videoFailure } from '../youtube/video-failure.js';
import { isWebPage, pageKind } from '../youtube/youtube-egress.js';
import { cleanCaption } from './clean-text.js';
import { cuesToSegments, type Cue } from './merge-cues.js';
import { readSubtitles } from './read-subtitles.js';

/**
 * Reads captions of YouTube: timedtext `fmt=json3`, or a caption file as {@link readSubtitles} reads it.
 *
 * @throws UpstreamUnavailableError: `gated_captions` for an empty body, `captcha`, `consent`;
 *   UpstreamInvalidError: `not_json` for another web page, `truncated`, `unreadable`
 */
export async function readCaptions(body: string, signal?: AbortSignal): Promise<TranscriptSegment[]> {
  if (body.trim() === '') throw videoFailure('gated_captions');
  if (isWebPage(body)) throw videoFailure(pageKind(body));
  return cuesToSegments((await readSubtitles(body, signal)) ?? eventsOf(body).map(toCue), signal);
}

/**
 * Events of json3: `{ "events": [{ tStartMs, dDurationMs, segs: [{ utf8, tOffsetMs, pPenId }] }] }`. Events without `segs` define windows.
 * Automatic captions have one `seg` for each word, with its offset. A pen says how a `seg` is drawn.
 */
function eventsOf(body: string): unknown[] {
  let events: unknown;
  try {
    events = at(parseJson(body), 'events');
  } catch (error) {
    throw videoFailure(openAtEnd(body) > 0 ? 'truncated' : 'unreadable', { cause: error });
  }
  if (!Array.isArray(events)) throw videoFailure('unreadable');
  return events;
}

interface Json3Event {
  tStartMs?: number;
  dDurationMs?: number;
  /** 1: only appends a line break to the event before. */
  aAppend?: number;
  segs?: { utf8?: string; tOffsetMs?: number; pPenId?: number }[];
}

function toCue(event: unknown): Cue | undefined {
  const { tStartMs = 0, dDurationMs, aAppend, segs } = (event ?? {}) as Json3Event;
  if (!Array.isArray(segs) || aAppend || !Number.isFinite(tStartMs)) return undefined;
  let text = '';
  let look = '';
  let lastOffset: number | undefined;
  for (const seg of segs) {
    if (typeof seg?.utf8 !== 'string') continue;
    text += seg.utf8;
    if (seg.pPenId !== undefined && cleanCaption(seg.utf8) !== '') look += `<${seg.pPenId}>`;
    look += seg.utf8;
    if (seg.tOffsetMs !== undefined) lastOffset = seg.tOffsetMs;
  }
  return {
    startMs: tStartMs,
    endMs: dDurationMs === undefined ? undefined : tStartMs + dDurationMs,
    text,
    look,
    lastWordMs: lastOffset === undefined ? undefined : tStartMs + lastOffset,
  };
}
