import { callersOf, fork, raceAbort, type ToolContext } from '../core/context.js';
import { FairQueue, type Slot } from '../core/fair-queue.js';
import { ToolsError } from '../core/errors.js';
import { SearchProviderError, type SearchFailureKind } from '../search/providers/search-provider.error.js';

/** A connection of a pool, as `pg` has it. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  /** Gives the connection back; `true` closes it instead. */
  release(destroy?: boolean): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
}

/** A pool of connections: a `Pool` of `pg`, or anything with the same methods. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  /** Settings of the pool. `max`: connections at once. Default 10, as in `pg`. */
  readonly options?: { max?: number };
}

/** Sends one statement and returns its rows. */
export type Ask = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/** What a transaction needs of the request that it belongs to. */
type Deadline = Pick<ToolContext, 'signal' | 'remainingMs' | 'callers'>;

/** By pool: the pool itself serves whoever asks first, and one caller could hold all connections. */
const queues = new WeakMap<PostgresPool, FairQueue>();
/** Share of the time of a transaction that one statement may take. What comes after it needs the rest. */
const STATEMENT_SHARE = 0.5;

/**
 * Runs statements in one transaction on one connection of the pool. The connection goes back to the pool when the work has ended; it is closed
 * instead when the deadline passes or the caller leaves, since a statement may still be running on it. The server ends that statement by
 * `statement_timeout`.
 *
 * @param provider name in errors
 * Callers take turns for the connections of a pool, for as many as it has.
 *
 * @param timeoutMs time for the whole transaction, ms, waiting for a connection included; the deadline counts as well
 * @param work gets the time limit of its statements, ms
 * @throws SearchProviderError; the deadline's reason when it is aborted
 */
export async function transaction<T>(
  provider: string,
  pool: PostgresPool,
  access: 'READ ONLY' | 'READ WRITE',
  deadline: Deadline,
  timeoutMs: number,
  work: (ask: Ask, statementMs: number) => Promise<T>,
): Promise<T> {
  let isConnected = false;
  const { context, dispose } = fork(deadline, {
    ...(timeoutMs === Infinity ? {} : { ms: timeoutMs }),
    onTimeout: () => tooLate(provider, timeoutMs, isConnected),
  });
  const { signal } = context;
  const queue = queues.get(pool) ?? new FairQueue({ slots: pool.options?.max ?? 10 });
  queues.set(pool, queue);
  let slot: Slot | undefined;
  try {
    slot = await queue.enter({ callers: () => callersOf(deadline), signal });
    const client = await connect(pool, signal).catch((error: unknown) => {
      throw failureOf(provider, error);
    });
    isConnected = true;
    return await onClient(provider, client, access, context, work);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    slot?.release();
    dispose();
  }
}

/**
 * Does a part of a transaction that the whole can do without.
 * @param ms time for each of its statements
 * @param statementMs time for the statements after it
 * @returns undefined when a statement took too long: the transaction goes on
 */
export async function optionally<T>(
  ask: Ask,
  ms: number,
  statementMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  await ask(`SAVEPOINT optional; ${timeout(ms)}`);
  try {
    const result = await work();
    await ask(`RELEASE optional; ${timeout(statementMs)}`);
    return result;
  } catch (error) {
    if (!(error instanceof SearchProviderError) || error.upstream?.code !== TOO_LATE) throw error;
    await ask('ROLLBACK TO optional');
    return undefined;
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

async function onClient<T>(
  provider: string,
  client: PostgresClient,
  access: string,
  { signal, remainingMs }: Deadline,
  work: (ask: Ask, statementMs: number) => Promise<T>,
): Promise<T> {
  // A connection that breaks emits an error as well, which would end the process if nobody listened.
  const onError = (): void => undefined;
  client.on('error', onError);
  const ask: Ask = async <Row>(text: string, values?: unknown[]) => {
    signal.throwIfAborted();
    try {
      const { rows } = await raceAbort(client.query(text, values), signal);
      return rows as Row[];
    } catch (error) {
      throw failureOf(provider, error);
    }
  };
  let isClean = false;
  try {
    const ms = remainingMs() * STATEMENT_SHARE;
    await ask(`BEGIN ${access}; ${timeout(ms)}`);
    try {
      const result = await work(ask, ms);
      await ask('COMMIT');
      isClean = true;
      return result;
    } catch (error) {
      isClean = await ask('ROLLBACK').then(
        () => true,
        () => false,
      );
      throw error;
    }
  } finally {
    client.removeListener('error', onError);
    client.release(!isClean);
  }
}

/** Longest `statement_timeout` that PostgreSQL accepts, ms. */
const MAX_STATEMENT_MS = 2 ** 31 - 1;
/** SQLSTATE of a statement that was ended by it. */
const TOO_LATE = '57014';

/** Without a deadline the server's own limit holds. */
const timeout = (ms: number): string =>
  ms <= MAX_STATEMENT_MS ? `SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(ms))}` : '';

function tooLate(provider: string, ms: number, isConnected: boolean): SearchProviderError {
  return isConnected
    ? new SearchProviderError(provider, 'timeout', `PostgreSQL did not answer within ${ms} ms.`)
    : new SearchProviderError(
        provider,
        'unavailable',
        `The pool gave no connection to PostgreSQL within ${ms} ms. Raise the pool's \`max\`, or look for connections that are not released.`,
      );
}

/** How an error of `pg` fails the search. Only its code is told: the text may hold an address or a part of a row. */
function failureOf(provider: string, error: unknown): unknown {
  if (ToolsError.isInstance(error)) return error;
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const { kind, message } = FAILURES.find(([pattern]) => pattern.test(code))![1];
  return new SearchProviderError(provider, kind, code ? `${message} (${code})` : message, {
    fault: { code: code || kind },
  });
}

/** By SQLSTATE (appendix A of the manual of PostgreSQL) or system error code; the first that matches. */
const FAILURES: readonly [RegExp, { kind: SearchFailureKind; message: string }][] = [
  [/^57014$/, { kind: 'timeout', message: 'PostgreSQL did not answer in time.' }],
  [
    /^(?:28...|42501)$/,
    {
      kind: 'auth',
      message: 'PostgreSQL refuses this user. Check its password and its privileges on the table.',
    },
  ],
  [
    /^3D000$/,
    { kind: 'bad_request', message: 'The database does not exist. Check the address of the pool.' },
  ],
  [
    /^(?:42P01|42703)$/,
    {
      kind: 'bad_request',
      message:
        'The table or one of its columns does not exist. Run the SQL of `createSchema()`, or check `table` and `columns`.',
    },
  ],
  [
    /^42...$/,
    {
      kind: 'bad_request',
      message: 'PostgreSQL refuses the statement. Check the options `table` and `columns`.',
    },
  ],
  [/^22...$/, { kind: 'bad_request', message: 'PostgreSQL refuses a value.' }],
  [/^23...$/, { kind: 'bad_request', message: 'A constraint of the table refuses a page.' }],
  [/^54...$/, { kind: 'bad_request', message: 'A page is too large for PostgreSQL.' }],
  [/^/, { kind: 'unavailable', message: 'PostgreSQL cannot be reached or has an error on its side.' }],
];
