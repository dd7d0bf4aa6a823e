import { eachWord } from '../text/each-word.js';
import { functionWords } from '../text/word-lists.js';
import { irregularForms } from '../search/ranking/analyzer.js';
import type { SearchDocument } from '../search/ranking/document-index.js';
import { emphasizedWords } from '../search/ranking/query-terms.js';
import type { Language } from '../text/languages.js';
import { rangeOf, widened } from '../search/freshness.js';
import type { SearchQuery } from '../search/search-provider.js';
import type { Ask } from './connection.js';
import { foldedSql, type Table } from './table.js';

/** Plain bounds: pages that are ranked here, and the characters of all of them together. */
const CANDIDATES = 150;
const MAX_CHARACTERS = 1_000_000;
const MAX_TEXT = 200_000; // of one page, characters
/** Matching pages that PostgreSQL looks at to choose the candidates; a plain bound. */
const LOOKED_AT = 3000;
/** Pages of a word are counted up to here: a word of so many tells little; a plain bound. */
const MOST_COUNTED = 10_000;
/** Words of a query that are looked for; it has at most 400 characters; a plain bound. */
const MOST_WORDS = 40;

export interface CountedWord {
  word: string;
  /** What PostgreSQL looks for: its stems in the languages of the pages. */
  tsquery: string;
  pages: number;
}

/** Null: the page has none. */
export type StoredPage = { [Field in keyof SearchDocument]-?: SearchDocument[Field] | null };

/** What a query is searched by: each word once, and how it may be written. */
export interface Wanted {
  words: Map<string, string[]>;
  /** Function words that count in titles: emphasized ones, and all of a query that has no other words. */
  inTitles: Map<string, string[]>;
}

/** Words may be written also together with the word after it, as in `power bank` and `wi-fi`, and in the other forms of an irregular verb. */
export function wantedBy(query: string, language: Language | undefined): Wanted {
  const all: string[] = [];
  eachWord(query.toLowerCase(), (word) => all.push(word));
  const stopped: ReadonlySet<string> = language ? functionWords(language) : new Set();
  const emphasized = emphasizedWords(query, (word) => stopped.has(word));
  const hasOthers = all.some((word, i) => !stopped.has(word) || emphasized.has(i));
  const words = new Map<string, string[]>();
  const inTitles = new Map<string, string[]>();
  all.forEach((word, i) => {
    if (words.size + inTitles.size === MOST_WORDS) return;
    if (stopped.has(word)) {
      if (!hasOthers || emphasized.has(i)) inTitles.set(word, [word]);
      return;
    }
    const spellings = words.get(word) ?? [word, ...irregularForms(word)];
    const after = all[i + 1];
    words.set(word, after === undefined ? spellings : [...spellings, word + after]);
  });
  return { words, inTitles };
}

export function dividedIn(word: string): string[] {
  return Array.from(
    { length: Math.max(0, word.length - 2) },
    (_, i) => `${word.slice(0, i + 1)} ${word.slice(i + 1)}`,
  );
}

export async function countPages(ask: Ask, table: Table): Promise<number> {
  const [row] = await ask<{ pages: number }>(
    `SELECT greatest((SELECT count(*) FROM (SELECT FROM ${table.sql} LIMIT ${MOST_COUNTED}) AS counted),
       (SELECT reltuples FROM pg_class WHERE oid = to_regclass($1)))::float8 AS pages`,
    [table.sql],
  );
  return row!.pages;
}

/** Counts the pages that have each word; words that none has are included. */
export async function countStoredWords(
  ask: Ask,
  table: Table,
  vector: string,
  spellings: ReadonlyMap<string, readonly string[]>,
): Promise<CountedWord[]> {
  const pairs = [...spellings].flatMap(([word, forms]) => forms.map((form) => [word, form] as const));
  const words = await ask<CountedWord>(
    `SELECT word, tsquery,
       (SELECT count(*) FROM (SELECT FROM ${table.sql} WHERE ${vector} @@ tsquery::tsquery LIMIT ${MOST_COUNTED}) AS found)::float8 AS pages
     FROM (
       SELECT w.word, string_agg(DISTINCT form.lexemes, ' | ') AS tsquery
       FROM unnest($1::text[], $2::text[]) AS w(word, form), unnest($3::regconfig[]) AS c, plainto_tsquery(c, ${table.words('w.form')}) AS q,
         ${bothForms('q')}
       WHERE numnode(q) > 0 GROUP BY w.word) AS words`,
    [pairs.map(([word]) => word), pairs.map(([, form]) => form), table.configurations],
  );
  const found = new Map(words.map((word) => [word.word, word]));
  return [...spellings.keys()].flatMap((word) => found.get(word) ?? []);
}

/** A query without diacritics and with them: a column `search` that the host fills, or that is still outdated, has them. */
function bothForms(query: string): string {
  return `LATERAL (VALUES (${query}::text), (${foldedSql(`${query}::text`, `${query}::text`)})) AS form(lexemes)`;
}

