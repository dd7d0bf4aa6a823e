import { eachWord, functionWords, stem, type Language } from '../../core/text/index.js';

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
