import { Logger } from '@nestjs/common';
import { yielder } from '../core/async.js';
import type { ToolContext } from '../core/context.js';
import { InvalidOptionError } from '../core/errors.js';
import {
  check,
  integer,
  oneOf,
  optional,
  options,
  parseOption,
  port,
  string,
  withDefault,
} from '../core/schema.js';
import { detectLanguage } from '../core/text/detect-language.js';
import { LANGUAGES, type Language } from '../core/text/languages.js';
import { checkDocument, filterOf } from '../search/providers/documents.provider.js';
import { indexedTerm } from '../search/ranking/analyzer.js';
import type { SearchDocument } from '../search/ranking/document-index.js';
import { editsOf, endsOf, isCorrectable } from '../search/ranking/query-terms.js';
import type { SearchProvider, SearchProviderResult, SearchQuery } from '../search/search-provider.js';
import { transaction, type Ask, type PostgresPool } from './connection.js';
import {
  countPages,
  dividedIn,
  countWords,
  findCandidates,
  wordsOf,
  type CountedWord,
  type StoredPage,
} from './queries.js';
import { isIdentifier, isTableName, Table, type Columns, type TableShape } from './table.js';

/** Settings of {@link postgresDocuments}. */
export interface PostgresDocumentsOptions {
  /** A `Pool` of `pg`. It stays the host's: this package never ends it. */
  pool: PostgresPool;
  /** `table` or `schema.table`, with its upper and lower case. Default `documents`. */
  table?: string;
  /**
   * Columns of a table that the host has; `url` and `text` are needed, and what is left out is not used. Default: those of the table that
   * `createSchema()` makes.
   */
  columns?: Columns;
  /** Language of pages that have none. Default: words are compared without their endings being known. */
  language?: Language;
  /** Time for one search, ms, 1 to 120,000, waiting for a connection of the pool included. Default 5,000. The deadline of the request counts as well. */
  timeoutMs?: number;
  /** Name in results and logs. Default `postgres`. */
  name?: string;
}

const column = check<string>(
  'the name of a column: letters, digits, _ and $, at most 63 bytes',
  isIdentifier,
);

const OPTIONS = options({
  pool: port<PostgresPool>('pg Pool', 'connect'),
  table: withDefault(
    check<string>('`table` or `schema.table`: letters, digits, _ and $, at most 63 bytes each', isTableName),
    'documents',
  ),
  columns: optional(
    options<Columns>({
      url: column,
      text: column,
      title: optional(column),
      language: optional(column),
      publishedAt: optional(column),
      search: optional(column),
    }),
  ),
  language: optional(oneOf<Language>(...LANGUAGES)),
  timeoutMs: withDefault(integer(1, 120_000), 5000),
  name: withDefault(string({ min: 1 }), 'postgres'),
});

/**
 * Full-text search in the host's own PostgreSQL, 12 or later, without any extension. PostgreSQL chooses the pages that may match; their order and
 * their passages are made as by `documents()`.
 *
 * @example
 * const articles = postgresDocuments({ pool: new Pool({ connectionString: process.env.DATABASE_URL }) });
 * await articles.migrate();
 * await articles.upsert([{ url: 'https://example.org/a', title: 'A', text: '…' }]);
 * ToolsModule.forRoot({ apiKeys: ['…'], search: { providers: [articles] } });
 *
 * @throws InvalidOptionError
 * @publicApi
 */
export function postgresDocuments(given: PostgresDocumentsOptions): PostgresDocuments {
  return new PostgresDocuments(given);
}

/** Pages that are written in one transaction, and the characters of all of them together. */
const BATCH = 500;
const BATCH_CHARACTERS = 4_000_000;
/** Longest address, bytes: what an index of PostgreSQL takes. */
const MAX_URL = 2000;
/** The number of pages is counted again after this long, ms. */
const RECOUNT_MS = 60_000;
/** Replicas that start together make the table one after the other. */
const MIGRATION_LOCK = 7_402_118_331;
/** Misspelt words of a query that are looked for in other spellings. */
const MOST_CORRECTED = 4;

/** No deadline. */
const UNHURRIED = { signal: new AbortController().signal, remainingMs: () => Infinity };

/** See {@link postgresDocuments}. */
export class PostgresDocuments implements SearchProvider {
  readonly name: string;
  readonly narrows = ['freshness', 'dateRange', 'includeDomains', 'excludeDomains'] as const;
  readonly version: string;
  private readonly pool: PostgresPool;
  private readonly table: Table;
  private readonly language: Language | undefined;
  private readonly timeoutMs: number;
  private readonly logger = new Logger('ToolsModule');
  private shape: TableShape | undefined;
  private counted: { pages: number; at: number } | undefined;

  constructor(given: PostgresDocumentsOptions) {
    const { pool, table, columns, language, timeoutMs, name } = parseOption(
      'postgresDocuments',
      OPTIONS,
      given,
    );
    this.pool = pool;
    this.table = new Table(table, columns, language);
    this.language = language;
    this.timeoutMs = timeoutMs;
    this.name = name;
    this.version = JSON.stringify([table, columns ?? null, language ?? null]);
  }

