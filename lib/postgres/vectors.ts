import { Logger } from '@nestjs/common';
import { yielder, type Pause } from '../core/async.js';
import { withContext, type ToolContext } from '../core/context.js';
import { UpstreamInvalidError } from '../core/errors.js';
import { readDocument } from '../web/read-text.js';
import { nearDocuments, type NearDocument } from '../search/ranking/fusion.js';
import { excerptOf, unitsOf } from '../search/ranking/units.js';
import { embeddedText, PASSAGE } from '../search/vectors/document-vectors.js';
import type { Embedder } from '../search/vectors/embedder.js';
import type { Ask } from './connection.js';
import { conditionsOf } from './queries.js';
import type { SearchQuery } from '../search/search-provider.js';
import { vectorType, type Table, type TableShape } from './table.js';

/** Pages that are read, embedded and written together. */
const BATCH = 100;
/** Passages that are looked at for a query. */
const DEPTH = 100;
/** Passages whose mean tells how near passages are to a query on average. */
const SAMPLE = 1000;
/** How long what is known of the table of vectors is used, ms. */
const RECHECK_MS = 60_000;
/** Earlier versions of pgvector have faults in HNSW indexes whose rows are replaced (its CHANGELOG, 0.8.2 to 0.8.4). */
const LEAST_VERSION = '0.8.4';

/** Runs work in a transaction of its own. */
export type Run = <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;

/** What is known of the table of vectors. */
interface State {
  at: number;
  /** Why pages are searched by words; undefined when they are also searched by their vectors. */
  problem?: string;
  hasTable: boolean;
  canWrite: boolean;
  /** Whether pgvector goes on searching when a filter leaves too few passages. */
  iterates: boolean;
  mean?: Float32Array;
}

/** The vectors of the passages of a table's pages, in a table next to it, with the extension pgvector. */
export class PageVectors {
  private readonly sql: string;
  private readonly type: string;
  private readonly logger = new Logger('ToolsModule');
  private known: State | undefined;
  private readonly told = new Set<string>();

  /**
   * @param dimensions of the vectors, 1 to 4,000
   * @param model `Embedder.id`
   */
  constructor(
    private readonly table: Table,
    private readonly dimensions: number,
    private readonly model: string,
  ) {
    this.sql = table.vectorsSql;
    this.type = vectorType(dimensions);
  }

  /** Forgets what is known of the table. */
  reset(): void {
    this.known = undefined;
  }

  /** What there is; looked up once a minute. The log says once why pages are searched by words only. */
  async state(run: Run): Promise<State> {
    const state = await this.lookUp(run);
    if (state.problem) this.warn(`${this.table.sql} is searched by words only: ${state.problem}`);
    return state;
  }

  private async lookUp(run: Run): Promise<State> {
    if (this.known && performance.now() - this.known.at < RECHECK_MS) return this.known;
    return (this.known = await run((ask) => this.inspect(ask)));
  }

  private async inspect(ask: Ask): Promise<State> {
    const [row] = await ask<{ type: string | null; version: string | null; has_table: boolean }>(
      `SELECT to_regclass($1) IS NOT NULL AS has_table, ${this.table.vectorsTypeSql} AS type,
         (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS version`,
      [this.sql],
    );
    const { type, version, has_table } = row!;
    const state = {
      at: performance.now(),
      hasTable: has_table && version !== null,
      canWrite: false,
      iterates: isAtLeast(version ?? '', '0.8.0'),
    };
    const run = 'run the SQL of createSchema()';
    if (!has_table || !version)
      return {
        ...state,
        problem: `there is no table ${this.sql}. Install pgvector (CREATE EXTENSION vector), then ${run} and start again.`,
      };
    if (!isAtLeast(version, LEAST_VERSION))
      this.warn(
        `pgvector ${version} has known faults. Install ${LEAST_VERSION} or later, then ALTER EXTENSION vector UPDATE.`,
      );
    if (type !== this.type)
      return {
        ...state,
        problem: `${this.sql} is made for ${type ?? 'an earlier version of nestjs-tools'}, not for ${this.type} of ${this.model}. To rebuild it, ${run} and embed().`,
      };
    const [found] = await ask<{ first: string | null; last: string | null; mean: string | null }>(
      `SELECT min(model) AS first, max(model) AS last,
         (SELECT avg(embedding)::text FROM (SELECT embedding FROM ${this.sql} LIMIT ${SAMPLE}) AS some_passages) AS mean
       FROM ${this.sql}`,
    );
    const { first, last, mean } = found!;
    const other = [first, last].find((model) => model !== this.model);
    if (other !== undefined)
      return {
        ...state,
        canWrite: true,
        problem:
          other === null
            ? `${this.sql} is empty. Run embed().`
            : `${this.sql} has vectors of ${other}. Run embed() for those of ${this.model}.`,
      };
    return { ...state, canWrite: true, mean: Float32Array.from(JSON.parse(mean!) as number[]) };
  }

