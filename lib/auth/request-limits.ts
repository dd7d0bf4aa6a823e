import ipaddr from 'ipaddr.js';
import { NEVER, raceTimeout, type MaybePromise } from '../core/async.js';
import type { CallOptions } from '../core/context.js';
import type { DomainLists } from '../core/domains.js';
import { BudgetUsedUpError, RateLimitedError } from '../core/errors.js';
import { logSideFailure } from '../core/failures.js';
import { FairQueue } from '../core/fair-queue.js';
import { faultOf, number, object } from '../core/schema.js';
import type { LimitCount } from '../core/shared-state.js';
import type { ModelUsage } from '../core/usage.js';
import type { ToolName } from '../core/request-event.js';
import type { KeyLimits, ResolvedLimits } from './auth.options.js';

/** A limit store that is slower than this is not waited for, ms; a plain bound. */
const STORE_TIMEOUT_MS = 250;
/** The window of rates, seconds. */
export const MINUTE = 60;
const DAY_SECONDS = 86_400;
const LIMIT_COUNT = object<LimitCount>({ used: number(0), resetMs: number() });
/** Money is counted in millionths of its unit: stores count in integers. */
const MILLION = 1_000_000;

const BUDGET_UNITS = ['tokens', 'cost'] as const;
type BudgetUnit = (typeof BUDGET_UNITS)[number];
/** Tokens and money; the latter in millionths of its unit. */
type Amounts = Record<BudgetUnit, number>;

export interface LimitState {
  /** Name of the policy: `requests`, or the tool's. */
  policy: string;
  limit: number;
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
  exceeded: boolean;
}

/** The caller that is counted: a key, or an address if the host has its own guard. */
export interface Caller {
  id: string;
  name?: string;
  limits?: KeyLimits;
  pages?: DomainLists;
}

/** The budgets of a caller, as one piece of work uses them. */
interface Account extends Required<Pick<CallOptions, 'spend' | 'admitCall'>> {
  /** Resolves when everything is charged. */
  settled(): Promise<unknown>;
}

/**
 * Counts what callers do against what they may. Fixed windows: a minute from the first request for rates, a UTC day for budgets.
 * A caller's own limits replace those of everybody, one by one.
 */
export class RequestLimits {
  /** The estimates of model calls that run, by caller with a budget. */
  private readonly running = new Map<string, Set<Amounts>>();
  /** Keys that are being verified, by address. */
  private readonly verifying = new FairQueue({ slots: Number.MAX_SAFE_INTEGER });

  constructor(private readonly limits: ResolvedLimits) {}

  /**
   * Counts one request.
   * @param onState receives the state of each limit, also if one is used up
   * @throws RateLimitedError when a rate is used up, BudgetUsedUpError when a budget is
   */
  async take(
    caller: Caller,
    tool: ToolName,
    onState: (states: readonly LimitState[]) => void,
  ): Promise<void> {
    const { limits } = caller;
    const perMinute = limits?.requestsPerMinute ?? this.limits.caller.requestsPerMinute;
    const ofTool = limits?.tools?.[tool] ?? this.limits.caller.tools?.[tool];
    const id = counterId(caller);
    const counted = await Promise.all([
      this.countRequest(`minute:${id}`, 'requests', perMinute),
      this.countRequest(`minute:${id}:${tool}`, tool, ofTool),
    ]);
    const states = counted.filter((state) => state !== undefined);
    if (states.length > 0) onState(states);
    const [longest] = states
      .filter(({ exceeded }) => exceeded)
      .sort((a, b) => b.resetSeconds - a.resetSeconds);
    if (longest) {
      const message = `The limit of ${longest.limit} requests in ${MINUTE} seconds is used up.`;
      throw new RateLimitedError(message, { retryAfterSeconds: longest.resetSeconds });
    }
    await this.requireBudget(caller);
  }

  /**
   * Looks at the caller's budgets of the day: before a request, and again before work that has waited in a queue.
   * @returns what is left of them
   * @throws BudgetUsedUpError when one is used up
   */
  async requireBudget(caller: Caller): Promise<Amounts> {
    const left = this.budgetsOf(caller);
    for (const unit of BUDGET_UNITS) {
      if (left[unit] === Infinity) continue;
      const count = await this.add(budgetKey(caller, unit), 0, untilMidnight());
      left[unit] = count ? left[unit] - count.used : Infinity;
      if (left[unit] <= 0) throw new BudgetUsedUpError(unit, untilMidnight());
    }
    return left;
  }

