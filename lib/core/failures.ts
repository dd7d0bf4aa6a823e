import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import type { ToolContext } from './context.js';
import {
  CircuitOpenError,
  faultsIn,
  ToolsError,
  upstreamFaults,
  UpstreamUnavailableError,
  type UpstreamFault,
} from './errors.js';
import { printable, printableStack } from './printable.js';
import { withoutSecrets } from './secrets.js';
import { systemCode } from './upstream/request.js';

export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A line of the log with its facts. Nest's own logger prints the text. Loggers that write JSON (nestjs-pino, Nest's with `json: true`, winston)
 * write every fact as a field, and the text as `msg`.
 */
export class LogLine {
  readonly msg: string;
  readonly #frames: string;

  /**
   * @param text begins the line
   * @param shown facts that follow the text as `name=value`; undefined ones are left out
   * @param more facts that only JSON has, because the text says them already
   * @param error is written with its stack: under the text, and as the field `err` in the form of pino
   */
  constructor(text: string, shown: LogFacts, more: LogFacts = {}, error?: unknown) {
    let line = printable(text);
    const fields: Record<string, unknown> = {};
    for (const name of Object.keys(more)) if (more[name] !== undefined) fields[name] = more[name];
    for (const name of Object.keys(shown)) {
      const value = shown[name];
      if (value === undefined) continue;
      const fact = typeof value === 'string' ? withoutSecrets(value) : value;
      fields[name] = fact;
      line += ` ${name}=${quoted(String(fact))}`;
    }
    if (error !== undefined) fields['err'] = described(error);
    this.msg = line;
    // The text has the message already.
    this.#frames = printableStack(error)?.replace(/^[^\n]*/, '') ?? '';
    Object.assign(this, fields);
  }

  /** For loggers that read the text here, e.g. winston. */
  get message(): string {
    return this.msg;
  }

