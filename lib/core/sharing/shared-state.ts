import type { CacheStore } from '../cache/cache-store.js';
import type { LimitStore } from '../limits/limit-store.js';
import type { CallGate } from './call-gate.js';
import type { LeaseStore } from './lease-store.js';

/** Whether what is shared is shared just now. */
export interface SharingHealth {
  /** False: each process goes on by itself. */
  up: boolean;
  /** What is wrong, and since when; no address, no key. */
  detail?: string;
}

/**
 * What the replicas of a host share. Everything in it answers within its own bound, or the caller goes on without it: sharing that is down
 * must never be an outage.
 */
export interface SharedState {
  /** Results. */
  readonly cache: CacheStore;
  /** Counters of requests and budgets. */
  readonly limits: LimitStore;
  /** Who does a piece of work that several replicas were asked for. */
  readonly leases: LeaseStore;
  /** Calls to models over all processes. */
  readonly calls: CallGate;
  /** Costs nothing: asks nobody, says what was seen last. */
  health(): SharingHealth;
  /** Called once, when the host has stopped. */
  close(): Promise<void>;
}
