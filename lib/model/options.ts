import { InvalidOptionError } from '../core/errors.js';
import {
  anything,
  boolean,
  integer,
  number,
  numberAbove,
  optional,
  options,
  parseOption,
  record,
  withDefault,
  type Infer,
} from '../core/schema.js';

/** Options of a language model. Each has a default. */
export interface ModelOptions {
  /** The model's window in tokens, prompt and answer together. Default: 128,000, or less after the server has refused a prompt as too long. */
  contextTokens?: number;
  /**
   * Most tokens of one answer, thinking included. Default 4,096, four times as many once the model has spent them on thinking; never more than a
   * quarter of the window.
   */
  maxOutputTokens?: number;
  /**
   * Calls at the same time, 1..1,000; with the option `shared`, over all processes. Default 8 in each process. The limiter goes lower by
   * itself while the server takes fewer.
   */
  maxParallelCalls?: number;
  /** Calls that may start within any minute; with the option `shared`, over all processes. Default: no limit. */
  callsPerMinute?: number;
  /** Tokens of prompts and answers within any minute; with the option `shared`, over all processes. Default: no limit. */
  tokensPerMinute?: number;
  /** Price of a million prompt tokens, in the currency of `budget.money`. Default: unknown. */
  inputPricePerMillion?: number;
  /** Price of a million prompt tokens that the provider had in its cache, as far as it says so. Default: `inputPricePerMillion`. */
  cachedInputPricePerMillion?: number;
  /** Price of a million answer tokens. Default: unknown. */
  outputPricePerMillion?: number;
  /** Default: not sent, because reasoning models refuse it. */
  temperature?: number;
  /** Passed to the provider unchanged (AI SDK `providerOptions`). */
  providerOptions?: Record<string, Record<string, unknown>>;
  /**
   * Whether answers in JSON are asked for through the provider's structured output (AI SDK `Output`). Default true: until the server refuses
   * it once; then JSON is asked for in words only. False: always in words only.
   */
  structuredOutput?: boolean;
  /**
   * Whether the model is asked once to correct its text where it states a value, name or quotation that the material does not have. Default
   * true. False: such statements are only marked.
   */
  repair?: boolean;
  /**
   * Attempts of one call, 1..6: the first, and retries after a failure or a 429. Default 3. A 429 that names a time of at most 30 s and
   * within the deadline allows one more, three times at most.
   */
  attempts?: number;
  /** Wait before a retry after a failure, or after a 429 without a time, ms; doubles up to 8,000, less up to 25 % jitter. Default 500. */
  backOffMs?: number;
  /** Longest time of one attempt, ms. Default 120,000. */
  callTimeoutMs?: number;
  /** Time without a token after which a call is given up and repeated, ms: before the first token, or between two. Default 30,000. */
  stallTimeoutMs?: number;
}

/** Options of a model that embeds or reranks. Each has a default. */
export interface RequestModelOptions extends Pick<ModelOptions, keyof typeof COMMON_FIELDS> {
  /** Longest time of one attempt, ms. Default 30,000. */
  callTimeoutMs?: number;
}

/** The most that one request may cost; checked before each call with the call's estimate. */
export interface Budget {
  /** Prompt and answer tokens of the whole request. */
  tokens?: number;
  /** In the currency of the prices; needs `inputPricePerMillion` and `outputPricePerMillion`. */
  money?: number;
}

/** Calls at the same time in each process where the host has set no number; as docs/options.md says. */
export const DEFAULT_PARALLEL_CALLS = 8;

const COMMON_FIELDS = {
  maxParallelCalls: optional(integer(1, 1000)),
  callsPerMinute: optional(integer(1, 1_000_000)),
  tokensPerMinute: optional(integer(1000, 1_000_000_000)),
  inputPricePerMillion: optional(number(0)),
  cachedInputPricePerMillion: optional(number(0)),
  providerOptions: optional(record(record(anything()))),
  attempts: withDefault(integer(1, 6), 3),
  backOffMs: withDefault(integer(1, 8000), 500),
};

const MODEL_OPTIONS = options({
  ...COMMON_FIELDS,
  contextTokens: optional(integer(1024, 100_000_000)),
  maxOutputTokens: optional(integer(64, 1_000_000)),
  outputPricePerMillion: optional(number(0)),
  temperature: optional(number(0)),
  callTimeoutMs: withDefault(integer(100, 3_600_000), 120_000),
  stallTimeoutMs: withDefault(integer(10, 3_600_000), 30_000),
  structuredOutput: withDefault(boolean(), true),
  repair: withDefault(boolean(), true),
});

export const REQUEST_MODEL_FIELDS = {
  ...COMMON_FIELDS,
  callTimeoutMs: withDefault(integer(100, 3_600_000), 30_000),
};

export type ResolvedRequestOptions = {
  [K in keyof typeof REQUEST_MODEL_FIELDS]: Infer<(typeof REQUEST_MODEL_FIELDS)[K]>;
};

export type ResolvedModelOptions = Infer<typeof MODEL_OPTIONS>;

const BUDGET = options<Budget>({ tokens: optional(numberAbove(0)), money: optional(numberAbove(0)) });

/**
 * Checks the options once, at start, and fills in the defaults.
 * @param name what the host calls them, for messages, e.g. `modelOptions`
 * @throws InvalidOptionError naming the option, what was expected and what came
 */
export function resolveModelOptions(options: ModelOptions, name = 'modelOptions'): ResolvedModelOptions {
  return parseOption(name, MODEL_OPTIONS, options);
}

/**
 * Checks a budget at start.
 * @param dailyCost the option `limits.dailyCost`
 * @throws InvalidOptionError when it is not positive, or limits money without prices
 */
export function checkBudget(budget: Budget, model: ModelOptions, dailyCost?: number): void {
  parseOption('budget', BUDGET, budget);
  const priced = model.inputPricePerMillion !== undefined && model.outputPricePerMillion !== undefined;
  const money = { 'budget.money': budget.money, 'limits.dailyCost': dailyCost };
  const limit = Object.entries(money).find(([, value]) => value !== undefined);
  if (!limit || priced) return;
  const needed = 'given together with inputPricePerMillion and outputPricePerMillion of the model';
  throw new InvalidOptionError(limit[0], needed, limit[1]);
}
