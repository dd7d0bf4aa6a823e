import type { HtmlOutline } from './html-outline.js';
import { oneLine } from './visible-text.js';

/** What a page says about itself. */
export interface PageMetadata {
  /** One line, at most 300 characters. */
  title?: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
  /** Primary language subtag in lower case, e.g. `en`. */
  language?: string;
}

const TITLES = ['og:title', 'twitter:title', 'citation_title', 'dc.title', 'headline'];
const DATES = [
  ...['article:published_time', 'og:article:published_time', 'datepublished', 'citation_publication_date'],
  ...[
    'citation_date',
    'dc.date.issued',
    'dc.date',
    'dcterms.issued',
    'dcterms.created',
    'dcterms.date',
    'date',
  ],
  ...[
    'parsely-pub-date',
    'sailthru.date',
    'pubdate',
    'publishdate',
    'publish-date',
    'publication_date',
    'article.published',
  ],
];

const MAX_TITLE = 300;

/** Reads title, date of publication and language from what the outline collected; what is not credible is left out. */
export function pageMetadata(outline: HtmlOutline): PageMetadata {
  const { meta, times, linkedData, lang } = outline;
  const heading = outline.blocks.find(({ container }) => outline.containers[container]?.tag === 'h1')?.text;
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
      ...DATES.slice(0, 3).map((name) => meta.get(name)),
      inLinkedData('datePublished'),
      ...DATES.slice(3).map((name) => meta.get(name)),
      times.find(({ published }) => published)?.datetime,
      // One time on a page is the page's; of many, nobody knows which.
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

/** A date as ISO 8601: with its time where the page gives a zone, else the day only. Undefined outside 1990..2100. */
export function isoDate(value: string): string | undefined {
  if (value.length > 60) return undefined;
  const [, day, time, zone] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(
      value,
    ) ?? [];
  // Without a zone only the day is known; other formats are read as UTC so that the day does not shift.
  const exact = day && time && zone ? `${day}T${time}${zone}` : undefined;
  const slashed = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/.exec(value);
  const text =
    exact ??
    day ??
    (slashed
      ? slashed
          .slice(1)
          .map((part) => part.padStart(2, '0'))
          .join('-')
      : `${value} UTC`);
  if (!day && !slashed && !/\d{4}/.test(value)) return undefined;
  const date = new Date(text);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 1990 || year > 2100) return undefined;
  return exact ? date.toISOString() : date.toISOString().slice(0, 10);
}
