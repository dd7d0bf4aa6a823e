import { eachWord, WORD_PART, wordKind } from './each-word.js';
import { functionWords } from './word-lists.js';
import { LANGUAGES, type Language } from './languages.js';

/** Characters that {@link detectLanguage} looks at: enough for some hundred words, and indexing looks at every document; a plain bound. */
const LOOKED_AT = 600;
/** {@link detectLanguage} of a transcript or a summary, which may begin with a few words of another language, characters; a plain bound. */
export const WHOLE_TEXT = 20_000;
/** Function words that are needed: this share of a few words, this number of some twenty, this share of many; set by hand. */
const SHARE_OF_FEW = 0.15;
const ENOUGH = 3;
const SHARE_OF_MANY = 0.06;
/**
 * Function words by which {@link toldLanguage} leads. Of 66 short English queries with words such as "EU", "die" or "Los" 1 is taken for another
 * language (28 with a lead of 1), of 943 questions in four languages of XQuAD, SQuAD-it and bench/everyday none.
 */
const LEAST_LEAD = 2;

/** For each function word of any language, the languages that have it, as places in {@link LANGUAGES}. */
let languagesOfWord: ReadonlyMap<string, readonly number[]> | undefined;

/**
 * Which of the six languages a text is in, by its function words.
 *
 * @param lookedAt characters from its beginning that are looked at, words that go beyond them left out; more where a text may begin
 *   otherwise than it goes on. Default {@link LOOKED_AT}
 * @returns undefined where they do not tell: too few of them, or two languages alike
 */
export function detectLanguage(text: string, lookedAt = LOOKED_AT): Language | undefined {
  const { counts, words } = countWords(text, lookedAt);
  const count = Math.max(...counts);
  const needed = Math.max(Math.min(ENOUGH, words * SHARE_OF_FEW), words * SHARE_OF_MANY);
  const best = counts.indexOf(count);
  const isAlone = counts.lastIndexOf(count) === best;
  return count > 0 && isAlone && count >= needed ? LANGUAGES[best] : undefined;
}

/**
 * The same for what a reader is told, and for short texts such as questions: two function words more than of any other language are needed. One alone
 * says nothing: "EU passport queue" and "Los Angeles weather" are English.
 */
export function toldLanguage(text: string, lookedAt = LOOKED_AT): Language | undefined {
  const language = detectLanguage(text, lookedAt);
  const [best = 0, second = 0] = [...countWords(text, lookedAt).counts].sort((a, b) => b - a);
  return best - second >= LEAST_LEAD ? language : undefined;
}

/** Words of a query that the pages have; with fewer, one function word that the pages' language lacks tells, next to one that it has; set by hand. */
const FEW_SHARED = 0.3;

/**
 * The language of the pages, unless the query has words that only another language has. One alone says nothing.
 * @param pages their words in lower case, and their language
 */
export function languageOfQuestion(
  text: string,
  pages: { words: ReadonlySet<string>; language: Language },
): Language {
  const other = detectLanguage(text);
  if (!other || other === pages.language || pages.words.size === 0) return other ?? pages.language;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const functional = words.filter((w) => functionWords(other).has(w));
  const foreign = functional.filter((w) => !functionWords(pages.language).has(w)).length;
  const shared = words.filter((w) => pages.words.has(w)).length;
  const isTold =
    foreign > 1 || (foreign === 1 && functional.length > 1 && shared < FEW_SHARED * words.length);
  return isTold ? other : pages.language;
}

function countWords(text: string, lookedAt: number): { counts: Uint16Array; words: number } {
  languagesOfWord ??= collect();
  const counts = new Uint16Array(LANGUAGES.length);
  let words = 0;
  eachWord(wholeWords(text, lookedAt).toLowerCase(), (word) => {
    words++;
    for (const language of languagesOfWord!.get(word) ?? []) counts[language]!++;
  });
  return { counts, words };
}

/** The beginning of a text without the half of a word at its end, which may look like another word. */
function wholeWords(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = characters;
  if (wordKind(text.charCodeAt(end)) === WORD_PART)
    while (end > 0 && wordKind(text.charCodeAt(end - 1)) === WORD_PART) end--;
  return text.slice(0, end);
}

function collect(): Map<string, number[]> {
  const map = new Map<string, number[]>();
  LANGUAGES.forEach((language, i) => {
    for (const word of functionWords(language)) map.set(word, [...(map.get(word) ?? []), i]);
  });
  return map;
}