  /**
   * SQL that makes the table, its column `search` and its indexes where they are missing, for a migration. It can run any number of times.
   * In a table that is there already it adds the column, which locks and rewrites the table once.
   */
  createSchema(): string {
    return this.table.schemaSql;
  }

  /** Runs {@link createSchema} in one transaction. Replicas may do so at the same time. @throws SearchProviderError */
  async migrate(): Promise<void> {
    await this.write(async (ask) => {
      await ask(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await ask(this.table.schemaSql);
    });
    this.shape = undefined;
  }

  /**
   * Writes pages, in place of those with the same address: a transaction for each 500 pages. A page that has not changed is not written.
   * Several processes may write the same pages at the same time. After a failure the same pages can be written again.
   *
   * @throws InvalidOptionError for what is no page, and where the table cannot be written to, naming what it lacks; SearchProviderError
   */
  async upsert(pages: Iterable<SearchDocument> | AsyncIterable<SearchDocument>): Promise<void> {
    let batch = new Map<string, SearchDocument>();
    let characters = 0;
    let i = 0;
    const flush = async (): Promise<void> => {
      if (batch.size > 0) await this.writeBatch([...batch.values()]);
      batch = new Map();
      characters = 0;
    };
    for await (const page of pages) {
      const at = `pages[${i++}]`;
      checkDocument(page, at);
      if (Buffer.byteLength(page.url) > MAX_URL)
        throw new InvalidOptionError(
          `${at}.url`,
          `an absolute URL of at most ${MAX_URL} bytes`,
          page.url.slice(0, 60),
        );
      // Of two pages with one address the later one counts.
      batch.set(page.url, page);
      characters += page.text.length;
      if (batch.size >= BATCH || characters >= BATCH_CHARACTERS) await flush();
    }
    await flush();
  }

  /** Removes the pages with these addresses; others are left out. @throws SearchProviderError */
  async delete(urls: Iterable<string>): Promise<void> {
    const all = [...new Set(urls)];
    const { sql, columns } = this.table;
    for (let i = 0; i < all.length; i += BATCH) {
      // Rows are locked in the order in which `upsert` locks them, so that neither waits for the other for ever.
      await this.write((ask) =>
        ask(
          `DELETE FROM ${sql} WHERE ${columns.url} IN (
             SELECT ${columns.url} FROM ${sql} WHERE ${columns.url} = ANY($1::text[]) ORDER BY ${columns.url}::text COLLATE "C" FOR UPDATE)`,
          [all.slice(i, i + BATCH).map(storable)],
        ),
      );
    }
    this.counted = undefined;
  }

  async search(query: SearchQuery, context: ToolContext): Promise<SearchProviderResult> {
    const asked = {
      ...query,
      text: storable(query.text),
      includeDomains: query.includeDomains?.map(storable),
      excludeDomains: query.excludeDomains?.map(storable),
    };
    const { pages, words, collection } = await this.read(context, (ask) => this.candidates(ask, asked));
    if (pages.length === 0) return { hits: [] };
    // Loaded with the first result, not with the host.
    const { DocumentIndex } = await import('../search/ranking/document-index.js');
    const pause = yielder(undefined, context.signal);
    const documents = pages.map((page) => this.documentOf(page));
    const index = await DocumentIndex.build(documents, pause, {
      size: collection,
      frequencies: frequenciesOf(words),
    });
    const found = index.search(asked.text, query.count, filterOf(query));
    return {
      hits: found.map(({ document, title, excerpts, score }) => ({
        url: document.url,
        title,
        passages: excerpts,
        score,
        ...(document.publishedAt ? { publishedAt: document.publishedAt } : {}),
      })),
    };
  }

  /** The pages that may match, the words of the query with their numbers of pages, and the number of all pages. */
  private async candidates(
    ask: Ask,
    query: SearchQuery,
  ): Promise<{ pages: StoredPage[]; words: Spelt[]; collection: number }> {
    const shape = await this.inspected(ask);
    const language = detectLanguage(query.text);
    const counts = await countWords(ask, this.table, shape, wordsOf(query.text, language));
    const words: Spelt[] = counts
      .filter(({ pages }) => pages > 0)
      .map((count) => ({ ...count, spellings: [count.word] }));
    // A word of no page may be misspelt; if it is not, it may be a compound of words that pages have.
    let unknown = counts.flatMap(({ word, pages }) => (pages === 0 ? [word] : []));
    for (const spell of [respelt, endsOf]) {
      const spellings = new Map(
        unknown
          .map((word) => [word, spell(word)] as const)
          .filter(([, forms]) => forms.length > 0)
          .slice(0, MOST_CORRECTED),
      );
      if (spellings.size === 0) continue;
      const found = (await countWords(ask, this.table, shape, spellings)).filter(({ pages }) => pages > 0);
      words.push(...found.map((count) => ({ ...count, spellings: spellings.get(count.word)! })));
      unknown = unknown.filter((word) => !found.some((count) => count.word === word));
    }
    if (words.length === 0) return { pages: [], words, collection: 0 };
    const collection = await this.size(ask);
    return {
      pages: await findCandidates(ask, this.table, shape, query, words, collection),
      words,
      collection,
    };
  }

  /** What the table has, read once. A table that is missing is looked for again with the next search. */
  private async inspected(ask: Ask): Promise<TableShape> {
    if (this.shape) return this.shape;
    const shape = await this.table.inspect(this.name, ask);
    if (!shape.hasSearch)
      this.logger.warn(
        `${this.table.sql} has no column ${this.table.columns.search}: every search reads all pages. Run the SQL of createSchema() of postgresDocuments.`,
      );
    return (this.shape = shape);
  }

  private async size(ask: Ask): Promise<number> {
    const now = performance.now();
    if (!this.counted || now - this.counted.at > RECOUNT_MS)
      this.counted = { pages: await countPages(ask, this.table), at: now };
    return this.counted.pages;
  }

  private async writeBatch(pages: readonly SearchDocument[]): Promise<void> {
    const { sql, columns } = this.table;
    await this.write(async (ask) => {
      const { missingForUpsert, publishedAt: dateType } = await this.table.inspect(this.name, ask);
      if (missingForUpsert.length > 0)
        throw new InvalidOptionError(
          'postgresDocuments.table',
          `a table that pages can be written to; ${sql} needs ${missingForUpsert.join(', ')}`,
        );
      const values: [name: string | undefined, type: string, of: (page: SearchDocument) => string | null][] =
        [
          [columns.url, 'text', ({ url }) => storable(url)],
          [columns.title, 'text', ({ title = '' }) => storable(title)],
          [columns.text, 'text', ({ text }) => storable(text)],
          [columns.language, 'text', (page) => storable(page.language ?? languageOf(page) ?? '') || null],
          [
            columns.publishedAt,
            dateType ?? '',
            ({ publishedAt }) => (publishedAt ? new Date(publishedAt).toISOString() : null),
          ],
        ];
      const written = values.filter(([name]) => name !== undefined);
      const names = written.map(([name]) => name!);
      const [url, ...others] = names;
      const list = (prefix: string): string => others.map((name) => `${prefix}.${name}`).join(', ');
      // Rows in one order, so that two processes with the same pages do not wait for each other for ever.
      await ask(
        `INSERT INTO ${sql} AS old (${names.join(', ')})
         SELECT * FROM unnest(${written.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')}) AS new(${names.join(', ')}) ORDER BY ${url}::text COLLATE "C"
         ON CONFLICT (${url}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(', ')}
         WHERE (${list('old')}) IS DISTINCT FROM (${list('excluded')})`,
        written.map(([, , of]) => pages.map(of)),
      );
    });
    this.counted = undefined;
  }

  private documentOf({ url, title, text, language, published }: StoredPage): SearchDocument {
    const known = language ?? this.language;
    return {
      url,
      title: title ?? '',
      text: text ?? '',
      ...(known ? { language: known } : {}),
      ...(published ? { publishedAt: published.replace(/T00:00:00$/, '').replace(/(T.*)$/, '$1Z') } : {}),
    };
  }

  private read<T>(context: ToolContext, work: (ask: Ask) => Promise<T>): Promise<T> {
    return transaction(this.name, this.pool, 'READ ONLY', context, this.timeoutMs, work);
  }

  private async write(work: (ask: Ask) => Promise<unknown>): Promise<void> {
    await transaction(this.name, this.pool, 'READ WRITE', UNHURRIED, Infinity, work);
  }
}

/** A word of a query with the spellings that were looked for. */
interface Spelt extends CountedWord {
  spellings: readonly string[];
}

/** Other ways to write a word that stands in no page: with one letter changed, or as two words. */
function respelt(word: string): string[] {
  return [...(isCorrectable(word) ? editsOf(word) : []), ...dividedIn(word)];
}

/** In how many pages each term of the query stands, for each language that a page may be in. */
function frequenciesOf(words: readonly Spelt[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { word, spellings, pages } of words) {
    for (const spelling of [word, ...spellings]) {
      for (const language of [undefined, ...LANGUAGES]) {
        const term = indexedTerm(spelling, language);
        if (term !== undefined) frequencies.set(term, Math.max(pages, frequencies.get(term) ?? 0));
      }
    }
  }
  return frequencies;
}

/** The language that a page is searched in where it does not say so itself. */
function languageOf({ title = '', text }: SearchDocument): Language | undefined {
  return detectLanguage(text) ?? detectLanguage(`${title} ${text}`);
}

/** PostgreSQL has no NUL in its texts. */
function storable(text: string): string {
  return text.replaceAll('\0', ' ');
}
