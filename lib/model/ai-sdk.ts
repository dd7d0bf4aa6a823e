import { lazy } from '../core/async.js';
import { loadPeer } from '../core/ports.js';
import type { ModelCall } from './call.js';
import { RequestRefusedError, statusOf, toModelError } from './errors.js';

/** Members of every model of the AI SDK. We do not import its types, so that a host without the package `ai` can still compile against ours. */
interface ModelObject {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
}

/**
 * A language model of the AI SDK, described by its shape: an object of any provider package (`openai('…')`, `anthropic('…')`,
 * `createOpenAICompatible(…)('…')`), or a name: see {@link isModel}.
 */
export type LanguageModelLike = string | ModelObject;

/** An embedding model of the AI SDK, described by its shape: `openai.embedding('…')`, `google.embedding('…')`, or a name: see {@link isModel}. */
export type EmbeddingModelLike =
  | string
  | (ModelObject & {
      readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
    });

/** A reranking model of the AI SDK, described by its shape: `cohere.reranking('…')`, `bedrock.reranking('…')`, or a name: see {@link isModel}. */
export type RerankingModelLike = string | (ModelObject & { doRerank(options: never): unknown });

/** A transcription model of the AI SDK, described by its shape: `openai.transcription('…')`, `groq.transcription('…')`, or a name: see {@link isModel}. */
export type TranscriptionModelLike = string | (ModelObject & { doGenerate(options: never): unknown });

/**
 * Whether a value can be a model: an object of a provider package, or a name that the SDK looks up. Without a default provider of the host
 * (`globalThis.AI_SDK_DEFAULT_PROVIDER`) that is the AI Gateway, whose names are `creator/model`.
 *
 * @param method that such a model has; a factory of models (`createOpenAICompatible(…)`) does not
 */
export function isModel(value: unknown, method: 'doGenerate' | 'doEmbed' | 'doRerank'): boolean {
  if (typeof value === 'string')
    return /^[^\s/]+\/\S+$/.test(value) || (value.trim() !== '' && 'AI_SDK_DEFAULT_PROVIDER' in globalThis);
  const model = (value ?? {}) as Record<string, unknown>;
  return typeof model['specificationVersion'] === 'string' && typeof model[method] === 'function';
}

/** The name that appears as `engine` and in cache keys, as the provider spells it. */
export function modelId(model: LanguageModelLike): string {
  return typeof model === 'string' ? model : model.modelId;
}

