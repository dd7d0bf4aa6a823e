import { LANGUAGES, type Language } from '../../core/text/index.js';
import { eachWord } from './analyzer.js';
import { functionWords } from './function-words.js';

/** Characters that are looked at: enough for some hundred function words, and indexing calls this for every document. */
const LOOKED_AT = 600;

/** For each function word of any language, the indices of the languages that have it. */
let languagesOfWord: Map<string, number[]> | undefined;

/**
 * The language of a text by its function words, or undefined where they do not tell: too few of them, or two languages
 * alike. The first 600 characters are looked at.
 */
export function detectLanguage(text: string): Language | undefined {
  languagesOfWord ??= collect();
  const known = languagesOfWord;
  const counts = new Uint16Array(LANGUAGES.length);
  let words = 0;
  eachWord(text.slice(0, LOOKED_AT).toLowerCase(), (word) => {
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
  return count === 0 || count === second || count < Math.min(3, words * 0.15) ? undefined : LANGUAGES[best];
}

function collect(): Map<string, number[]> {
  const map = new Map<string, number[]>();
  LANGUAGES.forEach((language, i) => {
    for (const word of functionWords(language)) map.set(word, [...(map.get(word) ?? []), i]);
  });
  return map;
}
