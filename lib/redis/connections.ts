import type { Redis, RedisOptions } from 'ioredis';
import { loadPeer } from '../core/load-peer.js';

/** Longest pause between two attempts to connect, ms. */
const MOST_BETWEEN_ATTEMPTS_MS = 1000;

const SETTINGS: RedisOptions = {
  lazyConnect: true,
  connectionName: 'nestjs-tools',
  disableClientInfo: true,
  connectTimeout: 5000,
  // The last command is on its way by then; a longer wait would only keep the process from ending.
  disconnectTimeout: 200,
  // A connection whose other end has vanished silently is given up and opened again.
  socketTimeout: 5000,
  retryStrategy: (attempt) => Math.min(MOST_BETWEEN_ATTEMPTS_MS, 50 * attempt),
  // After a failover the old primary refuses to write until it is connected to again.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** A command that cannot be sent at once is not sent at all, and none is sent twice: its caller has gone on without Redis. */
const COMMANDS: RedisOptions = {
  ...SETTINGS,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
};

/** This package's own connections. */
export interface Connections {
  /** For commands; not connected yet. */
  commands: Redis;
  /** Makes one for subscriptions: Redis allows nothing else on it. */
  subscriber: () => Redis;
}

/**
 * @param where address, or a client whose settings are used
 * @throws MissingPeerError naming the install command
 */
export async function connectionsFor(where: string | Redis): Promise<Connections> {
  if (typeof where !== 'string')
    return { commands: where.duplicate(COMMANDS), subscriber: () => where.duplicate(SETTINGS) };
  const { Redis: Client } = await loadPeer('ioredis', 'redisShared', () => import('ioredis'));
  return { commands: new Client(where, COMMANDS), subscriber: () => new Client(where, SETTINGS) };
}
