import { Logger } from '@nestjs/common';
import { BudgetUsedUpError, RateLimitedError } from '../../core/errors.js';
import { isThenable, proceed, type MaybePromise, raceTimeout } from '../../core/async.js';
import { printable } from '../../core/text/printable.js';
import type { ToolName } from '../../core/tool-names.js';
import type { ApiKeyIdentity } from '../api-key-store.js';
import type { LimitCount } from '../../core/shared-state.js';
import type { CallerLimits, KeyLimits, ResolvedLimits, TokenPrice } from './limits.options.js';

/** A store that is slower than this is not waited for, ms. */
const STORE_TIMEOUT_MS = 250;
const DAY_SECONDS = 86_400;
/** Money is counted in millionths of its unit: stores count in integers. */
const MILLION = 1_000_000;

type BudgetUnit = 'tokens' | 'cost';

/** What is left of one limit. */
export interface LimitState {
  /** Name of the policy: `requests`, or the tool's. */
  policy: string;
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Seconds until the window starts anew, at least 1. */
  resetSeconds: number;
}

interface CountedState extends LimitState {
  exceeded: boolean;
}

/** Who is counted: a key, or an address where the host has a guard of its own. */
export interface Caller {
  id: string;
  limits?: KeyLimits;
}

/** Model tokens that a request has cost. */
export interface SpentTokens {
  inputTokens: number;
  outputTokens: number;
}

/**
 * Counts what callers do against what they may. Fixed windows: a minute from the first request for rates, a UTC day for budgets.
 * A caller's own limits replace those of everybody, one by one.
 */
export class RequestLimits {
  private readonly logger = new Logger('ToolsModule');

  constructor(private readonly limits: ResolvedLimits) {}

  /**
   * Counts one request. `onState` hears what is left of each limit, also when nothing is. Done at once where the store answers at once.
   * @throws RateLimitedError when a rate is used up, BudgetUsedUpError when a budget is
   */
  take(caller: Caller, tool: ToolName, onState: (states: readonly LimitState[]) => void): MaybePromise<void> {
    const { requestsPerMinute, tools, dailyTokens, dailyCost } = this.limitsOf(caller);
    const both = this.count(`minute:${caller.id}`, 'requests', requestsPerMinute);
    const own = this.count(`minute:${caller.id}:${tool}`, tool, tools?.[tool]);
    const counted = proceed(both, (first) =>
      proceed(own, (second) => this.judge([first, second].filter(isCounted), onState)),
    );
    if (dailyTokens === undefined && dailyCost === undefined) return counted;
    return this.checkBudgets(counted, caller, dailyTokens, dailyCost);
  }

  private judge(states: readonly CountedState[], onState: (states: readonly LimitState[]) => void): void {
    if (states.length > 0) onState(states);
    const exceeded = states.filter((state) => state.exceeded);
    if (exceeded.length === 0) return;
    const longest = exceeded.reduce((a, b) => (b.resetSeconds > a.resetSeconds ? b : a));
    throw new RateLimitedError(longest.limit, longest.windowSeconds, longest.resetSeconds);
  }

  private async checkBudgets(
    counted: MaybePromise<void>,
    caller: Caller,
    dailyTokens: number | undefined,
    dailyCost: number | undefined,
  ): Promise<void> {
    await counted;
    await this.checkBudget(caller, 'tokens', dailyTokens);
    await this.checkBudget(caller, 'cost', dailyCost === undefined ? undefined : dailyCost * MILLION);
  }

  /**
   * Charges the caller's budgets with what a model call has cost. Never throws.
   */
  async charge(caller: Caller, spent: SpentTokens): Promise<void> {
    const { dailyTokens, dailyCost } = this.limitsOf(caller);
    const tokens = spent.inputTokens + spent.outputTokens;
    const cost = this.costOf(spent);
    if (dailyTokens !== undefined && tokens > 0)
      await this.add(budgetKey(caller, 'tokens'), tokens, untilMidnight());
    if (dailyCost !== undefined && cost)
      await this.add(budgetKey(caller, 'cost'), Math.ceil(cost * MILLION), untilMidnight());
  }

