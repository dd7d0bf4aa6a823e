import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../core/fair-queue.js';
import type { CallGate, CallPermit } from '../core/shared-state.js';
import { scriptOn, type RedisAccess } from './access.js';

/** A permit is free again this long after its process has died, ms; set by hand. */
const PERMIT_TTL_MS = 10_000;
/** A waiter asks again at least this often, ms; set by hand. */
const POLL_MS = 200;
/** Calls and tokens are counted over this time, ms. */
const MINUTE_MS = 60_000;
/** In place of a limit that is not set. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Times are those of the Redis server. */
const CLOCK = `
local clock = redis.call('time')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)`;

/**
 * KEYS: `running`, the permits by the time they expire; `started`, the permits of the last minute with their tokens, by their start. ARGV: id,
 * tokens, most at once, most calls and tokens a minute, ms of a permit. Returns 0 when the call may begin, otherwise the wait in ms.
 */
const ENTER = `
local running, started = KEYS[1], KEYS[2]
local id, tokens = ARGV[1], tonumber(ARGV[2])
local maxParallel, maxCalls, maxTokens = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
${CLOCK}
redis.call('zremrangebyscore', running, '-inf', now)
redis.call('zremrangebyscore', started, '-inf', now - ${MINUTE_MS})
if redis.call('zcard', running) >= maxParallel then return ${MINUTE_MS} end
local calls = redis.call('zrange', started, 0, -1, 'withscores')
local callsLeft, tokensLeft, wait = #calls / 2, 0, 0
for i = 1, #calls, 2 do tokensLeft = tokensLeft + string.match(calls[i], '%d+$') end
for i = 1, #calls, 2 do
  if callsLeft < maxCalls and tokensLeft + tokens <= maxTokens then break end
  callsLeft = callsLeft - 1
  tokensLeft = tokensLeft - string.match(calls[i], '%d+$')
  wait = calls[i + 1] + ${MINUTE_MS} - now
end
if wait > 0 then return math.ceil(wait) end
redis.call('zadd', running, now + ARGV[6], id)
redis.call('pexpire', running, ARGV[6])
if math.min(maxCalls, maxTokens) < ${NO_LIMIT} then
  redis.call('zadd', started, now, id .. ':' .. ARGV[2])
  redis.call('pexpire', started, ${MINUTE_MS})
end
return 0`;

/** A permit that Redis has lost in a restart is entered again: its call goes on. */
const RENEW = `
${CLOCK}
redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
return redis.call('pexpire', KEYS[1], ARGV[2])`;

const UNSHARED_PERMIT: CallPermit = { release: () => undefined };

/**
 * Counts calls to models over all processes, in the keys `<prefix>:calls:<model>:…`. In each process one caller at a time asks for the next
 * call to a model; the others wait behind it in turns.
 */
export function redisCallGate(access: RedisAccess, prefix: string): CallGate {
  const { redis } = access;
  const enter = scriptOn(redis, 'toolsCallEnter', 2, ENTER);
  const renew = scriptOn(redis, 'toolsCallRenew', 1, RENEW);
  const lines = new Map<string, FairQueue>();
  const permit = ([running, started]: readonly string[], id: string, estimate: number): CallPermit => {
    const endRenewal = access.renew(() => renew([running!], [id, PERMIT_TTL_MS]), PERMIT_TTL_MS);
    const release = async (tokensUsed: number | undefined): Promise<void> => {
      await redis.zrem(running!, id);
      const startedAt = tokensUsed !== undefined && (await redis.zscore(started!, `${id}:${estimate}`));
      if (!startedAt) return;
      const used = `${id}:${Math.ceil(tokensUsed)}`;
      await redis.multi().zrem(started!, `${id}:${estimate}`).zadd(started!, startedAt, used).exec();
    };
    return {
      release: (tokensUsed) => {
        endRenewal();
        // Where Redis does not hear of it, the permit expires.
        void access.run(() => release(tokensUsed));
      },
    };
  };
  return {
    acquire: (model, limits, tokens, signal, caller = '') => {
      const line = lines.get(model) ?? new FairQueue({ slots: 1 });
      lines.set(model, line);
      const { maxParallel = NO_LIMIT, callsPerMinute = NO_LIMIT, tokensPerMinute = NO_LIMIT } = limits;
      return line.run({ callers: () => [caller], signal }, async () => {
        const id = randomUUID();
        const estimate = Math.ceil(tokens);
        const keys = ['running', 'started'].map((part) => `${prefix}:calls:${model}:${part}`);
        const args = [id, estimate, maxParallel, callsPerMinute, tokensPerMinute, PERMIT_TTL_MS];
        for (;;) {
          const wait = await access.run(() => enter(keys, args));
          if (typeof wait !== 'number') return UNSHARED_PERMIT;
          if (wait === 0) return permit(keys, id, estimate);
          await sleep(Math.min(wait, POLL_MS), undefined, { signal }).catch(() => signal.throwIfAborted());
        }
      });
    },
  };
}
