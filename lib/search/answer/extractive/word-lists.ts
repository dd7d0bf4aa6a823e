import type { Language } from '../../../core/text/languages.js';
import { LANGUAGE_WORDS } from '../../../core/text/languages/all.js';
import type { LanguageWords } from '../../../core/text/languages/language-words.js';

const sets = new Map<string, ReadonlySet<string>>();

/** One of the closed word lists of a language, as a set. */
export function wordList(language: Language, name: keyof LanguageWords): ReadonlySet<string> {
  const key = `${language} ${name}`;
  let words = sets.get(key);
  if (!words) {
    words = new Set(LANGUAGE_WORDS[language][name].split(' '));
    sets.set(key, words);
  }
  return words;
}
