import { isNonSpeech, namesSound } from '../../content/captions/clean-text.js';
import { type Pause } from '../../core/async.js';
import { countWords } from '../../text/count-words.js';
import { cutAtBlanks } from '../../text/cut-at-blanks.js';
import { eachWord } from '../../text/each-word.js';
import { languageOf, type Language } from '../../text/languages.js';
import { spansOf } from '../../text/sentences.js';
import { stopwords } from '../../text/stopwords.js';
import { stem, WORD_PATTERN } from '../../text/tokens.js';
import { type TimedText } from './speakers.js';
import { wordListsOf } from './vocabulary.js';

/** A sentence of a transcript; in captions without punctuation a cue. */
export interface Sentence {
  /** As the summary shows it, without sounds of thinking and stutters. */
  text: string;
  words: number;
  /** Words in lower case with straight apostrophes. */
  forms: string[];
  /** Stems of the words with content, in order. */
  stems: string[];
  /** Share of articles and prepositions less the share of words of private talk, -1..1 (after Heylighen and Dewaele, Formality of Language, 1999). */
  formality: number;
  startMs: number;
  speaker?: string;
  /** False for a cue that may begin inside a sentence. */
  opens: boolean;
  /** True where a line begins: a paragraph or the turn of a speaker. */
  startsLine: boolean;
  isQuestion: boolean;
  /** Opens with words that point to what was said before, or answers a question. */
  pointsBack: boolean;
}

export interface Sentences {
  list: Sentence[];
  /** The stems of another text. */
  stemsIn: (text: string) => Set<string>;
  /** True for captions without punctuation. */
  unpunctuated: boolean;
}

/** A text with fewer ends of sentences per word than this counts as unpunctuated; set by hand. */
const PUNCTUATED = 1 / 70;
/** Share of the lines that go on with a sentence, from which a text was cut anywhere; set by hand. */
const CUT_ANYWHERE = 0.2;
/** Silence that ends a sentence, ms; set by hand. */
const LONG_PAUSE = 1500;
/** A line up to this long is a cue: its own start is the right place to jump to; set by hand. */
const CUE_MS = 12_000;
/** Characters of a longest cue. What is longer is cut; a plain bound. */
const LONGEST_CUE = 160;
/** Fewest words of a cue. What is shorter goes with the next: there are as many candidates as cues, however the captions are cut. Set by hand. */
const SHORTEST_CUE = 4;

