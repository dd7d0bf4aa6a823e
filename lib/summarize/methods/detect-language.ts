import { words, type Language } from '../../core/text/index.js';

/**
 * The commonest function words of each language. Short hand-made lists of equal length vote more evenly than the long stop lists,
 * whose sizes differ by a factor of two.
 */
const FUNCTION_WORDS: Record<Language, string> = {
  en: 'the of and to in is that it for was with as are this be by from have not which they an at his were',
  pt: 'o de que e do da em um para é com não uma os no se na por mais as dos como mas foi ao das são você',
  es: 'el de que y la en un los del se las por con no una su para es al lo como más pero sus le ya este son',
  it: 'di che il e la è per un in non della una con si del sono da le dei nel alla gli più come anche ha lo ma',
  de: 'der die und das in den von zu mit ist des sich nicht ein eine auf dem für im auch es als an wird sie aus',
  fr: 'de la le et les des en un du une est que dans pour qui il sur au plus par ne pas ce avec se sont cette',
};

const LISTS = Object.entries(FUNCTION_WORDS).map(
  ([language, list]) => [language as Language, new Set(list.split(' '))] as const,
);
/** Fewer words than this decide nothing. */
const MIN_WORDS = 12;
/** Share of function words that running text has at least, and by how much the first must lead the second. */
const MIN_SHARE = 0.15;
const MIN_LEAD = 1.25;

/** The language of a text among the six by a vote of function words; undefined when the vote is unclear. Linear. */
export function detectLanguage(text: string): Language | undefined {
  const all = words(text.slice(0, 20_000));
  if (all.length < MIN_WORDS) return undefined;
  const votes = LISTS.map(([language, list]) => ({
    language,
    share: all.filter((word) => list.has(word)).length / all.length,
  })).sort((a, b) => b.share - a.share);
  const [first, second] = votes;
  if (!first || !second || first.share < MIN_SHARE || first.share < second.share * MIN_LEAD) return undefined;
  return first.language;
}
