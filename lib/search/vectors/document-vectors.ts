import { Logger } from '@nestjs/common';
import { yielder } from '../../core/async.js';
import { withContext, type ToolContext } from '../../core/context.js';
import { UpstreamInvalidError } from '../../core/errors.js';
import { isAboutOneRequest } from '../../model/errors.js';
import { readLongMarkdown } from '../../web/read-markdown.js';
import { oneLine } from '../../text/plain-text.js';
import { TopList, type Scored } from '../ranking/bm25.js';
import type { SearchDocument } from '../ranking/document-index.js';
import { nearDocuments, type NearDocument } from '../ranking/fusion.js';
import { failureReason } from '../providers/search-provider.error.js';
import { excerptOf, unitsOf, type PlacedUnit } from '../ranking/index-units.js';
import { PASSAGE } from '../ranking/pieces.js';
import type { Embedder } from './embedder.js';
import type { VectorStore } from './vector-store.js';

export const DEPTH = 100; // passages that are looked at; set by hand

interface DocumentVectorsOptions {
  documents: readonly SearchDocument[];
  texts: readonly string[];
  embedder: Embedder;
  store?: VectorStore;
  name: string;
}

/**
 * Vectors of the passages of documents. They are made once, in the background and in batches. Documents are found by them as soon as all
 * passages have been sent.
 */
export class DocumentVectors {
  ready = false;
  /** Why passages cannot be embedded at the moment; undefined while they can. */
  failed: unknown;
  private readonly logger = new Logger('ToolsModule');
  private passages: readonly PlacedUnit[] | undefined;
  private index: VectorIndex | undefined;
  private running = false;
  /** First passages of the batches that nobody has taken. */
  private waiting: number[] | undefined;
  private embedded = 0;

  constructor(private readonly options: DocumentVectorsOptions) {}

  /** Begins or goes on, in the background. Nothing of it can fail the caller. @param signal ends the work */
  start(signal?: AbortSignal): void {
    if (this.running || this.ready || signal?.aborted) return;
    this.running = true;
    withContext(Infinity, signal ? { signal } : {}, (context) => this.run(context))
      .catch((error: unknown) => {
        if (signal?.aborted) return;
        if (this.failed === undefined)
          this.logger.warn(
            `${this.options.name}: passages cannot be embedded (${failureReason(error)}). Words are searched. The next search tries again.`,
          );
        this.failed = error;
      })
      .finally(() => (this.running = false));
  }

  async nearest(
    query: string,
    context: ToolContext,
    accepts?: (document: number) => boolean,
  ): Promise<NearDocument[]> {
    const { embedder } = this.options;
    const [passages, index] = [this.passages, this.index];
    if (!passages || !index) return [];
    const vector = await embedder.embedQuery(query, context);
    if (vector.length !== index.size)
      throw new UpstreamInvalidError('The embedding model has changed the size of its vectors.');
    const isWanted = accepts && ((row: number) => accepts(passages[row]!.document));
    const { rows, mean } = await index.nearest(vector, DEPTH, yielder(context.signal), isWanted);
    const found = rows.map(({ unit, score }) => ({
      document: passages[unit]!.document,
      cosine: score,
      excerpt: excerptOf(this.options.texts[passages[unit]!.document]!, passages[unit]!),
    }));
    return nearDocuments(found, mean);
  }

