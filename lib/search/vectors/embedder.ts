import { hash } from 'node:crypto';
import { raceTimeout } from '../../core/async.js';
import { withFork, type ToolContext } from '../../core/context.js';
import { UpstreamInvalidError } from '../../core/errors.js';
import { logSideFailure } from '../../core/failures.js';
import { parseOption, type Infer } from '../../core/schema.js';
import { modelId, providerName, type AiSearchSdk, type EmbeddingModelLike } from '../../model/ai-sdk.js';
import { ContextOverflowError } from '../../model/errors.js';
import { roughTokens } from '../../model/model-profile.js';
import { DEFAULT_PARALLEL_CALLS } from '../../model/options.js';
import { RequestClient, type ModelEnvironment } from '../../model/upstream.js';
import { EMBEDDING_OPTIONS, type EmbeddingOptions } from './embedding-options.js';
import type { VectorStore } from './vector-store.js';

/** Shortest text that is cut in half when a model says that it is too long, characters; set by hand. */
const LEAST_CUT = 200;
const QUERY_SHARE = 0.4; // of the time that is left, for the vector of a query; set by hand
/** A store that is slower than this is not waited for, ms; a plain bound. */
const STORE_TIMEOUT_MS = 5000;

/**
 * Turns texts into vectors of length 1 with an embedding model of the AI SDK, in batches, with the limits, retries, budget and telemetry of
 * every call to a model. Create one per model and keep it.
 */
export class Embedder {
  /** Provider and model, e.g. `openai/…`. */
  readonly id: string;
  private readonly client: RequestClient;
  readonly options: Readonly<Infer<typeof EMBEDDING_OPTIONS>>;
  private readonly keyPrefix: string;

  constructor(
    private readonly model: EmbeddingModelLike,
    options: EmbeddingOptions = {},
    environment: ModelEnvironment = {},
  ) {
    this.options = parseOption('embeddingOptions', EMBEDDING_OPTIONS, options);
    this.client = new RequestClient(model, this.options, 'embeddings', environment);
    this.id = `${providerName(model)}/${modelId(model)}`;
    this.keyPrefix = JSON.stringify([this.id, this.options.providerOptions ?? null]);
  }

  get parallelBatches(): number {
    return this.options.maxParallelCalls ?? DEFAULT_PARALLEL_CALLS;
  }

  /**
   * Vectors of texts that are to be found.
   *
   * @param store is asked first, and gets the new ones
   * @returns one vector for each text, in their order, all of the same size and of length 1
   * @throws UpstreamInvalidError, UpstreamUnavailableError or UpstreamTimeoutError after the retries;
   *   CircuitOpenError; ContextOverflowError; MissingPeerError; the context's reason when it is aborted
   */
  async embed(texts: readonly string[], context: ToolContext, store?: VectorStore): Promise<Float32Array[]> {
    if (!store) return this.embedNew(texts, context);
    const keys = texts.map((text) => hash('sha256', `${this.keyPrefix}\0${text}`, 'base64url'));
    const known = await this.attempt('read', () => store.get(keys));
    const vectors = texts.map((_, i) => usable(known?.[i]));
    const missing = [...texts.keys()].filter((i) => !vectors[i]);
    const unknown = missing.map((i) => texts[i]!);
    const made = await this.embedNew(unknown, context);
    missing.forEach((i, m) => (vectors[i] = made[m]));
    const entries = missing.map((i) => ({ key: keys[i]!, vector: vectors[i]! }));
    if (entries.length > 0) await this.attempt('written', () => store.put(entries));
    return vectors as Float32Array[];
  }

  /** The vector of a query. @throws as {@link embed}; UpstreamTimeoutError after 40 % of the time that is left; BudgetExceededError */
  async embedQuery(query: string, context: ToolContext): Promise<Float32Array> {
    const { providerOptions, queryProviderOptions = providerOptions } = this.options;
    const [vector] = await withFork(context, { ms: context.remainingMs() * QUERY_SHARE }, (fork) =>
      this.send([query], fork, 'embed_query', queryProviderOptions),
    );
    return vector!;
  }

  private async embedNew(texts: readonly string[], context: ToolContext): Promise<Float32Array[]> {
    const limit = typeof this.model === 'string' ? undefined : await this.model.maxEmbeddingsPerCall;
    const size = Math.max(1, Math.min(this.options.batchSize, limit ?? Infinity));
    const batches: Promise<Float32Array[]>[] = [];
    for (let i = 0; i < texts.length; i += size)
      batches.push(this.embedBatch(texts.slice(i, i + size), context));
    return (await Promise.all(batches)).flat();
  }

  /** One batch; what the model finds too long is divided. */
  private async embedBatch(texts: readonly string[], context: ToolContext): Promise<Float32Array[]> {
    try {
      return await this.send(texts, context, 'embed_documents', this.options.providerOptions);
    } catch (error) {
      if (!(error instanceof ContextOverflowError)) throw error;
      const [text = ''] = texts;
      if (texts.length === 1 && text.length < LEAST_CUT) throw error;
      if (texts.length === 1) return this.embedBatch([text.slice(0, text.length / 2)], context);
      const half = Math.ceil(texts.length / 2);
      const first = await this.embedBatch(texts.slice(0, half), context);
      return [...first, ...(await this.embedBatch(texts.slice(half), context))];
    }
  }

  private send(
    texts: readonly string[],
    context: ToolContext,
    step: string,
    providerOptions: EmbeddingOptions['providerOptions'],
  ): Promise<Float32Array[]> {
    const values = texts.map((text) => text.trim() || '-');
    const request = {
      step,
      // Documents are embedded once, for all requests. The budget is that of one request.
      isBudgeted: step === 'embed_query',
      inputTokens: Math.ceil(values.reduce((sum, text) => sum + roughTokens(text), 0)),
      send: async (ai: AiSearchSdk, abortSignal: AbortSignal) => {
        const { embeddings, usage } = await ai.embedMany({
          model: this.model,
          values,
          ...(providerOptions ? { providerOptions } : {}),
          maxParallelCalls: 1,
          maxRetries: 0,
          abortSignal,
        });
        const tokens = usage?.tokens;
        return {
          value: unitVectors(embeddings, values.length),
          ...(Number.isFinite(tokens) ? { inputTokens: tokens } : {}),
        };
      },
    };
    return this.client.run(request, context);
  }

  private async attempt<T>(what: 'read' | 'written', call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await raceTimeout(call(), STORE_TIMEOUT_MS);
    } catch (error) {
      logSideFailure(`The store of vectors cannot be ${what}`, error);
      return undefined;
    }
  }
}

function usable(vector: unknown): Float32Array | undefined {
  return vector instanceof Float32Array && vector.length > 0 && vector.every(Number.isFinite)
    ? vector
    : undefined;
}

/** @throws UpstreamInvalidError unless there are `count` vectors of finite numbers and of one size */
function unitVectors(embeddings: unknown, count: number): Float32Array[] {
  const vectors = embeddings as number[][];
  const size = Array.isArray(vectors) ? (vectors[0]?.length ?? 0) : 0;
  const isValid =
    size > 0 &&
    vectors.length === count &&
    vectors.every(
      (vector) => Array.isArray(vector) && vector.length === size && vector.every(Number.isFinite),
    );
  if (!isValid)
    throw new UpstreamInvalidError(
      'The embedding model answered with something that is not a list of vectors.',
    );
  return vectors.map((vector) => {
    const length = Math.hypot(...vector) || 1;
    return Float32Array.from(vector, (value) => value / length);
  });
}
