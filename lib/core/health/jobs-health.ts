import type { SharingHealth } from '../sharing/index.js';

/** How the queue of jobs is, as it was last seen. */
export interface JobsHealth extends SharingHealth {
  /** Processes that work on jobs, this one included; absent where nobody can tell. */
  workers?: number;
  /** Jobs and parts of jobs that nobody has begun; absent where nobody can tell. */
  waiting?: number;
}

/** Knows how the queue of jobs is. */
export interface JobsHealthSource {
  /** Costs nothing: says what was seen last. */
  health(): JobsHealth;
}
