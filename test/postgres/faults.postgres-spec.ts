import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PoolClient } from 'pg';
import { withContext } from '../../lib/core/context.js';
import { postgresDocuments } from '../../lib/postgres/index.js';
import { askDocuments } from '../search/documents-contract.js';
import { PAGES, serviceWith } from '../search/search.fixtures.js';
import { eventually } from '../support/eventually.js';
import { freshDatabase, type Database } from './database.js';
import { startPostgres } from './postgres-server.mjs';

describe('a table that is locked', () => {
  let database: Database;
  let lock: PoolClient;

  beforeEach(async () => {
    database = await freshDatabase();
    const provider = postgresDocuments({ pool: database.pool });
    await provider.migrate();
    await provider.upsert(PAGES);
    lock = await database.pool.connect();
    await lock.query('BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE');
  });
  afterEach(async () => {
    lock.release(true);
    await database.close();
  });
  const unlock = (): Promise<unknown> => lock.query('ROLLBACK');

  it('costs a cancelled search no connection', async () => {
    const pool = database.connect({ max: 1 });
    const provider = postgresDocuments({ pool, timeoutMs: 120_000 });
    const caller = new AbortController();
    const gone = new Error('the caller has left');
    const search = withContext(120_000, { signal: caller.signal }, (context) =>
      provider.search({ text: 'cells', count: 5 }, context),
    );
    search.catch(() => undefined);
    await database.waitUntilBlocked('documents');
    caller.abort(gone);
    await expect(search).rejects.toBe(gone);
    await eventually(
      () => pool.totalCount === 0,
      () => `${pool.totalCount} connections`,
    );
    await unlock();
    expect(await askDocuments(provider, {})).toHaveLength(1);
  });

  it('leaves other callers a connection, however many searches of one caller wait', async () => {
    const pool = database.connect({ max: 4 });
    const [locked, other] = ['documents', 'others'].map((table) =>
      postgresDocuments({ pool, table, timeoutMs: 120_000 }),
    );
    await other!.migrate();
    await other!.upsert(PAGES);
    const searchAs = (caller: string, provider = other!, signal?: AbortSignal) =>
      withContext(120_000, { caller, signal }, (context) =>
        provider.search({ text: 'cells', count: 5 }, context),
      );
    expect((await searchAs('modest')).hits).toHaveLength(1);
    const leaving = new AbortController();
    const stuck = Array.from({ length: 8 }, () => searchAs('greedy', locked, leaving.signal));
    const ended = Promise.allSettled(stuck);
    await database.waitUntilBlocked('documents', 3);
    for (let i = 0; i < 3; i++) expect((await searchAs('modest')).hits).toHaveLength(1);
    leaving.abort(new Error('the caller has left'));
    await ended;
  });

  it('fails a search when its time is up, and the server ends the statement', async () => {
    const pool = database.connect({ max: 1 });
    const provider = postgresDocuments({ pool, timeoutMs: 300 });
    await expect(askDocuments(provider, {})).rejects.toMatchObject({
      code: 'upstream_timeout',
      kind: 'timeout',
    });
    const waiting = async (): Promise<number> =>
      (
        await lock.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).rows.length;
    while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await unlock();
    expect(await askDocuments(postgresDocuments({ pool }), {})).toHaveLength(1);
  });
});

describe('a pool without a free connection', () => {
  it('fails a search in time, and the connection that comes later goes back', async () => {
    const database = await freshDatabase();
    try {
      const pool = database.connect({ max: 1 });
      const provider = postgresDocuments({ pool, timeoutMs: 120_000 });
      await provider.migrate();
      await provider.upsert(PAGES);
      const taken = await pool.connect();
      const hurried = postgresDocuments({ pool, timeoutMs: 100 });
      await expect(askDocuments(hurried, {})).rejects.toMatchObject({
        code: 'upstream_unavailable',
        kind: 'unavailable',
        message: expect.stringContaining('The pool gave no connection'),
      });
      const caller = new AbortController();
      const search = withContext(120_000, { signal: caller.signal }, (context) =>
        provider.search({ text: 'cells', count: 5 }, context),
      );
      caller.abort(new Error('the caller has left'));
      await expect(search).rejects.toThrow('the caller has left');
      taken.release();
      expect(await askDocuments(provider, {})).toHaveLength(1);
      await eventually(
        () => pool.idleCount === 1 && pool.waitingCount === 0,
        () => `${pool.idleCount} idle, ${pool.waitingCount} waiting`,
      );
    } finally {
      await database.close();
    }
  });
});

describe('a server that dies', () => {
  it('in the middle of a search and of an upsert fails both, and is used again when it is back', async () => {
    const server = await startPostgres();
    const database = await freshDatabase(server.url);
    try {
      const provider = postgresDocuments({ pool: database.pool, timeoutMs: 120_000 });
      await provider.migrate();
      await provider.upsert(PAGES);
      const lock = await database.pool.connect();
      lock.on('error', () => undefined);
      await lock.query('BEGIN; LOCK TABLE documents IN ACCESS EXCLUSIVE MODE');
      const outcomes = Promise.allSettled([
        askDocuments(provider, {}),
        provider.upsert([{ ...PAGES[0]!, text: 'New.' }]),
      ]);
      await database.waitUntilBlocked('documents', 2);
      await server.crash();
      lock.release(true);
      for (const outcome of await outcomes)
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: { code: 'upstream_unavailable', kind: 'unavailable', shouldRetry: true },
        });
      const failure = await askDocuments(provider, {}).catch((error: unknown) => error as Error);
      expect(failure).toMatchObject({
        kind: 'unavailable',
        upstream: { upstream: 'postgres', code: 'ECONNREFUSED' },
      });
      expect(JSON.stringify([(failure as Error).message, (failure as Error).cause ?? ''])).not.toContain(
        '127.0.0.1',
      );
      // As a request sees it.
      await expect(serviceWith([provider]).search({ query: 'cells' })).rejects.toMatchObject({ status: 503 });
      await server.restart();
      await provider.migrate();
      await provider.upsert(PAGES);
      expect(await askDocuments(provider, {})).toHaveLength(1);
    } finally {
      await database.close();
      await server.stop();
    }
  });
});

it('two processes that write and remove the same pages do not disturb each other', async () => {
  const database = await freshDatabase();
  try {
    const write = async (seed: number): Promise<string> => {
      const child = spawn(process.execPath, ['test/postgres/writer-process.mjs', database.url, `${seed}`], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let errors = '';
      child.stderr.on('data', (chunk) => (errors += chunk));
      const [code] = await once(child, 'close');
      return code === 0 ? '' : errors;
    };
    expect(await Promise.all([write(1), write(2)])).toEqual(['', '']);
    const { rows } = await database.pool.query(
      'SELECT count(*), count(DISTINCT text) AS texts FROM documents',
    );
    expect(rows[0]).toEqual({ count: '400', texts: '400' });
  } finally {
    await database.close();
  }
});
