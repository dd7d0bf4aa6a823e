import { callersOf, fork, raceAbort, type ToolContext } from '../core/context.js';
import { ToolsError } from '../core/errors.js';
import { FairQueue, type Slot } from '../core/fair-queue.js';
import { SearchProviderError, type SearchFailureKind } from '../search/providers/search-provider.error.js';

/** A connection of a pool, as `pg` has it. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives the connection back; `true` closes it instead. */
  release(destroy?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool of connections: a `Pool` of `pg`, or anything with the same method. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  /** Most connections, as `pg` names them. Default 10, as in `pg`. */
  options?: { max?: number };
}

const queues = new WeakMap<PostgresPool, FairQueue>();

export type Ask = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/** Share of the time of a transaction that one statement may take. What comes after it needs the rest. Set by hand. */
const STATEMENT_SHARE = 0.5;
const MAX_STATEMENT_MS = 2 ** 31 - 1; // the longest that PostgreSQL accepts

/**
 * Runs statements in one transaction on one connection of the pool, in the time zone UTC. The connection goes back to the pool when the work has
 * ended; it is closed instead when the deadline passes or the caller leaves, since a statement may still be running on it. The server ends that
 * statement by `statement_timeout`. Callers take turns, whatever number of searches each has.
 *
 * @param timeoutMs time for the whole transaction, ms, waiting for a connection included; the deadline counts as well
 * @throws SearchProviderError; the deadline's reason when it is aborted
 */
export async function transaction<T>(
  provider: string,
  pool: PostgresPool,
  access: 'READ ONLY' | 'READ WRITE',
  deadline: Pick<ToolContext, 'signal' | 'remainingMs' | 'callers'>,
  timeoutMs: number,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  const queue = queues.get(pool) ?? new FairQueue({ slots: pool.options?.max ?? 10 });
  queues.set(pool, queue);
  let isConnected = false;
  const { context, dispose } = fork(deadline, {
    ...(timeoutMs === Infinity ? {} : { ms: timeoutMs }),
    onTimeout: () => tooLate(provider, timeoutMs, isConnected),
  });
  const { signal } = context;
  let slot: Slot | undefined;
  let client: PostgresClient | undefined;
  let isClean = false;
  // A connection that breaks emits an error as well, which would end the process if nobody listened.
  const onError = (): void => undefined;
  const ask: Ask = async <Row>(text: string, values?: unknown[]) => {
    signal.throwIfAborted();
    const { rows } = await raceAbort(client!.query(text, values), signal).catch((error: unknown) => {
      throw failureOf(provider, error);
    });
    return rows as Row[];
  };
  try {
    slot = await queue.enter({ callers: () => callersOf(deadline), signal });
    client = await connect(pool, signal).catch((error: unknown) => {
      throw failureOf(provider, error);
    });
    isConnected = true;
    client.on('error', onError);
    const ms = context.remainingMs() * STATEMENT_SHARE;
    // Without a deadline the server's own limit holds.
    const limit = ms <= MAX_STATEMENT_MS ? `SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(ms))}` : '';
    await ask(`BEGIN ${access}; SET LOCAL TIME ZONE 'UTC'; ${limit}`);
    const result = await work(ask);
    await ask('COMMIT');
    isClean = true;
    return result;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    isClean = client !== undefined && (await ask('ROLLBACK').then(Boolean, () => false));
    throw error;
  } finally {
    client?.removeListener('error', onError);
    client?.release(!isClean);
    slot?.release();
    dispose();
  }
}

/** Waits for a connection. One that comes after the caller has left goes straight back. */
async function connect(pool: PostgresPool, signal: AbortSignal): Promise<PostgresClient> {
  signal.throwIfAborted();
  const connecting = pool.connect();
  try {
    return await raceAbort(connecting, signal);
  } catch (error) {
    if (signal.aborted)
      connecting.then(
        (client) => client.release(),
        () => undefined,
      );
    throw error;
  }
}

function tooLate(provider: string, ms: number, isConnected: boolean): SearchProviderError {
  return isConnected
    ? new SearchProviderError(provider, 'timeout', `PostgreSQL did not answer within ${ms} ms.`)
    : new SearchProviderError(
        provider,
        'unavailable',
        `The pool gave no connection to PostgreSQL within ${ms} ms. Raise the pool's \`max\`, or look for connections that are not released.`,
      );
}

/** How an error of `pg` fails the search. Its text is told only where it holds nothing but names of the statement. */
function failureOf(provider: string, error: unknown): unknown {
  if (ToolsError.isInstance(error)) return error;
  const { code = '', message: text = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const [, kind, advice] = FAILURES.find(([pattern]) => pattern.test(code))!;
  const message = /^42(?:P|70|804)/.test(code) ? `${advice} PostgreSQL says: ${text}.` : advice;
  return new SearchProviderError(provider, kind, code ? `${message} (${code})` : message, {
    fault: { code: code || kind },
  });
}

/** By SQLSTATE (appendix A of the manual of PostgreSQL) or system error code; the first that matches. */
const FAILURES: readonly (readonly [code: RegExp, kind: SearchFailureKind, advice: string])[] = [
  [/^57014$/, 'timeout', 'PostgreSQL did not answer in time.'],
  [
    /^(?:28...|42501)$/,
    'auth',
    'PostgreSQL refuses this user. Check its password and its privileges on the table.',
  ],
  [
    /^(?:42P10|0A000|23502)$/,
    'bad_request',
    '`upsert()` needs a table, not a view, with a unique index on the column of `url` and a default for every column that `columns` does not name.',
  ],
  [
    /^(?:42|3D|3F)...$/,
    'bad_request',
    'The database, the table or one of its columns does not exist. Run the SQL of `createSchema()`, or check `table` and `columns` (names are case-sensitive).',
  ],
  [
    /^(?:22|23|54)...$/,
    'bad_request',
    'PostgreSQL refuses a value of a page. Has the column of `publishedAt` the type of a date?',
  ],
  [/^/, 'unavailable', 'PostgreSQL cannot be reached or has an error on its side.'],
];
