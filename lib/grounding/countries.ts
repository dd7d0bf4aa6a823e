import { LANGUAGES } from '../text/languages.js';

type Index = Map<string, Set<string>>;

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Shorter words of a name are "of" and "and", unless they are capitals; set by hand. */
const LEAST_LETTERS = 4;

/** Only capitals: "un" does not name the UN. */
export const isAcronym = (word: string): boolean => /^\p{Lu}{2,}$/u.test(word);

/**
 * Reads how countries are called from CLDR: their names in the six languages, their adjective where there is a dialect ("British English"), and else their
 * own language.
 *
 * @param plain a text in lower case without diacritics
 * @param stemOf the part of a plain word that its forms have in common
 * @returns all names of the country that a word names, and their words that only it has, plain but for acronyms; empty for other words, and for one that two countries share, such as "United"
 */
export function countryReader(
  plain: (text: string) => string,
  stemOf: (word: string) => string,
): (word: string) => readonly string[] {
  const [region, short, language] = (['region/long', 'region/short', 'language/long'] as const).map(
    (kind) => {
      const [type, style] = kind.split('/') as ['region', 'long'];
      return LANGUAGES.map((one) => new Intl.DisplayNames(one, { type, style, fallback: 'none' }));
    },
  ) as [Intl.DisplayNames[], Intl.DisplayNames[], Intl.DisplayNames[]];
  const wordsIn = (name = ''): string[] =>
    (name.match(/[\p{L}\p{M}]+/gu) ?? [])
      .filter((word) => word.length >= LEAST_LETTERS || isAcronym(word))
      .map((word) => (isAcronym(word) ? word : plain(word)));
  const names: Index = new Map();
  // "French" alone says France, and as a part Polynesia too.
  const [whole, parts]: [Index, Index] = [new Map(), new Map()];
  const add = (country: string, words: readonly string[]): void => {
    for (const word of words) push(words.length === 1 ? whole : parts, stemOf(word), country);
    push(names, country, words.join(' '));
  };
  for (const code of LETTERS.flatMap((a) => LETTERS.map((b) => a + b))) {
    const name = region[0]!.of(code);
    const place = name && new Intl.Locale(`und-${code}`);
    // A code of old is an alias.
    if (!place || place.region !== code) continue;
    if (name.replace(/[^\p{Lu}]/gu, '') === code) add(code, [code]);
    for (const one of [...region, ...short]) add(code, wordsIn(one.of(code)));
    const { language: spoken } = place.maximize();
    const ofLanguage = language.map((one) => wordsIn(one.of(spoken)));
    const adjectives = language.flatMap((one, i) => {
      const dialect = one.of(`${spoken}-${code}`) ?? '(';
      const rest = dialect.includes('(') ? [] : wordsIn(dialect).filter((w) => !ofLanguage[i]!.includes(w));
      return rest.length === 1 ? [rest] : [];
    });
    const isOwn = new Intl.Locale(spoken).maximize().region === code;
    for (const words of adjectives.length > 0 ? adjectives : isOwn ? ofLanguage : []) add(code, words);
  }
  const countryOf = (word: string): string | undefined => {
    const found = [whole, parts].map((words) => words.get(stemOf(word))).find((one) => one?.size === 1);
    return found && [...found][0];
  };
  return (word) => {
    const country = wordsIn(word).map(countryOf).find(Boolean);
    const all = [...(names.get(country ?? '') ?? [])];
    const words = all.flatMap((one) => one.split(' ')).filter((one) => countryOf(one) === country);
    return [...words, ...all.filter((one) => one.includes(' '))];
  };
}

function push(index: Index, key: string, value: string): void {
  index.set(key, (index.get(key) ?? new Set()).add(value));
}
