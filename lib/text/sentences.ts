import type { Pause } from '../core/async.js';
import { wordList } from './word-lists.js';
import { LANGUAGES, type Language } from './languages.js';

/** Where a sentence stands in its text: `[start, end)`, UTF-16 offsets, without the white space around it. */
export interface SentenceSpan {
  start: number;
  end: number;
}

interface SentenceOptions {
  /** Whose abbreviations are known. Default: those of all six languages. */
  language?: Language;
  /** True: a line break ends a sentence. False: only an empty line does, for text that is wrapped at a column. Default true. */
  lineBreaks?: boolean;
}

/** Marks that end a sentence only before a blank or a line end. */
const SPACED_ENDS = '.!?…؟۔।';
/** Marks of scripts without blanks: they end a sentence wherever they stand. */
const UNSPACED_ENDS = '。！？｡។။';
const CLOSERS = '"\'”’“»«›‹)]}」』）】》〉';
const OPENERS = '"\'“”„‚‘«»‹›([{¿¡—–-*_「『（【《〈';
/** Continues a sentence although a full stop and a blank come before it. */
const CONTINUERS = ',;:)]}»';

/** Characters that are searched for the next word after an end mark, and for the word before it; set by hand. */
const LOOK_AHEAD = 24;
const LOOK_BEHIND = 16;
/** Characters that are looked at to tell whether a text is written without capitals; a plain bound. */
const SAMPLE = 50_000;

/** Kinds of a character, as bits. */
const END = 1;
const UNSPACED_END = 2;
const BLANK = 4;
const CLOSER = 8;
const OPENER = 16;

const kinds = new Uint8Array(65536);
for (const c of SPACED_ENDS) kinds[c.charCodeAt(0)]! |= END;
for (const c of UNSPACED_ENDS) kinds[c.charCodeAt(0)]! |= END | UNSPACED_END;
for (const c of CLOSERS) kinds[c.charCodeAt(0)]! |= CLOSER;
for (const c of OPENERS) kinds[c.charCodeAt(0)]! |= OPENER;
for (let c = 0; c <= 32; c++) kinds[c]! |= BLANK;
for (const c of [0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]) kinds[c]! |= BLANK;
for (let c = 0x2000; c <= 0x200b; c++) kinds[c]! |= BLANK;

const LINE_FEED = 0x0a;
const FULL_STOP = 0x2e;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isLower = (character: string): boolean => character !== character.toUpperCase();

/** The mark of a note in a page's text, as a regular expression: `[3]`, `[a]`, `[note 2]`. */
export const NOTE_MARK = String.raw`\[(?:[1-9]\d{0,2}|[a-z]|(?:note|nota|nb|n) \d{1,3}|citation needed)\]`;
/** Behind a full stop: `It is 30 m tall.[3]`. */
const NOTE = new RegExp(`(?:${NOTE_MARK})+`, 'y');
/** Letters with dots between them: `U.S`, `z.B`, `J.-C`, `Ph.D`, `EE.UU`. */
const DOTTED = /^-?\p{L}{1,3}(?:\.-?\p{L}{1,3})+$/u;
const ROMAN = /^[IVXLC]+$/;
/** A number in Arabic or Roman digits. */
const NUMBER = /^(?:\d|[IVXLC]+(?!\p{L}))/u;
/** A Roman number that is no initial and no English pronoun: no sentence begins with one, but "chap. IV" goes on with it. */
const ROMAN_NUMBER = /^[IVXLC]{2,}(?!\p{L})/u;
/** The month or the year of a date with blanks. */
const DATE_PART = /^(?:\d{1,2}\.|\d{4})/;
/** Initials of a plural: `EE. UU.`, `SS. MM.` */
const DOUBLED = /^(?![IVXLC])(\p{Lu})\1$/u;
/** A word without a vowel that is no acronym. */
const CONSONANTS = /^[^\P{L}aeiouyAEIOUYÀ-ÖØ-öø-ÿŒœ][^\P{Ll}aeiouyà-öø-ÿœ]{1,6}$/u;
const WORD = /^\p{L}[\p{L}\p{M}]*/u;

/**
 * Finds the sentences of one text. End marks and line breaks are the borders; abbreviations, initials, ordinals, decimal points, addresses and versions are not. In doubt two sentences stay together: one too long reads better than two halves.
 *
 * Linear in the text: each mark looks at a bounded number of characters on either side.
 */
class SentenceFinder {
  private readonly language: Language | undefined;
  private readonly lineBreaks: boolean;
  private readonly lowerCase: boolean;

  constructor(
    private readonly text: string,
    { language, lineBreaks = true }: SentenceOptions = {},
  ) {
    this.language = language;
    this.lineBreaks = lineBreaks;
    this.lowerCase = isWrittenInLowerCase(text);
  }

