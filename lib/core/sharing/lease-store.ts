/** The right to do a piece of work alone; renews itself until it is released. */
export interface Lease {
  /** Whether anybody else has asked for it meanwhile. Never rejects; false where nobody can tell. */
  awaited(): Promise<boolean>;
  /** Gives it back and wakes those who wait for it. Never rejects. */
  release(): Promise<void>;
}

/** Leases that processes take from each other. */
export interface LeaseStore {
  /**
   * Takes the lease if nobody has it. Never rejects and never waits long: where the store cannot be asked, everybody gets a lease, because
   * work that is done twice is better than work that is not done.
   *
   * @param ttlMs how long after the death of its owner the lease is free again, ms
   * @returns undefined: somebody else has it
   */
  acquire(key: string, ttlMs: number): Promise<Lease | undefined>;
  /**
   * Resolves when the lease on the key has ended (released, or its owner died), when the signal fires, when the store cannot be asked
   * any more, or after a bounded time. It promises nothing about what is next: ask again. Never rejects.
   */
  released(key: string, signal: AbortSignal): Promise<void>;
}
