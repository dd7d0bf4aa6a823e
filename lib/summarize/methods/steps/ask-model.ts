import { createHash } from 'node:crypto';
import { nextTurn } from '../../../core/async.js';
import { ToolsError, type ToolsErrorCode } from '../../../core/errors.js';
import type { StepResult, ToolContext } from '../../../core/context.js';
import { ContextOverflowError, type Overflow } from '../../../model/errors.js';
import type { ModelUsage } from '../../../core/usage.js';
import { UsageMeter } from '../../../model/usage-meter.js';
import type { ModelAnswer, ModelCall } from '../../../model/call.js';
import type { ModelClient } from '../../../model/client.js';
import type { SummaryRun } from '../summary-run.js';

/** A call as another process can make it: JSON, so without pictures. */
export type CallInput = Omit<ModelCall, 'onText' | 'onRestart'>;

/** An answer as a checkpoint stores it. */
interface StoredAnswer extends ModelAnswer {
  usage: ModelUsage;
}

/** A failure that a summary may survive, as it is passed on. */
interface StoredFailure {
  failure:
    | { overflow: Overflow }
    | { code: ToolsErrorCode; message: string; shouldRetry: boolean; retryAfterSeconds?: number };
  usage: ModelUsage;
}

/**
 * Asks the model; with checkpoints an answer that was got before is not asked for again.
 * @throws what the model client throws
 */
export async function askModel(run: SummaryRun, model: ModelClient, call: ModelCall): Promise<ModelAnswer> {
  const { context } = run;
  const { checkpoints } = context;
  if (!checkpoints) return model.generate(call, context, run.meter);
  let asked = false;
  const answer = await checkpoints.once<StoredAnswer>(nameOf(model, call), async () => {
    asked = true;
    const meter = run.meter.part();
    const { text, truncated } = await model.generate(call, context, meter);
    return { text, truncated, usage: meter.usage };
  });
  if (asked) return answer;
  call.onText?.(answer.text);
  run.meter.book(call.stage, answer.usage);
  return answer;
}

/**
 * Asks for several answers that do not depend on each other; with checkpoints other processes help.
 * @returns a promise for each call; it rejects with what the model client throws
 */
export function askModelSideBySide(
  run: SummaryRun,
  model: ModelClient,
  calls: readonly CallInput[],
): Promise<ModelAnswer>[] {
  const { context } = run;
  const { checkpoints } = context;
  if (!checkpoints)
    return calls.map(async (call) => {
      // Sending a call takes milliseconds. All calls in one turn would hold the event loop.
      await nextTurn();
      return model.generate(call, context, run.meter);
    });
  const refusals = refusedByBudget(run, model, calls);
  const steps = calls
    .filter((call) => !refusals.has(call))
    .map((call) => ({ name: nameOf(model, call), input: call }));
  const answers = checkpoints.all<StoredAnswer | StoredFailure>(steps, calls[0]?.stage ?? '');
  let next = 0;
  return calls.map(async (call) => {
    const refusal = refusals.get(call);
    if (refusal) throw refusal;
    return bookedAnswer(run, model, call, await answers[next++]!);
  });
}

/**
 * Makes one call of a summary that another process works on.
 * @throws an error that is not a failure of a call: a missing package, a wrong option, the context's reason
 */
export async function answerStep(
  model: ModelClient,
  call: CallInput,
  context: ToolContext,
): Promise<StepResult> {
  const meter = new UsageMeter();
  try {
    const { text, truncated } = await model.generate(call, context, meter);
    const value: StoredAnswer = { text, truncated, usage: meter.usage };
    return { value, outcome: 'done' };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!ToolsError.isInstance(error)) throw error;
    const { code, message, shouldRetry, retryAfterSeconds } = error;
    const failure =
      error instanceof ContextOverflowError
        ? { overflow: error.overflow }
        : { code, message, shouldRetry, retryAfterSeconds };
    const value: StoredFailure = { failure, usage: meter.usage };
    return { value, outcome: error.getStatus() >= 503 ? 'down' : 'failed' };
  }
}

/** The calls that the rest of the budget does not cover, with the reason. */
function refusedByBudget(
  run: SummaryRun,
  model: ModelClient,
  calls: readonly ModelCall[],
): Map<ModelCall, unknown> {
  const refusals = new Map<ModelCall, unknown>();
  const reservations: (() => void)[] = [];
  for (const call of calls) {
    try {
      const output = model.profile.outputTokens(call.maxOutputTokens);
      reservations.push(run.meter.reserve(model.profile.estimatePrompt(call), output, model.options));
    } catch (error) {
      refusals.set(call, error);
    }
  }
  // The real cost of the calls is booked when their answers arrive.
  for (const end of reservations) end();
  return refusals;
}

function bookedAnswer(
  run: SummaryRun,
  model: ModelClient,
  call: ModelCall,
  answer: StoredAnswer | StoredFailure,
): ModelAnswer {
  run.meter.book(call.stage, answer.usage);
  if (!('failure' in answer)) return answer;
  const { failure } = answer;
  if ('overflow' in failure) throw model.overflowed(failure.overflow, call);
  const { code, message, shouldRetry, retryAfterSeconds } = failure;
  throw new ToolsError(code, message, { shouldRetry, retryAfterSeconds });
}

/** The same for the same question to the same model, whoever asks and when. */
function nameOf(model: ModelClient, { stage, system, parts, maxOutputTokens }: ModelCall): string {
  const digest = createHash('sha256').update(JSON.stringify([model.id, system, maxOutputTokens]));
  for (const part of parts) digest.update(part.type).update(part.type === 'text' ? part.text : part.data);
  return `${stage}:${digest.digest('base64url')}`;
}
