import lists from 'stopwords-iso';

/** The lists of the `stopwords-iso` collection by ISO 639-1 code. */
export const STOPWORD_LISTS: Readonly<Record<string, readonly string[]>> = lists;

const cache = new Map<string, ReadonlySet<string>>();

/**
 * Function words of a language in lower case (the `stopwords-iso` collection).
 *
 * @param language ISO 639-1 code; the set is empty for a language without a list
 */
export function stopwords(language: string): ReadonlySet<string> {
  let set = cache.get(language);
  if (!set) {
    // `constructor` is no language.
    set = new Set(Object.hasOwn(STOPWORD_LISTS, language) ? STOPWORD_LISTS[language] : []);
    cache.set(language, set);
  }
  return set;
}
