import type { AiUsage } from './ai-sdk.js';
import { ContextOverflowError } from './context-overflow.error.js';
import type { ModelCall } from './model-call.js';
import type { ResolvedModelOptions } from './model.options.js';
import { roughTokens, TokenEstimator } from './token-estimate.js';

/** The prompt of a call. */
export type Prompt = Pick<ModelCall, 'system' | 'parts'>;

/** Taken for granted until told or learnt: nearly every hosted model of 2025–26 has at least this. */
const ASSUMED_WINDOW = 128_000;
/** No model has a smaller one; an error that says so is misread. */
const LEAST_WINDOW = 1024;
/** An overflow without numbers means that the window is this share of what was sent. */
const WINDOW_AFTER_OVERFLOW = 0.75;
/** Rounding and the server's own chat template, tokens. */
const WINDOW_MARGIN = 64;
/** So many answers that came only when asked for whole. */
const UNSTREAMED_PROOF = 3;

/** What is known of a model: told by the host, learnt from its server's answers, or assumed. One per model. */
export class ModelProfile {
  private readonly tokens = new TokenEstimator();
  private learntWindow: number | undefined;
  private unstreamedAnswers = 0;
  private streaming: boolean | undefined;

  constructor(
    private readonly options: Pick<ResolvedModelOptions, 'contextTokens' | 'maxOutputTokens' | 'imageTokens'>,
  ) {}

  /** The window in tokens as told, learnt from an overflow error, or assumed. */
  get contextTokens(): number {
    return Math.min(this.options.contextTokens ?? ASSUMED_WINDOW, this.learntWindow ?? Infinity);
  }

  /** Whether the server streams; undefined until it is clear. */
  get streams(): boolean | undefined {
    return this.streaming;
  }

  /** Tokens that an answer may have when `wanted` are asked for: a quarter of the window at most. */
  outputTokens(wanted: number): number {
    return Math.min(wanted, this.options.maxOutputTokens, Math.floor(this.contextTokens / 4));
  }

  /** Tokens that a prompt may have beside an answer of `maxOutputTokens`. */
  promptTokens(maxOutputTokens: number): number {
    return this.contextTokens - this.outputTokens(maxOutputTokens) - WINDOW_MARGIN;
  }

  /** Estimated tokens of a text, corrected by what this model's server has reported. */
  estimate(text: string): number {
    return this.tokens.estimate(text);
  }

  /** Estimated tokens of a prompt. */
  estimatePrompt(prompt: Prompt): number {
    const images = prompt.parts.filter(({ type }) => type === 'image').length;
    return this.tokens.correct(roughPrompt(prompt)) + images * this.options.imageTokens;
  }

  /**
   * @param inputTokens estimate of a prompt
   * @throws ContextOverflowError when it is known to be too long
   */
  checkWindow(inputTokens: number): void {
    if (inputTokens + WINDOW_MARGIN > this.contextTokens)
      throw new ContextOverflowError({ limit: this.contextTokens, requested: inputTokens });
  }

  /**
   * Takes in how many tokens the server has counted.
   * @param actual undefined where it has not said
   */
  learnTokens(prompt: Prompt, actual: AiUsage['inputTokens']): void {
    // Only prompts without pictures tell how the server counts text.
    if (prompt.parts.every(({ type }) => type === 'text')) this.tokens.learn(roughPrompt(prompt), actual);
  }

  /** Takes in that a prompt of `inputTokens`, as estimated, did not fit. */
  learnWindow({ overflow }: ContextOverflowError, inputTokens: number): void {
    const learnt = overflow.limit ?? Math.floor(inputTokens * WINDOW_AFTER_OVERFLOW);
    this.learntWindow = Math.max(LEAST_WINDOW, Math.min(learnt, this.contextTokens));
  }

  /** One streamed answer proves that the server streams; that it does not takes several, for a single fault looks the same. */
  learnStreaming(streamed: boolean): void {
    if (streamed) this.streaming ??= true;
    else if (++this.unstreamedAnswers >= UNSTREAMED_PROOF) this.streaming ??= false;
  }
}

function roughPrompt({ system, parts }: Prompt): number {
  return parts.reduce(
    (sum, part) => sum + (part.type === 'text' ? roughTokens(part.text) : 0),
    roughTokens(system),
  );
}
