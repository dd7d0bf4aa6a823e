import { Logger } from '@nestjs/common';
import { yielder, type Pause } from '../core/async.js';
import { withContext, type ToolContext } from '../core/context.js';
import { UpstreamInvalidError } from '../core/errors.js';
import { readDocument } from '../web/read-text.js';
import { nearDocuments, type NearDocument } from '../search/ranking/fusion.js';
import { excerptOf, unitsOf } from '../search/ranking/index-units.js';
import { PASSAGE } from '../search/ranking/pieces.js';
import { DEPTH, embeddedText } from '../search/vectors/document-vectors.js';
import type { Embedder } from '../search/vectors/embedder.js';
import type { Ask } from './connection.js';
import { conditionsOf } from './queries.js';
import type { SearchQuery } from '../search/search-provider.js';
import { vectorType, type Table } from './table.js';

const BATCH = 100; // pages of one query; a plain bound
/** Passages whose mean tells how near passages are to a query on average; set by hand. */
const SAMPLE = 1000;
export type RunQueries = <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;

/** The vectors of the passages of a table's pages, in a table next to it, with the extension pgvector 0.8 or later. */
export class PageVectors {
  private readonly sql: string;
  private readonly type: string;
  private readonly model: string;
  private readonly logger = new Logger('ToolsModule');
  private readonly told = new Set<string>();

  constructor(
    private readonly table: Table,
    private readonly dimensions: number,
    private readonly embedder: Embedder,
  ) {
    this.sql = table.vectorsSql;
    this.type = vectorType(dimensions);
    this.model = embedder.id;
  }

  /** Why pages cannot be searched by their vectors, if they cannot. `isWritable`: {@link embed} mends it. */
  private async problem(ask: Ask): Promise<{ text?: string; isWritable: boolean }> {
    const [row] = await ask<{ type: string | null; has_table: boolean }>(
      `SELECT to_regclass($1) IS NOT NULL AS has_table, ${this.table.vectorsTypeSql} AS type`,
      [this.sql],
    );
    const { type, has_table } = row!;
    if (!has_table) {
      const text = `there is no table ${this.sql}. Install pgvector (CREATE EXTENSION vector), then run the SQL of createSchema().`;
      return { text, isWritable: false };
    }
    if (type !== this.type) {
      const text = `${this.sql} is made for ${type}, not for ${this.type} of ${this.model}. To rebuild it, run the SQL of createSchema() and embed().`;
      return { text, isWritable: false };
    }
    const [models] = await ask<{ first: string | null; last: string | null }>(
      `SELECT min(model) AS first, max(model) AS last FROM ${this.sql}`,
    );
    const other = [models!.first, models!.last].find((model) => model !== this.model);
    if (other === undefined) return { isWritable: true };
    const state = other === null ? 'is empty' : `has vectors of ${other}`;
    return { text: `${this.sql} ${state}. Run embed() for those of ${this.model}.`, isWritable: true };
  }

  private warnOnce(problem: string | undefined): void {
    if (problem === undefined || this.told.has(problem)) return;
    this.told.add(problem);
    this.logger.warn(`${this.table.sql} is searched by words only: ${problem}`);
  }

  async ofQuery(query: string, context: ToolContext): Promise<Float32Array> {
    const vector = await this.embedder.embedQuery(query, context);
    this.check(vector);
    return vector;
  }

  /** The pages that are nearest to the vector of a query, best first, each once; undefined where pages cannot be searched by vectors. */
  async nearest(
    ask: Ask,
    query: SearchQuery,
    vector: Float32Array,
  ): Promise<NearDocument<string>[] | undefined> {
    const { text: problem } = await this.problem(ask);
    this.warnOnce(problem);
    if (problem !== undefined) return undefined;
    const values: unknown[] = [literal(vector), this.model];
    const filter = conditionsOf(this.table, query, values);
    const { sql, columns } = this.table;
    // Without iteration a filter leaves only those of the nearest passages that it accepts.
    await ask(`SET LOCAL hnsw.ef_search = ${DEPTH}; SET LOCAL hnsw.iterative_scan = strict_order`);
    const nearness = `embedding <=> $1::${this.type}`;
    const rows = await ask<{ document: string; excerpt: string; cosine: number; mean: number }>(
      `SELECT url AS document, passage AS excerpt, (1 - (${nearness}))::float8 AS cosine,
         (SELECT avg(nullif(1 - (${nearness}), 'NaN')) FROM (SELECT embedding FROM ${this.sql} LIMIT ${SAMPLE}) AS some_passages)::float8 AS mean
       FROM ${this.sql} AS passages
       WHERE model = $2 AND EXISTS (SELECT FROM ${sql} WHERE ${columns.url} = passages.url AND ${filter})
       ORDER BY ${nearness} LIMIT ${DEPTH}`,
      values,
    );
    // A vector of zeros points nowhere: it is near to nothing.
    const near = rows.filter(({ cosine }) => !Number.isNaN(cosine));
    return nearDocuments(near, near[0]?.mean ?? 0);
  }

  /**
   * Embeds the passages of pages that have no vectors of the model, or had another text when they got them, in batches. Each page is read once, in
   * order of its address. Without `urls` it also removes the vectors of pages that are gone and of other models.
   *
   * @throws what `Embedder.embed` throws; SearchProviderError. What has been embedded by then is kept
   */
  async embed(run: RunQueries, urls?: readonly string[], signal?: AbortSignal): Promise<void> {
    const { text: problem, isWritable } = await run((ask) => this.problem(ask));
    if (!isWritable) return this.warnOnce(problem);
    await withContext(Infinity, signal ? { signal } : {}, async (context) => {
      const started = performance.now();
      const pause = yielder(context.signal);
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
        const vectors = texts.length > 0 ? await this.embedder.embed(texts, context) : [];
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
  version: string;
  isCurrent: boolean;
  title: string;
  text: string;
}

interface PagePart {
  page: Page;
  part: number;
  /** What is embedded: the title, the headings above it, and its text. */
  text: string;
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

function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
