import { Logger } from '@nestjs/common';
import { yielder } from '../core/async.js';
import { withContext, type ToolContext } from '../core/context.js';
import { UpstreamInvalidError } from '../core/errors.js';
import { readAllBlocks, structuredText } from '../web/markdown.js';
import { nearDocuments, type NearDocument } from '../search/ranking/fusion.js';
import { excerptOf, unitsOf } from '../search/ranking/units.js';
import { embeddedText, PASSAGE } from '../search/vectors/document-vectors.js';
import type { Embedder } from '../search/vectors/embedder.js';
import type { Ask } from './connection.js';
import { narrowing } from './queries.js';
import type { SearchQuery } from '../search/search-provider.js';
import type { Table, TableShape } from './table.js';

/** Pages whose passages are embedded together. */
const BATCH = 20;
/** Passages that are looked at for a query. */
const DEPTH = 100;
/** Passages that tell how near passages are to a query on average, and how long their mean is used, ms. */
const SAMPLE = 1000;
const MEAN_MS = 60_000;

/** Runs work in a transaction of its own. */
export type Run = <T>(work: (ask: Ask) => Promise<T>) => Promise<T>;

/** The vectors of the passages of a table's pages, in a table next to it, with the extension pgvector. */
export class PageVectors {
  private readonly sql: string;
  private readonly logger = new Logger('ToolsModule');
  private mean: { vector: Float32Array; at: number } | undefined;
  /** What there is; undefined until it has been looked up. */
  private found: { iterates: boolean } | 'none' | undefined;

  /** @param dimensions of the vectors, 1 to 2,000 */
  constructor(
    private readonly table: Table,
    private readonly dimensions: number,
  ) {
    this.sql = table.vectorsSql;
  }

  /** Forgets what is known of the table. */
  reset(): void {
    this.found = undefined;
    this.mean = undefined;
  }

  /** Whether there is a table of vectors; looked up once. Warns where there is none. */
  async isReady(run: Run): Promise<boolean> {
    if (this.found !== undefined) return this.found !== 'none';
    const [row] = await run((ask) =>
      ask<{ has_table: boolean; version: string | null }>(
        `SELECT to_regclass($1) IS NOT NULL AS has_table, (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS version`,
        [this.sql],
      ),
    );
    if (row?.has_table && row.version) {
      const [major = 0, minor = 0] = row.version.split('.').map(Number);
      this.found = { iterates: major > 0 || minor >= 8 };
      return true;
    }
    this.found = 'none';
    this.logger.warn(
      `${this.table.sql} is searched by words only: there is no table ${this.sql}. Install pgvector (CREATE EXTENSION vector), then run the SQL of createSchema() and start again.`,
    );
    return false;
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
    const mean = await this.meanOf(ask);
    if (!mean) return [];
    const values: unknown[] = [literal(vector)];
    const filter = narrowing(this.table, shape, query, values);
    const { sql, columns } = this.table;
    await ask(`SET LOCAL hnsw.ef_search = ${DEPTH}`);
    // Without it a filter leaves only those of the nearest passages that it accepts.
    if (this.found !== 'none' && this.found?.iterates)
      await ask('SET LOCAL hnsw.iterative_scan = strict_order');
    const rows = await ask<{ document: string; excerpt: string; cosine: number }>(
      `SELECT url AS document, passage AS excerpt, (1 - (embedding <=> $1::vector))::float8 AS cosine FROM ${this.sql} AS passages
       WHERE EXISTS (SELECT FROM ${sql} WHERE ${columns.url} = passages.url AND ${filter})
       ORDER BY embedding <=> $1::vector LIMIT ${DEPTH}`,
      values,
    );
    const average = mean.reduce((sum, value, i) => sum + value * vector[i]!, 0);
    return nearDocuments(rows, average);
  }

  /**
   * Embeds the passages of pages that have no vectors, or had another text when they got them, in batches, and removes the vectors of pages that
   * are gone.
   *
   * @param urls of the pages to look at. Default: all
   * @throws what `Embedder.embed` throws; SearchProviderError. What has been embedded by then is kept
   */
  async embed(embedder: Embedder, run: Run, urls?: readonly string[], signal?: AbortSignal): Promise<void> {
    await withContext(Infinity, signal ? { signal } : {}, async (context) => {
      const started = performance.now();
      const pause = yielder(undefined, context.signal);
      let passages = 0;
      for (let last = ''; ;) {
        const pages = await run((ask) => this.unembedded(ask, embedder.id, last, urls));
        if (pages.length === 0) break;
        last = pages.at(-1)!.url;
        const parts: PagePart[] = [];
        for (const page of pages) parts.push(...(await partsOf(page, pause)));
        const vectors =
          parts.length > 0
            ? await embedder.embed(
                parts.map((part) => part.text),
                context,
              )
            : [];
        if (vectors[0]) this.check(vectors[0]);
        await run((ask) => this.write(ask, pages, parts, vectors));
        passages += parts.length;
      }
      if (!urls) {
        const { sql, columns } = this.table;
        await run((ask) =>
          ask(
            `DELETE FROM ${this.sql} AS passages WHERE NOT EXISTS (SELECT FROM ${sql} WHERE ${columns.url} = passages.url)`,
          ),
        );
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        this.logger.log(
          `${this.table.sql}: ${passages} passages embedded with ${embedder.id} in ${seconds} s.`,
        );
      }
    });
    this.mean = undefined;
  }

