import { yielder, type Pause } from '../../core/async.js';
import { withoutInvisible } from '../../core/printable.js';
import { isRecord } from '../../core/schema.js';
import { harmlessText } from '../../text/sanitize-output.js';
import { cleanText, normalized } from '../../text/plain-text.js';
import { markdownOf, type Block } from '../blocks.js';
import { isoDate } from '../iso-date.js';
import { markdownSource, readLongMarkdown, type MarkdownOptions } from '../read-markdown.js';
import { withoutHtml } from '../read-text.js';
import { decodeText } from './decode-text.js';
import { isFeed, readFeed } from './feed.js';
import { blocksOf } from './html-blocks.js';
import { MAX_ELEMENTS } from './html-elements.js';
import { outlineHtml, type HtmlOutline } from './html-outline.js';
import { mainTexts } from './main-text.js';
import { obstacleOf, type PageObstacle } from './page-obstacle.js';
import { readableTexts, runningOf, shownTexts } from './page-sources.js';

/** A page's bytes and what is known about them. */
export interface RawPage {
  /** Media type without parameters, lower-case. */
  type: string;
  /** The whole `Content-Type` header, for the charset. */
  contentType?: string | null;
  body: Buffer;
  /** Address of the page. With it, the page's text is made too, with absolute links. Default: blocks only. */
  url?: URL;
  /** The blocks are enough, with an address too. Default false. */
  blocksOnly?: boolean;
}

export interface ExtractedPage extends PageMetadata {
  /** Empty for a page without text. */
  blocks: Block[];
  /** The whole as Markdown, or as it was sent where it is no HTML; only with the address of the page. `sanitizeMarkdown` makes what leaves of it harmless. */
  text?: string;
  /** The text is none of Markdown, and must be shown as code: a renderer would take some of it for markup. */
  isVerbatim?: boolean;
  /** What stands before the text; of HTML with next to no text. */
  obstacle?: PageObstacle;
  /** The address where a browser goes on at once. */
  refresh?: string;
  /** It showed next to nothing, and a part that it hides was read. */
  isUncovered?: boolean;
  /** How much of it was read, where its end is missing: `500 of 520 entries`. */
  read?: string;
}

/**
 * The main text of a page with its title, date and language: HTML, Markdown, plain text, JSON or a feed. What a reader does not see is
 * left out: hidden elements, comments, scripts, templates and invisible characters.
 *
 * Yields to other work every 12 ms. Time is linear in the page, which @mozilla/readability on linkedom is not on hostile pages
 * (`node bench/extract.mjs` measures both).
 */
export async function extractPage(
  { type, contentType, body, url: address, blocksOnly }: RawPage,
  signal?: AbortSignal,
): Promise<ExtractedPage> {
  const url = blocksOnly ? undefined : address;
  const pause = yielder(signal);
  const isMarkup = /html|xml/.test(type);
  const source = decodeText(body, contentType, isMarkup);
  // Feeds are sent as HTML and as text, too.
  if (isFeed(source)) return withText(await readFeed(source, url, pause), url, pause);
  if (/html/.test(type)) {
    const outline = await outlineHtml(source, pause, {
      xml: /xml/.test(type),
      ...(url ? { base: url } : {}),
    });
    return withText(await extractHtml(outline, address, !url, pause), url, pause);
  }
  return type.endsWith('markdown') || /\.(?:md|markdown)$/i.test(url?.pathname ?? '')
    ? extractMarkdown(source, url, pause)
    : extractText(/json/.test(type) ? indented(source) : source, url, pause);
}

async function extractMarkdown(source: string, url: URL | undefined, pause: Pause): Promise<ExtractedPage> {
  const markdown = await withoutHtml(withoutInvisible(markdownSource(source)), url, pause);
  const page = await readLines(markdown, url, pause, {});
  const title = page.blocks.find(({ kind }) => kind === 'heading')?.text.slice(0, MAX_TITLE);
  return { ...(title ? { title } : {}), ...page };
}

async function extractText(source: string, url: URL | undefined, pause: Pause): Promise<ExtractedPage> {
  const page = await readLines(normalized(source), url, pause, { html: false });
  return url ? { ...page, isVerbatim: !(await isHarmless(page.text!, pause)) } : page;
}

