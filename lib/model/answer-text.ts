/** Callbacks of {@link AnswerText}. */
export interface AnswerTextListener {
  /** A piece of the answer. */
  onText(delta: string): void;
  /** The text passed on before was reasoning: ignore it. */
  onRestart(): void;
}

/** A kind of marker that models or their servers put around reasoning. */
interface Style {
  opens: RegExp;
  closes: RegExp;
}

/** Names of tags around reasoning, as DeepSeek, Qwen, MiniMax, Seed, EXAONE, Marco-o1, Gemini and Hermes write them. */
const TAG =
  '(?:[a-z]{1,8}:)?(?:think(?:ing)?|(?:internal_|inner_)?(?:thoughts?|monologue|reasoning)|reasoning_(?:content|scratchpad)|scratchpad|reflection|analysis)';

const BARE_NAME = 'analysis';

/** Every pattern is sticky and bounded, so that trying one at a place costs the same wherever it is. */
const STYLES: readonly Style[] = [
  { opens: new RegExp(`<${TAG}>`, 'iy'), closes: new RegExp(`</${TAG}>`, 'iy') },
  // Magistral
  { opens: /\[THINK\]/y, closes: /\[\/THINK\]/y },
  // Kimi
  { opens: /◁think▷/y, closes: /◁\/think▷/y },
  // OpenThinker, Cohere, Gemma 3n
  {
    opens: /<\|(?:begin_of_thought|START_THINKING|think)\|>/y,
    closes: /<\|(?:end_of_thought|END_THINKING|\/think)\|>/y,
  },
  // Gemma 4
  { opens: /<\|channel>(?:thought\b)?/y, closes: /<channel\|>/y },
  // gpt-oss (Harmony): the answer is what stands in the channel `final`
  {
    opens: /<\|channel\|>(?:analysis|commentary)/y,
    closes: /<\|channel\|>final(?:<\|constrain\|>[a-z]{1,8})?<\|message\|>/y,
  },
  // Open WebUI
  { opens: /<details type="reasoning"/y, closes: /<\/details>/y },
  // a block of code
  { opens: /```(?:think(?:ing)?|reasoning)\b/y, closes: /```(?!\w)/y },
  // the channels of gpt-oss where a server has dropped the control tokens and kept the names of the channels
  { opens: new RegExp(`${BARE_NAME}(?=\\p{Lu})`, 'uy'), closes: /assistantfinal/y },
];
/** The style without a marker of its own: its words count at the beginning of an output only. */
const BARE = STYLES.length - 1;
/** From this style on, what opens or closes reasoning may as well be part of an answer: it counts before the answer only. */
const FIRST_SHARED = BARE - 2;

/** Ends of a turn. A model that goes on after one talks to itself. */
const TURN_END = /<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|EOT|return)\|>|<\/s>|<end_of_turn>/y;
/** Any other control token of a chat template. */
const CONTROL = /<\|[a-zA-Z_/]{1,20}\|>|<start_of_turn>(?:model)?|\[\/?INST\]/y;

