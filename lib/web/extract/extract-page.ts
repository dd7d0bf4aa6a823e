import { endianness } from 'node:os';
import { yielder } from '../../core/async.js';
import { isoDate } from '../iso-date.js';
import { outlineHtml, type HtmlOutline } from './html-outline.js';
import type { Block } from '../blocks.js';
import { readLongMarkdown } from '../markdown.js';
import { blocksOf } from './html-blocks.js';
import { mainTexts } from './main-text.js';
import { oneLine } from './visible-text.js';

/** A page's bytes and what is known about them. */
export interface RawPage {
  /** Media type without parameters, lower-case. */
  type: string;
  /** The whole `Content-Type` header, for the charset. */
  contentType?: string | null;
  body: Buffer;
}

/** The readable part of a page. */
export interface ExtractedPage extends PageMetadata {
  /** Empty for a page without text. */
  blocks: Block[];
}

/**
 * The main text of an HTML or plain-text page with its title, date and language. What a reader does not see is left out:
 * hidden elements, comments, scripts, templates and invisible characters.
 *
 * Gives way to other work every 12 ms. Time is linear in the page, which @mozilla/readability on linkedom is not on hostile pages
 * (`node bench/extract.mjs` measures both).
 */
export async function extractPage(
  { type, contentType, body }: RawPage,
  signal?: AbortSignal,
): Promise<ExtractedPage> {
  const isHtml = type !== 'text/plain';
  const text = decodeText(body, contentType, isHtml);
  const pause = yielder(12, signal);
  if (!isHtml) return { blocks: await readLongMarkdown(text, pause, { html: false }) };
  const outline = await outlineHtml(text, pause);
  await pause();
  const blocks = await blocksOf(await mainTexts(outline, pause), pause);
  return { ...pageMetadata(outline), blocks };
}

/** A page's information about itself. */
interface PageMetadata {
  /** One line, at most 300 characters. */
  title?: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
  /** Primary language subtag in lower case, e.g. `en`. */
  language?: string;
}

/** Names of `meta` tags, the most reliable first. */
const TITLES = 'og:title twitter:title citation_title dc.title headline'.split(' ');
const DATES = 'article:published_time og:article:published_time datepublished'.split(' ');
const OTHER_DATES = (
  'citation_publication_date citation_date dc.date.issued dc.date dcterms.issued dcterms.created dcterms.date date ' +
  'parsely-pub-date sailthru.date pubdate publishdate publish-date publication_date article.published'
).split(' ');

const MAX_TITLE = 300;

/** Reads title, date of publication and language from the outline. Values that are not credible are left out. */
function pageMetadata(outline: HtmlOutline): PageMetadata {
  const { meta, times, linkedData, lang } = outline;
  const heading = outline.texts.find(({ container }) => container.place.heading === 1)?.text;
  const title = [...TITLES.map((name) => meta.get(name)), outline.title, heading]
    .map((candidate) => oneLine(candidate ?? '').slice(0, MAX_TITLE))
    .find((candidate) => candidate !== '');
  const inLinkedData = (name: string): string | undefined => {
    // A pattern instead of parsing: such scripts are often broken, and nothing else of them is needed.
    const pattern = new RegExp(`"${name}"\\s{0,9}:\\s{0,9}"([^"\\\\]{2,40})"`);
    for (const data of linkedData) {
      const found = pattern.exec(data)?.[1];
      if (found) return found;
    }
    return undefined;
  };
  const publishedAt = firstOf(
    [
      ...DATES.map((name) => meta.get(name)),
      inLinkedData('datePublished'),
      ...OTHER_DATES.map((name) => meta.get(name)),
      times.find(({ published }) => published)?.datetime,
      // A single time on a page is the page's own. Of several, any could be.
      times.length === 1 ? times[0]?.datetime : undefined,
    ],
    isoDate,
  );
  const language = firstOf(
    [lang, meta.get('content-language'), meta.get('og:locale'), inLinkedData('inLanguage')],
    (tag) => /^\s*([a-z]{2,3})(?:$|[-_,;\s])/i.exec(tag)?.[1]?.toLowerCase(),
  );
  return {
    ...(title ? { title } : {}),
    ...(publishedAt ? { publishedAt } : {}),
    ...(language ? { language } : {}),
  };
}

function firstOf(
  values: (string | undefined)[],
  read: (value: string) => string | undefined,
): string | undefined {
  for (const value of values) {
    const found = value ? read(value.trim()) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How far a declaration may stand from the beginning (the HTML standard says 1,024 bytes; pages are laxer). */
const PRESCAN_BYTES = 4096;

/**
 * The text of a page: by byte order mark, else the charset of `Content-Type`, else (HTML only) of a `meta` tag, else UTF-8
 * where the bytes are valid UTF-8, else windows-1252, as the Encoding and HTML standards have it. Never throws: bytes
 * that mean nothing become U+FFFD.
 *
 * @param contentType the value of the header, with its parameters
 */
function decodeText(bytes: Buffer, contentType: string | null | undefined, isHtml: boolean): string {
  const label =
    byteOrderMark(bytes) ??
    known(/charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? '')?.[1]) ??
    (isHtml ? declared(bytes) : undefined);
  if (label === 'windows-1252') return decodeWindows1252(bytes);
  if (label !== undefined) return new TextDecoder(label).decode(bytes);
  try {
    // `stream`: a cut page may end inside a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** The UTF-16 code of each byte in windows-1252. It differs from Latin-1 from 0x80 to 0x9f; the five holes stay control characters. */
const WINDOWS_1252 = Uint16Array.from({ length: 256 }, (_, byte) => byte);
WINDOWS_1252.set(
  [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'].map((char) => char.charCodeAt(0)),
  0x80,
);

/** Node 20's `TextDecoder` takes windows-1252 for Latin-1: quotation marks and dashes would become control characters. */
function decodeWindows1252(bytes: Buffer): string {
  const codes = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) codes[i] = WINDOWS_1252[bytes[i]!]!;
  const utf16 = Buffer.from(codes.buffer);
  return (endianness() === 'BE' ? utf16.swap16() : utf16).toString('utf16le');
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function declared(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, PRESCAN_BYTES).toString('latin1');
  for (const [tag] of head.matchAll(/<(?:meta|\?xml)\s[^<>]{1,400}/gi)) {
    const found = known(/(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)/i.exec(tag)?.[1]);
    // A page whose declaration can be read as ASCII is not UTF-16, even if it says so.
    if (found !== undefined) return found.startsWith('utf-16') ? 'utf-8' : found;
  }
  return undefined;
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
