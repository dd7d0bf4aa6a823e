import { randomUUID } from 'node:crypto';
import { Pool, type PoolConfig } from 'pg';
import { eventually } from '../support/eventually.js';

/** A database of its own on a running server. */
export interface Database {
  readonly url: string;
  readonly pool: Pool;
  /** Another pool on the same database. */
  connect(config?: PoolConfig): Pool;
  /** Waits until a number of statements that name `text` wait for a lock. */
  waitUntilBlocked(text: string, count?: number): Promise<void>;
  /** Ends all pools. */
  close(): Promise<void>;
}

/**
 * @param server address of any database of it. Default: the server that `npm run check -- postgres` has started
 * @param options of `CREATE DATABASE`
 */
export async function freshDatabase(server = process.env.POSTGRES_URL!, options = ''): Promise<Database> {
  const pools: Pool[] = [];
  const connect = (config: PoolConfig): Pool => {
    const pool = new Pool(config);
    // An idle connection that breaks is none of the test's business.
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const name = `db_${randomUUID().replaceAll('-', '')}`;
  const admin = connect({ connectionString: server, max: 2 });
  await admin.query(`CREATE DATABASE ${name} ${options}`);
  const url = server.replace(/[^/]*$/, name);
  return {
    url,
    pool: connect({ connectionString: url }),
    connect: (config) => connect({ connectionString: url, ...config }),
    waitUntilBlocked: async (text, count = 1) => {
      let blocked: string[] = [];
      let asking = false;
      await eventually(
        () => {
          if (!asking) {
            asking = true;
            void admin
              .query<{ query: string }>(
                `SELECT query FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`,
                [name],
              )
              .then(({ rows }) => (blocked = rows.map((row) => row.query)))
              // The test may stop the server while it is being asked.
              .catch(() => undefined)
              .finally(() => (asking = false));
          }
          return blocked.filter((query) => query.includes(text)).length >= count;
        },
        () => JSON.stringify(blocked),
      );
    },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}