/** Characters that a marker begins with; of the style without control tokens too. */
const FIRST = /<(?=[|/a-z]|$)|\[(?=[/A-Z]|$)|◁|`(?=``|`?$)/gi;
const FIRST_OR_BARE = new RegExp(`${FIRST.source}|a`, 'gi');
/** The beginning of a possible marker, which later characters may complete. */
const UNFINISHED = /^(?:[<◁][\w:|/<>]*(?: [\w="]*)?|\[\/?[A-Z]*|a[a-z]*|`{1,3}[a-z]*)$/;
const LONGEST_MARKER = 48;

/**
 * Finds the answer in what a model writes: without its reasoning, which many servers leave in the text between tags, and without
 * the control tokens of its chat template. Reads a stream as it comes; linear; holds back at most one unfinished marker.
 *
 * - Reasoning opens at the beginning of a line only: a sentence about the tag `<think>` is text.
 * - Reasoning that is never closed ends with the output.
 * - A closing tag that nothing opened ends reasoning that began with the output (the template of some models puts the opening tag
 *   into the prompt): what came before it is dropped, and the listener is told.
 */
export class AnswerText {
  /** The answer so far. */
  text = '';
  /** Characters of reasoning so far. */
  hidden = 0;
  /** True once a closing tag without an opening one was met. */
  closedUnopened = false;
  private pending = '';
  /** The style of the reasoning that is open. */
  private open: number | undefined;
  /** Styles whose opening marker stood inside a line: the text is about them and does not use them. */
  private readonly mentioned = new Set<number>();
  /** Only blanks since the last line break. */
  private atLineStart = true;
  private lastCharacter: string | undefined;
  private began = false;
  private ended = false;
  /** Held back until it is known whether it is reasoning. */
  private held: string | undefined;

  /**
   * @param expectsClosing true for a model that has closed reasoning without opening it before: nothing is passed on until it
   *   closes it again, or the output ends
   */
  constructor(
    private readonly listener: AnswerTextListener,
    expectsClosing = false,
  ) {
    if (expectsClosing) this.held = '';
  }

  /** Takes the next piece of the output. */
  push(delta: string): void {
    this.pending += delta;
    this.read(false);
  }

  /** The output is complete. */
  end(): { text: string; closedUnopened: boolean } {
    this.read(true);
    if (this.held) {
      const { held } = this;
      this.held = undefined;
      this.pass(held);
    }
    this.text = this.text.trimEnd();
    return { text: this.text, closedUnopened: this.closedUnopened };
  }

  private read(complete: boolean): void {
    const { pending } = this;
    let at = 0;
    if (!this.began) {
      const start = pending.trimStart();
      if (
        !complete &&
        BARE_NAME.startsWith(start.slice(0, BARE_NAME.length)) &&
        start.length <= BARE_NAME.length
      )
        return;
      this.began = true;
      at = pending.length - start.length;
      const bare = lengthAt(STYLES[BARE]!.opens, pending, at);
      if (bare) {
        this.open = BARE;
        at += bare;
      }
    }
    while (at < pending.length && !this.ended) {
      const next = firstFrom(this.open === BARE ? FIRST_OR_BARE : FIRST, pending, at);
      this.take(pending.slice(at, next));
      at = next;
      if (at === pending.length) break;
      const rest = pending.slice(at, at + LONGEST_MARKER);
      if (!complete && rest.length < LONGEST_MARKER && UNFINISHED.test(rest)) break;
      const length = this.marker(pending, at);
      if (length === 0) this.take(pending[at]!);
      at += length || 1;
    }
    this.pending = this.ended ? '' : pending.slice(at);
  }

  /** Acts on the marker at a place. @returns its length; 0 without a marker */
  private marker(text: string, at: number): number {
    for (const [style, { opens, closes }] of STYLES.entries()) {
      const closing = style < FIRST_SHARED || style === this.open ? lengthAt(closes, text, at) : 0;
      if (closing > 0) {
        if (this.open === style) {
          this.open = undefined;
          if (this.held?.trim() === '') this.held = undefined;
        } else if (this.open === undefined) {
          if (this.mentioned.delete(style) || this.lastCharacter === '`') return 0;
          this.dropAll();
        }
        return closing;
      }
      const isText = style === BARE || (style >= FIRST_SHARED && (this.text !== '' || !!this.held));
      const opening = isText ? 0 : lengthAt(opens, text, at);
      if (opening === 0) continue;
      if (this.open === undefined) {
        if (!this.atLineStart) {
          this.mentioned.add(style);
          return 0;
        }
        this.open = style;
      }
      return opening;
    }
    const turnEnd = lengthAt(TURN_END, text, at);
    if (turnEnd > 0 && this.open === undefined && (this.text !== '' || this.held)) this.ended = true;
    return turnEnd || lengthAt(CONTROL, text, at);
  }

  private take(text: string): void {
    if (text === '') return;
    if (this.open !== undefined) {
      this.hidden += text.length;
      return;
    }
    const line = text.slice(text.lastIndexOf('\n') + 1);
    this.atLineStart = line.trim() === '' && (this.atLineStart || line.length < text.length);
    this.lastCharacter = text.at(-1);
    if (this.held === undefined) this.pass(text);
    else this.held += text;
  }

  private pass(text: string): void {
    const shown = this.text === '' ? text.trimStart() : text;
    if (shown === '') return;
    this.text += shown;
    this.listener.onText(shown);
  }

  /** The text so far was reasoning. */
  private dropAll(): void {
    const dropped = this.text + (this.held ?? '');
    this.closedUnopened ||= dropped.trim() !== '';
    this.hidden += dropped.length;
    this.held = undefined;
    this.atLineStart = true;
    if (this.text === '') return;
    this.text = '';
    this.listener.onRestart();
  }
}

/** Length of the match of a sticky pattern at a place; 0 without a match. */
function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function firstFrom(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? text.length;
}
