import { toldLanguage } from '../../text/detect-language.js';
import { words } from '../../text/tokens.js';
import { eachWord, eachWordSpan } from '../../text/each-word.js';
import { functionWords } from '../../text/word-lists.js';
import type { Language } from '../../text/languages.js';
import { asWritten, functionTerm, indexedTerm, isInCapitals, type Analyzer } from './analyzer.js';

export interface Vocabulary {
  has(term: string): boolean;
}

export interface QueryTerm {
  word: string;
  /**
   * The terms by which a text may have it, and how much each counts, above 0 to 1: 1 for the word itself in the languages of the texts
   * and for a corrected spelling, less for a part. Empty where no text has anything like it.
   */
  forms: ReadonlyMap<string, number>;
}

/** A part that makes up all of the word would count this much, half of it half as much. `npm run bench -- search`: .3 loses two first pages. */
const PART = 0.6;
/**
 * Words of a query that are corrected, each of so many characters: each costs some hundred look-ups. `npm run bench -- search`: from 7 letters on loses one
 * in 14 typing errors, from 4 on wins nothing.
 */
const MOST_CORRECTED = 6;
const LEAST_TO_CORRECT = 5;
const MOST_TO_CORRECT = 20;
/** Shortest part of a word that is looked for, and shortest word that is taken apart, characters. With 2 twice as many pages on something else are shown (as above). */
const LEAST_PART = 4;
const LEAST_TO_SPLIT = 7;
/** Words that are looked at; a query has at most 400 characters; a plain bound. */
const MOST_WORDS = 100;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

const QUOTED = /["“„«»][^"“”„«»]+["”“«»]/gu;

/**
 * What a query asks for, word by word, each word once. Function words are left out unless there are no others or they are
 * {@link emphasizedWords}; they are found in titles. A word that no text has is looked for with another
 * spelling ({@link editsOf}), then by its parts (`Papiertonne` → `Papier`). Numbers and names with digits stay as they are.
 *
 * @param analyzers of the languages of the texts, the only ones in which the query is read unless it is in one of these
 */
export function queryTerms(
  query: string,
  analyzers: ReadonlyMap<Language | undefined, Analyzer>,
  vocabulary: Vocabulary,
): QueryTerm[] {
  const ofQuery = toldLanguage(query);
  const queryAnalyzer = ofQuery ? analyzers.get(ofQuery) : undefined;
  // Asked in a language that no text is in: names and numbers may still be found, its function words would only disturb.
  const foreign = ofQuery && !queryAnalyzer ? functionWords(ofQuery) : undefined;
  const languages = [ofQuery, ...analyzers.keys()];
  const isFunctionWord = (word: string): boolean =>
    languages.some((language) => language && functionWords(language).has(word));
  const emphasized = emphasizedWords(query, isFunctionWord);
  const readers = queryAnalyzer ? [queryAnalyzer] : [...analyzers.values()];
  const terms = read(query, readers, vocabulary, foreign, emphasized);
  const isAnyMeant = terms.some(({ word, forms }) => forms.size > 0 || !isFunctionWord(word));
  // A query of nothing but function words ("who is who") is searched for as it stands.
  return isAnyMeant ? terms : read(query, [], vocabulary, foreign, emphasizedWords(query));
}

/**
 * The words of a query, as it writes them, that are meant although they may be function words, by their number in the query: those in
 * capitals (`the WHO`, `IT`), and those between quotation marks without any other word.
 * @param isFunctionWord Default: all words are meant
 */
export function emphasizedWords(
  query: string,
  isFunctionWord?: (word: string) => boolean,
): Map<number, string> {
  const lower = query.toLowerCase();
  const quoted = [...query.matchAll(QUOTED)]
    .filter(([quotation]) => isFunctionWord && words(quotation).every(isFunctionWord))
    .map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
  const hasCase = query !== query.toUpperCase();
  const emphasized = new Map<number, string>();
  let position = 0;
  eachWordSpan(lower, (start, end) => {
    const word = asWritten(query, lower, start, end);
    const isQuoted = quoted.some(({ from, to }) => start >= from && end <= to);
    if (!isFunctionWord || isQuoted || (hasCase && isInCapitals(word))) emphasized.set(position, word);
    position++;
  });
  return emphasized;
}

/** The terms of titles by which a function word is found: of one in capitals (`US`) that in capitals, if a title has it. */
function formsInTitles(word: string, vocabulary: Vocabulary): string[] {
  const capitals = functionTerm(word.toUpperCase());
  if (isInCapitals(word) && vocabulary.has(capitals)) return [capitals];
  return [capitals, functionTerm(word.toLowerCase())].filter((term) => vocabulary.has(term));
}

function read(
  query: string,
  analyzers: readonly Analyzer[],
  vocabulary: Vocabulary,
  foreign: ReadonlySet<string> | undefined,
  emphasized: ReadonlyMap<number, string>,
): QueryTerm[] {
  const lower = query.toLowerCase();
  const asked: string[] = [];
  eachWord(lower, (word) => asked.length < MOST_WORDS && asked.push(word));
  const byPosition = new Map<number, Map<string, number>>();
  const add = (position: number, term: string | undefined, weight: number): void => {
    if (term === undefined) return;
    const forms = byPosition.get(position) ?? new Map<string, number>();
    byPosition.set(position, forms.set(term, Math.max(weight, forms.get(term) ?? 0)));
  };
  for (const analyzer of analyzers) {
    analyzer.eachTerm(query, (term, position) => {
      if (position < asked.length && !foreign?.has(asked[position]!)) add(position, term, 1);
    });
    asked.forEach((word, i) => {
      if (!byPosition.has(i)) return;
      const [next = ''] = asked.slice(i + 1, i + 2);
      // `power bank` for `powerbank`.
      const joined = /\p{L}/u.test(word) && next !== '' ? analyzer.term(word + next) : undefined;
      if (joined !== undefined && vocabulary.has(joined)) add(i, joined, 1);
    });
  }
  for (const [position, word] of emphasized)
    if (position < asked.length) for (const term of formsInTitles(word, vocabulary)) add(position, term, 1);
  const terms: QueryTerm[] = [];
  const seen = new Set<string>();
  let corrected = 0;
  for (const [position, all] of [...byPosition].sort(([a], [b]) => a - b)) {
    const word = asked[position]!;
    const key = [...all.keys()].join(' ');
    if (seen.has(key)) continue;
    seen.add(key);
    let forms = new Map([...all].filter(([term]) => vocabulary.has(term)));
    // A word of another language is not misspelt.
    if (forms.size === 0 && !foreign && isCorrectable(word) && corrected++ < MOST_CORRECTED)
      forms = corrections(word, analyzers, vocabulary);
    if (forms.size === 0) forms = partsOf([...all.keys()], vocabulary);
    terms.push({ word, forms });
  }
  return terms;
}

export function isCorrectable(word: string): boolean {
  return word.length >= LEAST_TO_CORRECT && word.length <= MOST_TO_CORRECT && /^\p{L}+$/u.test(word);
}

function corrections(
  word: string,
  analyzers: readonly Analyzer[],
  vocabulary: Vocabulary,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const edited of editsOf(word)) {
    for (const { language } of analyzers) {
      const term = indexedTerm(edited, language);
      if (term !== undefined && term.length >= LEAST_PART && vocabulary.has(term)) found.set(term, 1);
    }
  }
  return found;
}

