import { UpstreamInvalidError, UpstreamTimeoutError } from '../core/errors/index.js';
import { raceAbort } from '../core/tool-context.js';
import type { AiRequest, AiSdk } from './ai-sdk.js';
import { AnswerText, type AnswerTextListener } from './answer-text.js';
import type { AttemptResult } from './model-call.js';

/** The model took too long, by our own clocks rather than by the request's deadline. */
export class AnswerTimeoutError extends UpstreamTimeoutError {}

/** What an attempt reports while it runs. */
export interface AttemptListener extends AnswerTextListener {
  /** The first token, of the answer or of the model's reasoning, has come. */
  onFirstToken(): void;
}

type Question = Omit<AiRequest, 'abortSignal' | 'onError'>;

/** Ten times the usual: beyond it an answer is not a long one but one that does not end. */
const MOST_CHARACTERS_PER_TOKEN = 40;
/** Reasoning, which some servers do not count as tokens of the answer, may have so many characters. */
const MOST_REASONING = 400_000;

/**
 * One try, streamed. Ends at once when the controller aborts, and aborts it itself when no token comes for `stallMs`.
 * @param expectsClosing see {@link AnswerText}
 * @throws what the SDK throws or reports, unmapped; AnswerTimeoutError when it stalls; UpstreamInvalidError when it does not end
 */
export async function streamAttempt(
  ai: AiSdk,
  question: Question,
  controller: AbortController,
  stallMs: number,
  listener: AttemptListener,
  expectsClosing = false,
): Promise<AttemptResult> {
  const mostText = question.maxOutputTokens * MOST_CHARACTERS_PER_TOKEN;
  const answer = new AnswerText(listener, expectsClosing);
  let reasoning = 0;
  let lastToken: number | undefined;
  const watch = setInterval(
    () => {
      if (lastToken === undefined || performance.now() - lastToken < stallMs) return;
      controller.abort(new AnswerTimeoutError('The language model stopped in the middle of its answer.'));
    },
    Math.max(5, stallMs / 8),
  );
  const read = async (): Promise<AttemptResult> => {
    const result: AttemptResult = {
      text: '',
      finishReason: 'other',
      inputTokens: undefined,
      outputTokens: undefined,
    };
    // Without `onError` the SDK prints the upstream's error on the host's console.
    const { fullStream } = ai.streamText({
      ...question,
      abortSignal: controller.signal,
      onError: () => undefined,
    });
    for await (const part of fullStream) {
      controller.signal.throwIfAborted();
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta':
          if (!part.text) break;
          if (lastToken === undefined) listener.onFirstToken();
          controller.signal.throwIfAborted();
          lastToken = performance.now();
          if (part.type === 'reasoning-delta') reasoning += part.text.length;
          else answer.push(part.text);
          if (answer.text.length > mostText || reasoning + answer.hidden > MOST_REASONING) {
            // Not again: the next try would ask for the whole answer at once, and hold all of it in memory.
            const error = new UpstreamInvalidError('The language model does not end its answer.', {
              shouldRetry: false,
            });
            controller.abort(error);
            throw error;
          }
          break;
        case 'error':
          throw part.error;
        case 'finish-step':
          result.responseModel = part.response?.modelId;
          result.responseId = part.response?.id;
          break;
        case 'finish':
          result.finishReason = part.finishReason ?? 'other';
          result.inputTokens = part.totalUsage?.inputTokens;
          result.outputTokens = part.totalUsage?.outputTokens;
          break;
      }
    }
    controller.signal.throwIfAborted();
    answer.end();
    return { ...result, text: answer.text, closedUnopened: answer.closedUnopened };
  };
  try {
    return await raceAbort(read(), controller.signal);
  } finally {
    clearInterval(watch);
  }
}

/** One try for servers that do not stream: the whole answer at once. */
export async function generateAttempt(
  ai: AiSdk,
  question: Question,
  controller: AbortController,
  listener: AttemptListener,
): Promise<AttemptResult> {
  const answer = new AnswerText(listener);
  const { text, finishReason, usage, response } = await raceAbort(
    ai.generateText({ ...question, abortSignal: controller.signal }),
    controller.signal,
  );
  listener.onFirstToken();
  controller.signal.throwIfAborted();
  answer.push(text);
  answer.end();
  return {
    text: answer.text,
    closedUnopened: answer.closedUnopened,
    finishReason,
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    responseModel: response?.modelId,
    responseId: response?.id,
  };
}
