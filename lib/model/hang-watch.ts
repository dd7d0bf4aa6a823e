/** Weight of an observation in the running mean. */
const LEARNING_RATE = 0.3;
const MIN_OBSERVATIONS = 3;
/** Milliseconds that reading a prompt token may take before it counts as hanging. */
const MS_PER_PROMPT_TOKEN = 0.1;

/** Knows how long this model usually takes to its first token, and so when a call must be taken to hang. */
export class HangWatch {
  private mean = 0;
  private observations = 0;

  /** @param baseMs wait for a short prompt while nothing is known */
  constructor(private readonly baseMs: number) {}

  /** Takes in the time to a first token, ms. */
  observe(ms: number): void {
    this.observations++;
    this.mean = this.observations === 1 ? ms : this.mean + LEARNING_RATE * (ms - this.mean);
  }

  /**
   * Milliseconds without a token after which a second call is worth its price. Never longer than 1.4 times the base, unless the
   * model has been seen to need it.
   */
  hedgeAfterMs(inputTokens: number): number {
    const base = Math.min(
      this.baseMs * 1.4,
      this.baseMs + Math.max(0, inputTokens - 8000) * MS_PER_PROMPT_TOKEN,
    );
    if (this.observations < MIN_OBSERVATIONS) return Math.max(base, this.mean * 3);
    if (this.mean * 3 > base) return this.mean * 3;
    return Math.min(base, Math.max(this.baseMs * 0.4, this.mean * 8));
  }
}