  private readonly found: SentenceSpan[] = [];
  /** Where the sentence begins that is read, and what is read next. */
  private start = 0;
  private at = 0;

  /**
   * Reads on, at least up to an offset.
   * @returns the sentences found so far, in order, none empty; between them stands white space only
   */
  read(to: number): SentenceSpan[] {
    const { text } = this;
    const limit = Math.min(to, text.length);
    let i = this.at;
    for (; i < limit; i++) {
      const code = text.charCodeAt(i);
      const kind = kinds[code]!;
      // Nearly every character is a letter or a blank, and indexing looks at all of them.
      if (!(kind & END) && code !== LINE_FEED) continue;
      if (kind & END) {
        const run = this.endOfRun(i);
        const end = this.endAt(i, this.start);
        if (end > 0) this.close(end);
        i = Math.max(run, end) - 1;
      } else if (this.lineBreaks || this.isEmptyLine(i)) this.close(i + 1);
    }
    this.at = i;
    if (i >= text.length) this.close(text.length);
    return this.found;
  }

  private close(end: number): void {
    const { text } = this;
    let from = this.start;
    let to = end;
    while (from < to && isBlank(text, from)) from++;
    while (to > from && isBlank(text, to - 1)) to--;
    if (to > from) this.found.push({ start: from, end: to });
    this.start = end;
  }

  /**
   * Whether the mark at an offset ends a sentence.
   *
   * @param mark offset of the first of a run of end marks
   * @param start where the sentence begins, as far as is known
   * @returns the offset behind the sentence, its closing quotes and note marks included; -1 where it goes on
   */
  private endAt(mark: number, start: number): number {
    const { text } = this;
    const end = this.endOfRun(mark);
    if (end >= text.length) return end;
    if (kinds[text.charCodeAt(mark)]! & UNSPACED_END) return end;
    if (!isBlank(text, end)) return -1;
    const limit = Math.min(text.length, end + LOOK_AHEAD);
    let next = end;
    while (next < limit && kinds[text.charCodeAt(next)]! & (BLANK | OPENER)) {
      // A line break is a border whatever the next line begins with.
      if (text.charCodeAt(next) === LINE_FEED && this.lineBreaks) return end;
      next++;
    }
    if (next >= limit) return end;
    const following = text[next]!;
    if (CONTINUERS.includes(following)) return -1;
    if (isLower(following) && !this.lowerCase) return -1;
    if (text.charCodeAt(mark) !== FULL_STOP || text.charCodeAt(mark + 1) === FULL_STOP) return end;
    return this.isAbbreviated(mark, start, next) ? -1 : end;
  }

  /** Behind a run of end marks, closing quotes and brackets, and note marks. */
  private endOfRun(mark: number): number {
    const { text } = this;
    let end = mark + 1;
    while (end < text.length && kinds[text.charCodeAt(end)]! & (END | CLOSER)) end++;
    // French sets a blank before the closing mark: « Vraiment ? » A German opening mark is followed by its word.
    if (isBlank(text, end) && text[end + 1] === '»' && (end + 2 >= text.length || isBlank(text, end + 2)))
      end += 2;
    if (text[end] !== '[') return end;
    NOTE.lastIndex = end;
    return NOTE.test(text) ? NOTE.lastIndex : end;
  }

  /** Whether a full stop before a capital letter or a digit belongs to its word. */
  private isAbbreviated(mark: number, start: number, next: number): boolean {
    const { text, language } = this;
    const least = Math.max(start, mark - LOOK_BEHIND);
    let from = mark;
    while (from > least && !(kinds[text.charCodeAt(from - 1)]! & (BLANK | OPENER))) from--;
    const word = text.slice(from, mark);
    if (word === '') return false;
    const following = WORD.exec(text.slice(next, next + LOOK_AHEAD))?.[0].toLowerCase();
    const initial = following?.length === 1 && text.charCodeAt(next + 1) === FULL_STOP;
    const opens = following !== undefined && !initial && wordList(language, 'functionWords').has(following);
    if (isDigit(word.charCodeAt(word.length - 1))) {
      if (!/^\d{1,3}$/.test(word)) return false;
      // "1. Open the box." numbers an item; "am 19. Oktober" and "am 3. 10. 2020" have German ordinals.
      if (startsAt(text, start, from)) return true;
      return (
        language === 'de' && !opens && (following !== undefined || DATE_PART.test(text.slice(next, next + 5)))
      );
    }
    if (ROMAN_NUMBER.test(text.slice(next, next + LOOK_AHEAD))) return true;
    const lower = word.toLowerCase();
    if (wordList(language, 'leadingAbbreviations').has(lower)) return true;
    if (
      wordList(language, 'numberAbbreviations').has(lower) &&
      (initial || NUMBER.test(text.slice(next, next + LOOK_AHEAD)))
    )
      return true;
    if (DOUBLED.test(word) || DOTTED.test(word) || isCollected(lower, language)) return !opens;
    // `Pdt` and `Hr`, but no unit as in "3.5 kg".
    if (CONSONANTS.test(word) && !isDigit(text.charCodeAt(from - 2))) return !opens;
    if (word.length === 1 && WORD.test(word)) {
      // "J. Smith", "z. B. Brot" and "Franz I." go on; "vitamin C. It" does not.
      return !opens && (following !== undefined || isDigit(text.charCodeAt(next)));
    }
    return language === 'de' && ROMAN.test(word) && !opens;
  }

