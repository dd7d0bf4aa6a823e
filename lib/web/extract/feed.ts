import type { Pause } from '../../core/async.js';
import { decodeHTML, decodeXML } from 'entities/decode';
import { parseUrl } from '../../core/url.js';
import { oneLine, plainText } from '../../text/plain-text.js';
import { linkAddress, linked } from '../../text/write-markdown.js';
import { BlockList, type Block } from '../blocks.js';
import { isoDate } from '../iso-date.js';
import { blocksOf } from './html-blocks.js';
import { outlineHtml } from './html-outline.js';
import { shownTexts } from './page-sources.js';

/** A tag, or a stretch in which there are none. */
const TAG =
  /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!--[\s\S]*?(?:-->|$)|<(\/?)([\w:.-]{1,60})((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g;
const ENTRY = new Set(['item', 'entry']);
/** Elements of a feed or entry that are read, by what they say. The first one of a kind counts, and of texts the longest. */
const FIELDS: Readonly<Record<string, keyof Entry>> = {
  title: 'title',
  link: 'link',
  language: 'language',
  pubdate: 'date',
  published: 'date',
  'dc:date': 'date',
  updated: 'updated',
  'dcterms:modified': 'updated',
  guid: 'guid',
  description: 'text',
  summary: 'text',
  content: 'text',
  'content:encoded': 'text',
  'media:description': 'text',
};
/** Parts of a feed or entry that have titles and links of their own. */
const ASIDE = new Set(['image', 'textinput', 'source']);
const MOST_ENTRIES = 500;

/** What a feed or one of its entries says, as it stands in the source. */
type Entry = Partial<
  Record<'title' | 'link' | 'guid' | 'language' | 'date' | 'updated' | 'text' | 'base' | 'textBase', string>
>;

/** Whether XML is a feed: RSS, Atom or RDF. */
export function isFeed(xml: string): boolean {
  return /^\ufeff?(?:<\?[^>]{0,500}>|<!--[\s\S]{0,2000}?-->|<!DOCTYPE[^>]{0,500}>|\s)*<(?:rss|feed|rdf:RDF)[\s>]/i.test(
    xml.slice(0, 5000),
  );
}

/** Reads a feed: its title, and each entry as a section with its link, date and text. Linear; Yields to other work by `pause`. */
export async function readFeed(
  xml: string,
  url: URL | undefined,
  pause: Pause,
): Promise<{ title?: string; language?: string; blocks: Block[]; read?: string }> {
  const { feed, entries, count } = await entriesOf(xml, pause);
  const title = oneLine(textOf(feed.title));
  const language = /^\s*([a-z]{2,3})\b/i.exec(feed.language ?? '')?.[1]?.toLowerCase();
  const list = new BlockList();
  if (title !== '') list.heading({ text: title }, 1);
  for (const entry of entries) {
    const base = url && parseUrl(entry.base ?? '', parseUrl(feed.base ?? '', url) ?? url);
    const permalink = /^\s*https?:/.test(entry.guid ?? '') ? entry.guid : undefined;
    const link = textOf(entry.link ?? permalink).trim();
    const name = oneLine(textOf(entry.title)) || link;
    const address = link === '' ? undefined : parseUrl(link, base);
    const isWeb = base && address && /^https?:$/.test(address.protocol);
    // Where the feed names no base, links in an entry are those of its page.
    const isNamed = (entry.textBase ?? entry.base ?? feed.base) !== undefined;
    const textBase = isNamed ? parseUrl(entry.textBase ?? '', base) : isWeb ? address : base;
    list.heading({ text: name, ...(isWeb ? { markdown: linked(name, linkAddress(address)) } : {}) }, 2);
    const date = isoDate(textOf(entry.date ?? entry.updated));
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

async function entriesOf(
  xml: string,
  pause: Pause,
): Promise<{ feed: Entry; entries: Entry[]; count: number }> {
  const feed: Entry = {};
  const entries: Entry[] = [];
  let count = 0;
  let entry = feed;
  let field: { name: string; from: number; depth: number } | undefined;
  let aside: string | undefined;
  let tags = 0;
  for (const tag of xml.matchAll(TAG)) {
    if ((++tags & 0xff) === 0) await pause();
    const name = tag[2]?.toLowerCase();
    if (!name) continue;
    const isEnd = tag[1] === '/';
    const isEmpty = tag[3]!.endsWith('/');
    if (field) {
      // Elements inside of a text, as in Atom's XHTML, are part of it.
      if (name !== field.name || isEmpty) continue;
      field.depth += isEnd ? -1 : 1;
      if (field.depth > 0) continue;
      note(entry, FIELDS[name]!, xml.slice(field.from, tag.index));
      field = undefined;
    } else if (aside) {
      if (isEnd && name === aside) aside = undefined;
    } else if (ENTRY.has(name)) {
      entry = isEnd ? feed : {};
      if (isEnd) continue;
      if (++count <= MOST_ENTRIES) entries.push(entry);
      noteBase(entry, tag[3]!);
    } else if (ASIDE.has(name)) {
      if (!isEnd && !isEmpty) aside = name;
    } else if (!isEnd && Object.hasOwn(FIELDS, name)) {
      const href = /\bhref\s*=\s*["']([^"']{1,2000})/.exec(tag[3]!)?.[1];
      if (name === 'link' && href && !/\brel\s*=\s*["'](?!alternate)/.test(tag[3]!))
        note(entry, 'link', href);
      if (FIELDS[name] === 'text') noteBase(entry, tag[3]!, 'textBase');
      if (!isEmpty) field = { name, from: tag.index + tag[0].length, depth: 1 };
    } else if (name === 'feed') noteBase(feed, tag[3]!);
  }
  return { feed, entries, count };
}

/** The address that links are resolved against. */
function noteBase(entry: Entry, attributes: string, kind: 'base' | 'textBase' = 'base'): void {
  const base = /\bxml:base\s*=\s*["']([^"']{1,2000})/.exec(attributes)?.[1];
  if (base) entry[kind] = base;
}

function note(entry: Entry, kind: keyof Entry, value: string): void {
  const known = entry[kind];
  if (known === undefined || (kind === 'text' && value.length > known.length)) entry[kind] = value;
}

/** HTML of a text: in CDATA, with its tags as entities, or as it is. */
function htmlOf(source = ''): string {
  const cdata = source.replace(/<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g, (_, inside: string) => inside);
  return source.includes('<') ? cdata : decodeXML(source);
}

const textOf = (source: string | undefined): string => plainText(decodeHTML(htmlOf(source)));
