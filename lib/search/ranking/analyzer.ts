import { stem, type Language } from '../../core/text/index.js';
import { functionWords } from './function-words.js';

/** Longest word that is indexed, in characters; what is longer is no word that anyone searches for. */
const MAX_WORD = 40;

/** 0 unknown, 1 breaks words, 2 part of a word, 3 written without blanks between words (Han, kana, Thai, …). */
const kinds = new Uint8Array(65536);

function kindOf(code: number): number {
  let kind = kinds[code]!;
  if (kind === 0) {
    const c = String.fromCharCode(code);
    if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(c))
      kind = 3;
    // Halves of surrogate pairs count as letters, so that rare scripts and mathematical letters survive.
    else if (/[\p{L}\p{M}\p{N}]/u.test(c) || (code >= 0xd800 && code <= 0xdfff)) kind = 2;
    else kind = 1;
    kinds[code] = kind;
  }
  return kind;
}

/**
 * Calls `visit` with each word of an already lower-cased text: runs of letters and digits, torn at hyphens and
 * apostrophes; scripts without blanks give overlapping pairs of characters. One pass without regular expressions, because indexing is bound by it.
 */
export function eachWord(lower: string, visit: (word: string) => void): void {
  let start = -1;
  let previous = 0;
  for (let i = 0; i <= lower.length; i++) {
    const kind = i < lower.length ? kindOf(lower.charCodeAt(i)) : 1;
    if (start >= 0 && kind !== 2) {
      if (i - start <= MAX_WORD) visit(lower.slice(start, i));
      start = -1;
    }
    if (kind === 2 && start < 0) start = i;
    if (kind === 3) {
      if (previous === 3) visit(lower.slice(i - 1, i + 1));
      else if (i + 1 >= lower.length || kindOf(lower.charCodeAt(i + 1)) !== 3) visit(lower[i]!);
    }
    previous = kind;
  }
}

/**
 * The indexed form of a lower-case word: its stem without diacritics, so that `emission`/`emissions` and `café`/`cafe`
 * meet; undefined for a function word. Without a language the word itself.
 */
export function termOf(word: string, language: Language | undefined): string | undefined {
  if (language && functionWords(language).has(word)) return undefined;
  const base = language && /^\p{L}+$/u.test(word) ? stem(word, language) : word;
  return /^[\x20-\x7e]*$/.test(base) ? base : base.normalize('NFD').replace(/\p{M}+/gu, '') || base;
}

/** {@link termOf} with a memory, since a text repeats its words. */
export class Analyzer {
  private readonly known = new Map<string, string | undefined>();
  constructor(readonly language: Language | undefined) {}

  term(word: string): string | undefined {
    if (this.known.has(word)) return this.known.get(word);
    const term = termOf(word, this.language);
    if (this.known.size < 50_000) this.known.set(word, term);
    return term;
  }

  /** Terms of a text in order, function words left out. */
  terms(text: string): string[] {
    const out: string[] = [];
    eachWord(text.toLowerCase(), (word) => {
      const term = this.term(word);
      if (term !== undefined) out.push(term);
    });
    return out;
  }
}
