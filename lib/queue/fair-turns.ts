import type { Redis } from 'ioredis';
import type { JobKeys } from './job-keys.js';

/** The highest priority number of BullMQ. */
const LAST_TURN = 2_097_151;
/** Turns are forgotten when nothing was queued or begun for this long, ms. */
const FORGET_MS = 3_600_000;

/** KEYS: turns. ARGV: field of the owner, turns wanted, least turn. Returns the first of them. */
const TAKE = `
local begun = tonumber(redis.call('HGET', KEYS[1], 'begun') or '0')
local own = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local least = tonumber(ARGV[3])
local first = math.max(begun, least > 0 and least or own) + 1
local last = math.min(first + ARGV[2] - 1, ${LAST_TURN})
redis.call('HSET', KEYS[1], ARGV[1], math.max(own, last))
redis.call('PEXPIRE', KEYS[1], ${FORGET_MS})
return math.min(first, ${LAST_TURN})`;

/** KEYS: turns. ARGV: the turn that begins. */
const BEGIN = `
if tonumber(redis.call('HGET', KEYS[1], 'begun') or '0') < tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'begun', ARGV[1])
end
redis.call('PEXPIRE', KEYS[1], ${FORGET_MS})`;

/**
 * Lets owners take turns, however many jobs each has: start-time fair queueing (Goyal, Vin, Cheng 1996) with jobs of equal weight. The turn
 * of a job is the one after its owner's last, or, where the owner was idle, the one after the turn that is being worked on. It becomes the
 * job's priority in BullMQ, where lower numbers go first.
 */
export class FairTurns {
  constructor(
    private readonly redis: Redis,
    private readonly keys: JobKeys,
  ) {}

  /** The turn of the owner's next job, 1..2,097,151. */
  next(owner: string): Promise<number> {
    return this.run(TAKE, fieldOf(owner), 1, 0);
  }

  /**
   * Turns for the steps of a job that has begun: right after the job, one after the other, so that others come between.
   * @param job the job's own turn
   * @returns the first of them
   */
  nextForSteps(owner: string, count: number, job: number): Promise<number> {
    return this.run(TAKE, fieldOf(owner), count, job);
  }

  /** Notes that a turn has begun. */
  async begin(turn: number): Promise<void> {
    await this.run(BEGIN, turn);
  }

  /** Starts again from 1 when nothing waits: the numbers would run out otherwise. */
  async reset(): Promise<void> {
    await this.redis.del(this.keys.turns());
  }

  private run(script: string, ...args: (string | number)[]): Promise<number> {
    return this.redis.eval(script, 1, this.keys.turns(), ...args) as Promise<number>;
  }
}

/** The hash has a field of its own beside those of the owners, whose ids may be anything. */
const fieldOf = (owner: string): string => `owner:${owner}`;

/** The turn `n` places later, 0 for the same. */
export const turnAfter = (turn: number, n: number): number => Math.min(turn + n, LAST_TURN);
