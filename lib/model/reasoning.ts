export interface AnswerTextListener {
  onText(delta: string): void;
  /** The text passed on before was reasoning: ignore it. */
  onRestart(): void;
}

/** Names of tags around reasoning, e.g. `<think>`, `<seed:think>`, `<reasoning>`. Magistral has `[THINK]`. */
const NAME = '(?:[a-z]{1,8}:)?(?:think(?:ing)?|thoughts?|reasoning)';
const OPENS = new RegExp(String.raw`<${NAME}>|\[THINK\]`, 'i');
const BEGINS = new RegExp(String.raw`^\s*(?:${OPENS.source})`, 'i');
const CLOSES = new RegExp(String.raw`</${NAME}>|\[/THINK\]`, 'i');
/** The beginning of a possible tag, which later characters may complete. */
const UNFINISHED = /[<[]\/?[\w:]{0,20}$/;
const LONGEST_TAG = 24;

/**
 * Finds the answer in what a model writes: without the reasoning before it, which some servers leave in the text between tags. Reads a
 * stream as it comes; linear; holds back at most one unfinished tag.
 *
 * - Reasoning that is never closed ends with the output.
 * - A closing tag that nothing opened ends reasoning that began with the output (the template of some models puts the opening tag into the
 *   prompt): the text before it is dropped, and the listener is told. Not in JSON, nor in a text about the tags.
 */
export class ReasoningFilter {
  text = '';
  /** Characters of reasoning so far. */
  hidden = 0;
  private pending = '';
  private isOpen = false;
  /** True once a tag has stood in the answer: the text is about them. */
  private isAboutTags = false;

  constructor(private readonly listener: AnswerTextListener) {}

  push(delta: string): void {
    this.pending += delta;
    this.read(false);
  }

  end(): string {
    this.read(true);
    this.text = this.text.trimEnd();
    return this.text;
  }

  private read(isComplete: boolean): void {
    for (;;) {
      const tag = this.isOpen ? CLOSES : this.text === '' && BEGINS.test(this.pending) ? OPENS : undefined;
      const found = (tag ?? CLOSES).exec(this.pending);
      if (!tag && !(found && this.endsReasoning(found))) break;
      if (!found) return this.hide(isComplete ? Infinity : this.pending.length - LONGEST_TAG);
      this.hide(found.index + found[0].length);
      this.isOpen = tag === OPENS;
    }
    const end = isComplete ? undefined : UNFINISHED.exec(this.pending)?.index;
    const shown = this.pending.slice(0, end);
    this.pending = this.pending.slice(shown.length);
    this.show(this.text === '' ? shown.trimStart() : shown);
  }

  /** Whether a closing tag that nothing opened ends reasoning. If so the text before it is dropped. */
  private endsReasoning({ index }: RegExpExecArray): boolean {
    const before = this.text + this.pending.slice(0, index);
    this.isAboutTags ||= OPENS.test(before) || /`$|^\s*(?:```\w*\s*)?[{[]/.test(before);
    if (this.isAboutTags) return false;
    if (this.text !== '') this.listener.onRestart();
    this.hidden += this.text.length;
    this.text = '';
    return true;
  }

  private hide(length: number): void {
    const hidden = this.pending.slice(0, Math.max(0, length));
    this.hidden += hidden.length;
    this.pending = this.pending.slice(hidden.length);
  }

  private show(text: string): void {
    if (text === '') return;
    this.text += text;
    this.listener.onText(text);
  }
}
