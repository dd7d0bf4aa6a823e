const MINUTE = 60_000;

/** Counts what was spent in the last sixty seconds, exactly, so that no minute holds more than the limit. */
export class MinuteWindow {
  private readonly entries: { at: number; amount: number }[] = [];

  /**
   * @param limit amount a minute; Infinity for none
   * @param now clock in ms, for tests
   */
  constructor(
    private readonly limit: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Milliseconds until `amount` fits, 0 when it does now. What is larger than the limit waits for an empty window. */
  waitMs(amount: number): number {
    if (this.limit === Infinity) return 0;
    const now = this.now();
    while (this.entries[0] && this.entries[0].at + MINUTE <= now) this.entries.shift();
    let spent = this.entries.reduce((sum, entry) => sum + entry.amount, 0);
    let wait = 0;
    for (const entry of this.entries) {
      if (spent + amount <= this.limit) break;
      spent -= entry.amount;
      wait = entry.at + MINUTE - now;
    }
    return wait;
  }

  /** Books `amount` and returns a function that corrects it once the true amount is known. */
  spend(amount: number): (actual: number) => void {
    if (this.limit === Infinity) return () => undefined;
    const entry = { at: this.now(), amount };
    this.entries.push(entry);
    return (actual) => void (entry.amount = actual);
  }
}
