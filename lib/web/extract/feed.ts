import { decodeHTML, decodeXML } from 'entities/decode';
import type { Pause } from '../../core/async.js';
import { parseUrl } from '../../core/url.js';
import { oneLine, plainText } from '../../text/plain-text.js';
import { linkAddress, linked } from '../../text/write-markdown.js';
import { BlockList, type Block } from '../blocks.js';
import { isoDate } from '../iso-date.js';
import { blocksOf } from './html-blocks.js';
import { outlineHtml } from './html-outline.js';
import { shownTexts } from './page-sources.js';

/** A tag, or a stretch in which there are none. Bounded, and each part ends in one way only: a long tag costs neither the stack nor time. */
const TAG =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<(\/?)([\w:.-]{1,60})(?![\w:.-])([^<>"']{0,2000}(?:(?:"[^"<]{0,4000}"|'[^'<]{0,4000}')[^<>"']{0,2000}){0,100})>/g;
const ENTRY = new Set(['item', 'entry']);
/** Elements of a feed or entry that are read, by what they say. The first one of a kind counts, and of texts the longest. */
const FIELDS = {
  title: 'title',
  link: 'link',
  language: 'language',
  pubdate: 'date',
  published: 'date',
  'dc:date': 'date',
  updated: 'updated',
  'dcterms:modified': 'updated',
  guid: 'guid',
  id: 'id',
  'yt:videoid': 'video',
  'itunes:duration': 'duration',
  description: 'text',
  summary: 'text',
  content: 'text',
  'content:encoded': 'text',
  'media:description': 'text',
} as const;
const KINDS: ReadonlyMap<string, Kind> = new Map(Object.entries(FIELDS));
/** Parts of a feed or entry that have titles and links of their own. */
const ASIDE = new Set(['image', 'textinput', 'source']);
const MOST_ENTRIES = 500; // a plain bound; a warning says what was left out
/** Sounds, and transcripts, of an entry that are read; a plain bound. */
const MOST_FILES = 20;
/** Files that are no recording, where the feed does not say what they are. */
const NO_SOUND = /\.(?:avif|gif|jpe?g|pdf|png|svg|webp)(?:[?#]|$)/i;

type Kind = (typeof FIELDS)[keyof typeof FIELDS] | 'base' | 'textBase' | 'views';

/** What a feed or one of its entries says, as it stands in the source. */
type Entry = Partial<Record<Kind, string>> & { sounds: Attributes[]; transcripts: Attributes[] };

type Attributes = Readonly<Record<string, string>>;

export interface FeedFile {
  url: string;
  /** Media type, in lower case; empty where the feed names none. */
  type: string;
  language?: string;
}

export interface FeedItem {
  /** As the publisher names it, else the address of its sound or page, else its title. */
  id: string;
  /** Empty where it has none. */
  title: string;
  url?: string;
  /** ISO 8601. */
  publishedAt?: string;
  /** Seconds, or `1:02:03`. */
  duration: string;
  video?: string;
  views?: number;
  sound?: FeedFile;
  transcripts: FeedFile[];
}

/** Whether XML is a feed: RSS, Atom or RDF. Each part of the prolog ends in one way only: the time is linear. */
export function isFeed(xml: string): boolean {
  return /^\ufeff?(?:<\?[^>]{0,500}>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>]{0,500}>|\s)*<(?:rss|(?:[\w-]{1,60}:)?feed|rdf:RDF)[\s>]/i.test(
    xml.slice(0, 5000),
  );
}

/** Reads a feed: its title, and each entry as a section with its link, date and text. Linear; Yields to other work by `pause`. */
export async function readFeed(
  xml: string,
  url: URL | undefined,
  pause: Pause,
): Promise<{ title?: string; language?: string; blocks: Block[]; read?: string }> {
  const { feed, entries, count } = await entriesOf(xml, pause, MOST_ENTRIES);
  const { title, language } = aboutFeed(feed);
  const list = new BlockList();
  if (title !== '') list.heading({ text: title }, 1);
  for (const entry of entries) {
    const { base, link, address, date } = headOf(entry, feed, url);
    const name = oneLine(textOf(entry.title)) || link;
    // Where the feed names no base, links in an entry are those of its page.
    const isNamed = (entry.textBase ?? entry.base ?? feed.base) !== undefined;
    const textBase = isNamed ? parseUrl(entry.textBase ?? '', base) : (address ?? base);
    list.heading({ text: name, ...(address ? { markdown: linked(name, linkAddress(address)) } : {}) }, 2);
    if (date) list.paragraph({ text: date });
    const { texts } = await outlineHtml(htmlOf(entry.text), pause, base ? { base: textBase ?? base } : {});
    await blocksOf(shownTexts(texts), pause, { list });
    await pause();
  }
  return {
    ...(title ? { title } : {}),
    ...(language ? { language } : {}),
    blocks: list.blocks,
    ...(count > entries.length ? { read: `${entries.length} of ${count} entries` } : {}),
  };
}

/** Reads a feed of recordings, as {@link readFeed}. @param most entries that are read */
export async function feedItems(
  xml: string,
  url: URL,
  pause: Pause,
  most: number,
): Promise<{ title: string; language?: string; count: number; items: FeedItem[] }> {
  const { feed, entries, count } = await entriesOf(xml, pause, most);
  const items: FeedItem[] = [];
  for (const entry of entries) {
    await pause();
    const { base, address, date } = headOf(entry, feed, url);
    const filesOf = (files: readonly Attributes[]): FeedFile[] =>
      files.flatMap((file) => {
        const href = decodeXML(file['url'] ?? file['href'] ?? '').trim();
        const found = href === '' ? undefined : webAddress(href, base, url);
        const type = (file['type'] ?? '').trim().toLowerCase();
        const [language] = /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,4}$/i.exec(file['language']?.trim() ?? '') ?? [];
        return found ? [{ url: found.href, type, language }] : [];
      });
    // application/ogg, and image/mp3 as a widespread writer of Atom has it.
    const sound = filesOf(entry.sounds.filter(({ medium = '' }) => /^(?:audio|video)?$/.test(medium))).find(
      (file) =>
        file.type === '' ? !NO_SOUND.test(file.url) : /^(?:audio|video)\/|(?:m4a|mp3|ogg)$/.test(file.type),
    );
    const views = Number(entry.views ?? NaN);
    items.push({
      id: textOf(entry.guid ?? entry.id).trim() || sound?.url || address?.href || textOf(entry.title),
      title: oneLine(textOf(entry.title)),
      url: address?.href,
      publishedAt: date,
      duration: textOf(entry.duration),
      ...(views >= 0 ? { views } : {}),
      video: entry.video,
      sound,
      transcripts: filesOf(entry.transcripts),
    });
  }
  return { ...aboutFeed(feed), count, items };
}

