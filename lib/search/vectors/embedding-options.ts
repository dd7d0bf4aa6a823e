import type { Warning } from '../../core/warning.js';
import type { ToolContext } from '../../core/context.js';
import { InvalidOptionError } from '../../core/errors.js';
import { failureOf } from '../../core/failures.js';
import { anything, check, integer, optional, options, record, withDefault } from '../../core/schema.js';
import { isModel, type EmbeddingModelLike } from '../../model/ai-sdk.js';
import { REQUEST_MODEL_FIELDS, type RequestModelOptions } from '../../model/options.js';
import { failureReason } from '../providers/search-provider.error.js';

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

export const EMBEDDING_OPTIONS = options({
  ...REQUEST_MODEL_FIELDS,
  queryProviderOptions: optional(record(record(anything()))),
  batchSize: withDefault(integer(1, 2048), 64),
});

export const EMBEDDING_MODEL = check<EmbeddingModelLike>(
  "an embedding model of the AI SDK, e.g. openai.embedding('…'), or a name of the AI Gateway, e.g. 'openai/…'",
  (value) => isModel(value, 'doEmbed'),
);

/**
 * Options that need an embedding model.
 * @throws InvalidOptionError for one of `names` that is set without `embeddings`
 */
export function checkEmbeddings<T extends { embeddings?: unknown }>(
  option: string,
  options: T,
  names: readonly (keyof T & string)[],
): void {
  const alone =
    options.embeddings === undefined ? names.find((name) => options[name] !== undefined) : undefined;
  if (alone !== undefined)
    throw new InvalidOptionError(
      `${option}.${alone}`,
      'set together with `embeddings`',
      InvalidOptionError.WITHHELD,
    );
}

/**
 * What vectors find. Where the embedding model fails, words are searched alone, and a warning says so.
 * @throws the context's reason when it is aborted
 */
export async function foundByMeaning<T>(
  provider: string,
  context: ToolContext,
  find: () => Promise<T>,
): Promise<{ found?: T; warnings?: Warning[] }> {
  try {
    return { found: await find() };
  } catch (error) {
    context.signal.throwIfAborted();
    context.fellBack?.({ part: provider, error: failureOf(provider, error), by: 'words' });
    const message = `${provider} searched by words only: the embedding model failed (${failureReason(error)}).`;
    return { warnings: [{ code: 'embeddings_failed', message, transient: true }] };
  }
}
