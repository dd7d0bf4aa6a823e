import { cleanOutput } from './clean-output.js';
import { endsSummary } from './written-summary.js';

/** Characters of a line that tell what kind it is. The whole line would be looked through with each piece of it. */
const LINE_START = 40;

/**
 * Passes on the summary while it is written, without what follows it and cleaned word by word. What the caller gets in the end is
 * checked as a whole and may differ.
 */
export class SummaryStream {
  private pending = '';
  /** The first characters of the line that have been passed on. */
  private lineStart = '';
  private ended = false;
  /** Line breaks since the last text; given out before the next. */
  private breaks = 0;
  private started = false;

  /**
   * @param emit takes each piece
   * @param source says whether an address is the content's own
   */
  constructor(
    private readonly emit: (text: string) => void,
    private readonly source: (address: string) => boolean,
  ) {}

  push(delta: string): void {
    if (this.ended) return;
    this.pending += delta;
    while (delta.includes('\n')) {
      const newline = this.pending.indexOf('\n');
      if (newline < 0) break;
      this.line(this.pending.slice(0, newline));
      if (this.ended) return;
      this.pending = this.pending.slice(newline + 1);
    }
    // A line that may yet turn out to be a heading or a list entry is held back; of others, all but the last word.
    const whole = (this.lineStart + this.pending.slice(0, LINE_START)).slice(0, LINE_START);
    if (/^[\s#*_•[(-]/.test(whole) || /^(?:K|KE|KEY.{0,12}|S|SE|SEC.{0,12}|P|PI|PIC.{0,12})$/i.test(whole))
      return;
    const space = this.pending.lastIndexOf(' ');
    if (space < 0) return;
    const ready = this.pending.slice(0, space);
    this.pending = this.pending.slice(space);
    this.pass(ready);
    this.lineStart = (this.lineStart + ready).slice(0, LINE_START);
  }

  /** The answer is complete. */
  end(): void {
    if (!this.ended && this.pending) this.line(this.pending);
    this.ended = true;
  }

  /** The answer is begun anew. */
  restart(): void {
    this.pending = '';
    this.lineStart = '';
    this.ended = false;
    this.started = false;
    this.breaks = 0;
  }

  private line(rest: string): void {
    if (this.lineStart === '' && endsSummary(rest)) {
      this.ended = true;
      return;
    }
    this.pass(rest);
    this.breaks++;
    this.lineStart = '';
  }

  private pass(text: string): void {
    const clean = cleanOutput(text, this.source);
    if (clean === '') return;
    const inLine = this.lineStart.trim() !== '';
    const before = inLine
      ? /^\s/.test(text)
        ? ' '
        : ''
      : this.started
        ? '\n'.repeat(Math.min(2, this.breaks))
        : '';
    this.started = true;
    this.breaks = 0;
    this.emit(before + clean);
  }
}
