/** Weight of an observation in the running correction. */
const LEARNING_RATE = 0.3;
/** A server whose count is further off than this does not count tokens (some answer with a constant). */
const BELIEVABLE = { from: 0.4, to: 3 };

/**
 * Tokens of a text before anything is learnt: a quarter per Latin character (tokenisers of 2024–26 need 0.20 to 0.23 for the
 * six languages, so this errs on the safe side), one per CJK character, 0.4 for other scripts. Linear.
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

/** Estimates tokens and corrects itself by what the server reports. One per model. */
export class TokenEstimator {
  private factor = 1;

  /** Tokens of a text, rounded up. */
  estimate(text: string): number {
    return this.correct(roughTokens(text));
  }

  /** A rough count as this model's server would count it. */
  correct(rough: number): number {
    return Math.ceil(rough * this.factor);
  }

  /** Takes in that a prompt of `rough` tokens, uncorrected, was counted as `actual`. */
  learn(rough: number, actual: number | undefined): void {
    if (actual === undefined || rough < 200) return;
    const ratio = actual / rough;
    if (ratio < BELIEVABLE.from || ratio > BELIEVABLE.to) return;
    this.factor += LEARNING_RATE * (ratio - this.factor);
  }
}
