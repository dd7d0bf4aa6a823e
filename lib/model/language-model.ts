/**
 * A language model of the AI SDK, told by its shape only: an object of any provider package (`openai('…')`,
 * `anthropic('…')`, `createOpenAICompatible(…)('…')`), or the name of one that the SDK's own registry resolves. The SDK's
 * types are left out on purpose, so that a host without the package `ai` can still compile against ours.
 */
export type LanguageModelLike =
  string | { readonly specificationVersion: string; readonly provider: string; readonly modelId: string };

/** The name that appears as `engine` and in cache keys, e.g. `gpt-5-mini`. */
export function modelId(model: LanguageModelLike): string {
  return typeof model === 'string' ? model : model.modelId;
}