  toString(): string {
    return this.msg + this.#frames;
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** Quotes a value with white space, quotes or unprintable characters, so that it cannot pass for another field or line. */
function quoted(value: string): string {
  return /^[\w.:/@+-]+$/.test(value) || /^[^\s"=\p{Cc}\p{Cf}]+$/u.test(value)
    ? value
    : printable(JSON.stringify(value));
}

function described(error: unknown): { type: string; message: string; stack?: string } {
  return {
    type: nameOf(error),
    message: withoutSecrets(error instanceof Error ? error.message : String(error)),
    ...(error instanceof Error && error.stack ? { stack: withoutSecrets(error.stack) } : {}),
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/**
 * The fault of a part whose code threw something that is no `ToolsError`: a mistake in it, or in a library that it uses.
 * @param name of the part, e.g. of a search provider
 */
export function thrownFault(name: string, thrown: unknown): UpstreamFault {
  return { upstream: name, code: systemCode(thrown) ?? nameOf(thrown), thrown };
}

/** The failure of a part: what it threw, or an error with its name around what does not say where it comes from. */
export function failureOf(name: string, thrown: unknown): ToolsError {
  if (!ToolsError.isInstance(thrown))
    return new UpstreamUnavailableError(`${name} failed.`, {
      cause: thrown,
      upstream: thrownFault(name, thrown),
    });
  if (faultsIn(thrown).length > 0) return thrown;
  const upstream = { upstream: name, code: thrown.code };
  return new UpstreamUnavailableError(thrown.message, { cause: thrown, upstream });
}

/** Something of a request that failed while something else answered. */
export interface Fallback {
  /** What failed, e.g. `The search provider shop`. */
  part: string;
  error: unknown;
  /** What answered, in one word: the name of a provider, `extractive`, `unranked`, `unverified`, `words`, `snippets`. */
  by: string;
}

/** What has been logged with its stack. An error may be met again, e.g. where failures are remembered for a time. */
const logged = new WeakSet<object>();

/**
 * Logs what the host's own code threw, with its stack: each error once.
 *
 * @param error may wrap several, see {@link thrownFault}
 * @param by what answered instead: then it is a warning; undefined: the request has failed
 */
export function logThrown(error: unknown, requestId: string | undefined, by?: string): void {
  for (const { upstream, code, thrown } of faultsIn(error)) {
    if (thrown === undefined || (typeof thrown === 'object' && thrown !== null && logged.has(thrown)))
      continue;
    if (typeof thrown === 'object' && thrown !== null) logged.add(thrown);
    const facts = { request_id: requestId, upstream: `${upstream} ${code}`, fallback: by };
    const line = new LogLine(`${upstream} threw ${String(thrown)}`, facts, {}, thrown);
    new Logger('ToolsModule')[by === undefined ? 'error' : 'warn'](line);
  }
}

/**
 * Runs the work of a request. What the host's own code throws in it is logged, and fallbacks are reported: to the listener of the context, else
 * to the log.
 * @throws what `work` throws
 */
export async function withFailuresLogged<T>(
  given: ToolContext,
  work: (context: ToolContext) => Promise<T>,
): Promise<T> {
  const { requestId } = given;
  const fellBack = (fallback: Fallback): void => {
    logThrown(fallback.error, requestId, fallback.by);
    if (given.fellBack) given.fellBack(fallback);
    else logFallback(fallback, requestId);
  };
  try {
    return await work({ ...given, fellBack });
  } catch (error) {
    logThrown(error, requestId);
    throw error;
  }
}

/** Logs a fallback that no report of a request will name. */
function logFallback({ part, error, by }: Fallback, requestId: string | undefined): void {
  if (faultsIn(error).some(({ thrown }) => thrown !== undefined)) return;
  const facts = {
    request_id: requestId,
    upstream: upstreamFaults(error),
    fallback: by,
    error: saidBy(error),
  };
  new Logger('ToolsModule').warn(new LogLine(`${part} failed, ${by} answered`, facts));
}

/**
 * Logs at `warn`, with its stack, what a part threw that the answer does not depend on: the cache, a counter, a hook.
 * @param what e.g. `The cache cannot be read`
 */
export function logSideFailure(what: string, error: unknown, requestId?: string): void {
  new Logger('ToolsModule').warn(
    new LogLine(`${what}: ${String(error)}`, { request_id: requestId }, {}, error),
  );
}

/** Longest sentence of an upstream that is logged, characters; a plain bound. */
const MAX_SAID = 300;
/** What may be a key: servers repeat the one that they refuse. Words of 30 characters and more, and those that begin as keys do. */
const SECRETS = /\b(?:(?:sk|pk|rk|key|xai|gsk|hf|nt)[-_]|AIza)[\w*.-]{4,}|[\w*+/=-]{30,}/g;

/**
 * What upstreams said about their failures, for the log: the message of each error and that of its cause. Keys are hidden. Undefined where no
 * upstream has failed, for an open circuit, whose cause was logged before, and for what {@link logThrown} logs.
 */
export function saidBy(error: unknown): string | undefined {
  const said = [...new Set(sentencesIn(error, 5))].join(' ');
  return said === '' ? undefined : said.replace(/\s+/g, ' ').replace(SECRETS, '…').slice(0, MAX_SAID);
}

function sentencesIn(error: unknown, depth: number): string[] {
  if (!(error instanceof Error) || depth === 0 || error instanceof CircuitOpenError) return [];
  const { cause, message } = error;
  const why = cause instanceof Error && !ToolsError.isInstance(cause) ? cause.message : '';
  const isSource =
    ToolsError.isInstance(error) && (error.upstream || (why && !(cause instanceof AggregateError)));
  if (isSource) {
    if (error.upstream?.thrown !== undefined) return [];
    return [why === '' || message.includes(why) ? message : `${message} ${why}`];
  }
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [cause];
  return inner.flatMap((cause) => sentencesIn(cause, depth - 1));
}
