import type { AiUsage } from './ai-sdk.js';
import type { ModelCall } from './call.js';
import { ContextOverflowError, withoutSeparators, type Overflow } from './errors.js';
import type { ResolvedModelOptions } from './options.js';

/** The prompt of a call. */
export type Prompt = Pick<ModelCall, 'system' | 'parts'>;

/** Assumed until the host or the server says otherwise: nearly every hosted model of 2025–26 has at least this window. */
const ASSUMED_WINDOW = 128_000;
/** No model has a smaller window; an error that names one was misread. */
const LEAST_WINDOW = 1024;
/** An overflow without numbers means that the window is this share of what was sent, and no less than the second, tokens. */
const WINDOW_AFTER_OVERFLOW = 0.75;
const LEAST_GUESS = 4096;
/** Lessons about the window hold this long, ms: the model behind an address changes, and a wrong lesson must not stay. */
const LESSON_MS = 600_000;
/** Room for rounding and the server's own chat template, tokens. */
const WINDOW_MARGIN = 64;
/** After this many answers that only came without streaming, we stop asking the server to stream. */
const UNSTREAMED_PROOF = 3;

/** The facts known about a model: set by the host, learnt from its server's answers, or assumed. One per model. */
export class ModelProfile {
  private readonly tokens = new TokenEstimator();
  /** The window by the last overflow, and the largest call that has fitted, each while it is fresh. */
  private readonly window: Lesson;
  private readonly fitted: Lesson;
  private unstreamedAnswers = 0;
  private streaming: boolean | undefined;
  /** False once the server has refused structured output and answered without it. */
  takesSchemas = true;

  constructor(
    private readonly options: Pick<ResolvedModelOptions, 'contextTokens' | 'maxOutputTokens' | 'imageTokens'>,
    now: () => number = () => performance.now(),
  ) {
    this.window = new Lesson(now);
    this.fitted = new Lesson(now);
  }

  /** The window in tokens: as set, else as learnt from an overflow error in the last ten minutes, else as assumed. */
  get contextTokens(): number {
    const { contextTokens } = this.options;
    if (contextTokens !== undefined) return contextTokens;
    const learnt = this.window.value;
    return learnt === undefined
      ? ASSUMED_WINDOW
      : Math.min(ASSUMED_WINDOW, Math.max(learnt, this.fitted.value ?? 0));
  }

  /** Whether the server streams; undefined until it is clear. */
  get streams(): boolean | undefined {
    return this.streaming;
  }

  /** Tokens that an answer may have when `wanted` are asked for: a quarter of the window at most. */
  outputTokens(wanted: number): number {
    return Math.min(wanted, this.options.maxOutputTokens, Math.floor(this.contextTokens / 4));
  }

  /** Tokens that a prompt may have next to an answer of `maxOutputTokens`. */
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
   * Learns from the number of prompt tokens that the server counted.
   * @param actual undefined where it did not report them
   */
  learnTokens(prompt: Prompt, actual: AiUsage['inputTokens']): void {
    // Only prompts without pictures show how the server counts text.
    if (prompt.parts.every(({ type }) => type === 'text')) this.tokens.learn(roughPrompt(prompt), actual);
  }

  /** Learns that a prompt and its answer, together of so many tokens, fitted. */
  learnFit(tokens: number): void {
    if (tokens >= (this.fitted.value ?? 0)) this.fitted.set(tokens);
  }

  /** Learns that a prompt did not fit. A rate limit, or words that stand in the prompt itself, say nothing about the window. */
  learnWindow({ limit, rateLimit, quote }: Overflow, prompt: Prompt): void {
    const repeated =
      quote !== undefined && partsOf(prompt).some((text) => withoutSeparators(text).includes(quote));
    if (rateLimit || repeated) return;
    const guess = Math.max(LEAST_GUESS, Math.floor(this.estimatePrompt(prompt) * WINDOW_AFTER_OVERFLOW));
    this.window.set(Math.max(LEAST_WINDOW, Math.min(limit ?? guess, this.contextTokens)));
  }

  /** One streamed answer proves that the server streams. The opposite takes several: a single fault looks the same. */
  learnStreaming(streamed: boolean): void {
    if (streamed) this.streaming ??= true;
    else if (++this.unstreamedAnswers >= UNSTREAMED_PROOF) this.streaming ??= false;
  }
}

/** A number that is forgotten after {@link LESSON_MS}. */
class Lesson {
  private number: number | undefined;
  private until = 0;

  constructor(private readonly now: () => number) {}

  get value(): number | undefined {
    return this.now() < this.until ? this.number : undefined;
  }

  set(number: number): void {
    this.number = number;
    this.until = this.now() + LESSON_MS;
  }
}

function roughPrompt(prompt: Prompt): number {
  return partsOf(prompt).reduce((sum, text) => sum + roughTokens(text), 0);
}

/** The texts of a prompt. */
function partsOf({ system, parts }: Prompt): string[] {
  return [system, ...parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))];
}

/** Weight of an observation in the running correction. */
const LEARNING_RATE = 0.3;
/** A server whose count is further off than this does not count tokens (some answer with a constant). */
const BELIEVABLE = { from: 0.4, to: 3 };
/** Shorter prompts say little: the chat template is a large share of them. Tokens. */
const LEAST_OBSERVED = 200;

/**
 * Tokens of a text before anything is learnt: 0.25 per Latin character (tokenizers of 2024–26 need 0.20 to 0.23 for the six languages, so
 * this errs on the safe side), 1 per CJK character, 0.4 for other scripts. Linear.
 */
export function roughTokens(text: string): number {
  let tokens = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x250) tokens += 0.25;
    else if (code >= 0x2e80 && code <= 0xd7af) tokens += 1;
    else tokens += 0.4;
  }
  return tokens;
}

/** Estimates tokens and corrects itself by what the server reports. */
export class TokenEstimator {
  private factor = 1;

  /** Tokens of a text, rounded up. */
  estimate(text: string): number {
    return this.correct(roughTokens(text));
  }

  /** A rough count, corrected to how this model's server counts. */
  correct(rough: number): number {
    return Math.ceil(rough * this.factor);
  }

  /** @param rough uncorrected count of a prompt that the server counted as `actual` */
  learn(rough: number, actual: number | undefined): void {
    if (actual === undefined || rough < LEAST_OBSERVED) return;
    const ratio = actual / rough;
    if (ratio < BELIEVABLE.from || ratio > BELIEVABLE.to) return;
    this.factor += LEARNING_RATE * (ratio - this.factor);
  }
}
