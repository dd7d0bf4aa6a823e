import { UpstreamInvalidError } from '../core/errors/index.js';
import type { PromptPart } from './ai-sdk.js';
import { contentFilterError, EmptyAnswerError, TokensSpentError } from './errors.js';

/** One question to a model. */
export interface ModelCall {
  /** Key of the usage by stage: `map`, `repair`, `merge`, `write`, `answer`. */
  stage: string;
  /** Our own instructions. Nothing that came from outside may stand here. */
  system: string;
  /** The user message. */
  parts: readonly PromptPart[];
  /** Most tokens of the answer; lowered to what the model's options allow. */
  maxOutputTokens: number;
  /** JSON schema of the answer: asked for through the provider's structured output where the model has one, see `ModelOptions.structuredOutput`. */
  schema?: { name: string; schema: object };
  /** Called with each piece of text as it is written. */
  onText?: (delta: string) => void;
  /** Called when text was already passed on and the call starts again from the beginning. */
  onRestart?: () => void;
}

/** A complete answer, never empty. */
export interface ModelAnswer {
  text: string;
  /** True when the answer ran into its token limit and ends in the middle. */
  truncated: boolean;
}

/** What one attempt of a call produced, before it is checked. */
export interface AttemptResult {
  text: string;
  /** As the AI SDK names them: `stop`, `length`, `content-filter`, `tool-calls`, `error`, `other`, `unknown`. */
  finishReason: string;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** The model that answered and the id of its answer, where the provider reports them. */
  responseModel?: string;
  responseId?: string;
}

/** What an attempt reports while it runs. */
export interface AttemptListener {
  /** The first token has come, of the answer or of the model's reasoning. */
  onFirstToken(): void;
  onText(delta: string): void;
}

/**
 * Decides whether an attempt produced an answer.
 * @param again false for the first attempt
 * @throws UpstreamInvalidError when it was refused, is empty or broke off; TokensSpentError when no tokens were left for the answer
 */
export function checkCompletion({ text, finishReason }: AttemptResult, again: boolean): ModelAnswer {
  if (finishReason === 'content-filter') throw contentFilterError();
  const empty = text.trim() === '';
  if (empty && finishReason === 'length')
    throw new TokensSpentError('The language model used up its tokens before it answered.');
  if (empty) throw new EmptyAnswerError('The language model gave an empty answer.');
  if (finishReason === 'error') throw new UpstreamInvalidError('The language model broke off its answer.');
  // Some servers never name a reason: they are believed at the second attempt.
  if (isUnexplained(finishReason) && !again)
    throw new UpstreamInvalidError('The answer of the language model was cut off.');
  return { text, truncated: finishReason === 'length' };
}

/** True when a stream ended without a reason. A connection that was cut between two events looks the same. */
function isUnexplained(finishReason: string): boolean {
  return finishReason === 'other' || finishReason === 'unknown';
}
