import { yielder, type Pause } from '../../core/async.js';
import { HtmlScanner, type Attributes, type MarkupHandler } from '../../web/extract/scan-html.js';
import { secondsIn } from '../transcript-formats.js';
import type { Cue } from './merge-cues.js';

/** How a caption file begins that is no JSON. Comments and declarations may stand before the first element. */
const XML =
  /^\s*(?:<\?[^>]{0,500}>\s*|<!--(?:(?!-->)[^]){0,5000}-->\s*|<!DOCTYPE[^>]{0,500}>\s*){0,5}<(?:[\w.-]{1,40}:)?(tt|timedtext|transcript)[\s>/]/i;
const VTT = /^\s*WEBVTT(?![^\s])/;
/** Characters in which the first time stands; a plain bound. */
const MAX_HEAD = 1000;
const TIMING = /^\s*([\d:.,]{4,20})\s*-->\s*([\d:.,]{4,20})/;

/** Whether a text is a caption file. */
export function isSubtitles(text: string): boolean {
  // A number may stand before the first time.
  const [first = '', second = ''] = text
    .slice(0, MAX_HEAD)
    .trimStart()
    .split(/\r\n?|\n/, 2);
  return (
    XML.test(text) || VTT.test(text) || TIMING.test(first) || (/^\d+\s*$/.test(first) && TIMING.test(second))
  );
}

/**
 * Reads the text of a caption file: WebVTT, SubRip (SRT), TTML, or YouTube's XML (srv1, srv2, srv3). Gives way to the event loop while it reads
 * XML.
 * @returns undefined for any other text
 */
export async function readSubtitles(file: string, signal?: AbortSignal): Promise<Cue[] | undefined> {
  const text = file.replace(/^\ufeff/, '');
  if (!isSubtitles(text)) return undefined;
  const root = XML.exec(text)?.[1]?.toLowerCase();
  if (root === undefined) return textCues(text, VTT.test(text));
  const pause = yielder(signal);
  const cues: Cue[] = [];
  const tree = await readXml(text, pause);
  await (root === 'tt' ? ttmlCues(tree, cues, pause) : youtubeCues(tree, cues, pause));
  return cues;
}

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

/** Elements within elements: deeper ones stand side by side; a plain bound. */
const MOST_DEPTH = 100;

/** An element of XML. Names come in lower case and without their prefix. */
interface Element {
  name: string;
  attributes: Attributes;
  children: (Element | string)[];
}

/** Reads XML into an element without a name. What is not well-formed keeps its words. */
async function readXml(xml: string, pause: Pause): Promise<Element> {
  const root: Element = { name: '', attributes: {}, children: [] };
  const opened = [root];
  const handler: MarkupHandler = {
    isForeign: false,
    comment: () => undefined,
    text(text) {
      const { children } = opened.at(-1)!;
      const before = children.at(-1);
      // Text comes in pieces. Millions of them would be read in one go.
      if (typeof before === 'string') children[children.length - 1] = before + text;
      else children.push(text);
    },
    open(fullName, attributes, isClosed) {
      const name = local(fullName);
      // A cue ends the one before that nobody has closed.
      if (CUES.has(name)) close(opened, name);
      const element: Element = { name, attributes: withoutPrefixes(attributes), children: [] };
      opened.at(-1)!.children.push(element);
      // A line break holds nothing, also where nobody has closed it.
      if (!isClosed && name !== 'br' && opened.length < MOST_DEPTH) opened.push(element);
    },
    close: (fullName) => close(opened, local(fullName)),
  };
  await new HtmlScanner(xml, handler, true, true).scan(pause, () => false);
  return root;
}

const CUES = new Set(['p', 'text']);

function close(opened: Element[], name: string): void {
  let at = opened.length - 1;
  while (at > 0 && opened[at]!.name !== name) at--;
  if (at > 0) opened.length = at;
}

