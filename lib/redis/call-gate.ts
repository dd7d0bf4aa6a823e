import { randomUUID } from 'node:crypto';
import type { CallGate, CallLimits, CallPermit } from '../core/shared-state.js';
import { scriptOn, type RedisAccess, type Script, type Notifications } from './access.js';

/** A permit is free again this long after its process has died, ms. */
const PERMIT_TTL_MS = 10_000;
/** A waiter asks again at least this often, ms. */
const POLL_MS = 1000;
/** A waiter silent for this long counts as dead and leaves the queue, ms. */
const WAITER_TTL_MS = 3 * POLL_MS;
/** Unused keys expire after this, ms; longer than a minute's window. */
const IDLE_TTL_MS = 120_000;
/** Waiters of one turn keep their order by a number below this. */
const SAME_TURN = 2 ** 20;
/** The script's answer when the call may begin; otherwise it answers with the wait in ms. */
const ADMITTED = 0;

/** Times are those of the Redis server. */
const CLOCK = `
local clock = redis.call('time')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

const WAKE_NEXT = `
local function wakeNext()
  local first = redis.call('zrange', waiting, 0, 0)[1]
  if first then redis.call('publish', channel, first) end
end`;

/**
 * `running`: permits by the time they expire. `started`: permits of the last minute by their start, `tokens` what each has cost, and
 * their sum. `waiting`: waiters by their turn; `seen`: waiters by the time they last asked. `turns`: the last turn of each caller, the turn that has
 * begun last, and a counter. A waiter that is not the first gets only what those before it leave. Only the first gets tokens, since it is unknown
 * what those before it will ask for.
 *
 * Turns are those of `FairTurns` in `queue/job-queue.ts` (start-time fair queueing): the one after the caller's last, or after the one that has begun
 * last. `FairQueue` gives a slot to the caller that has the fewest. Here it is not known whose permits run in other processes.
 */
const ENTER = `
local running, started, tokens, waiting, seen, turns = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local id, cost, channel, caller = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[10]
local maxParallel, maxCalls, maxTokens = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local permitTtl, waiterTtl, idleTtl = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
${CLOCK}
${WAKE_NEXT}
redis.call('zremrangebyscore', running, '-inf', now)
for _, old in ipairs(redis.call('zrangebyscore', started, '-inf', now - 60000)) do
  redis.call('hincrby', tokens, 'sum', -(tonumber(redis.call('hget', tokens, old)) or 0))
  redis.call('hdel', tokens, old)
  redis.call('zrem', started, old)
end
for _, dead in ipairs(redis.call('zrangebyscore', seen, '-inf', now - waiterTtl)) do
  redis.call('zrem', waiting, dead)
  redis.call('zrem', seen, dead)
end
if redis.call('zcard', waiting) + redis.call('zcard', running) == 0 then redis.call('del', turns) end
local score = tonumber(redis.call('zscore', waiting, id) or '0')
local turn = math.floor(score / ${SAME_TURN})
if turn == 0 then
  local begun = tonumber(redis.call('hget', turns, 'begun') or '0')
  turn = math.max(begun, tonumber(redis.call('hget', turns, 'of:' .. caller) or '0')) + 1
  score = turn * ${SAME_TURN} + redis.call('hincrby', turns, 'count', 1) % ${SAME_TURN}
  redis.call('hset', turns, 'of:' .. caller, turn)
  redis.call('pexpire', turns, idleTtl)
end
local before = redis.call('zcount', waiting, '-inf', '(' .. string.format('%.0f', score))
local wait = 0
if maxParallel > 0 and redis.call('zcard', running) + before >= maxParallel then wait = 60000 end
local calls = redis.call('zcard', started)
local function untilGone(index)
  if calls == 0 then return 60000 end
  return tonumber(redis.call('zrange', started, index, index, 'withscores')[2]) + 60000 - now
end
if maxCalls > 0 and calls + before >= maxCalls then
  wait = math.max(wait, untilGone(math.min(calls - 1, math.max(0, calls + before - maxCalls))))
end
if maxTokens > 0 and calls > 0 and (tonumber(redis.call('hget', tokens, 'sum')) or 0) + cost > maxTokens then
  wait = math.max(wait, untilGone(0))
elseif maxTokens > 0 and before > 0 then
  wait = math.max(wait, 60000)
