import type { ModelCall } from './call.js';
import { ContextOverflowError } from './errors.js';
import type { ResolvedModelOptions } from './options.js';

type Prompt = Pick<ModelCall, 'system' | 'parts'>;

/** Assumed until the host or the server says otherwise: nearly every hosted model of 2025–26 has at least this window. */
const ASSUMED_WINDOW = 128_000;
/** After an overflow the window is taken to be half of the prompt, and at least this, tokens; a plain bound. */
const LEAST_WINDOW = 4096;
/** An overflow counts for this long, ms: the model behind an address changes, and a wrong guess must not stay; set by hand. */
const GUESS_MS = 600_000;
/** Share of the window left free, because tokens are estimated and servers add a chat template; set by hand. */
const FREE_SHARE = 0.1;
/** Tokens of one answer where the host has set no number; as docs/options.md says. */
const DEFAULT_OUTPUT_TOKENS = 4096;
/** Calls of a model that has spent its tokens on thinking get this many times as many; set by hand. */
const THINKING_FACTOR = 4;
/** Tokens that one picture costs, for estimates; set by hand. */
export const IMAGE_TOKENS = 1000;

/** The facts known about a model: set by the host, guessed after an overflow, or assumed. One per model. */
export class ModelProfile {
  /** False once the server has refused structured output and answered without it. */
  takesSchemas = true;
  /** True once the model has spent the tokens of an answer on thinking. */
  thinks = false;
  private guess = { tokens: ASSUMED_WINDOW, until: 0 };

  constructor(private readonly options: Pick<ResolvedModelOptions, 'contextTokens' | 'maxOutputTokens'>) {}

  /** The window in tokens: as set, else as guessed at an overflow in the last ten minutes, else as assumed. */
  get contextTokens(): number {
    const { tokens, until } = this.guess;
    return this.options.contextTokens ?? (performance.now() < until ? tokens : ASSUMED_WINDOW);
  }

  /** Tokens that an answer may have when `wanted` are asked for: more for a model that thinks, and a quarter of the window at most. */
  outputTokens(wanted: number): number {
    const factor = this.thinks ? THINKING_FACTOR : 1;
    const most = this.options.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS * factor;
    return Math.min(wanted * factor, most, Math.floor(this.contextTokens / 4));
  }

  /** Tokens that a prompt may have next to an answer of `maxOutputTokens`. */
  promptTokens(maxOutputTokens: number): number {
    return Math.floor(this.contextTokens * (1 - FREE_SHARE)) - this.outputTokens(maxOutputTokens);
  }

  /** Estimated tokens that a call leaves of the window; negative where it does not fit. */
  tokensLeft(call: Prompt & { maxOutputTokens: number }): number {
    return this.promptTokens(call.maxOutputTokens) - estimatePrompt(call);
  }

  /** @throws ContextOverflowError when a prompt of so many tokens is known to be too long */
  checkWindow(inputTokens: number): void {
    const { contextTokens } = this;
    if (inputTokens > contextTokens)
      throw new ContextOverflowError(`about ${inputTokens} tokens, window ${contextTokens} tokens`);
  }

  /** Learns from an overflow of a prompt of so many tokens. A call that began before an earlier overflow teaches nothing. */
  learnOverflow(inputTokens: number): void {
    if (inputTokens > this.contextTokens) return;
    const tokens = Math.max(LEAST_WINDOW, Math.floor(inputTokens / 2));
    this.guess = { tokens, until: performance.now() + GUESS_MS };
  }
}

export function estimatePrompt({ system, parts }: Prompt): number {
  const tokens = parts.map((part) => (part.type === 'text' ? roughTokens(part.text) : IMAGE_TOKENS));
  return Math.ceil(tokens.reduce((sum, part) => sum + part, roughTokens(system)));
}

/**
 * Estimated tokens of a text: 0.25 per Latin character (tokenizers of 2024–26 need 0.20 to 0.23 for the six languages, so
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