function aboutFeed(feed: Entry): { title: string; language?: string } {
  const language = /^\s*([a-z]{2,3})\b/i.exec(feed.language ?? '')?.[1]?.toLowerCase();
  return { title: oneLine(textOf(feed.title)), language };
}

/** What is resolved of an entry: its base, its link as text, its address where that is one of the web, its date. */
function headOf(
  entry: Entry,
  feed: Entry,
  url: URL | undefined,
): { base?: URL; link: string; address?: URL; date?: string } {
  const base = url && parseUrl(entry.base ?? '', parseUrl(feed.base ?? '', url) ?? url);
  const permalink = /^\s*https?:/.test(entry.guid ?? '') ? entry.guid : undefined;
  const link = textOf(entry.link ?? permalink).trim();
  const address = link === '' || !base ? undefined : webAddress(link, base, url);
  const date = isoDate(textOf(entry.date ?? entry.updated));
  return { base, link, address, date };
}

/** An address of the web, without its userinfo. Not that of the feed itself, which may be a secret. */
function webAddress(href: string, base: URL | undefined, feed: URL | undefined): URL | undefined {
  const url = parseUrl(href, base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  url.username = url.password = '';
  const isFeed = feed?.host === url.host && feed.pathname === url.pathname && feed.search === url.search;
  return isFeed ? undefined : url;
}

async function entriesOf(
  xml: string,
  pause: Pause,
  most: number,
): Promise<{ feed: Entry; entries: Entry[]; count: number }> {
  const feed: Entry = { sounds: [], transcripts: [] };
  const entries: Entry[] = [];
  let count = 0;
  let entry = feed;
  let field: { name: string; from: number; depth: number } | undefined;
  let aside: string | undefined;
  let tags = 0;
  let prefix: string | undefined;
  for (const tag of xml.matchAll(TAG)) {
    if ((++tags & 0xff) === 0) await pause();
    const fullName = tag[2]?.toLowerCase();
    if (!fullName) continue;
    // Atom may have a prefix of its own.
    prefix ??= /^(?:.*:|)(?=feed$|rss$|rdf$)/.exec(fullName)?.[0];
    const name = prefix && fullName.startsWith(prefix) ? fullName.slice(prefix.length) : fullName;
    const isEnd = tag[1] === '/';
    const isEmpty = tag[3]!.endsWith('/');
    if (field) {
      // Elements inside of a text, as in Atom's XHTML, are part of it.
      if (name !== field.name || isEmpty) continue;
      field.depth += isEnd ? -1 : 1;
      if (field.depth > 0) continue;
      note(entry, KINDS.get(name)!, xml.slice(field.from, tag.index));
      field = undefined;
    } else if (aside) {
      if (isEnd && name === aside) aside = undefined;
    } else if (ENTRY.has(name)) {
      entry = isEnd ? feed : { sounds: [], transcripts: [] };
      if (isEnd) continue;
      if (++count <= most) entries.push(entry);
      noteBase(entry, tag[3]!);
    } else if (ASIDE.has(name)) {
      if (!isEnd && !isEmpty) aside = name;
    } else if (!isEnd && KINDS.has(name)) {
      if (name === 'link') noteLink(entry, tag[3]!);
      if (KINDS.get(name) === 'text') noteBase(entry, tag[3]!, 'textBase');
      if (!isEmpty) field = { name, from: tag.index + tag[0].length, depth: 1 };
    } else if (!isEnd) noteAttributes(entry, name, tag[3]!);
  }
  return { feed, entries, count };
}

/** What stands in attributes only. */
function noteAttributes(entry: Entry, name: string, source: string): void {
  if (name === 'feed') noteBase(entry, source);
  else if (name === 'enclosure' || name === 'media:content') addFile(entry.sounds, source);
  else if (name === 'podcast:transcript') addFile(entry.transcripts, source);
  else if (name === 'media:statistics') entry.views = attributesOf(source)['views'];
}

function addFile(files: Attributes[], source: string): void {
  if (files.length < MOST_FILES) files.push(attributesOf(source));
}

function noteLink(entry: Entry, source: string): void {
  const { href, rel = 'alternate' } = attributesOf(source);
  if (!href) return;
  if (rel.startsWith('alternate')) note(entry, 'link', href);
  else if (rel === 'enclosure') addFile(entry.sounds, source);
}

const attributesOf = (source: string): Attributes =>
  Object.fromEntries(
    [...source.matchAll(/(?<![\w:.-])([\w:.-]{1,60})\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
      ([, name, double, single]) => [name!.toLowerCase(), double ?? single!],
    ),
  );

function noteBase(entry: Entry, attributes: string, kind: 'base' | 'textBase' = 'base'): void {
  const base = /\bxml:base\s*=\s*["']([^"']{1,2000})/.exec(attributes)?.[1];
  if (base) entry[kind] = base;
}

function note(entry: Entry, kind: Kind, value: string): void {
  const known = entry[kind];
  if (known === undefined || (kind === 'text' && value.length > known.length)) entry[kind] = value;
}

/** HTML of a text: in CDATA, with its tags as entities, or as it is. */
function htmlOf(source = ''): string {
  const cdata = source.replace(/<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g, (_, inside: string) => inside);
  return source.includes('<') ? cdata : decodeXML(source);
}

const textOf = (source: string | undefined): string => plainText(decodeHTML(htmlOf(source)));
