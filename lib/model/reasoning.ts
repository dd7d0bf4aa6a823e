import { isClosed } from './object-reply.js';

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
/**
 * Tokens that end a turn, or begin the next one, by the chat templates of Llama, Qwen, Phi, gpt-oss, Gemma, Mistral, Command and DeepSeek. A server
 * with the wrong template passes them on as text, and the model goes on with a turn that it invents.
 */
const TURN_ENDS =
  /<\|(?:(?:eot|eom|end|return|call|user|system|endoftext|endofturn|end_of_text|im_(?:end|start)|start_header|end_of_turn_token)(?:_id)?)\|>|<\/s>|<(?:end|start)_of_turn>|<｜end▁of▁sentence｜>/gi;
/** Whether a text is about a token: behind a blank or a quotation mark, in code, or as the end of struck text in HTML. */
function isMention(token: string, before: string): boolean {
  if (/(?:[^\S\n]|["'“‘«`(\\])$/.test(before)) return true;
  return before.split('```').length % 2 === 0 || (token === '</s>' && before.includes('<s>'));
}
/** The beginning of a possible tag, which later characters may complete. */
const UNFINISHED = /[<[][/|｜]?[\w:▁]{0,20}[|｜]?$/;
const LONGEST_TAG = 24; // more than UNFINISHED can match; a plain bound

/**
 * Finds the answer in what a model writes: without the reasoning before it, which some servers leave in the text between tags. Reads a
 * stream as it comes; linear; holds back at most one unfinished tag.
 *
 * - Reasoning that is never closed ends with the output.
 * - The answer ends at a token that ends a turn.
 * - A closing tag that nothing opened ends reasoning that began with the output (the template of some models puts the opening tag into the
 *   prompt): the text before it is dropped, and the listener is told. Not in JSON, nor in a text about the tags.
 */
export class ReasoningFilter {
  text = '';
  hidden = 0;
  private pending = '';
  private isOpen = false;
  private hasEnded = false;
  /** True once a tag has stood in the answer: the text is about them. */
  private isAboutTags = false;

  constructor(private readonly listener: AnswerTextListener) {}

  push(delta: string): void {
    this.pending += delta;
    if (this.hasEnded) this.hide(Infinity);
    else this.read(false);
  }

  end(): string {
    if (!this.hasEnded) this.read(true);
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
    const shown = this.pending.slice(0, this.endOfTurn(this.pending.slice(0, end)) ?? end);
    this.pending = this.pending.slice(shown.length);
    this.show(this.text === '' ? shown.trimStart() : shown);
    if (this.hasEnded) this.hide(Infinity);
  }

  private endOfTurn(shown: string): number | undefined {
    for (const { 0: token, index } of shown.matchAll(TURN_ENDS)) {
      const before = this.text + shown.slice(0, index);
      const isBehindObject = /[}\]`]\s*$/.test(before) && isClosed(before);
      this.hasEnded = before.trim() !== '' && (isBehindObject || !isMention(token, before));
      if (this.hasEnded) return index;
    }
    return undefined;
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
