import type { Cue, Cues } from './cue.js';
import { parseArrayInSlices } from './json-array-slices.js';

interface Json3Event {
  tStartMs?: number;
  dDurationMs?: number;
  /** 1: only appends a line break to the event before. */
  aAppend?: number;
  segs?: { utf8?: string; tOffsetMs?: number }[];
}

/**
 * Reads timedtext `fmt=json3`: `{ "events": [{ tStartMs, dDurationMs, segs: [{ utf8, tOffsetMs }] }] }`. Events without `segs` define
 * windows. Automatic captions have one `seg` for each word, with its offset. Ten hours of speech are several megabytes, so the events are
 * parsed in slices.
 *
 * @throws UpstreamInvalidError (`truncated`, `unreadable`)
 */
export function* parseJson3(body: string): Cues {
  for (const events of parseArrayInSlices(body, 'events', 'tStartMs')) {
    for (const event of events) {
      const cue = toCue(event);
      if (cue) yield cue;
    }
    yield undefined;
  }
}

function toCue(value: unknown): Cue | undefined {
  const { tStartMs = 0, dDurationMs, aAppend, segs } = (value ?? {}) as Json3Event;
  if (!Array.isArray(segs) || aAppend || !Number.isFinite(tStartMs)) return undefined;
  let text = '';
  let lastOffset: number | undefined;
  for (const seg of segs) {
    if (typeof seg?.utf8 !== 'string') continue;
    text += seg.utf8;
    if (seg.tOffsetMs !== undefined) lastOffset = seg.tOffsetMs;
  }
  return {
    startMs: tStartMs,
    endMs: dDurationMs === undefined ? undefined : tStartMs + dDurationMs,
    text,
    lastWordMs: lastOffset === undefined ? undefined : tStartMs + lastOffset,
  };
}
