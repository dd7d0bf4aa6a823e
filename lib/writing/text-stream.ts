import type { ToolContext } from '../core/context.js';
import type { MainFieldStream } from '../model/object-reply.js';

/**
 * Makes what may be shown of a text while it is written.
 * @param more that was written, or '' at its end
 * @param head what the reply says before the text
 * @returns all that may be shown by now; undefined: as before
 */
export type Renderer = (more: string, isEnd: boolean, head: string) => string | undefined;

/** Passes a text on while a model writes it. What was shown and is not the result is announced by `rewrite`. */
export class TextStream {
  private field!: MainFieldStream;
  private render!: Renderer;
  private head = '';
  private isBegun = false;
  private shown = '';

  /**
   * @param stage of the progress
   * @param form of the replies
   * @param renderer of one reply
   */
  constructor(
    private readonly context: Pick<ToolContext, 'progress'>,
    private readonly stage: string,
    private readonly form: { stream(): MainFieldStream },
    private readonly renderer: () => Renderer,
  ) {}

  /** A reply begins, the first one or another in its place. */
  begin(): void {
    this.field = this.form.stream();
    this.render = this.renderer();
    this.head = '';
    this.isBegun = false;
    this.restart();
  }

  push(delta: string): void {
    if (!this.isBegun) this.head += delta;
    const more = this.field.push(delta);
    if (more === '') return;
    this.isBegun = true;
    this.show(this.render(more, false, this.head));
  }

  end(): void {
    if (this.isBegun) this.show(this.render('', true, this.head));
  }

  /** Shows the result where it is not what was shown. */
  settle(text: string): void {
    if (!text.startsWith(this.shown)) this.restart();
    this.show(text);
  }

  private restart(): void {
    if (this.shown === '') return;
    this.shown = '';
    this.context.progress({ stage: 'rewrite' });
  }

  private show(text = this.shown): void {
    if (text === this.shown || !text.startsWith(this.shown)) return;
    this.context.progress({ stage: this.stage, text: text.slice(this.shown.length) });
    this.shown = text;
  }
}