/** Names of the AI SDK's providers that the GenAI semantic conventions spell differently, longest first. */
const CONVENTIONAL_NAMES: readonly [prefix: string, name: string][] = [
  ['google.vertex', 'gcp.vertex_ai'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['mistral', 'mistral_ai'],
  ['google', 'gcp.gemini'],
  ['vertex', 'gcp.vertex_ai'],
  ['xai', 'x_ai'],
];

/**
 * The provider of a model as `gen_ai.provider.name` spells it (open-telemetry/semantic-conventions-genai, docs/registry/attributes/gen-ai.md): `openai`
 * for the SDK's `openai.responses`, `gcp.gemini` for `google.generative-ai`. Other names are kept as the SDK has them.
 */
export function providerName(model: LanguageModelLike): string {
  const vendor =
    typeof model === 'string' ? (model.includes('/') ? model.split('/', 1)[0]! : '') : model.provider;
  const known = CONVENTIONAL_NAMES.find(([prefix]) => vendor === prefix || vendor.startsWith(`${prefix}.`));
  return known?.[1] ?? (vendor.split('.', 1)[0]! || 'unknown');
}

/** A part of a prompt. Pictures are bytes, never addresses: the SDK would fetch an address from inside the host's network. */
export type PromptPart =
  { type: 'text'; text: string } | { type: 'image'; data: Uint8Array; mediaType: string };

/** Members of every request to the SDK that versions 6 and 7 share. */
interface AnyRequest {
  providerOptions?: Record<string, Record<string, unknown>>;
  /** Always 0: `withRetry` is the only retry layer. */
  maxRetries: 0;
  abortSignal: AbortSignal;
}

export interface AiRequest extends AnyRequest {
  model: LanguageModelLike;
  system: string;
  messages: { role: 'user'; content: AiContentPart[] }[];
  maxOutputTokens: number;
  temperature?: number;
  output?: AiOutput;
  onError?: (event: { error: unknown }) => void;
}

interface AiEmbeddingRequest extends AnyRequest {
  model: EmbeddingModelLike;
  values: string[];
  maxParallelCalls: 1;
}

interface AiRerankRequest extends AnyRequest {
  model: RerankingModelLike;
  query: string;
  documents: string[];
}

interface AiTranscribeRequest extends AnyRequest {
  model: TranscriptionModelLike;
  audio: Uint8Array;
}

interface AiTranscript {
  text: string;
  segments: { text: string; startSecond: number; endSecond: number }[];
  language: string | undefined;
}

type AiContentPart = { type: 'text'; text: string } | { type: 'file'; data: Uint8Array; mediaType: string };

/** Tokens as the provider counted them; undefined where it does not report them. */
export interface AiUsage {
  inputTokens?: number;
  outputTokens?: number;
  inputTokenDetails?: { cacheReadTokens?: number };
  outputTokenDetails?: { reasoningTokens?: number };
}

/** A part of `fullStream`; only the fields that are read. */
export interface AiStreamPart {
  type: string;
  text?: string;
  error?: unknown;
  finishReason?: string;
  totalUsage?: AiUsage;
  response?: { id?: string; modelId?: string };
}

interface AiOutput {
  responseFormat: unknown;
}

export interface AiSdk {
  streamText(request: AiRequest): { fullStream: AsyncIterable<AiStreamPart> };
  Output?: {
    text(): AiOutput;
    json(): AiOutput;
    object(spec: { schema: unknown; name: string }): AiOutput;
  };
  jsonSchema?(schema: object): unknown;
}

/** The parts of the package `ai` that we use for models that do not write. */
export interface AiSearchSdk {
  embedMany(request: AiEmbeddingRequest): Promise<{ embeddings: number[][]; usage?: { tokens?: number } }>;
  rerank(request: AiRerankRequest): Promise<{ ranking: { originalIndex: number; score: number }[] }>;
}

/** The part of the package `ai` that recognises speech: version 7, and version 6. */
interface AiSpeechSdk {
  transcribe?(request: AiTranscribeRequest): Promise<AiTranscript>;
  experimental_transcribe?(request: AiTranscribeRequest): Promise<AiTranscript>;
}

/**
 * Loads the optional peer `ai` (6 or 7) at the first call.
 * @throws MissingPeerError naming the install command
 */
export const loadAiSdk = lazy(() =>
  loadPeer('ai', 'A model', async () => (await import('ai')) as unknown as AiSdk & AiSearchSdk & AiSpeechSdk),
);

/** Texts that follow each other become one part; many servers take only one. */
export function toAiContent(parts: readonly PromptPart[]): AiContentPart[] {
  const content: AiContentPart[] = [];
  for (const part of parts) {
    const last = content.at(-1);
    if (part.type === 'image') content.push({ type: 'file', data: part.data, mediaType: part.mediaType });
    else if (last?.type === 'text') last.text += `\n${part.text}`;
    else content.push({ ...part });
  }
  return content;
}

/** Statuses of servers that do not take `response_format`, or not this kind of it. */
export const FORMAT_REFUSALS: ReadonlySet<number> = new Set([400, 415, 422, 501]);

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
  if ((thrown as Partial<Error> | undefined)?.name === 'AI_UnsupportedFunctionalityError') return true;
  const status = statusOf(thrown) ?? 0;
  return (
    status === 501 || (FORMAT_REFUSALS.has(status) && toModelError(thrown) instanceof RequestRefusedError)
  );
}