  /** Some pages whose vectors are missing or of another text, in order of their addresses. */
  private unembedded(
    ask: Ask,
    model: string,
    after: string,
    urls?: readonly string[],
  ): Promise<UnembeddedPage[]> {
    const { sql, columns } = this.table;
    const title = columns.title ? `coalesce(${columns.title}, '')` : `''`;
    return ask<UnembeddedPage>(
      `SELECT * FROM (
         SELECT ${columns.url}::text AS url, ${title} AS title, coalesce(${columns.text}, '') AS text,
           md5($1 || '|' || ${title} || '|' || coalesce(${columns.text}, '')) AS version
         FROM ${sql} WHERE ${columns.url}::text COLLATE "C" > $2 ${urls ? `AND ${columns.url} = ANY($3::text[])` : ''}) AS pages
       WHERE text <> '' AND NOT EXISTS (
         SELECT FROM ${this.sql} AS passages WHERE passages.url = pages.url AND passages.version = pages.version)
       ORDER BY url COLLATE "C" LIMIT ${BATCH}`,
      [model, after, ...(urls ? [urls] : [])],
    );
  }

  private async write(
    ask: Ask,
    pages: readonly UnembeddedPage[],
    parts: readonly PagePart[],
    vectors: readonly Float32Array[],
  ): Promise<void> {
    // One process at a time, so that two that embed the same pages do not wait for each other for ever.
    await ask('SELECT pg_advisory_xact_lock(hashtext($1))', [this.sql]);
    await ask(`DELETE FROM ${this.sql} WHERE url = ANY($1::text[])`, [pages.map(({ url }) => url)]);
    await ask(
      `INSERT INTO ${this.sql} (url, part, version, passage, embedding)
       SELECT url, part, version, passage, embedding::vector
       FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[]) AS new(url, part, version, passage, embedding)`,
      [
        parts.map(({ page }) => page.url),
        parts.map(({ part }) => part),
        parts.map(({ page }) => page.version),
        parts.map(({ excerpt }) => excerpt),
        vectors.map(literal),
      ],
    );
  }

  /** The mean of the vectors, of some of them where there are many; undefined where there are none. */
  private async meanOf(ask: Ask): Promise<Float32Array | undefined> {
    const now = performance.now();
    if (!this.mean || now - this.mean.at > MEAN_MS) {
      const [row] = await ask<{ mean: string | null }>(
        `SELECT avg(embedding)::text AS mean FROM (SELECT embedding FROM ${this.sql} LIMIT ${SAMPLE}) AS some_passages`,
      );
      if (!row?.mean) return undefined;
      this.mean = { vector: Float32Array.from(JSON.parse(row.mean) as number[]), at: now };
    }
    return this.mean.vector;
  }

  private check({ length }: Float32Array): void {
    if (length !== this.dimensions)
      throw new UpstreamInvalidError(
        `The embedding model gives vectors of ${length} numbers; the option \`dimensions\` says ${this.dimensions}.`,
      );
  }
}

interface UnembeddedPage {
  url: string;
  title: string;
  text: string;
  /** Changes with the model, the title and the text. */
  version: string;
}

/** A passage of a page. */
interface PagePart {
  page: UnembeddedPage;
  part: number;
  /** What is embedded: the title, the headings above it, and its text. */
  text: string;
  /** What is shown. */
  excerpt: string;
}

async function partsOf(page: UnembeddedPage, pause: () => Promise<void> | undefined): Promise<PagePart[]> {
  const text = structuredText(page.text);
  const units = [...unitsOf(text, await readAllBlocks(text, pause), PASSAGE)];
  return units.map((unit, part) => ({
    page,
    part,
    text: embeddedText(page.title, unit.headings, text.slice(unit.start, unit.end)),
    excerpt: excerptOf(text, unit),
  }));
}

/** A vector as pgvector reads it. */
function literal(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
