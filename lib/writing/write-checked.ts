import { nextTurn } from '../core/async.js';
import { withFork, type ToolContext } from '../core/context.js';
import { ToolsError, UpstreamInvalidError, UpstreamTimeoutError } from '../core/errors.js';
import type { Warning } from '../core/warning.js';
import type { CheckedData } from '../data/check-fields.js';
import { problemsOfData, type Problem } from '../data/prompts.js';
import { describe, isHard, isRefuting, type Finding } from '../grounding/unsupported.js';
import {
  secondLook,
  withVerdictsOf,
  type Claim,
  type Verdict,
  type Verifier,
} from '../grounding/verifier.js';
import { askTwice, type BadEnd, type Flaw } from '../model/ask-twice.js';
import type { ModelCall, ModelReply } from '../model/call.js';
import type { ModelClient } from '../model/client.js';
import type { UsageMeter } from '../model/usage-meter.js';
import type { TextStream } from './text-stream.js';

/** A statement of a text after the checks. */
export interface CheckedStatement {
  text: string;
  /** Words that it writes as code. Default: none. */
  code?: readonly string[];
  findings: readonly Finding[];
  /** What a second look says of it; undefined where there was none. */
  verdict?: Verdict;
}

/** What a model wrote, read and checked by code: statements, and values for the schema of a caller. */
export interface Draft {
  statements: readonly CheckedStatement[];
  data?: CheckedData;
  /** Prose in place of the object that was asked for. */
  unstructured: boolean;
  end: BadEnd;
  flaw: Flaw | undefined;
}

/** How a text, or data, are asked for, read and repaired. */
export interface DraftForm<D extends Draft> {
  /** @param again what was wrong with the first reply */
  call(again?: Flaw): ModelCall;
  read(reply: ModelReply): Promise<D>;
  /** Of the error where the model writes nothing, also when asked again. */
  nothing: string;
  /** Shows the text while it is written. Default: it is not shown. */
  stream?: TextStream;
  /** What a verifier is asked about a statement. Default: nothing. */
  claimOf?(statement: D['statements'][number], draft: D): Claim | undefined;
  repairCall(draft: D, problems: readonly Problem[]): ModelCall;
  readRepair(reply: ModelReply, draft: D): Promise<D>;
  /** The draft to show where the repair has fewer problems. Default: the repaired one. */
  choose?(draft: D, repaired: D): D;
}

export interface Writer {
  model: ModelClient;
  context: ToolContext;
  meter: UsageMeter;
  /** What the text answers; empty: no question. */
  question: string;
  /** Takes a second look: the model that writes, or a verifier. Default: none. */
  verifier?: 'model' | Verifier | undefined;
  /** Kept back from the deadline, ms. Default 0. */
  reserveMs?: number;
}

/** A draft after the second look; with the reason why there was none, where one was wanted. */
export type Written<D> = D & { unverified?: string };

/** With less time than this no second look and no repair begins, ms; set by hand. */
const LEAST_MS = 500;

/**
 * Has a text or data written: draft → once more where the reply has a flaw → check → second look → one repair of what is certainly wrong. What is
 * still wrong is for the caller to mark.
 *
 * @throws UpstreamInvalidError where the model writes nothing; UpstreamTimeoutError where no time is left; what `ModelClient.generate` throws
 */
export async function writeChecked<D extends Draft>(form: DraftForm<D>, writer: Writer): Promise<Written<D>> {
  const start = performance.now();
  const draft = await askTwice(writer.context, async (again) =>
    form.read(await ask(form.call(again), form, writer)),
  );
  if (draft.flaw === 'empty') throw new UpstreamInvalidError(form.nothing, { shouldRetry: false });
  const took = performance.now() - start;
  return repaired(await verified(draft, form, writer), form, writer, took);
}

const timeLeft = ({ context, reserveMs = 0 }: Writer): number => context.remainingMs() - reserveMs;

async function ask<D extends Draft>(
  call: ModelCall,
  { stream }: DraftForm<D>,
  writer: Writer,
): Promise<ModelReply> {
  const { model, context, meter } = writer;
  const ms = timeLeft(writer);
  if (ms <= 0) throw new UpstreamTimeoutError('There was no time left to ask the language model.');
  stream?.begin();
  const streamed = {
    ...call,
    onText: (delta: string) => stream?.push(delta),
    onRestart: () => stream?.begin(),
  };
  const reply = await withFork(context, { ms }, (fork) => model.generate(streamed, fork, meter));
  // The end of the reply and its check are work of their own.
  await nextTurn(context.signal);
  stream?.end();
  return reply;
}