/** The pages that are worth ranking: those that have all words, then those with the rarest ones, best first by the words that they have. */
export async function findCandidates(
  ask: Ask,
  table: Table,
  vector: string,
  query: SearchQuery,
  words: readonly CountedWord[],
  collection: number,
): Promise<StoredPage[]> {
  const chosen = rarest(words);
  const values: unknown[] = [
    query.text,
    table.configurations,
    chosen.map(({ tsquery }) => `(${tsquery})`).join(' | '),
    words.map(({ tsquery }) => tsquery),
    words.map(({ pages }) => Math.log(1 + (Math.max(collection, pages) - pages + 0.5) / (pages + 0.5))),
  ];
  const filter = conditionsOf(table, query, values);
  const title = table.titleVector;
  const isBroad = chosen[0]!.pages >= LOOKED_AT;
  // Of the pages of a common word those come first that have it in their title; PostgreSQL looks them up in an index of their own.
  const byTitle = `(SELECT ${PAGE} FROM pages WHERE title_words @@ (SELECT q FROM every) LIMIT ${LOOKED_AT}) UNION ALL`;
  return ask<StoredPage>(
    `WITH every AS MATERIALIZED (
       SELECT string_agg(DISTINCT '(' || form.lexemes || ')', ' | ')::tsquery AS q
       FROM unnest($2::regconfig[]) AS c, websearch_to_tsquery(c, ${table.words('$1')}) AS q, ${bothForms('q')} WHERE numnode(q) > 0),
     words AS MATERIALIZED (
       SELECT q::tsquery AS q, replace(q || ' ', ''' ', ''':A ')::tsquery AS in_title, weight
       FROM unnest($4::text[], $5::float8[]) AS w(q, weight)),
     pages AS NOT MATERIALIZED (
       SELECT ${table.page}, ${vector} AS words, ${title} AS title_words
       FROM ${table.sql} WHERE ${filter}),
     found AS (
       ${isBroad ? byTitle : ''}
       (SELECT ${PAGE} FROM pages WHERE words @@ (SELECT q FROM every) LIMIT ${LOOKED_AT})
       UNION ALL
       (SELECT ${PAGE} FROM pages WHERE words @@ $3::tsquery LIMIT ${LOOKED_AT})),
     -- With an empty vector added, the words of a page are read from the table once and not for each word of the query.
     read AS (SELECT url, title, text, language, "publishedAt", words || ''::tsvector AS words FROM found OFFSET 0),
     scored AS (
       SELECT *, ts_rank(read.words, $3::tsquery, 1) AS rank,
         (SELECT sum(weight * ((read.words @@ q)::int + (read.words @@ in_title)::int)) FROM words) AS score
       FROM read),
     best AS (SELECT * FROM scored ORDER BY score DESC, rank DESC, url LIMIT ${3 * CANDIDATES}),
     once AS (SELECT DISTINCT ON (url) * FROM best ORDER BY url),
     chosen AS (
       SELECT *, left(text, ${MAX_TEXT}) AS start FROM once ORDER BY score DESC, rank DESC, url LIMIT ${CANDIDATES}),
     summed AS (
       SELECT *, sum(length(start)) OVER (ORDER BY score DESC, rank DESC, url) - length(start) AS before FROM chosen)
     SELECT url, title, start AS text, language, "publishedAt" FROM summed WHERE before < ${MAX_CHARACTERS}
     ORDER BY score DESC, rank DESC, url`,
    values,
  );
}

/** Columns that are read of a page; those of its title are not made for pages that are not looked up by it. */
const PAGE = 'url, title, text, language, "publishedAt", words';

/** The rarest words whose pages can all be looked at; at least one. */
function rarest(words: readonly CountedWord[]): CountedWord[] {
  let looked = 0;
  return [...words]
    .sort((a, b) => a.pages - b.pages)
    .filter(({ pages }, i) => i === 0 || (looked += pages) <= LOOKED_AT);
}

/** Condition for the language, domains and dates that a query asks for; a little wider than that where dates are concerned. Adds to `values`. */
export function conditionsOf(table: Table, query: SearchQuery, values: unknown[]): string {
  const conditions: string[] = [];
  const host = `lower(substring(${table.columns.url} from '^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)'))`;
  const onDomain = (domains: string[]): string => {
    values.push(domains);
    return `EXISTS (SELECT FROM unnest($${values.length}::text[]) AS d WHERE right('.' || ${host}, length(d) + 1) = '.' || d)`;
  };
  const { includeDomains, excludeDomains } = query;
  if (includeDomains?.length) conditions.push(onDomain(includeDomains));
  if (excludeDomains?.length) conditions.push(`NOT ${onDomain(excludeDomains)}`);
  if (query.language) conditions.push(`${table.pageLanguage} IN ('', $${values.push(query.language)})`);
  if (query.freshness) {
    const { from, to } = widened(rangeOf(query.freshness));
    const { published } = table;
    if (from !== undefined) conditions.push(`${published} >= $${values.push(from)}::timestamp`);
    if (to !== undefined) conditions.push(`${published} < $${values.push(to)}::timestamp + interval '1 day'`);
  }
  return conditions.length > 0 ? conditions.join(' AND ') : 'true';
}