  private warn(message: string): void {
    if (!this.told.has(message)) this.logger.warn(message);
    this.told.add(message);
  }

  /** The vector of a query. @throws as `Embedder.embedQuery` */
  async ofQuery(query: string, embedder: Embedder, context: ToolContext): Promise<Float32Array> {
    const vector = await embedder.embedQuery(query, context);
    this.check(vector);
    return vector;
  }

  /** The pages that are nearest to the vector of a query, best first, each once. */
  async nearest(
    ask: Ask,
    shape: TableShape,
    query: SearchQuery,
    vector: Float32Array,
  ): Promise<NearDocument<string>[]> {
    if (!this.known?.mean) return [];
    const { mean, iterates } = this.known;
    const values: unknown[] = [literal(vector), this.model];
    const filter = conditionsOf(this.table, shape, query, values);
    const { sql, columns } = this.table;
    await ask(`SET LOCAL hnsw.ef_search = ${DEPTH}`);
    // Without it a filter leaves only those of the nearest passages that it accepts.
    if (iterates) await ask('SET LOCAL hnsw.iterative_scan = strict_order');
    const nearness = `embedding <=> $1::${this.type}`;
    const rows = await ask<{ document: string; excerpt: string; cosine: number }>(
      `SELECT url AS document, passage AS excerpt, (1 - (${nearness}))::float8 AS cosine FROM ${this.sql} AS passages
       WHERE model = $2 AND EXISTS (SELECT FROM ${sql} WHERE ${columns.url} = passages.url AND ${filter})
       ORDER BY ${nearness} LIMIT ${DEPTH}`,
      values,
    );
    const average = mean.reduce((sum, value, i) => sum + value * vector[i]!, 0);
    return nearDocuments(rows, average);
  }

  /**
   * Embeds the passages of pages that have no vectors of the model, or had another text when they got them, in batches. Each page is read once, in
   * order of its address. Without `urls` it also removes the vectors of pages that are gone and of other models.
   *
   * @param urls of the pages to look at. Default: all
   * @throws what `Embedder.embed` throws; SearchProviderError. What has been embedded by then is kept
   */
  async embed(embedder: Embedder, run: Run, urls?: readonly string[], signal?: AbortSignal): Promise<void> {
    if (!(await this.lookUp(run)).canWrite) return void (await this.state(run));
    await withContext(Infinity, signal ? { signal } : {}, async (context) => {
      const started = performance.now();
      const pause = yielder(undefined, context.signal);
      let passages = 0;
      for (let last = ''; ;) {
        const pages = await run((ask) => this.pagesAfter(ask, last, urls));
        if (pages.length === 0) break;
        last = pages.at(-1)!.url;
        const stale = pages.filter(({ isCurrent }) => !isCurrent);
        if (stale.length === 0) continue;
        const parts: PagePart[] = [];
        for (const page of stale) parts.push(...(await partsOf(page, pause)));
        const texts = parts.map(({ text }) => text);
        const vectors = texts.length > 0 ? await embedder.embed(texts, context) : [];
        if (vectors[0]) this.check(vectors[0]);
        await run((ask) => this.write(ask, stale, parts, vectors));
        passages += parts.length;
      }
      if (urls) return;
      const { sql, columns } = this.table;
      await run((ask) =>
        ask(
          `DELETE FROM ${this.sql} AS passages
           WHERE model <> $1 OR NOT EXISTS (SELECT FROM ${sql} WHERE ${columns.url} = passages.url)`,
          [this.model],
        ),
      );
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      this.logger.log(`${sql}: ${passages} passages embedded with ${this.model} in ${seconds} s.`);
    });
    this.reset();
  }

