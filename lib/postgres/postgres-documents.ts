import { Logger } from '@nestjs/common';
import { yielder } from '../core/async.js';
import { withContext, type ToolContext } from '../core/context.js';
import { failureOf } from '../core/failures.js';
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
  type Schema,
} from '../core/schema.js';
import { detectLanguage } from '../text/detect-language.js';
import { editDistance } from '../core/edit-distance.js';
import { LANGUAGES, type Language } from '../text/languages.js';
import { modelId, type EmbeddingModelLike } from '../model/ai-sdk.js';
import { CONNECT, type ConnectsToModels } from '../model/connect.js';
import type { ModelEnvironment } from '../model/upstream.js';
import { checkDocument, filterOf, hitOf } from '../search/providers/documents.provider.js';
import { indexedTerm } from '../search/ranking/analyzer.js';
import { SearchProviderError } from '../search/providers/search-provider.error.js';
import type { SearchDocument } from '../search/ranking/document-index.js';
import { editsOf, endsOf, isCorrectable } from '../search/ranking/query-terms.js';
import type { NearDocument } from '../search/ranking/fusion.js';
import {
  type SearchProvider,
  type SearchProviderResult,
  type SearchQuery,
  type SearchWarning,
} from '../search/search-provider.js';
import type { Embedder } from '../search/vectors/embedder.js';
import {
  EMBEDDING_MODEL,
  EMBEDDING_OPTIONS,
  type EmbeddingOptions,
} from '../search/vectors/embedding-options.js';
import { optionally, transaction, type Ask, type PostgresPool } from './connection.js';
import {
  dividedIn,
  countWords,
  findCandidates,
  readPages,
  readCollection,
  similarWords,
  wordsOf,
  type Collection,
  type CountedWord,
  type StoredPage,
} from './queries.js';
import type { PageVectors, Run } from './vectors.js';
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
/** Misspelt words of a query that are looked for in other spellings. A query of more is no misspelt one, and costs as much as several. */
const MOST_CORRECTED = 2;
/** Share of the time of a statement that looking for other spellings may take. */
const CORRECTION_SHARE = 0.5;
/** Shortest word that is looked for in other spellings, characters. */
const LEAST_UNKNOWN = 3;
/** A word of a title may differ in one letter for so many letters of a word of the query. */
const LETTERS_A_MISTAKE = 4;

const NOT_EMBEDDED: SearchWarning = {
  code: 'embeddings_failed',
  message: 'The pages were searched by words only: they have no vectors of the embedding model yet.',
};

/** No deadline. */
const UNHURRIED = { signal: new AbortController().signal, remainingMs: () => Infinity };

/** See {@link postgresDocuments}. */
export class PostgresDocuments implements SearchProvider, ConnectsToModels, ChecksItself {
  readonly name: string;
  readonly filters = ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'] as const;
  readonly version: string;
  private readonly pool: PostgresPool;
  private readonly table: Table;
  private readonly language: Language | undefined;
  private readonly timeoutMs: number;
  private readonly logger = new Logger('ToolsModule');
  private readonly meaning: Meaning | undefined;
  private environment: ModelEnvironment = {};
  private vectors: { embedder: Embedder; table: PageVectors } | undefined;
  private shape: TableShape | undefined;
  private known: { collection: Collection; at: number } | undefined;

  constructor(given: PostgresDocumentsOptions) {
    const { pool, table, columns, language, timeoutMs, name, ...others } = parseOption(
      'postgresDocuments',
      OPTIONS,
      given,
    );
    this.meaning = meaningOf(others);
    this.pool = pool;
    this.table = new Table(table, columns, language);
    this.language = language;
    this.timeoutMs = timeoutMs;
    this.name = name;
    const model = this.meaning ? modelId(this.meaning.embeddings) : null;
    this.version = JSON.stringify([table, columns ?? null, language ?? null, model]);
  }

  [CONNECT](environment: ModelEnvironment): void {
    this.environment = environment;
    this.vectors = undefined;
  }

  /** Looks for the table and its columns. @throws SearchProviderError naming what is missing */
  async [CHECK](signal: AbortSignal): Promise<void> {
    await withContext(this.timeoutMs, { signal }, (context) =>
      this.read(context, (ask) => this.inspected(ask)),
    );
  }

  /**
   * SQL that makes the table, its column `search` and its indexes where they are missing, for a migration. It can run any number of times.
   * In a table that is there already it adds the column, which locks and rewrites the table once. With `embeddings` it also makes the table
   * `<table>_vectors`, if the extension pgvector is installed when it runs. One for vectors of other `dimensions` is dropped and made anew: then run
   * {@link embed}.
   */
  createSchema(): string {
    const { table, meaning } = this;
    return meaning ? table.schemaSql + table.vectorSchemaSql(meaning.dimensions) : table.schemaSql;
  }