  private async run(context: ToolContext): Promise<void> {
    const { embedder, name } = this.options;
    const size = embedder.options.batchSize;
    this.passages ??= await this.split(context.signal);
    const passages = this.passages;
    const count = passages.length;
    if (!this.waiting)
      this.logger.log(
        `${name}: embedding ${count} passages with ${embedder.id} in the background. Until then only words are searched.`,
      );
    const waiting = (this.waiting ??= Array.from({ length: Math.ceil(count / size) }, (_, i) => i * size));
    const start = performance.now();
    const worker = async (): Promise<void> => {
      for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
        try {
          await this.embed(passages, from, Math.min(count, from + size), context);
        } catch (error) {
          waiting.push(from);
          throw error;
        }
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: embedder.parallelBatches }, worker));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    this.ready = true;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    this.logger.log(`${name}: ${this.embedded} of ${count} passages have vectors after ${seconds} s.`);
  }

  private async embed(
    passages: readonly PlacedUnit[],
    from: number,
    to: number,
    context: ToolContext,
  ): Promise<void> {
    const { embedder, store, name, documents, texts: all } = this.options;
    const texts = passages.slice(from, to).map(({ document, headings, start, end }) => {
      const { title = '' } = documents[document]!;
      return embeddedText(title, headings, all[document]!.slice(start, end));
    });
    try {
      const vectors = await embedder.embed(texts, context, store);
      const index = (this.index ??= new VectorIndex(passages.length, vectors[0]!.length));
      if (vectors.some(({ length }) => length !== index.size))
        throw new UpstreamInvalidError('The embedding model has changed the size of its vectors.');
      vectors.forEach((vector, i) => index.set(from + i, vector));
      this.embedded += vectors.length;
      this.failed = undefined;
    } catch (error) {
      context.signal.throwIfAborted();
      // One text that is refused must not keep all others from being found.
      if (!isAboutOneRequest(error) || this.embedded === 0) throw error;
      this.logger.warn(
        `${name}: the embedding model refused ${texts.length} passages (${failureReason(error)}). They are found by their words only.`,
      );
    }
  }

  private async split(signal: AbortSignal): Promise<PlacedUnit[]> {
    const pause = yielder(signal);
    const passages: PlacedUnit[] = [];
    for (const [d, text] of this.options.texts.entries()) {
      const blocks = await readLongMarkdown(text, pause);
      for (const { start, end, context, headings } of unitsOf(text, blocks, PASSAGE)) {
        passages.push({ document: d, start, end, context, headings });
        const turn = pause();
        if (turn) await turn;
      }
    }
    return passages;
  }
}

/** What is embedded of a passage: the title, the headings above it, and its text. */
export function embeddedText(title: string, headings: string | undefined, text: string): string {
  return [oneLine(title), headings, text].filter(Boolean).join('\n');
}

/** Rows that are compared without yielding to other work: with 3,072 numbers each about 1 ms; set by hand. */
const ROWS_AT_ONCE = 256;

/** Vectors of length 1 in one typed array, searched exactly: 4 bytes for each number, and one multiplication a query. */
export class VectorIndex {
  private readonly values: Float32Array;
  private readonly isSet: Uint8Array;

  constructor(
    readonly rows: number,
    readonly size: number,
  ) {
    this.values = new Float32Array(rows * size);
    this.isSet = new Uint8Array(rows);
  }

  set(row: number, vector: Float32Array): void {
    this.values.set(vector, row * this.size);
    this.isSet[row] = 1;
  }

  /**
   * The `count` rows with the highest cosine, equal ones in order of the rows. Rows that were not set are not found.
   * @param accepts rows that may be found; asked only about rows that would get into the list. Default: all
   */
  async nearest(
    vector: Float32Array,
    count: number,
    pause: () => Promise<void> | undefined,
    accepts?: (row: number) => boolean,
  ): Promise<{ rows: Scored[]; mean: number }> {
    const best = new TopList(count);
    let sum = 0;
    let found = 0;
    for (let row = 0; row < this.rows; row++) {
      if (row % ROWS_AT_ONCE === 0) {
        const turn = pause();
        if (turn) await turn;
      }
      if (this.isSet[row] === 0) continue;
      const cosine = this.product(vector, row * this.size);
      sum += cosine;
      found++;
      if (cosine >= best.lowest && (!accepts || accepts(row))) best.offer(row, cosine);
    }
    return { rows: best.best, mean: found > 0 ? sum / found : 0 };
  }

  private product(vector: Float32Array, at: number): number {
    let sum = 0;
    for (let i = 0; i < this.size; i++) sum += vector[i]! * this.values[at + i]!;
    return sum;
  }
}
