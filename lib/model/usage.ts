import { ContentTooLongError } from '../core/errors.js';
import type { Budget, ModelOptions } from './options.js';

/** Calls and tokens of one stage of a request, or of all. */
export interface StageUsage {
  /** Calls that were sent, including refused and failed ones. */
  modelCalls: number;
  /** As the server counted, else as estimated. */
  inputTokens: number;
  outputTokens: number;
}

/** Everything that a request has used. */
export interface RequestUsage extends StageUsage {
  /** By stage, e.g. `map`, `repair`, `merge`, `write`. */
  stages: Record<string, StageUsage>;
  /** In the currency of the prices; absent where no prices are set. */
  cost?: number;
}

/** The next call would go beyond what the host allows for one request. */
export class BudgetExceededError extends ContentTooLongError {}

type Prices = Pick<ModelOptions, 'inputPricePerMillion' | 'outputPricePerMillion'>;

/** Adds up what one request uses over all its models, and rejects a call that would exceed the budget before it is sent. */
export class UsageMeter {
  private readonly stages: Record<string, StageUsage> = {};
  private reservedTokens = 0;
  private reservedMoney = 0;
  private money = 0;
  private priced = true;

  /** @param whole the meter that this one is a part of: it enforces the budget and counts every call too */
  constructor(
    private readonly budget: Budget = {},
    private readonly whole?: UsageMeter,
  ) {}

  /** A meter for some of the calls; everything it counts is counted here too. */
  part(): UsageMeter {
    return new UsageMeter({}, this);
  }

  /** Everything used so far. */
  get usage(): RequestUsage {
    const sum = { modelCalls: 0, inputTokens: 0, outputTokens: 0 };
    for (const stage of Object.values(this.stages)) {
      sum.modelCalls += stage.modelCalls;
      sum.inputTokens += stage.inputTokens;
      sum.outputTokens += stage.outputTokens;
    }
    return { ...sum, stages: this.stages, ...(this.priced ? { cost: this.money } : {}) };
  }

  /**
   * Checks that `inputTokens` and `outputTokens` more are within the budget, on top of everything spent and reserved.
   * @throws BudgetExceededError with the numbers
   */
  check(inputTokens: number, outputTokens: number, prices: Prices): void {
    const { inputTokens: input, outputTokens: output } = this.usage;
    const tokens = input + output + this.reservedTokens + inputTokens + outputTokens;
    if (this.budget.tokens !== undefined && tokens > this.budget.tokens) {
      throw new BudgetExceededError(
        `This needs about ${tokens} tokens; a request may use ${this.budget.tokens} (option \`budget.tokens\`).`,
      );
    }
    const money = this.money + this.reservedMoney + (cost(inputTokens, outputTokens, prices) ?? 0);
    if (this.budget.money !== undefined && money > this.budget.money) {
      throw new BudgetExceededError(
        `This costs about ${money.toFixed(4)}; a request may cost ${this.budget.money} (option \`budget.money\`).`,
      );
    }
  }

  /**
   * Reserves the estimate of a call until it has ended, so that parallel calls cannot exceed the budget together.
   * @throws BudgetExceededError with the numbers
   */
  reserve(inputTokens: number, outputTokens: number, prices: Prices): () => void {
    if (this.whole) return this.whole.reserve(inputTokens, outputTokens, prices);
    this.check(inputTokens, outputTokens, prices);
    const tokens = inputTokens + outputTokens;
    const money = cost(inputTokens, outputTokens, prices) ?? 0;
    this.reservedTokens += tokens;
    this.reservedMoney += money;
    return () => {
      this.reservedTokens -= tokens;
      this.reservedMoney -= money;
    };
  }

  /** Books one call that was sent. */
  add(stage: string, inputTokens: number, outputTokens: number, prices: Prices): void {
    this.book(stage, { modelCalls: 1, inputTokens, outputTokens }, prices);
  }

  /** Books calls that were counted elsewhere. */
  book(stage: string, usage: StageUsage, prices: Prices): void {
    this.whole?.book(stage, usage, prices);
    const { modelCalls, inputTokens, outputTokens } = usage;
    const entry = (this.stages[stage] ??= { modelCalls: 0, inputTokens: 0, outputTokens: 0 });
    entry.modelCalls += modelCalls;
    entry.inputTokens += inputTokens;
    entry.outputTokens += outputTokens;
    const money = cost(inputTokens, outputTokens, prices);
    if (money === undefined) this.priced = false;
    else this.money += money;
  }
}

function cost(inputTokens: number, outputTokens: number, prices: Prices): number | undefined {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = prices;
  if (input === undefined || output === undefined) return undefined;
  return (inputTokens * input + outputTokens * output) / 1e6;
}
