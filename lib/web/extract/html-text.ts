import type { Container } from './html-outline.js';
import {
  brokenCode,
  cleanRuns,
  codeLines,
  sourceOf,
  withoutMarks,
  type CleanText,
  type Run,
} from './inline-runs.js';

/** What a character is, by its code below 128; all others belong to words but for {@link kindOf}. */
const [WORD, SPACE, END, OTHER] = [0, 1, 2, 3];
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/\w/.test(char)) return WORD;
  return /\s/.test(char) ? SPACE : /[.!?:]/.test(char) ? END : OTHER;
});

/** A character of Chinese or Japanese, which counts as a word. */
const isIdeograph = (code: number): boolean => code >= 0x3040 && code <= 0x9fff;

function kindOf(code: number): number {
  if (code < 128) return ASCII[code]!;
  if (code === 0xa0 || code === 0x2028 || (code >= 0x2000 && code <= 0x200a)) return SPACE;
  // Comma and semicolon in Arabic and Chinese.
  if (code === 0x60c || code === 0x61b || code === 0xff0c || code === 0xff1b) return OTHER;
  // Full stop in Chinese and Japanese.
  if (code === 0x3002 || code === 0x2026 || code === 0xff01 || code === 0xff1f) return END;
  return code < 0xc0 || (code >= 0x2000 && code < 0x2070) || (code >= 0x3000 && code < 0x3040) ? OTHER : WORD;
}

/** Characters that are never invisible. */
const VISIBLE = /[!-~]/;

/**
 * A stretch of text between two block borders, with its counts. Its words and Markdown are made when they are first asked for: of most
 * texts of a page, nobody asks.
 */
export class HtmlText {
  /** Characters with white space folded, and how many of them are within links. */
  chars = 0;
  linkChars = 0;
  words = 0;
  /** Marks that end sentences or clauses, of any script. */
  ends = 0;
  /** The same number for texts of the same characters. */
  hash = 0;
  images = 0;
  /** Its last character ends a sentence or clause. */
  endsSentence = false;
  private made: CleanText | undefined;
  private written: string | undefined;

  constructor(
    private readonly runs: readonly Run[],
    /** The innermost block element around it. */
    readonly container: Container,
    /** It stands in a `noscript`. */
    readonly isNoscript: boolean,
    /** The element that hides it, by its own attributes. */
    readonly hiddenIn: Container | undefined,
    private readonly mayHoldMarkdown: boolean,
  ) {
    let isOpen = false;
    let isSpaced = true;
    for (const { text, style, image } of runs) {
      if (image !== undefined) this.images++;
      const { chars } = this;
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        const kind = kindOf(code);
        if (kind === SPACE) {
          if (!isSpaced) this.chars++;
          isSpaced = true;
          isOpen = false;
          continue;
        }
        isSpaced = false;
        this.endsSentence = kind === END;
        this.chars++;
        this.hash = (Math.imul(this.hash, 31) + code) | 0;
        if (kind === WORD && (!isOpen || isIdeograph(code))) this.words++;
        isOpen = kind === WORD;
        if (kind === END) this.ends++;
      }
      if (style.isLink) this.linkChars += this.chars - chars;
    }
    if (isSpaced && this.chars > 0) this.chars--;
  }

  /** Nothing that a reader would see. */
  get isEmpty(): boolean {
    if (this.images > 0) return false;
    // Of a few characters, all may be invisible.
    return (
      this.chars === 0 ||
      (this.chars < 10 && !this.runs.some(({ text }) => VISIBLE.test(text)) && this.text.trim() === '')
    );
  }

  /** Clean text: `\u2028` is a line break; of preformatted text the lines. Empty for images alone. */
  get text(): string {
    return this.clean.text;
  }

  /** The same with links, code spans and images as Markdown; absent where these say no more. */
  get markdown(): string | undefined {
    return this.clean.markdown;
  }

  /** As it stands in the source, with its line breaks, where this may hold Markdown. */
  get source(): string | undefined {
    return this.mayHoldMarkdown ? (this.written ??= sourceOf(this.runs)) : undefined;
  }

  /** Code whose lines end at a `br`. */
  get brokenCode(): string | undefined {
    return brokenCode(this.runs);
  }

  get isStrong(): boolean {
    return this.clean.isStrong;
  }

  private get clean(): CleanText {
    const { heading, pre } = this.container.place;
    return (this.made ??= pre
      ? { text: codeLines(this.runs), isStrong: false }
      : cleanRuns(heading ? withoutMarks(this.runs) : this.runs));
  }
}
