import { Parser } from 'htmlparser2';
import type { ToolsError } from '../../../core/errors.js';
import { openAtEnd } from '../../../core/json.js';
import { videoFailure } from '../video-failure.js';

/** One cue of a caption file, before cleaning. */
export interface Cue {
  /** Milliseconds. */
  startMs: number;
  /** Milliseconds; undefined when the file gives no duration. */
  endMs?: number;
  /** Raw text with line breaks, entities and tags. */
  text: string;
  /**
   * Start of the last word, ms, in files that time words (automatic captions do). Such a cue stays on screen during the pause after it, so
   * this tells where the speech ends.
   */
  lastWordMs?: number;
}

/** Cues from a parser. It yields `undefined` from time to time, so that its caller can give way to the event loop. */
export type Cues = Generator<Cue | undefined, void, undefined>;

/** Characters of a slice. It parses in a millisecond or two. */
const SLICE = 64 * 1024;

/**
 * Parses the array under a key of a JSON object in slices, because one `JSON.parse` would block the event loop. A slice ends where an item
 * begins with `firstMember`. Quotes inside strings are escaped, so `{"tStartMs"` only stands at the start of an object. A slice that ends
 * inside another object does not parse; the rest is then parsed at once.
 *
 * @throws UpstreamInvalidError: `truncated` when the text ends before the object, `unreadable` for any other text
 */
export function* parseArrayInSlices(
  json: string,
  key: string,
  firstMember: string,
): Generator<unknown[], void, undefined> {
  let from = startOfArray(json, key);
  const itemStart = new RegExp(`,\\s*\\{\\s*"${firstMember}"`, 'g');
  for (;;) {
    itemStart.lastIndex = from + SLICE;
    const cut = itemStart.exec(json);
    if (!cut) break;
    const items = tryParse(`[${json.slice(from, cut.index)}]`);
    if (!Array.isArray(items)) break;
    yield items;
    from = cut.index + 1;
  }
  // The rest includes the end of the object, so it parses only when the text is complete.
  const rest = tryParse(`{"items":[${json.slice(from)}`) as { items?: unknown } | undefined;
  if (!Array.isArray(rest?.items)) throw unparsed(json);
  yield rest.items;
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Index after the `[` of the key's array. The key must belong to the outermost object. */
function startOfArray(json: string, key: string): number {
  let depth = 0;
  let counted = 0;
  for (const match of json.matchAll(new RegExp(`"${key}"\\s*:\\s*\\[`, 'g'))) {
    depth += openAtEnd(json.slice(counted, match.index));
    counted = match.index;
    if (depth === 1) return match.index + match[0].length;
  }
  throw unparsed(json);
}

/** The failure of text that does not parse: it ends too early, or it is something else. */
function unparsed(json: string): ToolsError {
  return videoFailure(openAtEnd(json) > 0 ? 'truncated' : 'unreadable');
}

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
      const cue = json3Cue(event);
      if (cue) yield cue;
    }
    yield undefined;
  }
}

