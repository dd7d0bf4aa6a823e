import type { Warning } from '../core/warning.js';
import { publishedMs } from '../web/iso-date.js';
import { Logger } from '@nestjs/common';
import { yielder } from '../core/async.js';
import { withoutInvisible } from '../core/printable.js';
import { withContext, type ToolContext } from '../core/context.js';
import { InvalidOptionError } from '../core/errors.js';
import { CHECK, type ChecksItself } from '../core/ports.js';
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
  type Infer,
  type Schema,
} from '../core/schema.js';
import { detectLanguage } from '../text/detect-language.js';
import { LANGUAGES, type Language } from '../text/languages.js';
import { modelId, type EmbeddingModelLike } from '../model/ai-sdk.js';
import { CONNECT, type ConnectsToModels } from '../model/connect.js';
import type { ModelEnvironment } from '../model/upstream.js';
import { checkDocument, filterOf } from '../search/providers/documents.provider.js';
import { functionTerm, indexedTerm } from '../search/ranking/analyzer.js';
import type { SearchDocument } from '../search/ranking/document-index.js';
import { editsOf, endsOf, isCorrectable } from '../search/ranking/query-terms.js';
import type { NearDocument } from '../search/ranking/fusion.js';
import {
  type SearchProvider,
  type SearchProviderResult,
  type SearchQuery,
} from '../search/search-provider.js';
import {
  checkEmbeddings,
  EMBEDDING_MODEL,
  EMBEDDING_OPTIONS,
  foundByMeaning,
  type EmbeddingOptions,
} from '../search/vectors/embedding-options.js';
import { transaction, type Ask, type PostgresPool } from './connection.js';
import {
  countPages,
  countStoredWords,
  dividedIn,
  findCandidates,
  wantedBy,
  type CountedWord,
  type StoredPage,
} from './queries.js';
import type { PageVectors, RunQueries } from './vectors.js';
import { isIdentifier, isTableName, Table, type Columns } from './table.js';

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
  /**
   * An embedding model of the AI SDK (package `ai` 6 or 7): pages are then found by their meaning as well, with the extension pgvector. Needs
   * `dimensions`. Without the extension, and where the model fails, words alone are searched.
   */
  embeddings?: EmbeddingModelLike;
  /** Numbers in a vector of the embedding model, 1 to 4,000; over 2,000 they are stored in 16 bits each (`halfvec`). */
  dimensions?: number;
  /** What is known of the embedding model: calls at the same time, limits, price, batches. */
  embeddingOptions?: EmbeddingOptions;
  /** Time for one search, ms, 1 to 120,000, waiting for a connection of the pool included. Default 5,000. The deadline of the request counts as well. */
  timeoutMs?: number;
  /** Name in results and logs. Default `postgres`. */
  name?: string;
}

const column = check<string>('the name of a column: letters, digits and _, at most 63 bytes', isIdentifier);