async function readLines(
  text: string,
  url: URL | undefined,
  pause: Pause,
  options: MarkdownOptions,
): Promise<Pick<ExtractedPage, 'blocks' | 'text' | 'read'>> {
  const blocks = await readLongMarkdown(text, pause, { ...options, most: MAX_ELEMENTS });
  const isCut = blocks.length >= MAX_ELEMENTS;
  const part = isCut ? text.slice(0, blocks.at(-1)!.end) : text;
  return { blocks, ...(url ? { text: part } : {}), ...(isCut ? { read: MOST_ELEMENTS } : {}) };
}

const MOST_ELEMENTS = `${MAX_ELEMENTS} elements of the page`;

/** Characters that are checked at once, and how far a stretch reaches into the next one: what a renderer takes for markup is found by its beginning; plain bounds. */
const CHECKED = 32_768;
const OVERLAP = 200;

async function isHarmless(text: string, pause: Pause): Promise<boolean> {
  for (let from = 0; from < text.length; from += CHECKED) {
    const part = text.slice(from, from + CHECKED + OVERLAP);
    if (harmlessText(part) !== part) return false;
    await pause();
  }
  return true;
}

async function withText(page: ExtractedPage, url: URL | undefined, pause: Pause): Promise<ExtractedPage> {
  return url ? { ...page, ...(await markdownOf(page.blocks, pause)) } : page;
}

async function extractHtml(
  outline: HtmlOutline,
  address: URL | undefined,
  textFiles: boolean,
  pause: Pause,
): Promise<ExtractedPage> {
  await pause();
  const { texts, isUncovered } = readableTexts(outline);
  await pause();
  const main = await mainTexts(texts, outline, pause, address);
  const blocks = await blocksOf(main, pause, { textFiles });
  const obstacle = obstacleOf(outline, texts);
  return {
    ...pageMetadata(outline, address),
    blocks,
    ...(obstacle ? { obstacle } : {}),
    ...(outline.refresh ? { refresh: outline.refresh } : {}),
    ...(isUncovered ? { isUncovered } : {}),
    ...(outline.isCut ? { read: MOST_ELEMENTS } : {}),
  };
}

/** Longest JSON that gets a line for each value, characters: it is checked at once; a plain bound. */
const MAX_JSON = 262_144;

const MAX_INDENT = 50; // steps; deeper values of JSON stand there too; a plain bound

/** JSON with a line for each value, whose numbers keep their digits; anything else as it is. */
function indented(source: string): string {
  if (source.length > MAX_JSON) return source;
  try {
    JSON.parse(source);
  } catch {
    return source;
  }
  let depth = 0;
  const newLine = (step = 0): string => `\n${'  '.repeat(Math.min((depth += step), MAX_INDENT))}`;
  return source.replace(/"(?:[^"\\]|\\.)*"|\s+|\{\s*\}|\[\s*\]|[{}[\],:]/g, (token) => {
    if (token === '{' || token === '[') return token + newLine(1);
    if (token === '}' || token === ']') return newLine(-1) + token;
    if (token === ',') return token + newLine();
    if (token === ':') return ': ';
    return token.startsWith('"') ? token : token.replace(/\s+/g, '');
  });
}

interface PageMetadata {
  /** One line, at most 300 characters. */
  title?: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
  /** Primary language subtag in lower case, e.g. `en`. */
  language?: string;
  /** Name of the site. One line, at most 300 characters. */
  site?: string;
}

/** Names of `meta` tags, the most reliable first. */
const TITLES = ['og:title', 'twitter:title', 'citation_title', 'dc.title'];
/** Names of dates of publication. */
const PUBLISHED =
  /^(?!unpub|expir|event)(?:.*(?:publi|pub-?date|issued)(?!.*number)|(?:\w+[.:]|citation_(?:online_)?)?date$)/;
/** A day in the address of a page: `/2026/05/12/`, `20260512`. Of 84 such pages with a labelled date, it is right on 83. */
const DAY_IN_URL = /(?<!\d)(?:19|20)\d{2}([-/]?)[01]\d\1[0-3]\d(?!\d)/;

const MAX_TITLE = 300; // characters; a plain bound

