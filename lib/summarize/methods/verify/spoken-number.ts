import { numberAt, spokenNumbers } from '../../../core/text/number-words.js';
import { type Language } from '../../../core/text/languages.js';

/** The value of one word, or of digits; undefined for other words. */
export function single(word: string, language: Language): number | undefined {
  if (/^\d{1,6}$/.test(word)) return Number(word);
  const [first] = spokenNumbers([word], language);
  return first?.value;
}

/** The number that ends at a word: `twenty five` at `five`. */
export function lastNumber(words: readonly string[], end: number, language: Language): number | undefined {
  if (end < 0) return undefined;
  if (/^\d{1,6}$/.test(words[end]!)) return Number(words[end]);
  for (let start = Math.max(0, end - 3); start <= end; start++) {
    const number = numberAt(words, start, language);
    if (number && start + number.length === end + 1) return number.value;
  }
  return single(words[end]!, language);
}
