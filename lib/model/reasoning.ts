/** Callbacks of {@link ReasoningFilter}. */
export interface AnswerTextListener {
  /** A piece of the answer. */
  onText(delta: string): void;
  /** The text passed on before was reasoning: ignore it. */
  onRestart(): void;
}

/** Names of tags around reasoning, as DeepSeek, Qwen, MiniMax, Seed, EXAONE, Marco-o1, Gemini and Hermes write them. */
const TAG =
  '(?:[a-z]{1,8}:)?(?:think(?:ing)?|(?:inner_)?thoughts?|(?:internal_)?(?:reasoning|monologue)|scratchpad|reflection|analysis)';

/** Markers around reasoning, each kind with what opens and what closes it. */
const KINDS: readonly [opens: string, closes: string][] = [
  [`<${TAG}>`, `</${TAG}>`],
  // Magistral
  [String.raw`\[THINK\]`, String.raw`\[/THINK\]`],
  // Kimi
  ['◁think▷', '◁/think▷'],
  // OpenThinker, Cohere, Gemma 3n
  [
    String.raw`<\|(?:begin_of_thought|START_THINKING|think)\|>`,
    String.raw`<\|(?:end_of_thought|END_THINKING|/think)\|>`,
  ],
  // Gemma 4
  [String.raw`<\|channel>(?:thought\b)?`, String.raw`<channel\|>`],
  // gpt-oss (Harmony): the answer is what stands in the channel `final`
  [
    String.raw`<\|channel\|>(?:analysis|commentary)`,
    String.raw`<\|channel\|>final(?:<\|constrain\|>[a-z]{1,8})?<\|message\|>`,
  ],
];
/** Ends of a turn. A model that goes on after one talks to itself. */
const TURN_END = /^(?:<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|eot|return)\|>|<\/s>|<end_of_turn>)$/i;
/** Any control token of a chat template. */
const CONTROL = String.raw`<\|[a-zA-Z_]{1,20}\|>|</s>|<(?:start|end)_of_turn>`;
/** The kind of what follows the end of a turn. Nothing closes it. */
const NEXT_TURN = -1;

/** Group 2n + 1 is what opens kind n, group 2n + 2 what closes it. */
const MARKER = new RegExp(
  `${KINDS.map(([opens, closes]) => `(${opens})|(${closes})`).join('|')}|${CONTROL}`,
  'giu',
);
/** The beginning of a possible marker, which later characters may complete. */
const UNFINISHED = /[<[◁](?:[\w:|/<>◁▷]{0,60})$/u;
/** Reasoning opens at the beginning of a line or of a JSON string. Elsewhere a text may be about the tag. */
const MAY_OPEN = /(?:^|\n|[:[,]\s{0,9}")\s{0,9}$/;
const LOOK_BEHIND = 20;

/**
 * Finds the answer in what a model writes: without its reasoning, which many servers leave in the text between tags, and without the control
 * tokens of its chat template. Reads a stream as it comes; linear; holds back at most one unfinished marker.
 *
 * - Reasoning that is never closed ends with the output.
 * - A closing tag that nothing opened ends reasoning that began with the output (the template of some models puts the opening tag into the
 *   prompt): the text before it is dropped, and the listener is told. Not in an answer that began as JSON: there it is part of a text.
 */
export class ReasoningFilter {
  /** The answer so far. */
  text = '';
  /** Characters of reasoning so far. */
  hidden = 0;
  private pending = '';
  /** The kind of the reasoning that is open. */
  private open: number | undefined;
  /** Kinds whose opening marker stood inside of a line: the text is about them. */
  private readonly mentioned = new Set<number>();
  /** The last characters outside of reasoning. */
  private before = '';

  constructor(private readonly listener: AnswerTextListener) {}

  /** Takes the next piece of the output. */
  push(delta: string): void {
    this.pending += delta;
    this.read(false);
  }

  /** The output is complete. */
  end(): string {
    this.read(true);
    this.text = this.text.trimEnd();
    return this.text;
  }

  private read(complete: boolean): void {
    const { pending } = this;
    const end = complete ? pending.length : (UNFINISHED.exec(pending)?.index ?? pending.length);
    let at = 0;
    MARKER.lastIndex = 0;
    for (let found; (found = MARKER.exec(pending)) && found.index < end;) {
      this.take(pending.slice(at, found.index));
      if (!this.isMarker(found)) this.take(found[0]);
      at = found.index + found[0].length;
    }
    if (at < end) this.take(pending.slice(at, end));
    this.pending = pending.slice(Math.max(at, end));
  }

  /** Opens or closes reasoning. @returns false for a marker that is part of the answer */
  private isMarker(found: RegExpExecArray): boolean {
    const group = found.findIndex((one, i) => i > 0 && one !== undefined);
    if (group < 0) {
      if (TURN_END.test(found[0]) && this.text.trim() !== '') this.open ??= NEXT_TURN;
      return true;
    }
    const kind = (group - 1) >> 1;
    const opens = group % 2 === 1;
    if (this.open !== undefined) {
      if (!opens && kind === this.open) this.open = undefined;
      return true;
    }
    if (opens) {
      if (!MAY_OPEN.test(this.before)) {
        this.mentioned.add(kind);
        return false;
      }
      this.open = kind;
      return true;
    }
    if (this.mentioned.delete(kind) || this.before.endsWith('`') || /^\s*(?:```\w*\s*)?[{[]/.test(this.text))
      return false;
    this.hidden += this.text.length;
    this.before = '';
    if (this.text !== '') this.listener.onRestart();
    this.text = '';
    return true;
  }

  private take(text: string): void {
    if (this.open !== undefined) {
      this.hidden += text.length;
      return;
    }
    this.before = (this.before + text).slice(-LOOK_BEHIND);
    const shown = this.text === '' ? text.trimStart() : text;
    if (shown === '') return;
    this.text += shown;
    this.listener.onText(shown);
  }
}
