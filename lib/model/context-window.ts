import type { ModelCall } from './call.js';
import { ContextOverflowError, withoutSeparators, type Overflow } from './errors.js';
import type { ResolvedModelOptions } from './options.js';
import type { CallReport } from './telemetry.js';

/** The prompt of a call. */
export type Prompt = Pick<ModelCall, 'system' | 'parts'>;

/** What an answer teaches about its model. */
type LearntAnswer = Pick<CallReport, 'inputTokens' | 'outputTokens' | 'reasoningTokens'>;

/** Assumed until the host or the server says otherwise: nearly every hosted model of 2025–26 has at least this window. */
const ASSUMED_WINDOW = 128_000;
/** No model has a smaller window; an error that names one was misread. */
const LEAST_WINDOW = 1024;
/** An overflow without numbers means that the window is this share of the prompt, and at least {@link LEAST_GUESS} tokens. */
const WINDOW_AFTER_OVERFLOW = 0.75;
const LEAST_GUESS = 4096;
/** Lessons about the window hold this long, ms: the model behind an address changes, and a wrong lesson must not stay. */
const LESSON_MS = 600_000;
/** Left free for rounding and the server's own chat template, tokens. */
const WINDOW_MARGIN = 64;
/** After this many answers that only came without streaming, we stop asking the server to stream. */
const UNSTREAMED_PROOF = 3;
/** Weight of an observation in a running mean. */
const LEARNING_RATE = 0.3;
/** A server whose count is further off from ours than this does not count tokens (some answer with a constant). */
const BELIEVABLE = { from: 0.4, to: 3 };
/** Shorter prompts say little about how a server counts: the chat template is a large share of them. Tokens. */
const LEAST_OBSERVED = 200;
/** Tokens of one answer, without those for thinking, where the host has set no number. */
const DEFAULT_OUTPUT_TOKENS = 4096;
/** An answer gets this many times the tokens that the model has spent on thinking, in addition to its own. */
const REASONING_RESERVE = 1.5;
/** First tokens that must have been timed before a quick model is expected to be quick. */
const LEAST_TIMED = 3;

/** The facts known about a model: set by the host, learnt from its server's answers, or assumed. One per model. */
export class ModelProfile {
  /** False once the server has refused structured output and answered without it. */
  takesSchemas = true;
  /** Whether the server streams; undefined until it is clear. */
  streams: boolean | undefined;
  /** The window by the last overflow, and the largest call that has fitted since; forgotten after {@link LESSON_MS}. */
  private window: { tokens: number; until: number } | undefined;
  private fitted: { tokens: number; until: number } | undefined;
  /** Tokens that the server counts for each of our rough ones; undefined before its first count. */
  private tokenFactor: number | undefined;
  /** Tokens that the model spends on thinking: the most of late. */
  private reasoningTokens = 0;
  private unstreamedAnswers = 0;
  private firstTokens = 0;
  private firstTokenMs = 0;

