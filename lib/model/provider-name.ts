import type { LanguageModelLike } from './language-model.js';

/** Names of the AI SDK's providers that the GenAI semantic conventions spell otherwise, longest first. */
const CONVENTIONAL: readonly [prefix: string, name: string][] = [
  ['google.generative-ai', 'gcp.gemini'],
  ['google.vertex', 'gcp.vertex_ai'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['mistral', 'mistral_ai'],
  ['google', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['xai', 'x_ai'],
];

/**
 * Who serves a model, as `gen_ai.provider.name` has it (opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai): `openai` for the
 * SDK's `openai.responses`, `gcp.gemini` for `google.generative-ai`. What the conventions do not know is the SDK's own name.
 */
export function providerName(model: LanguageModelLike): string {
  const own =
    typeof model === 'string' ? (model.includes('/') ? model.split('/', 1)[0]! : '') : model.provider;
  const known = CONVENTIONAL.find(([prefix]) => own === prefix || own.startsWith(`${prefix}.`));
  return known?.[1] ?? (own.split('.', 1)[0]! || 'unknown');
}
