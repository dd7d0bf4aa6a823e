import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { yielder } from '../../core/async.js';
import { withContext, withFork, type ToolContext } from '../../core/context.js';
import { ToolsError, UpstreamInvalidError, upstreamFaults } from '../../core/errors.js';
import { printable } from '../../core/text/printable.js';
import { isAboutOneRequest } from '../../model/errors.js';
import { oneLine } from '../plain-text.js';
import { readAllBlocks } from '../page-blocks.js';
import type { SearchDocument } from '../ranking/document-index.js';
import type { NearDocument } from '../ranking/fusion.js';
import { unitsOf, type UnitSize } from '../ranking/units.js';
import type { Embedder } from './embedder.js';
import type { VectorStore } from './vector-store.js';
import { VectorIndex } from './vector-index.js';

/** Words of a passage: what models of 256 tokens still read whole, and about what is shown of a page. */
export const PASSAGE: UnitSize = { min: 100, max: 180 };
/** Share of a request's remaining time that the vector of its query may take. */
const QUERY_SHARE = 0.4;
/** Passages that are looked at for a query, and excerpts of a document. */
const DEPTH = 100;
const MOST_EXCERPTS = 2;
/** Wait before a failed batch is sent again, in units of `backOffMs` (30 s by default); doubles up to this many times. */
const REST_FACTOR = 60;
const MOST_DOUBLINGS = 4;

/** What the vectors of some documents are made of. */
interface DocumentVectorsOptions {
  documents: readonly SearchDocument[];
  /** The structured text of each document. */
  texts: readonly string[];
  embedder: Embedder;
  /** Where vectors are kept between starts. Default: nowhere. */
  store?: VectorStore;
  /** Name in the log. */
  name: string;
}

/** Where the passages stand. */
interface PassageTable {
  documents: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
  /** Markdown that belongs before a passage; only of those that have any. */
  contexts: ReadonlyMap<number, string>;
  /** The text of the headings above a passage; only of those that have any. */
  headings: ReadonlyMap<number, string>;
}

/**
 * Vectors of the passages of documents. They are made once, in the background and in batches. Documents are found by them as soon as all
 * passages have been sent.
 */
export class DocumentVectors {
  private readonly logger = new Logger('ToolsModule');
  private passages: PassageTable | undefined;
  private index: VectorIndex | undefined;
  private running = false;
  private isComplete = false;
  /** First passages of the batches that nobody has taken. */
  private waiting: number[] = [];
  /** Passages that have their vector, and those that the model has refused. */
  private embedded = 0;
  private refused = 0;
  private failure: unknown;

  constructor(private readonly options: DocumentVectorsOptions) {}

  /** True once every passage has been sent. */
  get ready(): boolean {
    return this.isComplete;
  }

  /** Why passages cannot be embedded at the moment; undefined while they can. */
  get failed(): unknown {
    return this.failure;
  }

  /** Begins or goes on, in the background. Nothing of it can fail the caller. @param signal ends the work */
  start(signal?: AbortSignal): void {
    if (this.running || this.isComplete || signal?.aborted) return;
    this.running = true;
    withContext(Infinity, signal ? { signal } : {}, (context) => this.run(context))
      .catch((error: unknown) => {
        if (!signal?.aborted)
          this.logger.error(`${this.options.name}: embedding has ended: ${printable(String(error))}`);
      })
      .finally(() => (this.running = false));
  }

  /**
   * The documents that are nearest to a query.
   *
   * @param accepts documents that may be found. Default: all
   * @returns best first, each once
   * @throws what `Embedder.embedQuery` throws; UpstreamTimeoutError when it takes more than 40 % of the time that is left
   */
  async nearest(
    query: string,
    context: ToolContext,
    accepts?: (document: SearchDocument) => boolean,
  ): Promise<NearDocument[]> {
    const { embedder, documents } = this.options;
    const [passages, index] = [this.passages, this.index];
    if (!passages || !index) return [];
    const time = { ms: context.remainingMs() * QUERY_SHARE };
    const vector = await withFork(context, time, (own) => embedder.embedQuery(query, own));
    if (vector.length !== index.size)
      throw new UpstreamInvalidError('The embedding model has changed the size of its vectors.');
    const isWanted = accepts && ((row: number) => accepts(documents[passages.documents[row]!]!));
    const { rows, mean } = await index.nearest(vector, DEPTH, yielder(12, context.signal), isWanted);
    const found = new Map<number, NearDocument>();
    for (const { unit, score } of rows) {
      const document = passages.documents[unit]!;
      const known = found.get(document);
      const excerpt = this.excerpt(passages, unit);
      if (!known) {
        const nearness = Math.max(0, (score - mean) / (1 - mean || 1));
        found.set(document, { document, nearness, excerpts: [excerpt] });
      } else if (known.excerpts.length < MOST_EXCERPTS) known.excerpts.push(excerpt);
    }
    return [...found.values()];
  }

