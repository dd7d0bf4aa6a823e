import { Parser } from 'htmlparser2';
import { secondsIn } from '../../transcript-formats.js';
import type { Cue } from './merge-cues.js';

/** How a caption file begins that is no JSON. Comments and declarations may stand before the first element. */
const XML =
  /^\s*(?:<\?[^>]{0,500}>\s*|<!--(?:(?!-->)[^]){0,5000}-->\s*|<!DOCTYPE[^>]{0,500}>\s*){0,5}<(?:[\w.-]{1,40}:)?(tt|timedtext|transcript)[\s>/]/i;
const VTT = /^\s*WEBVTT(?![^\s])/;
const TIMING = /^\s*([\d:.,]{4,20})\s*-->\s*([\d:.,]{4,20})/;

/**
 * Reads the text of a caption file: WebVTT, SubRip (SRT), TTML, or YouTube's XML (srv1, srv2, srv3).
 * @returns undefined for any other text
 */
export function readSubtitles(file: string): Cue[] | undefined {
  const text = file.replace(/^\ufeff/, '');
  const root = XML.exec(text)?.[1]?.toLowerCase();
  if (root !== undefined) return (root === 'tt' ? ttmlCues(text) : youtubeCues(text)).filter(isTimed);
  if (VTT.test(text)) return textCues(text, true);
  // A number may stand before the first time.
  const [first = '', second = ''] = text.trimStart().split(/\r\n?|\n/, 2);
  return TIMING.test(first) || (/^\d+\s*$/.test(first) && TIMING.test(second))
    ? textCues(text, false)
    : undefined;
}

const isTimed = ({ startMs }: Cue): boolean => Number.isFinite(startMs);

/** WebVTT and SubRip: a line with two times, then the words. In WebVTT an empty line ends them. */
function textCues(text: string, isVtt: boolean): Cue[] {
  const lines = text.split(/\r\n?|\n/);
  const cues: Cue[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, from, to] = TIMING.exec(lines[at]!) ?? [];
    if (from === undefined) continue;
    let end = at + 1;
    while (end < lines.length && !(isVtt && lines[end] === '') && !TIMING.test(lines[end]!)) end++;
    const words = lines.slice(at + 1, end);
    // The number of the next cue, behind an empty line.
    if (!isVtt && TIMING.test(lines[end] ?? '') && /^\s*\d+\s*$/.test(words.at(-1) ?? '')) words.pop();
    at = end - 1;
    const [start, stop] = [secondsIn(from), secondsIn(to!)];
    if (start === undefined) continue;
    // `{\an8}` places a line.
    const said = words.join('\n').replace(/\{\\[^{}]{0,200}\}/g, '');
    cues.push({
      startMs: start * 1000,
      endMs: stop === undefined ? undefined : stop * 1000,
      text: said,
      look: said.replace(/<[\d:.]{4,20}>/g, ''),
    });
  }
  return cues;
}

/** Elements within elements: more is no caption file. */
const MOST_DEPTH = 100;

interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
}

