import { anything, check, integer, optional, options, record, withDefault } from '../../core/schema.js';
import { isModel, type EmbeddingModelLike } from '../../model/ai-sdk.js';
import { REQUEST_MODEL_FIELDS, type RequestModelOptions } from '../../model/options.js';

/** What a host may set for an embedding model. Everything has a default. */
export interface EmbeddingOptions extends RequestModelOptions {
  /**
   * Passed to the provider with a query, in place of `providerOptions`. For models that treat queries and documents differently, e.g.
   * `{ cohere: { inputType: 'search_query' } }`. Default: `providerOptions`.
   */
  queryProviderOptions?: Record<string, Record<string, unknown>>;
  /** Texts of one call, 1..2,048; fewer where the model takes fewer. Default 64. */
  batchSize?: number;
}

/** Schema of {@link EmbeddingOptions}. */
export const EMBEDDING_OPTIONS = options({
  ...REQUEST_MODEL_FIELDS,
  queryProviderOptions: optional(record(record(anything()))),
  batchSize: withDefault(integer(1, 2048), 64),
});

/** The option `embeddings`. */
export const EMBEDDING_MODEL = check<EmbeddingModelLike>(
  "an embedding model of the AI SDK, e.g. openai.embedding('…'), or a name of the AI Gateway, e.g. 'openai/…'",
  (value) => isModel(value, 'doEmbed'),
);
