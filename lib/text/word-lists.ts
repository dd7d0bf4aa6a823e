import { LANGUAGES, type Language } from './languages.js';
import { de } from './languages/de.js';
import { en } from './languages/en.js';
import { es } from './languages/es.js';
import { fr } from './languages/fr.js';
import { it } from './languages/it.js';
import type { LanguageWords } from './languages/language-words.js';
import { pt } from './languages/pt.js';

/** The word lists of each language. */
export const LANGUAGE_WORDS: Readonly<Record<Language, LanguageWords>> = { de, en, es, fr, it, pt };

const sets = new Map<Language | undefined, Map<keyof LanguageWords, ReadonlySet<string>>>();

/** One list of a language as a set, without a language of all six; empty where the language has no such list. */
export function wordList(language: Language | undefined, name: keyof LanguageWords): ReadonlySet<string> {
  const own = sets.get(language) ?? new Map<keyof LanguageWords, ReadonlySet<string>>();
  let set = own.get(name);
  if (!set) {
    const languages = language ? [language] : LANGUAGES;
    set = new Set(languages.flatMap((one) => LANGUAGE_WORDS[one][name]?.split(' ') ?? []));
    sets.set(language, own.set(name, set));
  }
  return set;
}

/** Function words of a language, lower case. See {@link LanguageWords.functionWords}. */
export function functionWords(language: Language): ReadonlySet<string> {
  return wordList(language, 'functionWords');
}
