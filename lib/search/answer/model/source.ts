import { detectLanguage } from '../../../core/text/detect-language.js';
import { functionWords } from '../../../core/text/word-lists.js';
import { stem } from '../../../core/text/tokens.js';
import { type Language } from '../../../core/text/languages.js';
import type { AnswerPassage } from '../../answer-engine.js';
import { sentenceSpans, type Span } from '../../../core/text/sentences.js';
import { NameIndex } from '../values/names.js';
import type { Value } from '../values/read-values.js';
import { statedValues } from '../values/stated-values.js';
import { addressesAssistant } from '../addresses-assistant.js';

/** A source as the checks read it. Everything but the text is computed on first use. */
export class Source {
  /** Undefined where the text does not tell. */
  readonly language: Language | undefined;
  /** The sentences of the text. */
  readonly sentences: readonly Span[];
  private readText?: FoldedText;
  private readValues?: Value[];
  private readNames?: NameIndex;
  private readonly terms = new Map<number, ReadonlySet<string>>();
  private words?: FoldedWord[];

  /** @param index of the passage among those that were sent to the model */
  constructor(
    readonly passage: AnswerPassage,
    readonly index: number,
    readonly questionLanguage: Language,
  ) {
    this.language = detectLanguage(`${passage.title}. ${passage.text}`);
    this.sentences = sentenceSpans(passage.text);
  }

  /** The text as quotations are compared with it. */
  get folded(): FoldedText {
    return (this.readText ??= foldText(this.passage.text));
  }

  /** The words of the text, for quotations that are not verbatim. */
  get foldedWords(): readonly FoldedWord[] {
    return (this.words ??= wordsOf(this.passage.text));
  }

  /** The values of title, text and date. */
  get values(): readonly Value[] {
    const { title, text, publishedAt = '' } = this.passage;
    return (this.readValues ??= statedValues(
      `${title}.\n${text}\n${publishedAt.slice(0, 10)}`,
      this.reading,
    ));
  }

  get host(): string {
    return URL.canParse(this.passage.url) ? new URL(this.passage.url).hostname : '';
  }

  /** Whether title, text or host have a name: `Guardian` is in `theguardian.com`. */
  hasName(name: string): boolean {
    const inHost = name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
    return this.names.has(name) || (inHost.length > 3 && this.host.includes(inHost));
  }

  /** The names in title, text and host. */
  get names(): NameIndex {
    if (!this.readNames) {
      const { title, text } = this.passage;
      this.readNames = new NameIndex();
      this.readNames.add(`${title}.\n${text}`);
      this.readNames.add(this.host.replaceAll('.', ' '));
    }
    return this.readNames;
  }

  /** The language in which number words are read. */
  get reading(): Language {
    return this.language ?? this.questionLanguage;
  }

  sentenceText(at: number): string {
    const { start, end } = this.sentences[at]!;
    return this.passage.text.slice(start, end);
  }

  /** Stems of the content words of a sentence. */
  termsOf(at: number): ReadonlySet<string> {
    let terms = this.terms.get(at);
    if (!terms) this.terms.set(at, (terms = contentTerms(this.sentenceText(at), this.reading)));
    return terms;
  }

  /** The sentences that a part of the text lies in. */
  sentencesAt(start: number, end: number): number[] {
    return this.sentences.flatMap((s, i) => (s.start < end && s.end > start ? [i] : []));
  }

  /** Whether a sentence gives orders to a model that reads the page. */
  addressesAssistant(at: number): boolean {
    return addressesAssistant(this.sentenceText(at));
  }
}

/** A text in the form in which quotations are compared, and for each of its units where that stood. */
interface FoldedText {
  text: string;
  at: readonly number[];
}

/** A word in lower case and where it stands. */
interface FoldedWord {
  word: string;
  start: number;
  end: number;
}

const ALIKE: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‹': '<',
  '›': '>',
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
};

/** Lower case, straight quotation marks and dashes, single blanks, nothing invisible. */
export function foldText(raw: string): FoldedText {
  const at: number[] = [];
  let text = '';
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i]!;
    if (/\s/.test(c)) {
      if (text === '' || text.endsWith(' ')) continue;
      text += ' ';
      at.push(i);
      continue;
    }
    if (/[\p{Cc}\p{Cf}]/u.test(c)) continue;
    const same = ALIKE[c] ?? c.toLowerCase();
    text += same;
    for (let n = 0; n < same.length; n++) at.push(i);
  }
  return { text, at };
}

/** The words and numbers of a text in lower case. */
export function wordsOf(text: string): FoldedWord[] {
  return [...text.matchAll(/\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}\p{N}]+/gu)].map((match) => ({
    word: match[0].normalize('NFKC').toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Stems of the content words of a text. */
export function contentTerms(text: string, language: Language): Set<string> {
  const functional = functionWords(language);
  const terms = new Set<string>();
  for (const { word } of wordsOf(text))
    if (!functional.has(word) && word.length > 1) terms.add(stem(word, language));
  return terms;
}
