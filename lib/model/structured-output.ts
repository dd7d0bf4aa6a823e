import type { AiOutput, AiSdk, LanguageModelLike } from './ai-sdk.js';
import type { ModelCall } from './call.js';

/** Statuses of servers that do not take `response_format`, or not this kind of it. */
const REFUSALS = new Set([400, 415, 422, 501]);

/**
 * The SDK's `output` for a call that asks for JSON: by schema where the provider takes one, else JSON of any form. Only the request is of that
 * kind: the answer is passed on as text, since our own readers take more than valid JSON, and the SDK would hold back text that it cannot parse.
 *
 * @returns undefined for a call without a schema
 */
export function structuredOutput(
  ai: AiSdk,
  model: LanguageModelLike,
  { schema }: ModelCall,
): AiOutput | undefined {
  if (!schema || !ai.Output || !ai.jsonSchema) return undefined;
  // Providers for any server say by this that schemas are unknown there; the SDK would print a warning for each call.
  const { supportsStructuredOutputs } = model as { supportsStructuredOutputs?: boolean };
  const { responseFormat } =
    supportsStructuredOutputs === false
      ? ai.Output.json()
      : ai.Output.object({ schema: ai.jsonSchema(schema.schema), name: schema.name });
  return { ...ai.Output.text(), responseFormat };
}

/** Whether an error may mean that the server does not take `response_format`: the call is then worth repeating without it. */
export function refusesOutput(thrown: unknown): boolean {
  const { name, statusCode } = (thrown ?? {}) as { name?: string; statusCode?: number };
  return (
    name === 'AI_UnsupportedFunctionalityError' || (statusCode !== undefined && REFUSALS.has(statusCode))
  );
}
