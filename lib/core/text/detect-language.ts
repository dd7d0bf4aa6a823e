import { eachWord } from './each-word.js';
import { functionWords } from './function-words.js';
import { LANGUAGES, type Language } from './languages.js';

/** Enough for some hundred words, and indexing looks at every document. */
const LOOKED_AT = 600;
/** {@link detectLanguage} of a transcript or a summary, which may begin with a few words of another language, characters. */
export const WHOLE_TEXT = 20_000;
/** Function words that are needed: this share of a few words, this number of some twenty, this share of many. */
const SHARE_OF_FEW = 0.15;
const ENOUGH = 3;
const SHARE_OF_MANY = 0.06;

/** For each function word of any language, the indices of the languages that have it. */
let languagesOfWord: Map<string, number[]> | undefined;

/**
 * Which of the six languages a text is in, by its function words.
 *
 * @param lookedAt characters from its beginning that are looked at; more where it may begin otherwise than it goes on. Default 600
 * @returns undefined where they do not tell: too few of them, or two languages alike
 */
export function detectLanguage(text: string, lookedAt = LOOKED_AT): Language | undefined {
  languagesOfWord ??= collect();
  const known = languagesOfWord;
  const counts = new Uint16Array(LANGUAGES.length);
  let words = 0;
  eachWord(text.slice(0, lookedAt).toLowerCase(), (word) => {
    words++;
    const languages = known.get(word);
    if (languages) for (const language of languages) counts[language]!++;
  });
  let best = 0;
  let second = -1;
  for (let i = 1; i < counts.length; i++) {
    if (counts[i]! > counts[best]!) {
      second = counts[best]!;
      best = i;
    } else {
      second = Math.max(second, counts[i]!);
    }
  }
  const count = counts[best]!;
  const needed = Math.max(Math.min(ENOUGH, words * SHARE_OF_FEW), words * SHARE_OF_MANY);
  return count === 0 || count === second || count < needed ? undefined : LANGUAGES[best];
}

function collect(): Map<string, number[]> {
  const map = new Map<string, number[]>();
  LANGUAGES.forEach((language, i) => {
    for (const word of functionWords(language)) map.set(word, [...(map.get(word) ?? []), i]);
  });
  return map;
}
