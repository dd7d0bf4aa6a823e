import lists from 'stopwords-iso';
import type { Language } from './languages.js';

const cache = new Map<Language, ReadonlySet<string>>();

/** Function words of a language in lower case (the `stopwords-iso` collection). */
export function stopwords(language: Language): ReadonlySet<string> {
  let set = cache.get(language);
  if (!set) {
    set = new Set(lists[language]);
    cache.set(language, set);
  }
  return set;
}
