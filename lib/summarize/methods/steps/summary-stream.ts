import type { MainFieldStream } from '../../../model/object-reply.js';
import { sentenceSpans } from '../../../text/sentences.js';
import type { SummaryRun } from '../summary-run.js';
import { isRefusal, writtenIn } from './check-key-points.js';

/** Nothing is shown before so many characters tell the language of a text. */
const ENOUGH = 60;

/** Passes on the text of a summary while it is written, sentence by sentence. What was shown and is not the result is announced by `rewrite`. */
export class SummaryStream {
  private field: MainFieldStream | undefined;
  /** Written, and not shown yet. */
  private pending = '';
  /** Shown since the last `rewrite`. */
  private shown = '';
  private stopped = false;

  constructor(private readonly run: SummaryRun) {}

  /** A reply begins, the first one or another in its place. */
  begin(form: { stream(): MainFieldStream }): void {
    this.field = form.stream();
    this.pending = '';
    this.stopped = false;
    this.restart();
  }

  push(delta: string): void {
    if (!this.stopped) this.take(this.field!.push(delta), false);
  }

  end(): void {
    if (!this.stopped) this.take('', true);
  }

  /** Shows the result where it is not what was shown. */
  settle(text: string): void {
    if (this.shown === text) return;
    if (text.startsWith(this.shown)) this.show(text.slice(this.shown.length));
    else {
      this.restart();
      this.show(text);
    }
  }

  private take(text: string, complete: boolean): void {
    this.pending += text;
    if (!complete && !/[.!?…。！？\n]/.test(text)) return;
    const spans = sentenceSpans(this.pending, { language: this.run.request.outputLanguage });
    const end = complete ? this.pending.length : (spans.at(-1)?.start ?? 0);
    if (end === 0 || (this.shown === '' && !complete && end < ENOUGH)) return;
    const written = this.pending.slice(0, end);
    if (this.shown === '') {
      const language = writtenIn(written) ?? this.run.request.outputLanguage;
      this.stopped = language !== this.run.request.outputLanguage || isRefusal(this.run, written);
      if (this.stopped) return;
    }
    this.pending = this.pending.slice(end);
    const clean = this.run.clean(written);
    if (clean === '') return;
    const gap = this.shown === '' ? '' : /^\s*/.exec(written)![0] || this.gap;
    this.gap = written.slice(written.trimEnd().length);
    this.show(gap + clean);
  }

  /** White space behind what was shown. */
  private gap = '';

  private restart(): void {
    if (this.shown === '') return;
    this.shown = '';
    this.run.context.progress({ stage: 'rewrite' });
  }

  private show(text: string): void {
    this.shown += text;
    this.run.context.progress({ stage: 'write', text });
  }
}
