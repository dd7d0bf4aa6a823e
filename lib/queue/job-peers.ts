import type * as BullMq from 'bullmq';
import type { Redis } from 'ioredis';
import { loadPeer } from '../core/load-peer.js';

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
  const bullmq = await loadPeer(
    'bullmq',
    'A host with jobs',
    async () => (await import('bullmq')) as unknown as typeof BullMq,
  );
  const ioredis = await loadPeer('ioredis', 'A host with jobs', () => import('ioredis'));
  return { bullmq, Redis: ioredis.Redis };
}
