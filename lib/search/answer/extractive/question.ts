import { detectLanguage } from '../../../core/text/detect-language.js';
import { functionWords } from '../../../core/text/word-lists.js';
import { type Language } from '../../../core/text/languages.js';
import { readValues, type Value } from '../values/read-values.js';
import { DIMENSIONS, KINDS, type QuestionKind } from './question-kinds.js';
import { wordList } from '../../../core/text/word-lists.js';
import { wordsOf, type Word } from './words.js';

/** A question taken apart. */
export interface Question {
  language: Language;
  words: Word[];
  /** Words that the answer or its context should have: neither functional nor part of asking. At least one. */
  terms: Word[];
  kind: QuestionKind;
  /** Dimensions that the answer may have (`length`, `euros`), if the question says so. */
  dimensions?: readonly string[];
  /** Numbers and dates of the question itself. */
  values: readonly Value[];
  /** Stem of the noun that is asked for: "which *river*", "how many *moons*". */
  head?: string;
}

/**
 * Takes a query apart.
 * @param pages words of the pages in lower case, and their language: a query whose words they have is in that language
 */
export function analyseQuestion(
  text: string,
  pages: { words: ReadonlySet<string>; language: Language } = { words: new Set(), language: 'en' },
): Question {
  const language = languageOf(text, pages);
  const plain = text.toLowerCase().replace(/[‘’]/g, "'").trim();
  const bare = plain.normalize('NFD').replace(/\p{M}+/gu, '');
  const dimensions = DIMENSIONS.find(([pattern]) => pattern.test(bare))?.[1];
  const kind = kindOf(bare, language, dimensions !== undefined);
  const words = wordsOf(text, language);
  const content = words.filter((w) => !w.isFunctional);
  const asking = wordList(language, 'askingWords');
  const needed = content.filter((w) => w.isName || w.isNumber || !asking.has(w.lower));
  const head = headOf(words, kind);
  return {
    language,
    words,
    terms: distinct(needed.length > 0 ? needed : content.length > 0 ? content : words),
    kind,
    values: readValues(text, language),
    ...(dimensions ? { dimensions } : {}),
    ...(head ? { head } : {}),
  };
}

/** The language of the pages, unless the query has words that only another language has. */
function languageOf(text: string, pages: { words: ReadonlySet<string>; language: Language }): Language {
  const other = detectLanguage(text);
  if (!other || other === pages.language || pages.words.size === 0) return other ?? pages.language;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const foreign = words.filter(
    (w) => functionWords(other).has(w) && !functionWords(pages.language).has(w),
  ).length;
  const shared = words.filter((w) => pages.words.has(w)).length;
  return foreign > 1 || (foreign === 1 && shared < FEW_SHARED * words.length) ? other : pages.language;
}

/** Comparisons and versions are told by a word anywhere, other kinds by the first word that asks. */
function kindOf(bare: string, language: Language, isMeasured: boolean): QuestionKind {
  const found = Object.entries(KINDS[language])
    .map(([kind, pattern]) => ({ kind: kind as QuestionKind, at: bare.search(pattern) }))
    .filter(({ at }) => at >= 0);
  const special = found.find(({ kind }) => kind === 'comparison' || kind === 'version');
  const first = special ?? found.reduce((a, b) => (a && a.at <= b.at ? a : b), found[0]);
  const kind = first?.kind ?? 'topic';
  // "What does it cost", "at which temperature", "height of the tower".
  return isMeasured && (kind === 'which' || kind === 'topic') ? 'amount' : kind;
}

/** Words of a query that the pages have; with fewer, one foreign function word tells. */
const FEW_SHARED = 0.3;

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((w) => [w.term, w])).values()];
}

const HEADED =
  /^(?:which|what|many|que|qual|quais|quantos|quantas|qué|cuál|cuáles|cuántos|cuántas|cuantos|cuantas|quale|quali|quanti|quante|welche[rsmn]?|viele|quel|quelle|quels|quelles|combien)$/;

/** The noun behind "which" or "how many". */
function headOf(words: readonly Word[], kind: QuestionKind): string | undefined {
  if (kind !== 'count' && kind !== 'which' && kind !== 'time') return undefined;
  const at = words.findIndex((w) => HEADED.test(w.lower));
  if (at < 0) return undefined;
  const next =
    words[at + 1]?.isFunctional && words[at + 1]!.lower.length <= 2 ? words[at + 2] : words[at + 1];
  return next && !next.isFunctional && !next.isName ? next.term : undefined;
}
