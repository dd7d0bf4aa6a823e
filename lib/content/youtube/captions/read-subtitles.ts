import { decodeXML } from 'entities/decode';
import { attributesOf, TAG, type Attributes } from '../../../web/extract/feed.js';
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
  if (root !== undefined) return (root === 'tt' ? ttmlCues : youtubeCues)(readXml(text)).filter(isTimed);
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

/** Elements within elements: more is no caption file; a plain bound. */
const MOST_DEPTH = 100;

/** An element of XML. Names come in lower case and without their prefix. */
interface Element {
  name: string;
  attributes: Attributes;
  children: (Element | string)[];
}

/** Reads XML into an element without a name. */
function readXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  let end = 0;
  for (const { 0: whole, 1: slash, 2: fullName, 3: source = '', index } of xml.matchAll(TAG)) {
    const { children } = open.at(-1)!;
    children.push(decodeXML(xml.slice(end, index)));
    end = index + whole.length;
    if (whole.startsWith('<![CDATA[')) children.push(whole.slice(9, -3));
    if (!fullName) continue;
    const name = local(fullName);
    if (slash) {
      const last = open.map((element) => element.name).lastIndexOf(name);
      if (last > 0) open.length = last;
      continue;
    }
    if (open.length > MOST_DEPTH) return root;
    const named = Object.entries(attributesOf(source)).map(([key, value]) => [local(key), decodeXML(value)]);
    const element: Element = { name, attributes: Object.fromEntries(named) as Attributes, children: [] };
    children.push(element);
    // A line break holds nothing, also where nobody has closed it.
    if (!source.endsWith('/') && name !== 'br') open.push(element);
  }
  open.at(-1)!.children.push(decodeXML(xml.slice(end)));
  return root;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

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
function youtubeCues(element: Element): Cue[] {
  const { t, d, a, start, dur } = element.attributes;
  if (element.name !== 'p' && element.name !== 'text') return elementsOf(element).flatMap(youtubeCues);
  const startMs = start === undefined ? Number(t) : Number(start) * 1000;
  const lengthMs = start === undefined ? Number(d) : Number(dur) * 1000;
  // `a="1"` only appends a line break to the cue before.
  if (a === '1') return [];
  const offset = elementsOf(element).flatMap(({ name, attributes }) => (name === 's' && attributes.t) || []);
  return [
    {
      startMs,
      endMs: Number.isFinite(lengthMs) ? startMs + lengthMs : undefined,
      lastWordMs: offset.length > 0 ? startMs + Number(offset.at(-1)) : undefined,
      ...shownIn(element),
    },
  ];
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
function ttmlCues(
  element: Element,
  parent: Timed = { begin: 0, hasTimes: false },
  secondsOf = timesIn({}),
): Cue[] {
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
  const pieces = isWhole ? [] : elementsOf(element).flatMap((child) => ttmlCues(child, own, times));
  if (!isCue || pieces.length > 0) return pieces;
  // Line breaks of the file are white space.
  const shown = shownIn(element, (text) => text.replace(/\s+/g, ' '));
  return [{ startMs: from * 1000, endMs: to === undefined ? undefined : to * 1000, ...shown }];
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