  /** Runs {@link createSchema} in one transaction. Replicas may do so at the same time. @throws SearchProviderError */
  async migrate(): Promise<void> {
    await this.write(async (ask) => {
      await ask(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await ask(this.createSchema());
    });
    this.shape = undefined;
    this.vectors?.table.reset();
  }

  /**
   * Writes pages, in place of those with the same address: a transaction for each 500 pages. A page that has not changed is not written.
   * Several processes may write the same pages at the same time. After a failure the same pages can be written again. With `embeddings`, pages that
   * are new or have changed are embedded after they are written.
   *
   * @throws InvalidOptionError for what is no page, and where the table cannot be written to, naming what it lacks; SearchProviderError; with
   *   `embeddings` what {@link embed} throws
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
    this.known = undefined;
  }

  async search(query: SearchQuery, context: ToolContext): Promise<SearchProviderResult> {
    const asked = {
      ...query,
      text: storable(query.text),
      includeDomains: query.includeDomains?.map(storable),
      excludeDomains: query.excludeDomains?.map(storable),
    };
    const { vector, ...warnings } = await this.vectorOf(asked.text, context);
    const read = (by?: Float32Array): ReturnType<typeof this.candidates> =>
      this.read(context, (ask, statementMs) => this.candidates(ask, asked, by, statementMs));
    const { text, pages, words, collection, near } = await read(vector).catch((error: unknown) => {
      // Another process may have rebuilt the table of vectors.
      if (!vector || !(error instanceof SearchProviderError) || error.kind !== 'bad_request') throw error;
      this.vectors?.table.reset();
      return read();
    });
    if (pages.length === 0) return { hits: [], ...warnings };
    // Loaded with the first result, not with the host.
    const { DocumentIndex } = await import('../search/ranking/document-index.js');
    const documents = pages.map((page) => this.documentOf(page));
    const index = await DocumentIndex.build(documents, yielder(undefined, context.signal), {
      size: collection,
      frequencies: frequenciesOf(words),
    });
    const accepts = filterOf(query, index);
    const numbers = new Map(documents.map(({ url }, i) => [url, i]));
    const accepted = near.flatMap(({ document: url, ...others }): NearDocument[] => {
      const document = numbers.get(url);
      if (document === undefined || (accepts && !accepts(document))) return [];
      return [{ document, ...others }];
    });
    return { ...warnings, hits: index.search(text, query.count, accepts, accepted).map(hitOf) };
  }

  /** The vector of a query, or why there is none. */
  private async vectorOf(
    query: string,
    context: ToolContext,
  ): Promise<{ vector?: Float32Array; warnings?: SearchWarning[] }> {
    const vectors = await this.loadVectors();
    if (!vectors) return {};
    const { problem, hasTable } = await vectors.table.state((work) => this.read(context, work));
    if (problem) return hasTable ? { warnings: [NOT_EMBEDDED] } : {};
    try {
      return { vector: await vectors.table.ofQuery(query, vectors.embedder, context) };
    } catch (error) {
      context.signal.throwIfAborted();
      const { embeddingsFailed } = await import('../search/vectors/document-vectors.js');
      context.fellBack?.({ part: this.name, error: failureOf(this.name, error), by: 'words' });
      return { warnings: [embeddingsFailed(this.name, error)] };
    }
  }

  private async embedPages(urls: readonly string[] | undefined, signal?: AbortSignal): Promise<void> {
    const vectors = await this.loadVectors();
    const run: Run = (work) => this.write(work);
    await vectors?.table.embed(vectors.embedder, run, urls, signal);
  }

  /** What embeds texts and finds vectors; undefined without `embeddings`. Loaded when it is first used. */
  private async loadVectors(): Promise<PostgresDocuments['vectors']> {
    if (!this.meaning || this.vectors) return this.vectors;
    const { embeddings, dimensions, embeddingOptions } = this.meaning;
    const { Embedder: Model } = await import('../search/vectors/embedder.js');
    const { PageVectors: Vectors } = await import('./vectors.js');
    const embedder = new Model(embeddings, embeddingOptions, this.environment);
    return (this.vectors ??= { embedder, table: new Vectors(this.table, dimensions, embedder.id) });
  }

  /**
   * The pages that may match, the words of the query with their numbers of pages, the number of all pages, and those that are near.
   *
   * @param vector of the query. Default: words alone count
   * @param statementMs time limit of a statement, ms
   * @returns `text`: the query to rank by, with words of titles for those that are badly misspelt
   */
  private async candidates(
    ask: Ask,
    query: SearchQuery,
    vector: Float32Array | undefined,
    statementMs: number,
  ): Promise<{
    text: string;
    pages: StoredPage[];
    words: Spelt[];
    collection: number;
    near: NearDocument<string>[];
  }> {
    const shape = await this.inspected(ask);
    const language = detectLanguage(query.text);
    const collection = await this.collection(ask, shape);
    const count = (spellings: ReadonlyMap<string, readonly string[]>): Promise<CountedWord[]> =>
      countWords(ask, this.table, shape, spellings, collection);
    const counts = await count(wordsOf(query.text, language));
    const words: Spelt[] = counts
      .filter(({ pages }) => pages > 0)
      .map((word) => ({ ...word, spellings: [word.word] }));
    // A word of no page may be misspelt; if it is not, it may be a compound of words that pages have.
    let unknown = counts.flatMap(({ word, pages }) => (pages === 0 ? [word] : []));
    let text = query.text;
    const end = performance.now() + statementMs * CORRECTION_SHARE;
    for (const spell of [respelt, 'trigrams', endsOf] as const) {
      const asked = unknown.filter((word) => word.length >= LEAST_UNKNOWN).slice(0, MOST_CORRECTED);
      const left = end - performance.now();
      if (asked.length === 0 || left <= 0 || (spell === 'trigrams' && !shape.hasTrigrams)) continue;
      const [spellings, counted] = (await optionally(ask, left, statementMs, async () => {
        const other =
          spell === 'trigrams'
            ? await this.inTitles(ask, asked)
            : new Map(asked.map((word) => [word, spell(word)] as const));
        return [other, await count(other)] as const;
      })) ?? [new Map<string, string[]>(), []];
      const found = counted.filter(({ pages }) => pages > 0);
      words.push(...found.map((word) => ({ ...word, spellings: spellings.get(word.word)! })));
      unknown = unknown.filter((word) => !found.some((other) => other.word === word));
      // The ranking finds one wrong letter and parts by itself.
      if (spell === 'trigrams')
        for (const { word } of found) text = text.toLowerCase().replaceAll(word, spellings.get(word)![0]!);
    }
    const near = vector ? await this.vectors!.table.nearest(ask, shape, query, vector) : [];
    const pages =
      words.length > 0 ? await findCandidates(ask, this.table, shape, query, words, collection.pages) : [];
    const known = new Set(pages.map(({ url }) => url));
    const others = near.map(({ document }) => document).filter((url) => !known.has(url));
    if (others.length > 0) pages.push(...(await readPages(ask, this.table, shape, others)));
    return { text, pages, words, collection: collection.pages, near };
  }

  /** For words with several wrong letters the nearest word of a title, where one is near enough. */
  private async inTitles(ask: Ask, words: readonly string[]): Promise<Map<string, string[]>> {
    const similar = await similarWords(ask, this.table, words);
    const nearest = new Map<string, string[]>();
    for (const [word, candidates] of similar) {
      const [best] = candidates
        .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
        .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
      if (best && best.distance <= word.length / LETTERS_A_MISTAKE) nearest.set(word, [best.candidate]);
    }
    return nearest;
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

  /** Read again after a minute. */
  private async collection(ask: Ask, shape: TableShape): Promise<Collection> {
    const now = performance.now();
    if (!this.known || now - this.known.at > RECOUNT_MS)
      this.known = { collection: await readCollection(ask, this.table, shape), at: now };
    return this.known.collection;
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
    this.known = undefined;
  }

  private documentOf({ url, title, text, language, published }: StoredPage): SearchDocument {
    const known = language ?? this.language;
    return {
      url,
      title: title ?? '',
      text: text ?? '',
      ...(known ? { language: known } : {}),
      ...(published
        ? { publishedAt: published.replace(/T00:00:00$/, '').replace(/(T.{0,40})$/, '$1Z') }
        : {}),
    };
  }

  private read<T>(context: ToolContext, work: (ask: Ask, statementMs: number) => Promise<T>): Promise<T> {
    return transaction(this.name, this.pool, 'READ ONLY', context, this.timeoutMs, work);
  }

  private write<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    return transaction(this.name, this.pool, 'READ WRITE', UNHURRIED, Infinity, work);
  }
}

/** How pages are found by their meaning. */
interface Meaning {
  embeddings: EmbeddingModelLike;
  dimensions: number;
  embeddingOptions: EmbeddingOptions | undefined;
}

/** @throws InvalidOptionError unless `embeddings` and `dimensions` come together */
function meaningOf({ embeddings, dimensions, embeddingOptions }: Partial<Meaning>): Meaning | undefined {
  if (embeddings !== undefined && dimensions !== undefined)
    return { embeddings, dimensions, embeddingOptions };
  const refuse = (name: string, expected: string): never => {
    throw new InvalidOptionError(`postgresDocuments.${name}`, expected, InvalidOptionError.WITHHELD);
  };
  if (embeddings !== undefined)
    refuse('dimensions', 'the number of numbers in a vector of `embeddings`, an integer from 1 to 4000');
  if (dimensions !== undefined) refuse('dimensions', 'set together with `embeddings`');
  if (embeddingOptions !== undefined) refuse('embeddingOptions', 'set together with `embeddings`');
  return undefined;
}

/** A word of a query with the spellings that were looked for. */
interface Spelt extends CountedWord {
  spellings: readonly string[];
}

/** Other ways to write a word that no page has: with one letter changed, or as two words. */
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
