import type { AiSdk, LanguageModelLike } from './ai-sdk.js';
import type { ModelCall } from './call.js';

/** Statuses of servers that do not know `response_format`, or not this kind of it. */
const REFUSALS = new Set([400, 404, 405, 415, 422, 501]);

/**
 * The SDK's `output` for a call that asks for JSON: the schema where the provider takes one, else JSON of any form.
 * @returns undefined for a call without a schema
 */
export function structuredOutput(ai: AiSdk, model: LanguageModelLike, { schema }: ModelCall): unknown {
  if (!schema || !ai.Output || !ai.jsonSchema) return undefined;
  // Providers that speak to any server say by this that schemas are unknown there; the SDK would print a warning for each call.
  const { supportsStructuredOutputs } = model as { supportsStructuredOutputs?: boolean };
  if (supportsStructuredOutputs === false) return ai.Output.json();
  return ai.Output.object({ schema: ai.jsonSchema(schema.schema), name: schema.name });
}

/** Whether an error may mean that the server does not take `response_format`: the call is then worth repeating without it. */
export function refusesOutput(thrown: unknown): boolean {
  const { name, statusCode } = (thrown ?? {}) as { name?: string; statusCode?: number };
  return name === 'AI_UnsupportedFunctionalityError' || (statusCode !== undefined && REFUSALS.has(statusCode));
}

/** The text of an answer that the SDK could not parse as JSON; our own readers are more tolerant. */
export function unparsedText(thrown: unknown): string | undefined {
  const { name, text } = (thrown ?? {}) as { name?: string; text?: string };
  return name === 'AI_NoObjectGeneratedError' && text ? text : undefined;
}
