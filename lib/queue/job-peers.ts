import type * as BullMq from 'bullmq';
import type { Redis } from 'ioredis';
import { MissingPeerError } from '../core/errors/index.js';

/** The optional peers behind jobs. */
export interface JobPeers {
  bullmq: typeof BullMq;
  Redis: typeof Redis;
}

/**
 * Loads `bullmq` and `ioredis`, when a host that has jobs starts.
 * @throws MissingPeerError naming the install command
 */
export async function loadJobPeers(): Promise<JobPeers> {
  // Loaded as an ES module, described by the types of the CommonJS one.
  const bullmq = await peer('bullmq', async () => (await import('bullmq')) as unknown as typeof BullMq);
  const ioredis = await peer('ioredis', () => import('ioredis'));
  return { bullmq, Redis: ioredis.Redis };
}

async function peer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
      throw new MissingPeerError(name, 'A host with jobs');
    throw error;
  }
}