/** In shorter words, a wrong letter makes another real word too often (`sleep`, `steep`): only what fingers do is undone, characters. With 6, more pages on something else are shown (lib/embedded/README.md). */
const LEAST_FOR_ANY_EDIT = 8;

/**
 * The words that may have been meant: one letter is missing, doubled, not doubled, or swapped with the next one; in a long word also wrong or
 * too much. The first letter is taken as it is. Any edit of a shorter word would often be another word.
 */
export function editsOf(word: string): Set<string> {
  const edits = new Set<string>();
  const isLong = word.length >= LEAST_FOR_ANY_EDIT;
  for (let i = 1; i <= word.length; i++) {
    const head = word.slice(0, i);
    const tail = word.slice(i);
    if (isLong || tail[0] === head.at(-1)) edits.add(head + tail.slice(1));
    if (tail.length > 1) edits.add(head + tail[1]! + tail[0]! + tail.slice(2));
    for (const letter of ALPHABET) {
      edits.add(head + letter + tail);
      if (isLong && tail) edits.add(head + letter + tail.slice(1));
    }
  }
  edits.delete(word);
  return edits;
}

/** Known words that a word begins or ends with, the longest first. */
function partsOf(terms: readonly string[], vocabulary: Vocabulary): Map<string, number> {
  const found = new Map<string, number>();
  for (const term of terms) {
    for (const part of endsOf(term))
      if (vocabulary.has(part)) found.set(part, (PART * part.length) / term.length);
  }
  return found;
}

export function endsOf(word: string): string[] {
  if (word.length < LEAST_TO_SPLIT || !/^\p{L}+$/u.test(word)) return [];
  const ends: string[] = [];
  for (let length = word.length - 1; length >= LEAST_PART; length--)
    ends.push(word.slice(0, length), word.slice(-length));
  return ends;
}