  /** Cost of tokens in the unit of the price; undefined where none is set. */
  costOf(spent: SpentTokens): number | undefined {
    return this.limits.price && costOf(spent, this.limits.price);
  }

  /** Whether refused keys are limited at all: only then the client's address is asked for, which costs something. */
  get limitsFailedKeys(): boolean {
    return this.limits.failedKeysPerMinute !== undefined;
  }

  /**
   * Counts a refused key against the client's address.
   * @param amount 0: only looks whether there have been too many
   * @throws RateLimitedError
   */
  async failedKey(address: string, amount: 0 | 1): Promise<void> {
    const limit = this.limits.failedKeysPerMinute;
    if (limit === undefined) return;
    const count = await this.add(`failed:${network(address)}`, amount, 60);
    // Counted after the refusal, looked at before the next.
    if (amount === 0 && count && count.used >= limit)
      throw new RateLimitedError(limit, 60, seconds(count.resetMs));
  }

  private limitsOf({ limits }: Caller): CallerLimits {
    const { caller } = this.limits;
    if (!limits) return caller;
    return {
      requestsPerMinute: limits.requestsPerMinute ?? caller.requestsPerMinute,
      tools: { ...caller.tools, ...limits.tools },
      dailyTokens: limits.dailyTokens ?? caller.dailyTokens,
      dailyCost: limits.dailyCost ?? caller.dailyCost,
    };
  }

  private count(
    key: string,
    policy: string,
    limit: number | undefined,
  ): MaybePromise<CountedState | undefined> {
    if (limit === undefined) return undefined;
    const windowSeconds = 60;
    return proceed(
      this.add(key, 1, windowSeconds),
      (count) =>
        count && {
          policy,
          limit,
          windowSeconds,
          remaining: Math.max(0, limit - count.used),
          resetSeconds: seconds(count.resetMs),
          exceeded: count.used > limit,
        },
    );
  }

  private async checkBudget(caller: Caller, unit: BudgetUnit, limit: number | undefined): Promise<void> {
    if (limit === undefined) return;
    const count = await this.add(budgetKey(caller, unit), 0, untilMidnight());
    if (count && count.used >= limit) throw new BudgetUsedUpError(unit, untilMidnight());
  }

  /** Undefined where the store did not answer: a limit that cannot be counted is not applied. */
  private add(key: string, amount: number, windowSeconds: number): MaybePromise<LimitCount | undefined> {
    const failed = (error: unknown): undefined =>
      void this.logger.warn(`The limit store failed, the limit is not applied: ${printable(String(error))}`);
    try {
      const count = this.limits.store.add(key, amount, windowSeconds);
      return isThenable(count) ? raceTimeout(Promise.resolve(count), STORE_TIMEOUT_MS).catch(failed) : count;
    } catch (error) {
      return failed(error);
    }
  }
}

/** Who is counted for a request: the owner of its key; its address where there is none. The address of Express costs a look-up. */
export function callerOf(identity: ApiKeyIdentity | undefined, request: { readonly ip?: string }): Caller {
  return identity ?? { id: network(request.ip ?? 'unknown') };
}

/** Cost of tokens in the unit of the price. */
export function costOf({ inputTokens, outputTokens }: SpentTokens, price: TokenPrice): number {
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / MILLION;
}

/** An IPv6 client has 2^64 addresses to choose from: its /64 is counted. */
function network(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('%', 1)[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':');
}

const budgetKey = ({ id }: Caller, unit: BudgetUnit): string =>
  `day:${new Date().toISOString().slice(0, 10)}:${unit}:${id}`;

const untilMidnight = (): number => DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS);

const isCounted = (state: CountedState | undefined): state is CountedState => state !== undefined;

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
