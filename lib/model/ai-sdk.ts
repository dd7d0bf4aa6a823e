import { late } from '../core/late.js';
import { loadPeer } from '../core/load-peer.js';
import type { LanguageModelLike } from './language-model.js';

/** A piece of a prompt. Pictures are bytes, never addresses: the SDK would fetch an address from inside the host's network. */
export type PromptPart =
  { type: 'text'; text: string } | { type: 'image'; data: Uint8Array; mediaType: string };

/** What the SDK is asked, in the terms that versions 6 and 7 share. */
export interface AiRequest {
  model: LanguageModelLike;
  system: string;
  messages: { role: 'user'; content: AiContentPart[] }[];
  maxOutputTokens: number;
  temperature?: number;
  providerOptions?: Record<string, Record<string, unknown>>;
  /** Always 0: the one retry layer is ours. */
  maxRetries: 0;
  abortSignal: AbortSignal;
  onError?: (event: { error: unknown }) => void;
}

type AiContentPart = { type: 'text'; text: string } | { type: 'file'; data: Uint8Array; mediaType: string };

/** Tokens as a provider counted them; undefined where it does not say. */
export interface AiUsage {
  inputTokens?: number;
  outputTokens?: number;
}

/** Who answered, where the provider says so. */
export interface AiResponseMetadata {
  id?: string;
  modelId?: string;
}

/** The parts of `fullStream` that matter here; there are more. */
export interface AiStreamPart {
  type: string;
  text?: string;
  error?: unknown;
  finishReason?: string;
  totalUsage?: AiUsage;
  response?: AiResponseMetadata;
}

/** The two functions of the package `ai` that are used. */
export interface AiSdk {
  streamText(request: AiRequest): { fullStream: AsyncIterable<AiStreamPart> };
  generateText(
    request: AiRequest,
  ): Promise<{ text: string; finishReason: string; usage: AiUsage; response?: AiResponseMetadata }>;
}

/**
 * Loads the optional peer `ai` (6 or 7) at the first call.
 * @throws MissingPeerError naming the install command
 */
export const loadAiSdk = late(() =>
  loadPeer('ai', 'A language model', async () => (await import('ai')) as unknown as AiSdk),
);

/** Puts a prompt into the SDK's form. */
export function toAiContent(parts: readonly PromptPart[]): AiContentPart[] {
  return parts.map((part) =>
    part.type === 'text' ? part : { type: 'file', data: part.data, mediaType: part.mediaType },
  );
}
