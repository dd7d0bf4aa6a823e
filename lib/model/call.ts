import { createHash } from 'node:crypto';
import type { PromptPart } from './ai-sdk.js';
import type { AnswerTextListener } from './answer-text.js';
import { ContentFilterError, CutAnswerError, EmptyAnswerError, TokensSpentError } from './errors.js';

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
  /** True when the answer may end in the middle: it ran into its token limit, or its stream was cut. */
  truncated: boolean;
}

/** The result of one attempt of a call, before it is checked. */
export interface AttemptResult {
  text: string;
  /** As the AI SDK names them: `stop`, `length`, `content-filter`, `tool-calls`, `error`, `interrupted` (7), `other`. */
  finishReason: string;
  /** True when it closed reasoning that it had not opened: its next answers begin with reasoning too. */
  closedUnopened?: boolean;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  /** The model that answered and the id of its answer, where the provider reports them. */
  responseModel?: string;
  responseId?: string;
}

/** Events of an attempt while it runs. */
export interface AttemptListener extends AnswerTextListener {
  /** The first token has come, of the answer or of the model's reasoning. */
  onFirstToken(): void;
}

/**
 * Decides whether an attempt produced an answer.
 *
 * A stream that ends without a reason is a connection that was cut between two events (`interrupted` in version 7 of the SDK, `other` in
 * version 6), or a server that never names one.
 *
 * @param mayRetry true: a cut answer is an error, so that the call is tried again. False: it is returned, marked as truncated
 * @throws ContentFilterError, EmptyAnswerError, TokensSpentError when no tokens were left for the answer, CutAnswerError
 */
export function checkCompletion({ text, finishReason }: AttemptResult, mayRetry: boolean): ModelAnswer {
  if (finishReason === 'content-filter') throw new ContentFilterError();
  if (text.trim() === '') {
    if (finishReason === 'length')
      throw new TokensSpentError('The language model used up its tokens before it answered.');
    throw new EmptyAnswerError('The language model gave an empty answer.');
  }
  if (finishReason === 'error') throw new CutAnswerError('The language model broke off its answer.');
  const cut = !WHOLE.has(finishReason);
  if (cut && finishReason !== 'length' && mayRetry)
    throw new CutAnswerError('The answer of the language model was cut off.');
  return { text, truncated: cut };
}

/** Reasons of a complete answer. A model that calls a tool, though none is offered, has said what it wanted to say before. */
const WHOLE: ReadonlySet<string> = new Set(['stop', 'tool-calls']);

/**
 * Separates material from outside from our own instructions: it stands between tags whose name occurs nowhere in the material, so that
 * nothing in it can close the tag.
 */
export interface PromptDelimiter {
  /** Name of the tag, e.g. `material-9f2c41d07a`. */
  readonly tag: string;
  /** Puts the material between the tags. Concatenates and never replaces: `$&` in a transcript stays `$&`. */
  wrap(material: string): string;
}

/**
 * The tag is a digest of the material: the same for the same material, so that the caches of providers recognise the beginning of a
 * prompt, and not to be foreseen by whoever writes the material, for it would have to hold its own digest.
 *
 * @param material everything that will be wrapped; a tag that occurs there is not taken
 */
export function createDelimiter(material: Iterable<string>): PromptDelimiter {
  const texts = [...material];
  for (let n = 0; ; n++) {
    const digest = createHash('sha256').update(String(n));
    for (const text of texts) digest.update(text).update('\0');
    const tag = `material-${digest.digest('hex').slice(0, 10)}`;
    if (!texts.some((text) => text.includes(tag))) return delimiterOf(tag);
  }
}

/** The delimiter with a known tag, for the material that it was created for. */
function delimiterOf(tag: string): PromptDelimiter {
  return { tag, wrap: (material) => `<${tag}>\n${material}\n</${tag}>` };
}

/** Matches any tag of this form, also one that a model has written: it must not reach the caller. */
export const DELIMITER_TAG = /<?\/?material-[0-9a-f]{10}>?/g;