function pageMetadata(outline: HtmlOutline, address: URL | undefined): PageMetadata {
  const { meta, lang } = outline;
  const title = firstOf(
    [
      ...TITLES.map((name) => meta.get(name)),
      outline.title,
      () => outline.texts.find(({ container }) => container.place.heading === 1)?.text,
    ],
    (candidate) => cleanText(candidate).slice(0, MAX_TITLE) || undefined,
  );
  const publishedAt = firstOf(
    [
      ...[...meta].flatMap(([name, date]) => (PUBLISHED.test(name) ? [date] : [])),
      () => namedDay(outline, title),
      () => firstTime(outline),
      address && DAY_IN_URL.exec(address.pathname)?.[0],
    ],
    isoDate,
  );
  const language = firstOf([lang, meta.get('content-language'), meta.get('og:locale')], (tag) =>
    /^\s*([a-z]{2,3})(?:$|[-_,;\s])/i.exec(tag)?.[1]?.toLowerCase(),
  );
  const site = cleanText(meta.get('og:site_name') ?? meta.get('application-name') ?? '').slice(0, MAX_TITLE);
  return {
    ...(title ? { title } : {}),
    ...(site ? { site } : {}),
    ...(publishedAt ? { publishedAt } : {}),
    ...(language ? { language } : {}),
  };
}

/**
 * The day that the byline or JSON-LD names. Where both do, the byline counts: of 864 labelled pages, 716 get the right day this way round. One
 * after the last change is of an event.
 */
function namedDay(outline: HtmlOutline, title: string | undefined): string | undefined {
  const byline = bylineOf(outline, title);
  const { datePublished, dateModified } = publicationIn(outline.linkedData) ?? {};
  const published = typeof datePublished === 'string' ? isoDate(datePublished) : undefined;
  if (!byline || !published) return byline ?? published;
  const modified = typeof dateModified === 'string' ? isoDate(dateModified) : undefined;
  const day = isoDate(byline)!.slice(0, 10);
  const isKnown = [published, modified].some((date) => date && day <= date.slice(0, 10));
  return isKnown ? byline : published;
}

/** Texts before and after the title of a page that may be its byline, and the characters of the longest one. */
const [BEFORE_TITLE, AFTER_TITLE, MAX_BYLINE] = [3, 12, 60];
/** Where no element says so, a text that begins the title of a page is its heading: of so many characters, behind at most so many texts. */
const [MIN_TITLE, MOST_BEFORE_TITLE] = [8, 500];

/**
 * The byline: the text that names the only day in the short texts around the title, up to the second running text: the first may introduce
 * the page.
 */
function bylineOf({ texts }: HtmlOutline, title = ''): string | undefined {
  const shown = shownTexts(texts);
  let at = shown.findIndex(({ container }) => container.place.heading === 1);
  if (at < 0)
    at = shown
      .slice(0, MOST_BEFORE_TITLE)
      .findIndex(({ chars, text }) => chars > MIN_TITLE && title.startsWith(text));
  if (at < 0) return undefined;
  const below = shown.slice(at + 1, at + 1 + AFTER_TITLE);
  const [, second] = below.filter((text) => runningOf(text) > 0);
  const near = [
    ...shown.slice(Math.max(0, at - BEFORE_TITLE), at),
    ...below.slice(0, second && below.indexOf(second)),
  ];
  const dated = near.filter(({ chars, text }) => chars <= MAX_BYLINE && isoDate(text));
  return new Set(dated.map(({ text }) => isoDate(text))).size === 1 ? dated[0]!.text : undefined;
}

/** The first time on a page, where none is earlier: replies follow what they reply to, while a list of other pages begins with the latest. */
function firstTime({ times }: HtmlOutline): string | undefined {
  const [first, ...others] = times.flatMap((time) => isoDate(time) ?? []);
  return others.every((date) => Date.parse(date) >= Date.parse(first!)) ? first : undefined;
}

/** What JSON-LD says of the page that has a date of publication: no image, and no other page that it names. */
function publicationIn(linkedData: readonly string[]): Record<string, unknown> | undefined {
  return linkedData
    .flatMap(topThings)
    .filter((thing) => !/image|video|audio|media/i.test(JSON.stringify(thing['@type'] ?? '')))
    .find(({ datePublished }) => typeof datePublished === 'string');
}

function topThings(json: string): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  if (Array.isArray(value)) return value.filter(isRecord);
  if (!isRecord(value)) return [];
  const { '@graph': graph, mainEntity } = value;
  return [value, ...(Array.isArray(graph) ? graph : [graph, mainEntity]).filter(isRecord)];
}

function firstOf(
  values: (string | undefined | (() => string | undefined))[],
  read: (value: string) => string | undefined,
): string | undefined {
  for (const candidate of values) {
    const value = typeof candidate === 'function' ? candidate() : candidate;
    const found = value ? read(value.trim()) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