  private async run(context: ToolContext): Promise<void> {
    const { embedder, name } = this.options;
    const passages = this.passages ?? (await this.split(context.signal));
    const count = passages.documents.length;
    if (!this.passages) for (let at = 0; at < count; at += embedder.batchSize) this.waiting.push(at);
    this.passages = passages;
    const start = performance.now();
    this.logger.log(
      `${name}: embedding ${count} passages with ${embedder.id} in the background. Until then only words are searched.`,
    );
    let tenths = 0;
    const worker = async (): Promise<void> => {
      for (let from = this.waiting.shift(); from !== undefined; from = this.waiting.shift()) {
        try {
          await this.embed(passages, from, Math.min(count, from + embedder.batchSize), context);
        } catch (error) {
          this.waiting.push(from);
          throw error;
        }
        const done = Math.floor((10 * (this.embedded + this.refused)) / count);
        if (done > tenths && done < 10)
          this.logger.log(`${name}: ${10 * done} % of ${count} passages embedded.`);
        tenths = Math.max(tenths, done);
      }
    };
    await Promise.all(Array.from({ length: embedder.parallelBatches }, worker));
    this.isComplete = true;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const left = this.refused > 0 ? ` ${this.refused} were refused and are found by their words only.` : '';
    this.logger.log(`${name}: ${this.embedded} passages have vectors after ${seconds} s.${left}`);
  }

  /** Embeds some passages, however long the model is away. */
  private async embed(passages: PassageTable, from: number, to: number, context: ToolContext): Promise<void> {
    const { embedder, store, name } = this.options;
    const texts = Array.from({ length: to - from }, (_, i) => this.embeddedText(passages, from + i));
    for (let failures = 0; ; failures++) {
      try {
        const vectors = await embedder.embed(texts, context, store);
        this.index ??= new VectorIndex(passages.documents.length, vectors[0]!.length);
        const { index } = this;
        if (vectors.some(({ length }) => length !== index.size))
          throw new UpstreamInvalidError('The embedding model has changed the size of its vectors.');
        vectors.forEach((vector, i) => index.set(from + i, vector));
        this.embedded += vectors.length;
        this.failure = undefined;
        return;
      } catch (error) {
        context.signal.throwIfAborted();
        // One text that is refused must not keep all others from being found.
        if (isAboutOneRequest(error) && this.embedded > 0) {
          this.refused += texts.length;
          this.logger.warn(
            `${name}: the embedding model refused ${texts.length} passages (${reasonOf(error)}).`,
          );
          return;
        }
        const wait = embedder.backOffMs * REST_FACTOR * 2 ** Math.min(failures, MOST_DOUBLINGS);
        if (this.failure === undefined)
          this.logger.warn(
            `${name}: passages cannot be embedded (${reasonOf(error)}). Words are searched. Next attempt in ${Math.ceil(wait / 1000)} s.`,
          );
        this.failure = error;
        await sleep(wait, undefined, { signal: context.signal, ref: false }).catch(() =>
          context.signal.throwIfAborted(),
        );
      }
    }
  }

  /** Finds the passages, in slices that let other requests run. */
  private async split(signal: AbortSignal): Promise<PassageTable> {
    const pause = yielder(12, signal);
    const documents: number[] = [];
    const starts: number[] = [];
    const ends: number[] = [];
    const contexts = new Map<number, string>();
    const headings = new Map<number, string>();
    for (const [d, text] of this.options.texts.entries()) {
      const blocks = await readAllBlocks(text, {}, pause);
      for (const unit of unitsOf(text, blocks, PASSAGE)) {
        if (unit.context !== '') contexts.set(starts.length, unit.context);
        if (unit.headings !== '') headings.set(starts.length, unit.headings);
        documents.push(d);
        starts.push(unit.start);
        ends.push(unit.end);
        const turn = pause();
        if (turn) await turn;
      }
    }
    return {
      documents: Uint32Array.from(documents),
      starts: Uint32Array.from(starts),
      ends: Uint32Array.from(ends),
      contexts,
      headings,
    };
  }

  /** What is embedded of a passage: the title, the headings above it, and its text. */
  private embeddedText(passages: PassageTable, row: number): string {
    const title = oneLine(this.options.documents[passages.documents[row]!]!.title ?? '');
    return [title, passages.headings.get(row), this.textOf(passages, row)].filter(Boolean).join('\n');
  }

  private excerpt(passages: PassageTable, row: number): string {
    const context = passages.contexts.get(row);
    const text = this.textOf(passages, row);
    return context === undefined ? text : `${context}\n\n${text}`;
  }

  private textOf({ documents, starts, ends }: PassageTable, row: number): string {
    return this.options.texts[documents[row]!]!.slice(starts[row], ends[row]);
  }
}

/** Why a call to a model failed, for logs and warnings: no address, no key. */
export function reasonOf(error: unknown): string {
  if (!ToolsError.isInstance(error)) return 'failed';
  const fault = upstreamFaults(error);
  return fault ? `${error.code}, ${fault}` : error.code;
}