/** Signs of music, which are not said. */
const MUSIC = /[♪♫]|(?<!\S)#(?!\S)/g;
/** Brackets that are no part of a word, as those of `list[0]` are. */
const BRACKETS = /(?<![\p{L}\p{N}_])\[[^[\]\n]{1,60}\](?![\p{L}\p{N}_])/gu;
/** A sign of a new speaker or of an item of a list; before a number a dash may be a minus. */
const TURN = /^\s*(?:>>+|[—•*>](?=\s)|[-–](?=\s)(?!\s+\d))/;
/** The end of a sentence. */
export const STOP = /[.!?…。！？]["'”’»)\]」』]{0,3}\s*$/;
const ENDS = /[.!?…](?=["'”’»)\]]{0,3}(?:\s|$))|[。！？]/g;
/** A beginning that does not show the start of a sentence: in small letters, in capitals, or of a script that has neither. */
const NOT_CAPITALISED = /^[^\p{L}\p{N}]*(?:\p{Ll}|\p{Lo}|\p{Lu}{2})/u;

/**
 * Cuts lines into sentences by their punctuation; captions without punctuation at their own cues. A line break ends a sentence, except in
 * captions, which are cut anywhere.
 *
 * @param code ISO 639-1 code; word lists are used where there are any
 */
export async function findSentences(
  given: readonly TimedText[],
  code: string,
  pause: Pause,
): Promise<Sentences> {
  const lines: Line[] = [];
  const count = { words: 0, ends: 0, goOn: 0 };
  for (const line of given) {
    await pause();
    const text = said(line.text);
    if (!text) continue;
    const turn = TURN.test(line.text);
    const before = lines.at(-1);
    if (before && !turn && !STOP.test(before.text.slice(-5)) && NOT_CAPITALISED.test(text.slice(0, 20)))
      count.goOn++;
    const words = countWords(text);
    lines.push({ ...line, text, turn, words });
    count.words += words;
    count.ends += text.match(ENDS)?.length ?? 0;
  }
  const unpunctuated = count.ends < count.words * PUNCTUATED;
  const isKnown = lines.some(({ startsLine }) => startsLine);
  const goesOn = count.goOn > lines.length * CUT_ANYWHERE;
  // Where nothing but line breaks could end a sentence, and lines go on with one, they do not.
  if (unpunctuated && goesOn) for (const line of lines) line.startsLine = false;
  const isCutAnywhere = isKnown || goesOn;
  const language = languageOf(code);
  const words = new Words(code);
  const list: Sentence[] = [];
  // Lines up to a place where a sentence surely ends, or where captions without punctuation may be cut.
  let block: Line[] = [];
  let blockWords = 0;
  for (const [k, line] of lines.entries()) {
    await pause();
    block.push(line);
    blockWords += line.words;
    const next = lines[k + 1];
    const isEnd = !next || endsBetween(line, next, isCutAnywhere);
    if (!isEnd && !(unpunctuated && blockWords >= SHORTEST_CUE)) continue;
    const before = lines[k - block.length];
    const isOpen = unpunctuated && before !== undefined && !endsBetween(before, block[0]!, true);
    const first = list.length;
    const pieces = unpunctuated ? cuesOf(block) : await sentencesOf(block, language, pause);
    for (const { text, startMs, speaker } of pieces) {
      await pause();
      const sentence = words.describe(text, startMs, speaker);
      if (!sentence) continue;
      const startsLine = list.length === first;
      const pointsBack = sentence.pointsBack || list.at(-1)?.isQuestion === true;
      list.push({ ...sentence, pointsBack, opens: startsLine ? !isOpen : !unpunctuated, startsLine });
    }
    [block, blockWords] = [[], 0];
  }
  // The first sentence has nothing before it to point back to.
  if (list[0]) list[0].pointsBack = false;
  return { list, unpunctuated, stemsIn: (text) => words.stemsIn(text) };
}

/** The words of a line, without what is not said: signs of music, a line of stage directions, and sounds in brackets beside words. */
const said = (text: string): string =>
  isNonSpeech(text)
    ? ''
    : text
        .replace(BRACKETS, (mark) => (namesSound(mark) ? ' ' : mark))
        .replace(MUSIC, ' ')
        .replace(TURN, '')
        .replace(/\s+/g, ' ')
        .trim();

type Line = TimedText & { turn: boolean; words: number };
type Timed = Pick<Sentence, 'text' | 'startMs' | 'speaker'>;

/** Whether a sentence surely ends between two lines. */
function endsBetween(line: Line, next: Line, isCutAnywhere: boolean): boolean {
  if (next.startsLine || next.turn || next.speaker !== line.speaker) return true;
  if (next.startMs - line.endMs >= LONG_PAUSE) return true;
  return !isCutAnywhere && (STOP.test(line.text.slice(-5)) || !/^\p{Ll}/u.test(next.text));
}

async function sentencesOf(
  lines: readonly Line[],
  language: Language | undefined,
  pause: Pause,
): Promise<Timed[]> {
  const source = lines.map(({ text }) => text).join(' ');
  const sentences: Timed[] = [];
  let [l, lineStart] = [0, 0];
  for (const { start, end } of await spansOf(source, { language, lineBreaks: false }, pause)) {
    await pause();
    while (l + 1 < lines.length && lineStart + lines[l]!.text.length < start)
      lineStart += lines[l++]!.text.length + 1;
    const line = lines[l]!;
    const startMs = timeIn(line, start - lineStart);
    sentences.push({ text: source.slice(start, end), startMs, speaker: line.speaker });
  }
  return sentences;
}

function cuesOf(lines: readonly Line[]): Timed[] {
  const text = lines.map((one) => one.text).join(' ');
  const line = { ...lines[0]!, text, endMs: lines.at(-1)!.endMs };
  let at = 0;
  const parts = line.text.length > LONGEST_CUE ? cutAtBlanks(line.text, LONGEST_CUE / 2) : [line.text];
  return parts.map((text) => {
    const startMs = timeIn(line, at);
    at += text.length + 1;
    return { text, startMs, speaker: line.speaker };
  });
}

/** When a character of a line was said, in ms: the start of a cue, or in a longer line in proportion to the characters before it. */
function timeIn({ text, startMs, endMs }: TimedText, at: number): number {
  const span = endMs - startMs;
  const within = span > CUE_MS ? (span * at) / text.length : 0;
  return Math.max(0, Math.floor(startMs + within)) || 0;
}

/** Longest form that is looked up and stemmed; what is longer is no word, and stemmers are not linear in it; a plain bound. */
const LONGEST_WORD = 48;
/** Words that a speaker says twice in a row without meaning to, at most; set by hand. */
const LONGEST_STUTTER = 3;
/**
 * Words with content before a pronoun and before a demonstrative that point back, at most: behind more, most mean something in their own sentence
 * (from GUM, see lib/embedded/README.md).
 */
const BEFORE_PRONOUN = 1;
const BEFORE_DEMONSTRATIVE = 5;

interface Word {
  form: string;
  /** Empty for a word without content. */
  stems: string[];
  /** 1 for articles and prepositions, -1 for words of private talk. */
  style: number;
}

/** Describes sentences by word lists and stems. Lives as long as one summary. */
class Words {
  private readonly known = new Map<string, Word>();
  private readonly stopWords: ReadonlySet<string>;
  private readonly language: Language | undefined;
  private readonly lists: ReturnType<typeof wordListsOf> | undefined;

  constructor(code: string) {
    this.language = languageOf(code);
    this.lists = this.language && wordListsOf(this.language);
    this.stopWords = stopwords(code);
  }

  /** @returns undefined for a text without words */
  describe(
    said: string,
    startMs: number,
    speaker: string | undefined,
  ): Omit<Sentence, 'opens' | 'startsLine'> | undefined {
    const clean = this.lists ? this.cleaned(said) : said;
    // Captions in small letters; elsewhere the letter is a name, as in "Let i be 3".
    const isPronoun = this.language === 'en' && clean === clean.toLowerCase();
    const text = isPronoun ? clean.replace(/\bi(?=['’ ]|$)/g, 'I') : clean;
    const words = this.wordsOf(text);
    if (words.length === 0) return undefined;
    const forms = words.map(({ form }) => form);
    return {
      text,
      // One character of Thai is less than a word.
      words: Math.max(1, countWords(text)) + countWords(speaker ?? ''),
      forms,
      stems: words.flatMap(({ stems }) => stems),
      formality: words.reduce((sum, { style }) => sum + style, 0) / words.length,
      startMs,
      speaker,
      isQuestion: /[?？][^\p{L}\p{N}]{0,4}$/u.test(text.slice(-5)),
      pointsBack: this.pointsBack(words),
    };
  }

  private pointsBack(words: readonly Word[]): boolean {
    let content = 0;
    for (const { form, stems } of words) {
      if (content <= BEFORE_PRONOUN && this.lists?.pronouns.has(form)) return true;
      if (content <= BEFORE_DEMONSTRATIVE && this.lists?.demonstratives.has(form)) return true;
      content += stems.length;
    }
    return false;
  }

  private wordsOf(text: string): Word[] {
    return Array.from(text.matchAll(WORD_PATTERN), ([word]) => this.word(word));
  }

  private word(written: string): Word {
    const form = written.slice(0, LONGEST_WORD).toLowerCase().replaceAll('’', "'");
    let word = this.known.get(form);
    if (!word) this.known.set(form, (word = { form, stems: this.stemsOf(form), style: this.styleOf(form) }));
    return word;
  }

  private styleOf(form: string): number {
    if (this.lists?.casual.has(form)) return -1;
    return this.lists?.articles.has(form) ? 1 : 0;
  }

  /** `l'homme`, `abonnez-vous`: the longest part has the content. In scripts without blanks, pairs of characters. */
  private stemsOf(form: string): string[] {
    const core = form.split(/['-]/).reduce((a, b) => (b.length > a.length ? b : a));
    if (this.stopWords.has(form) || this.stopWords.has(core) || this.lists?.casual.has(form)) return [];
    if (/^[\d.,-]+$/.test(core)) return [];
    if (this.language) return core.length > 1 ? [stem(core, this.language)] : [];
    const stems: string[] = [];
    eachWord(core, (word) => stems.push(word));
    return stems;
  }

  /** The stems of another text. */
  stemsIn(text: string): Set<string> {
    return new Set(this.wordsOf(text).flatMap(({ stems }) => stems));
  }

  /**
   * Deletes what nobody means to say: sounds of thinking in small letters or at the start (`ER` and `5 um` are none), and stutters of articles
   * and prepositions (`in the in the`) with no mark between.
   */
  private cleaned(text: string): string {
    const { hesitations, articles } = this.lists!;
    const words = Array.from(text.matchAll(WORD_PATTERN), ({ 0: { length }, 0: word, index }) => ({
      form: word.toLowerCase(),
      start: index,
      end: index + length,
    }));
    const isSound = ({ start, end }: (typeof words)[number]): boolean => {
      const written = text.slice(start, end);
      const small = start === words[0]!.start ? written[0]!.toLowerCase() + written.slice(1) : written;
      const isUnit = /\d\s?$/.test(text.slice(Math.max(0, start - 2), start));
      return !isUnit && (hesitations.has(written) || hesitations.has(small));
    };
    const said: typeof words = [];
    const dropped = new Set<(typeof words)[number]>();
    for (const word of words) {
      if (isSound(word)) dropped.add(word);
      else if (said.push(word) && articles.has(word.form)) {
        for (let n = 1; n <= LONGEST_STUTTER && 2 * n <= said.length; n++) {
          const first = said.slice(-2 * n, -n);
          const isSame = first.every(({ form }, k) => form === said.at(k - n)!.form && articles.has(form));
          if (!isSame || /[^\p{L}\p{N}\s]/u.test(text.slice(first[0]!.start, said.at(-n)!.start))) continue;
          for (const one of first) dropped.add(one);
          said.splice(-2 * n, n);
          break;
        }
      }
    }
    if (dropped.size === 0) return text;
    if (said.length === 0) return '';
    let [out, at] = ['', 0];
    for (const { start, end } of dropped) {
      out += text.slice(at, start);
      at = end;
      // One comma of the two around a sound.
      if (text[at] === ',' && /(?:^|[,\s])\s{0,2}$/.test(out.slice(-3))) at++;
    }
    out += text.slice(at);
    return out
      .replace(/\s+/g, ' ')
      .replace(/ (?=[,.;:!?…](?:\s|$))/g, '')
      .replace(/^(?:[\s,;:.!?…–—-](?!\d))+/, '')
      .trim();
  }
}

/** With the first letter in upper case, where the language has such. */
export function capitalized(text: string): string {
  const first = text.search(/[\p{L}\p{N}]/u);
  if (first < 0) return text;
  const letter = String.fromCodePoint(text.codePointAt(first)!);
  const upper = letter.toUpperCase();
  return upper.length === letter.length
    ? text.slice(0, first) + upper + text.slice(first + letter.length)
    : text;
}