const OPTIONS = options({
  pool: port<PostgresPool>('pg Pool', 'connect'),
  table: withDefault(
    check<string>('`table` or `schema.table`: letters, digits and _, at most 63 bytes each', isTableName),
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
  embeddings: optional(EMBEDDING_MODEL),
  dimensions: optional(integer(1, 4000)),
  embeddingOptions: optional(EMBEDDING_OPTIONS as Schema<EmbeddingOptions>),
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
export function postgresDocuments(options: PostgresDocumentsOptions): PostgresDocuments {
  return new PostgresDocuments(options);
}

/** Plain bounds: pages that are written in one transaction, and the characters of all of them together. */
const BATCH = 500;
const BATCH_CHARACTERS = 4_000_000;
/** Longest address, bytes: a row of an index has at most 2,704 (PostgreSQL 13). A plain bound. */
const MAX_URL = 2000;
/** Replicas that start together make the table one after the other; any number. */
const MIGRATION_LOCK = 7_402_118_331;
/** Misspelt words of a query that are looked for in other spellings. A query of more is no misspelt one, and costs as much as several. */
const MOST_CORRECTED = 2; // set by hand
/** Shortest word that is looked for in other spellings, characters; set by hand. */
const LEAST_UNKNOWN = 3;
const NOT_EMBEDDED: Warning = {
  code: 'embeddings_failed',
  message: 'The pages were searched by words only: they have no vectors of the embedding model yet.',
  transient: true,
};

const UNHURRIED = { signal: new AbortController().signal, remainingMs: () => Infinity };

/** See {@link postgresDocuments}. */
export class PostgresDocuments implements SearchProvider, ConnectsToModels, ChecksItself {
  readonly name: string;
  readonly filters = ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'] as const;
  readonly version: string;
  private readonly options: Infer<typeof OPTIONS>;
  private readonly table: Table;
  private readonly logger = new Logger('ToolsModule');
  private environment: ModelEnvironment = {};
  private loadedVectors: PageVectors | undefined;
  /** Whether there is the column `search`; undefined until that is known. */
  private hasSearch: boolean | undefined;

  constructor(options: PostgresDocumentsOptions) {
    this.options = parseOption('postgresDocuments', OPTIONS, options);
    const { table, columns, language, name, embeddings } = this.options;
    checkEmbeddings('postgresDocuments', this.options, ['dimensions', 'embeddingOptions']);
    if (embeddings !== undefined && this.options.dimensions === undefined)
      throw new InvalidOptionError(
        'postgresDocuments.dimensions',
        'the number of numbers in a vector of `embeddings`, an integer from 1 to 4000',
        undefined,
      );
    this.name = name;
    this.table = new Table(table, columns, language);
    const model = embeddings ? modelId(embeddings) : null;
    this.version = JSON.stringify([table, columns ?? null, language ?? null, model]);
  }

  [CONNECT](environment: ModelEnvironment): void {
    this.environment = environment;
    this.loadedVectors = undefined;
  }

  /** Looks for the table and its columns, and logs when the column `search` is missing or outdated. @throws SearchProviderError naming what is missing */
  async [CHECK](signal: AbortSignal): Promise<void> {
    await withContext(this.options.timeoutMs, { signal }, (context) =>
      this.read(context, async (ask) => {
        await ask(`SELECT ${this.table.page} FROM ${this.table.sql} LIMIT 0`);
        await this.wordsOfPage(ask);
      }),
    );
  }

  /**
   * SQL that makes the table, its column `search` and its indexes where they are missing, for a migration. It can run any number of times.
   * In a table that is there already it adds the column, which locks and rewrites the table once; so it does with a generated column that an
   * earlier version has made. With `embeddings` it also makes the table
   * `<table>_vectors`, if the extension pgvector is installed when it runs. One for vectors of other `dimensions` is dropped and made anew: then run
   * {@link embed}.
   */
  createSchema(): string {
    const { schemaSql } = this.table;
    const { dimensions } = this.options;
    return dimensions === undefined ? schemaSql : schemaSql + this.table.vectorSchemaSql(dimensions);
  }

  /** Runs {@link createSchema} in one transaction. Replicas may do so at the same time. @throws SearchProviderError */
  async migrate(): Promise<void> {
    await this.write(async (ask) => {
      await ask(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await ask(this.createSchema());
    });
    this.hasSearch = undefined;
  }

  /**
   * Writes pages, in place of those with the same address: a transaction for each 500 pages. A page that has not changed is not written.
   * Several processes may write the same pages at the same time. After a failure the same pages can be written again. With `embeddings`, pages that
   * are new or have changed are embedded after they are written.
   *
   * @throws InvalidOptionError for what is no page; SearchProviderError, also where the table cannot be written to; with `embeddings` what
   *   {@link embed} throws
   */
  async upsert(pages: Iterable<SearchDocument> | AsyncIterable<SearchDocument>): Promise<void> {
    let batch = new Map<string, SearchDocument>();
    let characters = 0;
    let i = 0;
    const flush = async (): Promise<void> => {
      if (batch.size > 0) {
        await this.writeBatch([...batch.values()]);
        await this.embedPages([...batch.keys()].map(storable));
      }
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

  /**
   * Embeds all pages that have no vectors, or had another text when they got them, e.g. pages of a table that the host writes itself; and
   * removes the vectors of pages that are gone. Does nothing without `embeddings`, and where there is no table of vectors.
   *
   * @param options.signal ends the work; what has been embedded by then is kept
   * @throws SearchProviderError; UpstreamUnavailableError, UpstreamTimeoutError or UpstreamInvalidError when the embedding model fails after its
   *   retries. What has been embedded by then is kept, and the next call goes on from there
   */
  async embed({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    await this.embedPages(undefined, signal);
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
  }

  async search(query: SearchQuery, context: ToolContext): Promise<SearchProviderResult> {
    const asked = {
      ...query,
      text: storable(query.text),
      includeDomains: query.includeDomains?.map(storable),
      excludeDomains: query.excludeDomains?.map(storable),
    };
    const { found: vector, warnings = [] } = await foundByMeaning(this.name, context, async () =>
      (await this.vectors())?.ofQuery(asked.text, context),
    );
    const { pages, words, collection, near } = await this.read(context, (ask) =>
      this.candidates(ask, asked, vector),
    );
    if (vector && !near) warnings.push(NOT_EMBEDDED);
    // Loaded with the first result, not with the host.
    const { DocumentIndex } = await import('../search/ranking/document-index.js');
    const documents = pages.map(documentOf);
    const index = await DocumentIndex.build(documents, yielder(context.signal), {
      size: collection,
      frequencies: frequenciesOf(words),
    });
    const accepts = filterOf(query, index);
    const numbers = new Map(documents.map(({ url }, i) => [url, i]));
    const accepted = near?.flatMap(({ document: url, ...others }): NearDocument[] => {
      const document = numbers.get(url);
      if (document === undefined || (accepts && !accepts(document))) return [];
      return [{ document, ...others }];
    });
    const hits = index.search(asked.text, query.count, accepts, accepted);
    return { hits, ...(warnings.length > 0 ? { warnings } : {}) };
  }

  private async embedPages(urls: readonly string[] | undefined, signal?: AbortSignal): Promise<void> {
    const run: RunQueries = (work) => this.write(work);
    await (await this.vectors())?.embed(run, urls, signal);
  }

  /** What embeds texts and finds vectors; undefined without `embeddings`. Loaded when it is first used. */
  private async vectors(): Promise<PageVectors | undefined> {
    const { embeddings, dimensions, embeddingOptions } = this.options;
    if (embeddings === undefined || dimensions === undefined || this.loadedVectors) return this.loadedVectors;
    const { Embedder } = await import('../search/vectors/embedder.js');
    const { PageVectors: Vectors } = await import('./vectors.js');
    const embedder = new Embedder(embeddings, embeddingOptions, this.environment);
    return (this.loadedVectors ??= new Vectors(this.table, dimensions, embedder));
  }

  /** The pages that may match, the words of the query with their numbers of pages, the number of all pages, and those that are near. */
  private async candidates(ask: Ask, query: SearchQuery, vector: Float32Array | undefined) {
    const { table } = this;
    const collection = await countPages(ask, table);
    const wordsOfPage = await this.wordsOfPage(ask);
    const words: Spelt[] = [];
    /** Adds the words that pages have in one of these spellings. @returns the others */
    const find = async (
      spellings: ReadonlyMap<string, readonly string[]>,
      vector = wordsOfPage,
      to = words,
    ): Promise<string[]> => {
      const counts = spellings.size > 0 ? await countStoredWords(ask, table, vector, spellings) : [];
      const found = counts.filter(({ pages }) => pages > 0);
      to.push(...found.map((word) => ({ ...word, spellings: spellings.get(word.word)! })));
      return counts.filter(({ pages }) => pages === 0).map(({ word }) => word);
    };
    const wanted = wantedBy(query.text, detectLanguage(query.text));
    let unknown = await find(wanted.words);
    // A word of no page may be misspelt; if it is not, it may be a compound of words that pages have.
    for (const spell of [respelt, endsOf]) {
      const asked = unknown.filter((word) => word.length >= LEAST_UNKNOWN).slice(0, MOST_CORRECTED);
      unknown = await find(new Map(asked.map((word) => [word, spell(word)])));
    }
    const inTitles: Spelt[] = [];
    await find(wanted.inTitles, table.titleVector, inTitles);
    const near = vector && (await (await this.vectors())!.nearest(ask, query, vector));
    const pages: StoredPage[] = [];
    for (const [vector, found] of [
      [table.titleVector, inTitles],
      [wordsOfPage, words],
    ] as const)
      if (found.length > 0)
        pages.push(...(await findCandidates(ask, table, vector, query, found, collection)));
    const known = new Set(pages.map(({ url }) => url));
    const others = near?.map(({ document }) => document).filter((url) => !known.has(url)) ?? [];
    const select = `SELECT ${table.page} FROM ${table.sql} WHERE ${table.columns.url} = ANY($1::text[])`;
    if (others.length > 0) pages.push(...(await ask<StoredPage>(select, [others])));
    const unique = new Map(pages.map((page) => [page.url, page]));
    return { pages: [...unique.values()], words: [...words, ...inTitles], collection, near };
  }

  /** Expression for the words of a page: the column `search`, or the same computed. */
  private async wordsOfPage(ask: Ask): Promise<string> {
    const { sql, columns, pageVector, searchStateSql } = this.table;
    if (this.hasSearch === undefined) {
      const [row] = await ask<{ state: string }>(`SELECT ${searchStateSql} AS state`);
      this.hasSearch = row!.state !== 'absent';
      if (!this.hasSearch)
        this.logger.warn(
          `${sql} has no column ${columns.search}: every search reads all pages. Run the SQL of createSchema() of postgresDocuments.`,
        );
      else if (row!.state === 'outdated')
        this.logger.warn(
          `The column ${columns.search} of ${sql} was made by another version of nestjs-tools, or with other options: some words are not found. Run migrate(), or the SQL of createSchema(), which makes it anew.`,
        );
    }
    return this.hasSearch ? columns.search : pageVector;
  }

  private async writeBatch(pages: readonly SearchDocument[]): Promise<void> {
    const { sql, columns } = this.table;
    const values: [name: string | undefined, type: string, of: (page: SearchDocument) => string | null][] = [
      [columns.url, 'text', ({ url }) => storable(url)],
      [columns.title, 'text', ({ title = '' }) => storable(withoutInvisible(title))],
      [columns.text, 'text', ({ text }) => storable(withoutInvisible(text))],
      [columns.language, 'text', (page) => storable(page.language ?? languageOf(page) ?? '') || null],
      [
        columns.publishedAt,
        'timestamptz',
        ({ publishedAt }) => (publishedAt ? new Date(publishedMs(publishedAt)).toISOString() : null),
      ],
    ];
    const written = values.filter(([name]) => name !== undefined);
    const names = written.map(([name]) => name!);
    const [url, ...others] = names;
    const list = (prefix: string): string => others.map((name) => `${prefix}.${name}`).join(', ');
    // Rows in one order, so that two processes with the same pages do not wait for each other for ever.
    await this.write((ask) =>
      ask(
        `INSERT INTO ${sql} AS old (${names.join(', ')})
         SELECT * FROM unnest(${written.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')}) AS new(${names.join(', ')}) ORDER BY ${url}::text COLLATE "C"
         ON CONFLICT (${url}) DO UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(', ')}
         WHERE (${list('old')}) IS DISTINCT FROM (${list('excluded')})`,
        written.map(([, , of]) => pages.map(of)),
      ),
    );
  }

  private read<T>(context: ToolContext, work: (ask: Ask) => Promise<T>): Promise<T> {
    const { pool, timeoutMs } = this.options;
    return transaction(this.name, pool, 'READ ONLY', context, timeoutMs, work);
  }

  private write<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    return transaction(this.name, this.options.pool, 'READ WRITE', UNHURRIED, Infinity, work);
  }
}

function documentOf(page: StoredPage): SearchDocument {
  const fields = Object.entries(page).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as unknown as SearchDocument;
}

interface Spelt extends CountedWord {
  spellings: readonly string[];
}

/** Other ways to write a word that no page has: with one letter changed, or as two words. */
function respelt(word: string): string[] {
  return [...(isCorrectable(word) ? editsOf(word) : []), ...dividedIn(word)];
}

function frequenciesOf(words: readonly Spelt[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { word, spellings, pages } of words) {
    for (const term of [word.toUpperCase(), word].map(functionTerm)) frequencies.set(term, pages);
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