function json3Cue(value: unknown): Cue | undefined {
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

/** Characters that are parsed before the caller may give way to the event loop; about a millisecond's work. */
const XML_SLICE = 32 * 1024;

/** Captions nest four levels deep. The parser searches all open elements at each end tag, so that deep input would be slow. */
const MAX_DEPTH = 32;

interface OpenCue {
  startMs: number | undefined;
  endMs: number | undefined;
  lastWordMs: number | undefined;
  /** Only appends a line break to the cue before. */
  appends: boolean;
  text: string;
}

/**
 * Reads both XML formats of timedtext:
 * - `srv3`: `<timedtext><body><p t="80" d="4000"><s>hello</s><s t="320"> world</s></p></body></timedtext>`, times in ms, `s` for each
 *   word. A `p` with `a="1"` only appends a line break.
 * - without `fmt`: `<transcript><text start="0.16" dur="3.2">I&amp;#39;m here</text></transcript>`, times in seconds, the text escaped
 *   twice. A line without `dur` lasts until the next one.
 *
 * @throws UpstreamInvalidError (`truncated` when the end is missing, `unreadable` when elements nest too deeply)
 */
export function* parseTimedtextXml(body: string): Cues {
  const cues: Cue[] = [];
  const reader = new CueReader((cue) => cues.push(cue));
  const parser = new Parser(reader, { xmlMode: true, decodeEntities: true });
  for (let at = 0; at < body.length; at += XML_SLICE) {
    parser.write(body.slice(at, at + XML_SLICE));
    yield* cues.splice(0);
    yield undefined;
  }
  parser.end();
  yield* cues.splice(0);
  if (!reader.isWhole) throw videoFailure('truncated');
}

class CueReader {
  /** True when the end tags of the root and of every cue have come. */
  isWhole = false;
  private hasUnclosedCue = false;
  private readonly open: string[] = [];
  private cue: OpenCue | undefined;

  constructor(private readonly emit: (cue: Cue) => void) {}

  onopentag(name: string, attributes: Record<string, string>): void {
    if (this.open.push(name) > MAX_DEPTH) throw videoFailure('unreadable');
    if (name === 'p' || name === 'text') {
      // Cues do not nest: the one before has no end tag.
      if (this.cue) this.hasUnclosedCue = true;
      this.cue = openCue(name, attributes);
    } else if (name === 's' && this.cue?.startMs !== undefined) {
      const offset = numberOf(attributes.t);
      if (offset !== undefined) this.cue.lastWordMs = this.cue.startMs + offset;
    } else if (name === 'br' && this.cue) this.cue.text += '\n';
  }

  ontext(text: string): void {
    if (this.cue) this.cue.text += text;
  }

  /** @param isImplied true when the end tag is missing in the file */
  onclosetag(name: string, isImplied: boolean): void {
    this.open.pop();
    if (this.open.length === 0) this.isWhole = !isImplied && !this.hasUnclosedCue;
    if ((name !== 'p' && name !== 'text') || !this.cue) return;
    const { startMs, endMs, lastWordMs, appends, text } = this.cue;
    this.cue = undefined;
    // The end of `<p …/>` is implied as well; it has no text.
    if (isImplied && text !== '') this.hasUnclosedCue = true;
    else if (startMs !== undefined && !appends) this.emit({ startMs, endMs, text, lastWordMs });
  }
}

function openCue(name: 'p' | 'text', { t, d, a, start, dur }: Record<string, string>): OpenCue {
  const isSrv3 = name === 'p';
  const from = numberOf(isSrv3 ? t : start);
  const duration = numberOf(isSrv3 ? d : dur);
  const toMs = (value: number): number => (isSrv3 ? value : Math.round(value * 1000));
  return {
    startMs: from === undefined ? undefined : toMs(from),
    endMs: from === undefined || duration === undefined ? undefined : toMs(from + duration),
    lastWordMs: undefined,
    appends: isSrv3 && a === '1',
    text: '',
  };
}

function numberOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

const TIMING =
  /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})[ \t]+-->[ \t]+(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})/;

/** Word timing inside a cue of automatic captions: `<00:00:01.200>`. */
const WORD_TIME = /<(\d{1,4}):(\d{2}):(\d{2})\.(\d{3})>/g;

/**
 * Reads WebVTT (W3C), and SubRip, which differs by a comma. Blocks are separated by empty lines; each has a line of times, then its text.
 * Headers, notes, styles and regions have no line of times and are skipped.
 */
export function* parseWebVtt(body: string): Cues {
  let cue: { startMs: number; endMs: number; lines: string[] } | undefined;
  let at = 0;
  const close = (): ReturnType<typeof vttCue> | undefined => (cue ? vttCue(cue) : undefined);
  while (at < body.length) {
    const end = body.indexOf('\n', at);
    const stop = end < 0 ? body.length : end;
    const line = body.slice(at, body.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);
    at = stop + 1;
    const time = line.includes('-->') ? TIMING.exec(line) : null;
    if (time) {
      yield close();
      cue = { startMs: clock(time, 1), endMs: clock(time, 5), lines: [] };
    } else if (line === '') {
      yield close();
      cue = undefined;
    } else cue?.lines.push(line);
  }
  yield close();
}

function vttCue({ startMs, endMs, lines }: { startMs: number; endMs: number; lines: string[] }) {
  const text = lines.join('\n');
  let lastWordMs: number | undefined;
  for (const match of text.matchAll(WORD_TIME)) lastWordMs = clock(match, 1);
  return { startMs, endMs: Math.max(startMs, endMs), text, lastWordMs };
}

function clock(match: RegExpMatchArray, first: number): number {
  const [hours, minutes, seconds] = [0, 1, 2].map((i) => Number(match[first + i] ?? 0));
  const fraction = Number((match[first + 3] ?? '').padEnd(3, '0'));
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000 + (seconds ?? 0) * 1000 + fraction;
}
