import { Parser } from 'htmlparser2';
import { videoFailure } from '../video-failure.js';
import type { Cue, Cues } from './cue.js';

/** Characters that are parsed before the caller may give way to the event loop; about a millisecond's work. */
const SLICE = 32 * 1024;

/** Captions nest four levels deep. The parser searches all open elements at each end tag, so that deep input would be slow. */
const MAX_DEPTH = 32;

/** An element that holds a cue, while it is open. */
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
  for (let at = 0; at < body.length; at += SLICE) {
    parser.write(body.slice(at, at + SLICE));
    yield* cues.splice(0);
    yield undefined;
  }
  parser.end();
  yield* cues.splice(0);
  if (!reader.isWhole) throw videoFailure('truncated');
}

/** Makes cues from the parser's events. */
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