function withoutPrefixes(attributes: Attributes): Attributes {
  const names = Object.keys(attributes);
  if (!names.some((name) => name.includes(':'))) return attributes;
  return Object.fromEntries(names.map((name) => [local(name), attributes[name]]));
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

const elementsOf = ({ children }: Element): Element[] =>
  children.filter((child) => typeof child !== 'string');

/** The words of an element, and how they are drawn. */
function shownIn({ children }: Element, fold = (text: string) => text): { text: string; look: string } {
  const shown = { text: '', look: '' };
  for (const child of children) {
    const isText = typeof child === 'string';
    const words = isText ? fold(child) : child.name === 'br' ? '\n' : undefined;
    const { text, look } = isText || words ? { text: words!, look: words! } : shownIn(child, fold);
    shown.text += text;
    const isPart = !isText && (child.name === 's' || child.name === 'span');
    shown.look += isPart ? `<${drawingOf(child)}>${look}</>` : look;
  }
  return shown;
}

const drawingOf = ({ attributes }: Element): string =>
  Object.entries(attributes)
    .filter(([name]) => !/^(?:t|ac|begin|end|dur)$/.test(name))
    .join(' ');

/** YouTube's XML: `<p t="80" d="7000">` with milliseconds (srv2, srv3), `<text start="0.08" dur="7">` with seconds (srv1). */
async function youtubeCues(element: Element, cues: Cue[], pause: Pause): Promise<void> {
  for (const child of elementsOf(element)) {
    if (!CUES.has(child.name)) await youtubeCues(child, cues, pause);
    // `a="1"` only appends a line break to the cue before.
    else if (child.attributes['a'] !== '1') cues.push(youtubeCue(child, cues.at(-1)));
    const more = pause();
    if (more) await more;
  }
}

/** @param before without a time of its own, a cue begins with this one */
function youtubeCue(element: Element, before: Cue | undefined): Cue {
  const { t, d, start, dur } = element.attributes;
  const time = start === undefined ? parseFloat(t ?? '') : parseFloat(start) * 1000;
  const lengthMs = start === undefined ? parseFloat(d ?? '') : parseFloat(dur ?? '') * 1000;
  const startMs = Number.isFinite(time) ? time : (before?.startMs ?? 0);
  const offset = elementsOf(element).flatMap(
    ({ name, attributes }) => (name === 's' && attributes['t']) || [],
  );
  return {
    startMs,
    endMs: Number.isFinite(lengthMs) ? startMs + lengthMs : undefined,
    lastWordMs: offset.length > 0 ? startMs + Number(offset.at(-1)) : undefined,
    ...shownIn(element),
  };
}

/** What elements of TTML hand on to those in them: times in seconds. */
interface Timed {
  begin: number;
  end?: number;
  /** Whether it or an element around it has times of its own. */
  hasTimes: boolean;
  /** Where its next element begins, if they come one after another. */
  next?: number;
}

/** TTML (w3.org/TR/ttml2): the paragraphs with their times, which are relative to the elements around them. */
async function ttmlCues(
  element: Element,
  cues: Cue[],
  pause: Pause,
  parent: Timed = { begin: 0, hasTimes: false },
  secondsOf = timesIn({}),
): Promise<void> {
  const { name, attributes, children } = element;
  const { begin, end, dur, timecontainer } = attributes;
  const times = name === 'tt' ? timesIn(attributes) : secondsOf;
  const base = parent.next ?? parent.begin;
  const from = base + (times(begin) ?? 0);
  const ends = [parent.end, plus(base, times(end)), plus(from, times(dur))].filter(
    (time) => time !== undefined,
  );
  const to = ends.length > 0 ? Math.min(...ends) : undefined;
  if (parent.next !== undefined && to !== undefined) parent.next = to;
  const hasOwn = (begin ?? end ?? dur) !== undefined;
  const hasTimes = parent.hasTimes || hasOwn;
  const isCue = name === 'p' ? hasTimes : name === 'span' && hasOwn;
  // A paragraph without times of its own may consist of pieces that have them.
  const isWhole = isCue && (hasOwn || children.some((child) => typeof child === 'string' && child.trim()));
  const own = { begin: from, end: to, hasTimes, next: timecontainer === 'seq' ? from : undefined };
  const known = cues.length;
  if (!isWhole)
    for (const child of elementsOf(element)) {
      await ttmlCues(child, cues, pause, own, times);
      const more = pause();
      if (more) await more;
    }
  if (!isCue || cues.length > known) return;
  // Line breaks of the file are white space.
  const shown = shownIn(element, (text) => text.replace(/\s+/g, ' '));
  cues.push({ startMs: from * 1000, endMs: to === undefined ? undefined : to * 1000, ...shown });
}

const plus = (base: number, offset: number | undefined): number | undefined =>
  offset === undefined ? undefined : base + offset;

const CLOCK_WITH_FRAMES = /^(\d+:\d\d:\d\d):(\d{1,4})(?:\.(\d{1,4}))?$/;
const OFFSET = /^(\d{1,15}(?:\.\d{1,9})?)(h|m|ms|f|t)$/;

/** Reads times by the parameters of a file: `00:00:03:12` (frames), `3.5s`, `250ms`, `75f`, `35000000t` (ticks). */
function timesIn(parameters: Attributes): (time: string | undefined) => number | undefined {
  const { framerate, frameratemultiplier = '1 1', subframerate = '1', tickrate } = parameters;
  const [times = 1, per = 1] = frameratemultiplier.trim().split(/[\s:]/).map(Number);
  const frames = (Number(framerate ?? 30) * times) / per;
  const usualTicks = framerate === undefined ? 1 : frames * Number(subframerate);
  const ticks = Number(tickrate ?? usualTicks);
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
      return secondsIn(clock)! + (Number(frame) + Number(part) / Number(subframerate)) / frames;
    const [, amount, unit] = OFFSET.exec(time.trim()) ?? [];
    return unit === undefined ? secondsIn(time) : Number(amount) * units[unit]!;
  };
}