  /**
   * Lets a model call of the caller begin. Where the calls that run could use up the rest of a budget it is refused. So calls exceed a budget
   * by the cost of one call at most, however many come at once; with several processes by one for each.
   *
   * @param estimate of the call
   * @returns to be called when the call has ended and is charged
   * @throws BudgetUsedUpError
   */
  private async admitCall(caller: Caller, estimate: ModelUsage): Promise<() => void> {
    const budgets = this.budgetsOf(caller);
    if (BUDGET_UNITS.every((unit) => budgets[unit] === Infinity)) return () => undefined;
    const id = counterId(caller);
    const running = this.running.get(id) ?? new Set();
    this.running.set(id, running);
    const others = [...running];
    const call = amountsOf(estimate);
    running.add(call);
    const end = (): void => {
      running.delete(call);
      if (running.size === 0) this.running.delete(id);
    };
    try {
      const left = await this.requireBudget(caller);
      for (const unit of BUDGET_UNITS)
        if (others.length > 0 && others.reduce((sum, other) => sum + other[unit], 0) >= left[unit])
          throw new BudgetUsedUpError(unit, untilMidnight());
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Charges the caller's budgets with what a model call has cost. Never throws. */
  async charge(caller: Caller, spent: ModelUsage): Promise<void> {
    const budgets = this.budgetsOf(caller);
    const amounts = amountsOf(spent);
    for (const unit of BUDGET_UNITS)
      if (budgets[unit] < Infinity && amounts[unit] > 0)
        await this.add(budgetKey(caller, unit), amounts[unit], untilMidnight());
  }

  accountOf(caller: Caller): Account {
    const charges: Promise<void>[] = [];
    return {
      spend: (spent) => void charges.push(this.charge(caller, spent)),
      admitCall: async (estimate) => {
        const ended = await this.admitCall(caller, estimate);
        return () => void Promise.all(charges).then(ended);
      },
      settled: () => Promise.all(charges),
    };
  }

  /**
   * Verifies a key, and counts a refused one against the client's address. At no time are more keys of one address being verified than may
   * be refused a minute; the others wait. So the key store sees less than twice as many of a flood.
   * @param client its address is asked for only where refused keys are counted: behind proxies Express works it out anew each time
   * @param verify undefined for a key that is refused
   * @throws RateLimitedError; what `verify` throws
   */
  verifyCounted<T>(
    client: { readonly ip?: string },
    verify: () => MaybePromise<T | undefined>,
  ): MaybePromise<T | undefined> {
    const limit = this.limits.failedKeysPerMinute;
    if (limit === undefined) return verify();
    const key = `failed:${network(client.ip ?? 'unknown')}`;
    return this.verifying.run({ callers: () => [key], signal: NEVER, limit }, async () => {
      const count = await this.add(key, 0, MINUTE);
      if (count && count.used >= limit)
        throw new RateLimitedError(
          `Your address has sent ${limit} wrong API keys in ${MINUTE} seconds. Until that time is over no key is accepted from it.`,
          { retryAfterSeconds: seconds(count.resetMs) },
        );
      const identity = await verify();
      if (identity === undefined) await this.add(key, 1, MINUTE);
      return identity;
    });
  }

  /** The budgets of a day; `Infinity` where there is none. */
  private budgetsOf({ limits }: Caller): Amounts {
    const { caller } = this.limits;
    return {
      tokens: limits?.dailyTokens ?? caller.dailyTokens ?? Infinity,
      cost: (limits?.dailyCost ?? caller.dailyCost ?? Infinity) * MILLION,
    };
  }

  private async countRequest(
    key: string,
    policy: string,
    limit: number | undefined,
  ): Promise<LimitState | undefined> {
    if (limit === undefined) return undefined;
    const count = await this.add(key, 1, MINUTE);
    if (!count) return undefined;
    const remaining = Math.max(0, limit - count.used);
    const resetSeconds = seconds(count.resetMs);
    return { policy, limit, remaining, resetSeconds, exceeded: count.used > limit };
  }

  /** Undefined where the store did not count: a limit that cannot be counted is not applied. */
  private async add(key: string, amount: number, windowSeconds: number): Promise<LimitCount | undefined> {
    try {
      const count = await raceTimeout(this.limits.store.add(key, amount, windowSeconds), STORE_TIMEOUT_MS);
      const fault = faultOf(LIMIT_COUNT, count, 'what it returned');
      if (fault === undefined) return count;
      throw new TypeError(fault);
    } catch (error) {
      logSideFailure('The limit store failed, the limit is not applied', error);
      return undefined;
    }
  }
}

/** An IPv6 client has 2^64 addresses to choose from: its /64 is counted. */
export function network(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // IPv4 addresses that are written as IPv6 are counted as IPv4.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

/**
 * The caller in a counter's key. Ids come from the host's own key store and may hold anything: without the escape the id `a:search_web`
 * would share a counter with the tool limit of `a`.
 */
const counterId = ({ id }: Caller): string => id.replace(/[%:]/g, encodeURIComponent);

const budgetKey = (caller: Caller, unit: BudgetUnit): string =>
  `day:${new Date().toISOString().slice(0, 10)}:${unit}:${counterId(caller)}`;

/** Money is rounded up, because stores count in integers. */
const amountsOf = ({ inputTokens, outputTokens, cost = 0 }: ModelUsage): Amounts => ({
  tokens: inputTokens + outputTokens,
  cost: Math.ceil(cost * MILLION),
});

const untilMidnight = (): number => DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS);

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
