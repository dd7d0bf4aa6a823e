import { ContentTooLongError } from '../core/errors.js';
import { addUsage, NO_USAGE, type ModelUsage } from '../core/usage.js';
import type { Budget, ModelOptions } from './options.js';

/** Everything that a request has used. Calls include refused and failed ones; tokens are as the server counted, else as estimated. */
interface RequestUsage extends ModelUsage {
  stages: Record<string, ModelUsage>;
}

/** The next call would go beyond what the host allows for one request. */
export class BudgetExceededError extends ContentTooLongError {}

type Prices = Pick<
  ModelOptions,
  'inputPricePerMillion' | 'cachedInputPricePerMillion' | 'outputPricePerMillion'
>;

/** Adds up what one request uses over all its models, and rejects a call that would exceed the budget before it is sent. */
export class UsageMeter {
  private readonly stages: Record<string, ModelUsage> = {};
  private reservedTokens = 0;
  private reservedMoney = 0;
  private money = 0;
  private priced = true;

  /**
   * @param paid money that was spent on other things before; counts against the budget, and is no part of `usage`
   */
  constructor(
    private readonly budget: Budget = {},
    private readonly paid = 0,
  ) {}

  get usage(): RequestUsage {
    const total = Object.values(this.stages).reduce((sum, stage) => addUsage(sum, stage), NO_USAGE);
    return { ...total, stages: this.stages, cost: this.priced ? this.money : undefined };
  }

  /**
   * Reserves the estimate of a call until it has ended, so that parallel calls cannot exceed the budget together.
   *
   * @returns ends the reservation
   * @throws BudgetExceededError with the numbers
   */
  reserve(inputTokens: number, outputTokens: number, prices: Prices): () => void {
    const tokens = inputTokens + outputTokens;
    const money = costOf({ inputTokens, outputTokens }, prices) ?? 0;
    const { budget, usage } = this;
    const allTokens = usage.inputTokens + usage.outputTokens + this.reservedTokens + tokens;
    if (budget.tokens !== undefined && allTokens > budget.tokens)
      throw new BudgetExceededError(
        `This needs about ${allTokens} tokens; a request may use ${budget.tokens} (option \`budget.tokens\`).`,
      );
    const allMoney = this.paid + this.money + this.reservedMoney + money;
    if (budget.money !== undefined && allMoney > budget.money)
      throw new BudgetExceededError(
        `This costs about ${allMoney.toFixed(4)}; a request may cost ${budget.money} (option \`budget.money\`).`,
      );
    this.reservedTokens += tokens;
    this.reservedMoney += money;
    return () => {
      this.reservedTokens -= tokens;
      this.reservedMoney -= money;
    };
  }

  book(stage: string, usage: ModelUsage): void {
    this.stages[stage] = addUsage(usage, this.stages[stage] ?? NO_USAGE);
    if (usage.cost === undefined) this.priced = false;
    else this.money += usage.cost;
  }
}

/** Cost of tokens and of recognised speech; undefined where neither has a price. */
export function costOf(
  { inputTokens, cachedInputTokens = 0, outputTokens, speech }: Omit<ModelUsage, 'modelCalls'>,
  prices: Prices,
): number | undefined {
  const { inputPricePerMillion: input } = prices;
  // Models that embed or rerank write nothing, and have no such price.
  const output = prices.outputPricePerMillion ?? (outputTokens === 0 ? 0 : undefined);
  if (input === undefined || output === undefined) return speech?.cost;
  const { cachedInputPricePerMillion: cached = input } = prices;
  return (
    ((inputTokens - cachedInputTokens) * input + cachedInputTokens * cached + outputTokens * output) / 1e6 +
    (speech?.cost ?? 0)
  );
}
