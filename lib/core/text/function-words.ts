import { LANGUAGE_WORDS } from './languages/all.js';
import type { Language } from './languages.js';

const sets = new Map<Language, ReadonlySet<string>>();

/** Function words of a language, lower case. See `LanguageWords.functionWords`. */
export function functionWords(language: Language): ReadonlySet<string> {
  let set = sets.get(language);
  if (!set) {
    set = new Set(LANGUAGE_WORDS[language].functionWords.split(' '));
    sets.set(language, set);
  }
  return set;
}