/** Reads XML. Names come without their prefix. */
function readXml(
  xml: string,
  on: { open(element: Element): void; text(text: string): void; close(name: string): void },
): void {
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, given) {
        // The parser looks through all open elements for each end tag.
        if (++depth > MOST_DEPTH) return parser.pause();
        const attributes = Object.fromEntries(
          Object.entries(given).map(([key, value]) => [local(key), value]),
        );
        on.open({ name: local(name), attributes });
      },
      ontext: (text) => on.text(text),
      onclosetag(name) {
        depth--;
        on.close(local(name));
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

/** YouTube's XML: `<p t="80" d="7000">` with milliseconds (srv2, srv3), `<text start="0.08" dur="7">` with seconds (srv1). */
function youtubeCues(xml: string): Cue[] {
  const cues: Cue[] = [];
  let cue: Cue | undefined;
  readXml(xml, {
    open({ name, attributes: { t, d, a, p, start, dur } }) {
      if (name === 'p' || name === 'text') {
        const startMs = start === undefined ? Number(t) : Number(start) * 1000;
        const lengthMs = start === undefined ? Number(d) : Number(dur) * 1000;
        // `a="1"` only appends a line break to the cue before.
        if (a === '1' || !Number.isFinite(startMs)) return;
        cue = {
          startMs,
          endMs: Number.isFinite(lengthMs) ? startMs + lengthMs : undefined,
          text: '',
          look: '',
        };
      } else if (name === 's' && cue) {
        if (t !== undefined) cue.lastWordMs = cue.startMs + Number(t);
        cue.look += `<${p ?? ''}>`;
      } else if (name === 'br') add('\n');
    },
    text: add,
    close(name) {
      if ((name !== 'p' && name !== 'text') || !cue) return;
      cues.push(cue);
      cue = undefined;
    },
  });
  function add(text: string): void {
    if (!cue) return;
    cue.text += text;
    cue.look += text;
  }
  return cues;
}

/** An element of TTML with its times, seconds. */
interface Timed {
  begin: number;
  end?: number;
  /** Whether it or an element around it has times of its own. */
  hasTimes: boolean;
  /** Where its next element begins, if they come one after another. */
  next?: number;
}

/** TTML (w3.org/TR/ttml2): the paragraphs with their times, which are relative to the elements around them. */
function ttmlCues(xml: string): Cue[] {
  const cues: Cue[] = [];
  const around: Timed[] = [{ begin: 0, hasTimes: false }];
  let secondsOf = timesIn({});
  let cue: Cue | undefined;
  /** Depth of the element whose text is collected. */
  let cueAt = Infinity;
  let isInherited = false;
  const add = (text: string, look = text): void => {
    if (!cue) return;
    cue.text += text;
    cue.look += look;
  };
  readXml(xml, {
    open({ name, attributes: { begin, end, dur, timeContainer, ...others } }) {
      if (name === 'tt') secondsOf = timesIn(others);
      const parent = around.at(-1)!;
      const base = parent.next ?? parent.begin;
      const from = base + (secondsOf(begin) ?? 0);
      const ends = [parent.end, plus(base, secondsOf(end)), plus(from, secondsOf(dur))].filter(
        (time) => time !== undefined,
      );
      const to = ends.length > 0 ? Math.min(...ends) : undefined;
      const hasOwn = (begin ?? end ?? dur) !== undefined;
      const hasTimes = parent.hasTimes || hasOwn;
      around.push({ begin: from, end: to, hasTimes, ...(timeContainer === 'seq' ? { next: from } : {}) });
      if (parent.next !== undefined && to !== undefined) parent.next = to;
      // A paragraph without times of its own may hold pieces that have them.
      const isPiece =
        name === 'span' && hasOwn && (cue === undefined || (isInherited && cue.text.trim() === ''));
      if (isPiece || (name === 'p' && hasTimes)) {
        cue = { startMs: from * 1000, endMs: to === undefined ? undefined : to * 1000, text: '', look: '' };
        cueAt = around.length;
        isInherited = !hasOwn;
      } else if (name === 'br') add('\n');
      else if (name === 'span') add('', `<${Object.values(others).join(' ')}>`);
    },
    // Line breaks of the file are white space.
    text: (text) => add(text.replace(/\s+/g, ' ')),
    close(name) {
      if (cue && around.length === cueAt) {
        cues.push(cue);
        cue = undefined;
      } else if (cue && name === 'span') add('', '</>');
      around.pop();
    },
  });
  return cues;
}

const plus = (base: number, offset: number | undefined): number | undefined =>
  offset === undefined ? undefined : base + offset;

const CLOCK_WITH_FRAMES = /^(\d+:\d\d:\d\d):(\d{1,4})(?:\.(\d{1,4}))?$/;
const OFFSET = /^(\d{1,15}(?:\.\d{1,9})?)(h|m|ms|f|t)$/;

/** Reads times by the parameters of a file: `00:00:03:12` (frames), `3.5s`, `250ms`, `75f`, `35000000t` (ticks). */
function timesIn(
  parameters: Readonly<Record<string, string>>,
): (time: string | undefined) => number | undefined {
  const { frameRate = '30', frameRateMultiplier = '1 1', subFrameRate = '1', tickRate } = parameters;
  const [times = 1, per = 1] = frameRateMultiplier.trim().split(/[\s:]/).map(Number);
  const frames = (Number(frameRate) * times) / per;
  const usualTicks = parameters.frameRate === undefined ? 1 : frames * Number(subFrameRate);
  const ticks = tickRate === undefined ? usualTicks : Number(tickRate);
  const units: Readonly<Record<string, number>> = {
    h: 3600,
    m: 60,
    ms: 1 / 1000,
    f: 1 / frames,
    t: 1 / ticks,
  };
  return (time = '') => {
    const [, clock, frame, part = 0] = CLOCK_WITH_FRAMES.exec(time.trim()) ?? [];
    if (clock !== undefined)
      return secondsIn(clock)! + (Number(frame) + Number(part) / Number(subFrameRate)) / frames;
    const [, amount, unit] = OFFSET.exec(time.trim()) ?? [];
    return unit === undefined ? secondsIn(time) : Number(amount) * units[unit]!;
  };
}