  constructor(
    private readonly options: Pick<
      ResolvedModelOptions,
      'contextTokens' | 'maxOutputTokens' | 'imageTokens' | 'hedgeAfterMs'
    >,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The window in tokens: as set, else as learnt from an overflow error in the last ten minutes, else as assumed. */
  get contextTokens(): number {
    const { contextTokens } = this.options;
    if (contextTokens !== undefined) return contextTokens;
    const learnt = this.fresh(this.window) ?? ASSUMED_WINDOW;
    return Math.min(ASSUMED_WINDOW, Math.max(learnt, this.fresh(this.fitted) ?? 0));
  }

  /** Time without a first token after which a call counts as hanging, ms: shorter for a model that is quick, longer for a slow one. */
  get hedgeAfterMs(): number {
    const { hedgeAfterMs } = this.options;
    const isKnown = this.firstTokens >= LEAST_TIMED;
    const usual = isKnown ? Math.max(hedgeAfterMs * 0.4, this.firstTokenMs * 8) : hedgeAfterMs;
    return Math.max(Math.min(hedgeAfterMs, usual), this.firstTokenMs * 3);
  }

  /**
   * Tokens that an answer may have when `wanted` are asked for: those, and what the model spends on thinking; a quarter of the window at most, and
   * never more than the host allows.
   */
  outputTokens(wanted: number): number {
    const reserve = Math.ceil(this.reasoningTokens * REASONING_RESERVE);
    const most = this.options.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS + reserve;
    return Math.min(wanted + reserve, most, Math.floor(this.contextTokens / 4));
  }

  /** Tokens that a prompt may have next to an answer of `maxOutputTokens`. */
  promptTokens(maxOutputTokens: number): number {
    return this.contextTokens - this.outputTokens(maxOutputTokens) - WINDOW_MARGIN;
  }

  /** Estimated tokens of a text, corrected by what this model's server has reported; rounded up. */
  estimate(text: string): number {
    return Math.ceil(roughTokens(text) * (this.tokenFactor ?? 1));
  }

  /** Estimated tokens that a call leaves of the window; negative where it does not fit. */
  tokensLeft(call: Prompt & { maxOutputTokens: number }): number {
    return this.promptTokens(call.maxOutputTokens) - this.estimatePrompt(call);
  }

  /** Estimated tokens of a prompt. */
  estimatePrompt(prompt: Prompt): number {
    const images = prompt.parts.filter(({ type }) => type === 'image').length;
    return Math.ceil(roughPrompt(prompt) * (this.tokenFactor ?? 1)) + images * this.options.imageTokens;
  }

  /**
   * @param inputTokens estimate of a prompt
   * @throws ContextOverflowError when it is known to be too long
   */
  checkWindow(inputTokens: number): void {
    if (inputTokens + WINDOW_MARGIN > this.contextTokens)
      throw new ContextOverflowError({ limit: this.contextTokens, requested: inputTokens });
  }

  /** Learns from the time to a first token, ms. */
  learnFirstToken(ms: number): void {
    this.firstTokens++;
    this.firstTokenMs = this.firstTokens === 1 ? ms : towards(this.firstTokenMs, ms);
  }

  /** Learns from an answer. @param isStreamed how it was asked for */
  learnAnswer(prompt: Prompt, answer: LearntAnswer, isStreamed: boolean): void {
    // One streamed answer proves that the server streams. The opposite takes several: a single fault looks the same.
    if (isStreamed) this.streams ??= true;
    else if (++this.unstreamedAnswers >= UNSTREAMED_PROOF) this.streams ??= false;
    this.learnTokens(prompt, answer.inputTokens);
    const { reasoningTokens: spent = 0 } = answer;
    this.reasoningTokens = Math.max(spent, towards(this.reasoningTokens, spent));
    const tokens = (answer.inputTokens || this.estimatePrompt(prompt)) + (answer.outputTokens ?? 0);
    if (tokens >= (this.fresh(this.fitted) ?? 0)) this.fitted = this.lesson(tokens);
  }

  /** Learns from an overflow. A rate limit, or words that stand in the prompt itself, say nothing about the window. */
  learnOverflow({ limit, requested, rateLimit, quote }: Overflow, prompt: Prompt): void {
    if (rateLimit) return;
    this.learnTokens(prompt, requested);
    if (quote !== undefined && textsOf(prompt).some((text) => withoutSeparators(text).includes(quote)))
      return;
    const guess = Math.max(LEAST_GUESS, Math.floor(this.estimatePrompt(prompt) * WINDOW_AFTER_OVERFLOW));
    this.window = this.lesson(Math.max(LEAST_WINDOW, Math.min(limit ?? guess, this.contextTokens)));
  }

  /** @param counted prompt tokens by the server's count; undefined where it did not report them */
  private learnTokens(prompt: Prompt, counted: number | undefined): void {
    // Only prompts without pictures show how the server counts text.
    if (counted === undefined || prompt.parts.some(({ type }) => type === 'image')) return;
    const rough = roughPrompt(prompt);
    const ratio = counted / rough;
    if (rough < LEAST_OBSERVED || ratio < BELIEVABLE.from || ratio > BELIEVABLE.to) return;
    this.tokenFactor = this.tokenFactor === undefined ? ratio : towards(this.tokenFactor, ratio);
  }

  private lesson(tokens: number): { tokens: number; until: number } {
    return { tokens, until: this.now() + LESSON_MS };
  }

  private fresh(lesson: { tokens: number; until: number } | undefined): number | undefined {
    return lesson && this.now() < lesson.until ? lesson.tokens : undefined;
  }
}

function towards(mean: number, observed: number): number {
  return mean + LEARNING_RATE * (observed - mean);
}

function roughPrompt(prompt: Prompt): number {
  return textsOf(prompt).reduce((sum, text) => sum + roughTokens(text), 0);
}

function textsOf({ system, parts }: Prompt): string[] {
  return [system, ...parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))];
}

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