/** Without a verifier, or where it fails, the draft stays as it is. */
async function verified<D extends Draft>(
  draft: D,
  { claimOf }: DraftForm<D>,
  writer: Writer,
): Promise<Written<D>> {
  const { verifier, context } = writer;
  if (!verifier || !claimOf) return draft;
  const ms = timeLeft(writer);
  if (ms < LEAST_MS) return { ...draft, unverified: 'no time was left' };
  try {
    const statements = await withFork(context, { ms }, (fork) =>
      secondLook(draft.statements, (statement) => claimOf(statement, draft), verifier, {
        ...writer,
        context: fork,
      }),
    );
    return { ...draft, statements };
  } catch {
    context.signal.throwIfAborted();
    return { ...draft, unverified: 'the verifier failed' };
  }
}

/** @param took time of the draft, ms: with less left no repair begins */
async function repaired<D extends Draft>(
  draft: Written<D>,
  form: DraftForm<D>,
  writer: Writer,
  took: number,
): Promise<Written<D>> {
  const problems = problemsOf(draft);
  const isLate = timeLeft(writer) < Math.max(LEAST_MS, took);
  // A model that does not write the object will not write it now.
  const isVain = draft.unstructured || !writer.model.options.repair;
  if (problems.length === 0 || isVain || isLate) return draft;
  try {
    const reply = await ask(form.repairCall(draft, problems), form, writer);
    const again = await form.readRepair(reply, draft);
    const statements = withVerdictsOf(draft.statements, again.statements, statementText);
    const next = { ...draft, ...again, statements };
    const isWhole = next.flaw === undefined && !next.unstructured;
    const isLess = (next.data?.fields.length ?? 0) < (draft.data?.fields.length ?? 0);
    if (!isWhole || isLess || problemsOf(next).length >= problems.length) return draft;
    return form.choose?.(draft, next) ?? next;
  } catch (error) {
    writer.context.signal.throwIfAborted();
    // The draft is there: a failed repair does not lose it. Any other error is a fault of the code.
    if (!ToolsError.isInstance(error)) throw error;
    return draft;
  }
}

/** What a statement says, with the code of one that is code alone. */
export function statementText({ text, code = [] }: Pick<CheckedStatement, 'text' | 'code'>): string {
  return text || code.join('\n');
}

/** Statements and fields that are certainly wrong. */
function problemsOf({ statements, data }: Draft): Problem[] {
  return [
    ...statements.flatMap((statement) => problemOf(statement) ?? []),
    ...problemsOfData(data?.refused ?? []),
  ];
}

/** What is certainly wrong with a statement; undefined for one that may hold. */
export function problemOf(
  statement: Pick<CheckedStatement, 'text' | 'code' | 'findings'>,
): Problem | undefined {
  const wrong = statement.findings.filter(isHard);
  return wrong.length > 0 ? { text: statementText(statement), why: describe(wrong) } : undefined;
}

export function isRefuted({ findings }: Pick<CheckedStatement, 'findings'>): boolean {
  return findings.some(isRefuting);
}

interface LossWarning extends Warning {
  code: 'answer_truncated' | 'summary_truncated' | 'output_truncated';
  message: string;
}

/** Says that a part of a text may be lost. */
export function lossWarnings(what: 'answer' | 'summary' | 'output', end: BadEnd): LossWarning[] {
  const message = `The model's ${what} may lack a part: its reply ran out of tokens, its connection was cut, or its JSON is broken.`;
  return end ? [{ code: `${what}_truncated`, message, transient: true }] : [];
}

interface LookWarning extends Warning {
  code: 'answer_not_verified' | 'summary_not_verified';
  message: string;
}

/** What a caller is told of the draft of a text. */
export function draftWarnings(
  what: 'answer' | 'summary',
  { unstructured, end, unverified }: Written<Draft>,
): Warning[] {
  const message = 'The model did not answer in the requested form; its text was taken as it is.';
  const look: LookWarning = {
    code: `${what}_not_verified`,
    message: `The ${what} was not verified: ${unverified}.`,
    transient: true,
  };
  return [
    ...(unstructured ? [{ code: 'reply_unstructured', message }] : []),
    ...lossWarnings(what, end),
    ...(unverified ? [look] : []),
  ];
}
