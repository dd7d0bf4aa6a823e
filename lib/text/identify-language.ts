import { detectLanguage, toldLanguage, WHOLE_TEXT } from './detect-language.js';
import { STOPWORD_LISTS as lists } from './stopwords.js';

/** Languages whose list of stop words is too short to tell them, or that nobody speaks in a video. */
const LEFT_OUT = new Set(['br', 'eo', 'ha', 'ku', 'la', 'so', 'st', 'sw', 'yo', 'zu']);
/**
 * Least score of a word, and by how much the best language must lead; the least where the function words of the six agree. Of 29 languages
 * in the test sentences of lingua-py (2026), ten in lower case: 0.5 % of the other languages are taken for one of the six, 99.3 % of the six are told.
 */
const LEAST = 0.12;
const LEAD = 1.2;
const LEAST_IF_AGREED = 0.08;
/** Fewest words that tell a language, and most that are looked at; set by hand. */
const FEWEST_WORDS = 5;
const MOST_WORDS = 400;

/** Scripts of one language, or of a few that differ by their words. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['ko', /\p{sc=Hangul}/u],
  ['zh', /\p{sc=Han}/u],
  ['th', /\p{sc=Thai}/u],
  ['el', /\p{sc=Greek}/u],
  ['he', /\p{sc=Hebrew}/u],
];
/** Characters that are looked at for a script, and the share that decides; set by hand. */
const SCRIPT_SAMPLE = 2000;
const SCRIPT_SHARE = 0.2;

/** Languages of a stop word with what it counts for each: a word of many languages, or of a long list, says little. */
let languagesOfWord: ReadonlyMap<string, readonly (readonly [code: string, weight: number])[]> | undefined;

function languagesOfWords(): NonNullable<typeof languagesOfWord> {
  if (languagesOfWord) return languagesOfWord;
  const owners = new Map<string, string[]>();
  for (const [code, list] of Object.entries(lists).filter(([code]) => !LEFT_OUT.has(code)))
    for (const word of new Set(list)) owners.set(word, [...(owners.get(word) ?? []), code]);
  const weightOf = (code: string): number => 5 / Math.log(lists[code]!.length + 20);
  languagesOfWord = new Map(
    [...owners].map(([word, own]) => [
      word,
      own.map((code) => [code, weightOf(code) / Math.sqrt(own.length)] as const),
    ]),
  );
  return languagesOfWord;
}

/**
 * Which of some forty languages a text is in, by its script and its stop words (`stopwords-iso`). For honest labels: unlike
 * `detectLanguage`, which chooses among the six, it says that a Dutch text is Dutch. Where the stop words leave it open, one of the six is
 * said only if its function words say the same, and in a text of very few words.
 *
 * @returns ISO 639-1 code; undefined where the words do not tell
 */
export function identifyLanguage(text: string): string | undefined {
  const sample = text.slice(0, WHOLE_TEXT);
  const letters = [...sample.slice(0, SCRIPT_SAMPLE)].filter((c) => /\p{L}/u.test(c));
  for (const [code, script] of SCRIPTS)
    if (letters.filter((c) => script.test(c)).length > letters.length * SCRIPT_SHARE) return code;
  const words =
    sample
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu)
      ?.slice(0, MOST_WORDS) ?? [];
  if (words.length < FEWEST_WORDS) return toldLanguage(text, WHOLE_TEXT);
  const known = languagesOfWords();
  const scores = new Map<string, number>();
  for (const word of words)
    for (const [code, weight] of known.get(word) ?? []) scores.set(code, (scores.get(code) ?? 0) + weight);
  const [[code, most] = ['', 0], [, next] = ['', 0]] = [...scores].sort((a, b) => b[1] - a[1]);
  if (most >= words.length * LEAST && most >= next * LEAD) return code;
  return most >= words.length * LEAST_IF_AGREED && code === detectLanguage(text, WHOLE_TEXT)
    ? code
    : undefined;
}
