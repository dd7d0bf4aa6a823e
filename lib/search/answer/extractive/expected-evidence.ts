import type { Language } from '../../../core/text/languages.js';
import { readValues, type Value } from '../values/read-values.js';
import type { Question } from './question.js';
import { wordList } from '../../../core/text/word-lists.js';
import type { Word } from './words.js';

/** How well a text shows the kind of words that a question asks for. */
export interface EvidenceMatch {
  /** 0 none .. 1 clearly. */
  match: number;
  /** True for kinds that code can recognise: numbers, amounts, times, versions and names. */
  isHard: boolean;
}

const FREE =
  /\b(?:free|kostenlos|kostenfrei|gebührenfrei|umsonst|gratis|gratuit(?:e?s?|o|a|os|as|amente|ement))\b/iu;
const DATE = /\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/;
const VERSION = /\bv?\d+\.\d+(?:\.\d+)*\b|\bversion \d+/i;
/**
 * Looks in a text for the kind of words that the question asks for and that the question does not have itself.
 * @param follows whether the text begins with a word that refers to what the question asks about
 */
export function evidenceOf(
  question: Question,
  text: string,
  words: readonly Word[],
  language: Language,
  follows = false,
): EvidenceMatch {
  const asked = new Set(question.words.map((w) => w.term));
  switch (question.kind) {
    case 'count':
    case 'amount':
    case 'duration':
      return hard(amountMatch(question, text, words, language));
    case 'time':
      return hard(timeMatch(question, text, language));
    case 'version':
      return hard(VERSION.test(text) ? 1 : 0);
    case 'person':
      return hard(nameMatch(words, asked, language));
    case 'definition':
      return soft(definitionMatch(question, text, words, wordList(language, 'copulas'), follows));
    case 'topic':
      return soft(
        words.some((w) => w.isNumber && !asked.has(w.term))
          ? amountMatch(question, text, words, language)
          : 0,
      );
    default:
      return soft(0.5);
  }
}

function hard(match: number): EvidenceMatch {
  return { match, isHard: true };
}

function soft(match: number): EvidenceMatch {
  return { match, isHard: false };
}

/** Values of a text that the question does not name itself. */
export function freshValues(question: Question, text: string, language: Language): Value[] {
  return readValues(text, language).filter(
    (value) => !question.values.some((v) => v.kind === value.kind && v.readings[0] === value.readings[0]),
  );
}

/** A number of the dimension asked for, or next to the noun asked for; a bare year is not an amount. */
function amountMatch(question: Question, text: string, words: readonly Word[], language: Language): number {
  const { dimensions, head } = question;
  let best = dimensions?.includes('euros') && FREE.test(text) ? 1 : 0;
  for (const value of freshValues(question, text, language)) {
    if (value.kind !== 'number') continue;
    const isYear = !value.unit && /^(?:1\d|20)\d{2}$/.test(value.text);
    const isMeasured = dimensions?.some((d) => value.unit?.dimension.split('/')[0] === d);
    const isCounted =
      head !== undefined &&
      words.some((w) => w.term === head && w.start < value.end + 30 && w.end > value.start - 30);
    best = Math.max(best, isMeasured || isCounted ? 1 : isYear ? 0.2 : dimensions || head ? 0.4 : 0.9);
  }
  return best;
}

function timeMatch(question: Question, text: string, language: Language): number {
  if (DATE.test(text)) return 1;
  let best = 0;
  for (const { kind, unit, text: written } of freshValues(question, text, language)) {
    const isDate = kind !== 'number' || /^(?:1\d|20)\d{2}$/.test(written);
    best = Math.max(best, isDate ? 1 : unit?.dimension === 'time' ? 0.7 : 0.4);
  }
  return best;
}

/** Two capitals in a row are a name; in German, where every noun has a capital, one alone says little. */
function nameMatch(words: readonly Word[], asked: ReadonlySet<string>, language: Language): number {
  let best = 0;
  words.forEach((word, i) => {
    if (asked.has(word.term) || word.isFunctional || word.isNumber || !/^\p{Lu}/u.test(word.text)) return;
    const next = words[i + 1];
    const isRun =
      !!next &&
      next.start - word.end <= 2 &&
      !next.isFunctional &&
      !next.isNumber &&
      /^\p{Lu}/u.test(next.text);
    best = Math.max(best, isRun ? 1 : language === 'de' ? 0.2 : word.isName ? 0.7 : 0.2);
  });
  return best;
}

/** "X is …" or "X: …" with X at the beginning, "… is called X", or "It is …" behind a text about X. */
function definitionMatch(
  question: Question,
  text: string,
  words: readonly Word[],
  copulas: ReadonlySet<string>,
  follows: boolean,
): number {
  if (follows && has(words.slice(0, 4), copulas)) return 0.9;
  const terms = new Set(question.terms.map((t) => t.term));
  const at = words.findIndex((w) => terms.has(w.term));
  if (at < 0) return 0;
  const last = words.map((w) => terms.has(w.term)).lastIndexOf(true);
  const around = words.slice(at, at + 6 + question.terms.length);
  if (at <= 2 && (has(around, copulas) || /^[^.!?]{1,60}(?::| –| —|,) /.test(text))) return 1;
  const isCalled = has(words.slice(Math.max(0, last - 4), last), copulas);
  return isCalled && last >= words.length - 2 ? 0.9 : at <= 2 ? 0.5 : 0.2;
}

function has(words: readonly Word[], list: ReadonlySet<string>): boolean {
  return words.some((w) => list.has(w.lower));
}
