import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { JobPeers } from './job-peers.js';
import type { ResolvedJobsOptions } from './jobs.options.js';

/** The connections to Redis; closed when everything that uses them has ended. One that is lost comes back by itself. */
export class JobRedis implements OnApplicationShutdown {
  /** For commands; one fails when the connection is lost twice. Who cannot wait for an answer bounds the wait. */
  readonly commands: Redis;
  private readonly clients: Redis[] = [];
  private readonly logger = new Logger('ToolsModule');
  private down = false;

  constructor(
    readonly peers: JobPeers,
    private readonly options: ResolvedJobsOptions,
  ) {
    this.commands = this.connect({ maxRetriesPerRequest: 1 });
  }

  /** A connection of its own, e.g. for what blocks. @param settings of `ioredis`, beside the host's */
  connect(settings: object): Redis {
    const { url, ...given } = this.options.connection;
    // How long a closed connection waits for its answers, ms; it holds the process as long.
    const all = { disconnectTimeout: 200, ...given, ...settings };
    return this.watch(url === undefined ? new this.peers.Redis(all) : new this.peers.Redis(url, all));
  }

  onApplicationShutdown(): void {
    for (const client of this.clients) client.disconnect();
  }

  private watch(client: Redis): Redis {
    client.on('error', (error) => this.onError(error));
    client.on('ready', () => this.onReady());
    this.clients.push(client);
    // BullMQ makes another one of its own for what blocks; while Redis is down it would go on trying for ever.
    const { duplicate } = client;
    client.duplicate = (override) => this.watch(duplicate.call(client, override));
    return client;
  }

  /** Once an outage, not once a try. */
  private onError(error: Error): void {
    if (this.down) return;
    this.down = true;
    this.logger.warn(`Redis, which holds the jobs, cannot be reached: ${error.message}`);
  }

  private onReady(): void {
    if (this.down) this.logger.log('Redis, which holds the jobs, is back.');
    this.down = false;
  }
}