  private isEmptyLine(lineFeed: number): boolean {
    const { text } = this;
    const limit = Math.min(text.length, lineFeed + LOOK_AHEAD);
    for (let i = lineFeed + 1; i < limit; i++) {
      if (text.charCodeAt(i) === LINE_FEED) return true;
      if (!isBlank(text, i)) return false;
    }
    return false;
  }
}

/** Whether a word is a known abbreviation that may close a sentence. */
function isCollected(lower: string, language: Language | undefined): boolean {
  // "Hauptstr. 5" is a German address; no word of the six languages ends so.
  if (wordList(language, 'closingAbbreviations').has(lower) || lower.endsWith('str')) return true;
  if (language) return wordList(language, 'collectedAbbreviations').has(lower);
  // Without a language, what one of them abbreviates may be a word of another.
  return LANGUAGES.filter((one) => wordList(one, 'collectedAbbreviations').has(lower)).length > 1;
}

const isBlank = (text: string, at: number): boolean => (kinds[text.charCodeAt(at)]! & BLANK) > 0;

function startsAt(text: string, start: number, at: number): boolean {
  if (at - start > LOOK_AHEAD) return false;
  for (let i = start; i < at; i++) if (!(kinds[text.charCodeAt(i)]! & (BLANK | OPENER))) return false;
  return true;
}

/** Sentences of a text, in order; the gaps between them are white space. */
export function sentenceSpans(text: string, options?: SentenceOptions): SentenceSpan[] {
  return new SentenceFinder(text, options).read(text.length);
}

/** Characters that are read before it gives way; set by hand. */
const STEP = 50_000;

/** {@link sentenceSpans} of a text of any length. */
export async function spansOf(text: string, options: SentenceOptions, pause: Pause): Promise<SentenceSpan[]> {
  const finder = new SentenceFinder(text, options);
  for (let to = STEP; to < text.length; to += STEP) {
    finder.read(to);
    await pause();
  }
  return finder.read(text.length);
}

export function sentencesOf(text: string, options?: SentenceOptions): string[] {
  return sentenceSpans(text, options).map(({ start, end }) => text.slice(start, end));
}

/** The end of a whole sentence, perhaps with source numbers behind it. */
const WHOLE = /[.!?…。！？]["'”’»)]{0,3}(?:\s?\[[\d, ]{1,20}\]){0,9}\.?\s*$/;

/** A text that was cut off, without its last sentence where that is not whole. A single sentence stays. */
export function wholeSentences(text: string): string {
  const spans = sentenceSpans(text);
  const isWhole = spans.length < 2 || WHOLE.test(text.slice(-60));
  return isWhole ? text : text.slice(0, spans.at(-1)!.start).trimEnd();
}

/** Whether sentences of a text begin with small letters, as some transcripts write them. */
function isWrittenInLowerCase(text: string): boolean {
  let lower = 0;
  let upper = 0;
  for (const [, letter] of text.slice(0, SAMPLE).matchAll(/[.!?]\s+(\p{L})/gu)) {
    if (isLower(letter!)) lower++;
    else upper++;
  }
  if (lower === 0) return false;
  return upper === 0 ? !/\p{Lu}/u.test(text.slice(0, SAMPLE)) : lower >= 8 && lower > 4 * upper;
}

/** Least share of line breaks inside sentences from which lines count as wrapped; set by hand. */
const WRAPPED = 0.3;

/** Whether the lines of a text were broken at a column and not where sentences end: many of them go on with a small letter. */
export function isWrapped(text: string): boolean {
  let breaks = 0;
  let inside = 0;
  for (const [, before, after] of text.slice(0, SAMPLE).matchAll(/(\S)[^\S\n]*\n[^\S\n]*(?=(\S))/gu)) {
    breaks++;
    if (!(kinds[before!.charCodeAt(0)]! & END) && isLower(after!)) inside++;
  }
  return breaks > 0 && inside >= breaks * WRAPPED;
}