  /** The next pages in order of their addresses; title and text only of those without vectors for them. */
  private pagesAfter(ask: Ask, last: string, urls?: readonly string[]): Promise<Page[]> {
    const { sql, columns } = this.table;
    const title = columns.title ? `coalesce(${columns.title}, '')` : `''`;
    const text = `coalesce(${columns.text}, '')`;
    // The limit comes first, so that only the texts of these pages are read. The order is that of the index on the address. The passages of
    // a page are written together, so the first one tells their version.
    return ask<Page>(
      `SELECT url, version, "isCurrent", CASE WHEN NOT "isCurrent" THEN title END AS title, CASE WHEN NOT "isCurrent" THEN text END AS text
       FROM (
         SELECT pages.url::text AS url, pages.version, title, text,
           row(passages.model, passages.version) IS NOT DISTINCT FROM row($1::text, pages.version) AS "isCurrent"
         FROM (
           SELECT ${columns.url} AS url, ${title} AS title, ${text} AS text,
             encode(sha256(convert_to(${title} || E'\\n' || ${text}, 'UTF8')), 'hex') AS version
           FROM ${sql} WHERE ${columns.url} > $2 ${urls ? `AND ${columns.url} = ANY($3)` : ''} ORDER BY ${columns.url} LIMIT ${BATCH}) AS pages
         LEFT JOIN ${this.sql} AS passages ON passages.url = pages.url::text AND passages.part = 0
         ORDER BY pages.url) AS pages`,
      [this.model, last, ...(urls ? [urls] : [])],
    );
  }

  private async write(
    ask: Ask,
    pages: readonly Page[],
    parts: readonly PagePart[],
    vectors: readonly Float32Array[],
  ): Promise<void> {
    // One process at a time, so that two that embed the same pages do not wait for each other for ever.
    await ask('SELECT pg_advisory_xact_lock(hashtext($1))', [this.sql]);
    await ask(`DELETE FROM ${this.sql} WHERE url = ANY($1::text[])`, [pages.map(({ url }) => url)]);
    await ask(
      `INSERT INTO ${this.sql} (url, part, model, version, passage, embedding)
       SELECT url, part, $6, version, passage, embedding::${this.type}
       FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[]) AS new(url, part, version, passage, embedding)`,
      [
        parts.map(({ page }) => page.url),
        parts.map(({ part }) => part),
        parts.map(({ page }) => page.version),
        parts.map(({ excerpt }) => excerpt),
        vectors.map(literal),
        this.model,
      ],
    );
  }

  private check({ length }: Float32Array): void {
    if (length !== this.dimensions)
      throw new UpstreamInvalidError(
        `The embedding model gives vectors of ${length} numbers; the option \`dimensions\` says ${this.dimensions}.`,
      );
  }
}

interface Page {
  url: string;
  /** Hash of title and text. */
  version: string;
  /** Whether there are vectors of this version. */
  isCurrent: boolean;
  /** Null when they are not needed. */
  title: string;
  text: string;
}

/** A passage of a page. */
interface PagePart {
  page: Page;
  part: number;
  /** What is embedded: the title, the headings above it, and its text. */
  text: string;
  /** What is shown. */
  excerpt: string;
}

async function partsOf(page: Page, pause: Pause): Promise<PagePart[]> {
  if (page.text.trim() === '') return [];
  const { text, blocks } = await readDocument(page.text, pause);
  const units = [...unitsOf(text, blocks, PASSAGE)];
  return units.map((unit, part) => ({
    page,
    part,
    text: embeddedText(page.title, unit.headings, text.slice(unit.start, unit.end)),
    excerpt: excerptOf(text, unit),
  }));
}

/** Compares versions such as `0.8.4`. */
function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) >= 0;
}

/** A vector as pgvector reads it. */
function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
