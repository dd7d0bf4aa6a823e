import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type * as BullMq from 'bullmq';
import type { Redis } from 'ioredis';
import { loadPeer } from '../core/ports.js';
import { printable } from '../core/printable.js';
import type { ResolvedJobsOptions } from './jobs.options.js';

interface JobPeers {
  bullmq: typeof BullMq;
  Redis: typeof Redis;
}

/**
 * Loads `bullmq` and `ioredis` when a host with jobs starts.
 * @throws MissingPeerError naming the install command
 */
export async function loadJobPeers(): Promise<JobPeers> {
  const bullmq = await loadPeer(
    'bullmq',
    'A host with jobs',
    async () => (await import('bullmq')) as unknown as typeof BullMq,
  );
  const ioredis = await loadPeer('ioredis', 'A host with jobs', () => import('ioredis'));
  return { bullmq, Redis: ioredis.Redis };
}

/** The connections to Redis. They reconnect by themselves, and are closed when everything that uses them has ended. */
export class JobRedis implements OnApplicationShutdown {
  /** For commands; a command fails when the connection is lost twice. Callers that cannot wait bound the wait themselves. */
  readonly commands: Redis;
  readonly keys: JobKeys;
  private readonly clients: Redis[] = [];
  private readonly logger = new Logger('ToolsModule');
  private down = false;

  constructor(
    readonly peers: JobPeers,
    private readonly options: ResolvedJobsOptions,
  ) {
    this.keys = jobKeys(options.prefix);
    this.commands = this.connect({ maxRetriesPerRequest: 1 });
  }

  /** A separate connection, e.g. for blocking commands. @param settings of `ioredis`, added to the host's */
  connect(settings: object): Redis {
    const { url, ...options } = this.options.connection;
    // How long a closed connection waits for its answers, ms; the process cannot end before.
    const all = { disconnectTimeout: 200, ...options, ...settings };
    return this.watch(url === undefined ? new this.peers.Redis(all) : new this.peers.Redis(url, all));
  }

  onApplicationShutdown(): void {
    for (const client of this.clients) client.disconnect();
  }

  private watch(client: Redis): Redis {
    client.on('error', (error) => this.onError(error));
    client.on('ready', () => this.onReady());
    this.clients.push(client);
    // BullMQ duplicates its connection for blocking commands; while Redis is down the duplicate would try for ever.
    const { duplicate } = client;
    client.duplicate = (override) => this.watch(duplicate.call(client, override));
    return client;
  }

  /** Logged once an outage, not once an attempt. */
  private onError(error: Error): void {
    if (this.down) return;
    this.down = true;
    this.logger.warn(`Redis, which holds the jobs, cannot be reached: ${printable(error.message)}`);
  }

  private onReady(): void {
    if (this.down) this.logger.log('Redis, which holds the jobs, is back.');
    this.down = false;
  }
}

/** Name of the queue; BullMQ's keys are `<prefix>:jobs:…`. */
export const QUEUE_NAME = 'jobs';

type JobKeys = ReturnType<typeof jobKeys>;

/** Our keys in Redis, next to BullMQ's own. */
function jobKeys(prefix: string) {
  return {
    /** String: the job was cancelled. */
    cancelled: (id: string) => `${prefix}:job:${id}:cancelled`,
    /** Stream: the events of the job. */
    events: (id: string) => `${prefix}:job:${id}:events`,
    /** String: attempt of the latest job for equal requests. */
    attempt: (request: string) => `${prefix}:job:${request}:attempt`,
    /** Hash: what a batch is, and the state of each item by its index. */
    batch: (id: string) => `${prefix}:batch:${id}`,
    /** Hash: the body or error body of each item that has ended, by its index. */
    batchEnds: (id: string) => `${prefix}:batch:${id}:ends`,
    /** String: id of the latest batch for equal requests. */
    latestBatch: (request: string) => `${prefix}:batch:${request}:latest`,
    /** Sorted set: the last turn of each owner, and the turn that has begun last. */
    turns: `${prefix}:job-turns`,
    /** Sorted set: ids of the owner's jobs that have not begun, by the time they were submitted. */
    waiting: (owner: string) => `${prefix}:job-waiting:${owner}`,
  };
}
