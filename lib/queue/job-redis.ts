import { hash } from 'node:crypto';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type * as BullMq from 'bullmq';
import type { Redis } from 'ioredis';
import { loadPeer } from '../core/ports.js';
import { printable } from '../core/printable.js';
import type { ResolvedJobsOptions } from './jobs.options.js';
import type { JobRequest } from '../http/job-intake.js';

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

type Listener = (message: string) => void;

interface Channel {
  listeners: Set<Listener>;
  /** Resolves when messages begin to come. */
  open: Promise<unknown>;
}

/** The connections to Redis. They reconnect by themselves, and are closed when everything that uses them has ended. */
export class JobRedis implements OnApplicationShutdown {
  /** For commands; a command fails when the connection is lost twice. Callers that cannot wait bound the wait themselves. */
  readonly commands: Redis;
  readonly keys: JobKeys;
  private subscriber?: Redis;
  private readonly channels = new Map<string, Channel>();
  private readonly clients: Redis[] = [];
  private readonly logger = new Logger('ToolsModule');
  private down = false;

  constructor(
    readonly peers: JobPeers,
    private readonly options: ResolvedJobsOptions,
  ) {
    this.keys = new JobKeys(options.prefix);
    this.commands = this.connect({ maxRetriesPerRequest: 1 });
  }

  /** A separate connection, e.g. for blocking commands. @param settings of `ioredis`, added to the host's */
  connect(settings: object): Redis {
    const { url, ...given } = this.options.connection;
    // How long a closed connection waits for its answers, ms; the process cannot end before.
    const all = { disconnectTimeout: 200, ...given, ...settings };
    return this.watch(url === undefined ? new this.peers.Redis(all) : new this.peers.Redis(url, all));
  }

  /**
   * Calls the listener with each message on a channel, and with an empty one whenever some may have been missed. All channels share one
   * connection, which is opened when somebody first listens.
   * @returns a function that stops it
   */
  async listen(channel: string, listener: Listener): Promise<() => void> {
    const subscriber = (this.subscriber ??= this.subscribe());
    const own = this.channels.get(channel) ?? { listeners: new Set(), open: subscriber.subscribe(channel) };
    this.channels.set(channel, own);
    own.listeners.add(listener);
    const stop = (): void => {
      own.listeners.delete(listener);
      if (own.listeners.size > 0 || this.channels.get(channel) !== own) return;
      this.channels.delete(channel);
      // Nobody waits for this. A connection that is down forgets its channels by itself.
      subscriber.unsubscribe(channel).catch(() => undefined);
    };
    try {
      await own.open;
      return stop;
    } catch (error) {
      stop();
      throw error;
    }
  }

  onApplicationShutdown(): void {
    for (const client of this.clients) client.disconnect();
  }

  private subscribe(): Redis {
    // The ready check sends a command that a subscribed connection must not send.
    const client = this.connect({ maxRetriesPerRequest: null, enableReadyCheck: false });
    const notify = (channel: string, message: string): void => {
      for (const listener of [...(this.channels.get(channel)?.listeners ?? [])]) listener(message);
    };
    client.on('message', notify);
    client.on('ready', () => {
      for (const channel of this.channels.keys()) notify(channel, '');
    });
    return client;
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

/** Name of the queue; BullMQ's keys are `<prefix>:jobs:…`, ours `<prefix>:job:…`. */
export const QUEUE_NAME = 'jobs';

/** The first part of a job's id: the same for equal requests of one owner. 128 bits, hexadecimal. */
export function requestHash({ owner, tool, identity }: JobRequest): string {
  return hash('sha256', JSON.stringify([owner.id, tool, identity]), 'hex').slice(0, 32);
}

/** The id of a job for equal requests; the attempt counts those that failed or were cancelled before it, from `0`. */
export const jobIdOf = (request: string, attempt: string): string =>
  attempt === '0' ? request : `${request}-${attempt}`;

/** Whether this can be the id of a job. BullMQ has other keys under the same prefix. */
export const isJobId = (id: string): boolean => /^[0-9a-f]{32}(?:-[0-9a-z]{1,16})?$/.test(id);

/** Our keys and channels in Redis, next to BullMQ's own. */
export class JobKeys {
  constructor(private readonly prefix: string) {}

  /** Hash: how far the job is, and whether it was cancelled. */
  state = (id: string): string => this.of(id, 'state');
  /** Stream: the events of the job. */
  events = (id: string): string => this.of(id, 'events');
  /** String: attempt of the latest job for equal requests. */
  attempt = (request: string): string => this.of(request, 'attempt');
  /** Hash: the last turn of each owner, and the turn that has begun last. */
  turns = (): string => `${this.prefix}:job-turns`;
  /** Sorted set: ids of the owner's jobs that have not begun, by the time they were submitted. */
  waiting = (owner: string): string => `${this.prefix}:job-waiting:${owner}`;
  /** Channel: ids of jobs that are cancelled. */
  cancellations = (): string => `${this.prefix}:job-cancellations`;

  private of(id: string, what: string): string {
    return `${this.prefix}:job:${id}:${what}`;
  }
}