end
if wait > 0 then
  redis.call('zadd', waiting, string.format('%.0f', score), id)
  redis.call('zadd', seen, now, id)
  redis.call('pexpire', waiting, idleTtl)
  redis.call('pexpire', seen, idleTtl)
  return math.max(1, wait)
end
redis.call('hset', turns, 'begun', math.max(turn, tonumber(redis.call('hget', turns, 'begun') or '0')))
redis.call('pexpire', turns, idleTtl)
redis.call('zadd', running, now + permitTtl, id)
redis.call('pexpire', running, permitTtl)
if maxCalls > 0 or maxTokens > 0 then
  redis.call('zadd', started, now, id)
  redis.call('hset', tokens, id, cost)
  redis.call('hincrby', tokens, 'sum', cost)
  redis.call('pexpire', started, idleTtl)
  redis.call('pexpire', tokens, idleTtl)
end
redis.call('zrem', seen, id)
if redis.call('zrem', waiting, id) == 1 then wakeNext() end
return 0`;

/** A permit that Redis has lost in a restart is entered again: its call goes on. */
const RENEW = `
${CLOCK}
redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
return redis.call('pexpire', KEYS[1], ARGV[2])`;

const LEAVE = `
local running, started, tokens, waiting, seen = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, used, channel = ARGV[1], ARGV[2], ARGV[3]
${WAKE_NEXT}
redis.call('zrem', running, id)
redis.call('zrem', waiting, id)
redis.call('zrem', seen, id)
local booked = redis.call('hget', tokens, id)
if used ~= '' and booked then
  redis.call('hset', tokens, id, used)
  redis.call('hincrby', tokens, 'sum', used - booked)
end
wakeNext()
return 1`;

const UNSHARED_PERMIT: CallPermit = { release: () => undefined };

/** Counts calls to models over all processes, in the keys `<prefix>:calls:<model>:…`. */
export class RedisCallGate implements CallGate {
  private readonly enter: Script;
  private readonly renew: Script;
  private readonly leave: Script;

  constructor(
    private readonly access: RedisAccess,
    private readonly notifications: Notifications,
    private readonly prefix: string,
  ) {
    this.enter = scriptOn(access.redis, 'toolsCallEnter', 6, ENTER);
    this.renew = scriptOn(access.redis, 'toolsCallRenew', 1, RENEW);
    this.leave = scriptOn(access.redis, 'toolsCallLeave', 5, LEAVE);
  }

  async acquire(
    model: string,
    limits: CallLimits,
    tokens: number,
    signal: AbortSignal,
    caller = '',
  ): Promise<CallPermit> {
    signal.throwIfAborted();
    const { access, notifications } = this;
    const id = randomUUID();
    const keys = this.keysOf(model);
    const { maxParallel = 0, callsPerMinute = 0, tokensPerMinute = 0 } = limits;
    const bounds = [maxParallel, callsPerMinute, tokensPerMinute, PERMIT_TTL_MS, WAITER_TTL_MS, IDLE_TTL_MS];
    const subscription = notifications.subscribe(id);
    try {
      for (;;) {
        const wait = await access.run<unknown>(
          () => this.enter(keys, [id, Math.ceil(tokens), notifications.channel, ...bounds, caller]),
          // An answer that comes too late may be a yes.
          (sent) => (sent ? this.leaveNow(keys, id) : undefined),
        );
        if (signal.aborted) {
          this.leaveNow(keys, id);
          throw signal.reason;
        }
        if (typeof wait !== 'number') return UNSHARED_PERMIT;
        if (wait === ADMITTED) return this.permit(keys, id);
        await subscription.next(Math.min(wait, POLL_MS), signal);
      }
    } finally {
      subscription.close();
    }
  }

  private permit(keys: readonly string[], id: string): CallPermit {
    const endRenewal = this.access.renew(() => this.renew([keys[0]!], [id, PERMIT_TTL_MS]), PERMIT_TTL_MS);
    return {
      release: (tokensUsed) => {
        endRenewal();
        this.leaveNow(keys, id, tokensUsed);
      },
    };
  }

  private leaveNow(keys: readonly string[], id: string, tokensUsed?: number): void {
    const used = tokensUsed === undefined ? '' : Math.ceil(tokensUsed);
    void this.access.giveBack(() => this.leave(keys.slice(0, 5), [id, used, this.notifications.channel]));
  }

  private keysOf(model: string): string[] {
    return ['running', 'started', 'tokens', 'waiting', 'seen', 'turns'].map(
      (part) => `${this.prefix}:calls:${model}:${part}`,
    );
  }
}
