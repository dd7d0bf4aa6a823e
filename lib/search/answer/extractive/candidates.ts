import { detectLanguage } from '../../../core/text/detect-language.js';
import { type Language } from '../../../core/text/languages.js';
import type { AnswerPassage } from '../../answer-engine.js';
import { readBlocks, shownBlock, type Block } from '../../page-blocks.js';
import { addressesAssistant } from '../addresses-assistant.js';
import { evidenceOf, type EvidenceMatch } from './expected-evidence.js';
import type { QuestionKind } from './question-kinds.js';
import type { Question } from './question.js';
import { unitsOf, type TextUnit } from './text-units.js';
import { isOrphan, keyOf, matcherOf, MET, wordsOf, type TermMatcher, type Word } from './words.js';

/** A part of a passage that may answer. The vectors say how well it meets each term of the question, 0..1. */
export interface Candidate {
  /** Index of the passage. */
  passage: number;
  /** Index of its first unit in the passage. */
  position: number;
  /** Number of units: 1, or all items of a list. */
  length: number;
  unit: TextUnit;
  words: readonly Word[];
  /** The heading or title that has the evidence where the text has less: the date above a list of changes. Quoted with the text. */
  heading?: string;
  evidence: EvidenceMatch;
  /** The text begins with a word that refers to something named before. */
  isOrphan: boolean;
  /** By its own text. */
  own: readonly number[];
  /** By its lead-in. */
  lead: readonly number[];
  /** By the title and the headings above. */
  headings: readonly number[];
  /** By the two units before. */
  before: readonly number[];
  /** By the whole passage with its title. */
  page: readonly number[];
}

/** A passage as it was read. */
export interface ReadPassage {
  passage: AnswerPassage;
  language: Language;
  title: readonly Word[];
  units: readonly (TextUnit & { words: readonly Word[] })[];
}

/** The candidates and what their features are computed from. */
export interface Candidates {
  question: Question;
  passages: readonly ReadPassage[];
  /** Importance of each term of the question; they add up to 1. */
  weights: readonly number[];
  /** How well each term is met by any passage, 0..1. */
  anywhere: readonly number[];
  /** For each passage 1 if a newer one has nearly the same title, else 0. */
  older: readonly number[];
  list: readonly Candidate[];
}

/** A term that stands only in the unit before the last one. */
const FURTHER = 0.7;
/** Kinds of questions that the heading above a text may answer: entries of a changelog or a programme. */
const DATED: ReadonlySet<QuestionKind> = new Set(['time', 'version']);
/** Evidence in the heading above a text counts this much. */
const ABOVE = 0.9;
/** Longer lists are only quoted item by item. */
const MAX_LIST = 12;
/** Share of a title's words that two versions of a page have in common. */
const SAME_TITLE = 0.6;

/** Reads the passages and compares each part with the question. */
export function candidatesIn(question: Question, read: readonly ReadPassage[]): Candidates {
  const { terms } = question;
  const vocabulary = new Map<string, Word>();
  for (const { title, units } of read)
    for (const words of [title, ...units.map((u) => u.words)])
      for (const word of words) vocabulary.set(keyOf(word), word);
  const matchers = terms.map((term) => matcherOf(term, vocabulary));
  const matches = (words: readonly Word[]): number[] => matchers.map((matcher) => bestOf(matcher, words));
  // Lead-ins and headings are the same for many units.
  const known = new Map<string, number[]>();
  const matchesOf = (text: string, language: Language): number[] => {
    const vector = known.get(text) ?? matches(wordsOf(text, language));
    known.set(text, vector);
    return vector;
  };
  const ofUnits = read.map(({ units }) => units.map(({ words }) => matches(words)));
  const headingEvidence = new Map<string, number>();
  const evidenceOfHeading = (text: string, language: Language): number => {
    const match =
      headingEvidence.get(text) ??
      ABOVE * evidenceOf(question, text, wordsOf(text, language), language).match;
    headingEvidence.set(text, match);
    return match;
  };
  const list: Candidate[] = [];
  const pages = read.map(({ language, title, units }, p) => {
    const own = ofUnits[p]!;
    const inTitle = matches(title);
    const page = maxOf([inTitle, ...own], terms.length);
    units.forEach((unit, i) => {
      if (unit.text.endsWith('?') || addressesAssistant(unit.text)) return;
      const further = own[i - 2]?.map((m) => FURTHER * m) ?? [];
      const context = {
        passage: p,
        position: i,
        lead: matchesOf(unit.leadIn, language),
        headings: maxOf([inTitle, ...unit.headings.map((h) => matchesOf(h, language))], terms.length),
        before: maxOf([own[i - 1] ?? [], further], terms.length),
        page,
      };
      const add = (length: number, text: string, words: readonly Word[]): void => {
        const whole = { ...unit, text };
        const orphan = isOrphan(text, language);
        const follows = orphan && context.before.every((met) => met >= MET);
        const evidence = evidenceOf(question, text, words, language, follows);
        const heading =
          DATED.has(question.kind) && unit.kind !== 'heading' ? unit.headings.at(-1) : undefined;
        const above = heading === undefined ? 0 : evidenceOfHeading(heading, language);
        list.push({
          ...context,
          length,
          unit: whole,
          words,
          isOrphan: orphan,
          ...(heading !== undefined && above > evidence.match ? { heading } : {}),
          evidence: { ...evidence, match: Math.max(evidence.match, above) },
          own: maxOf(own.slice(i, i + length), terms.length),
        });
      };
      add(1, unit.text, unit.words);
      const items = unit.kind === 'item' && units[i - 1]?.group !== unit.group ? itemsFrom(units, i) : [];
      if (items.length < 2 || items.length > MAX_LIST) return;
      add(
        items.length,
        items.map((item) => item.text).join('\n'),
        items.flatMap((item) => item.words),
      );
    });
    return page;
  });
  return {
    question,
    passages: read,
    weights: weightsOf(ofUnits.flat(), terms.length),
    anywhere: maxOf(pages, terms.length),
    older: olderPages(read),
    list,
  };
}

/** @param fallback language of a passage that does not show its own */
export function readPassages(passages: readonly AnswerPassage[], fallback: Language): ReadPassage[] {
  return passages.map((given) => {
    const passage = withBlocks(given);
    const language = detectLanguage(passage.text) ?? fallback;
    const units = unitsOf(passage.blocks, language).map((unit) => ({
      ...unit,
      words: wordsOf(unit.text, language),
    }));
    return { passage, language, title: wordsOf(passage.title, language), units };
  });
}

/** A passage that came as text only is read here: its quotations are of the plain text. */
function withBlocks(passage: AnswerPassage): AnswerPassage & { blocks: readonly Block[] } {
  if (passage.blocks) return { ...passage, blocks: passage.blocks };
  const blocks = [...readBlocks(passage.text, { html: false })];
  return { ...passage, blocks, text: blocks.map(shownBlock).join('\n') };
}

function itemsFrom(units: ReadPassage['units'], start: number): ReadPassage['units'] {
  let end = start;
  while (units[end]?.kind === 'item' && units[end]!.group === units[start]!.group) end++;
  return units.slice(start, end);
}

function bestOf(matcher: TermMatcher, words: readonly Word[]): number {
  let best = 0;
  for (const word of words) {
    best = Math.max(best, matcher(word));
    if (best === 1) break;
  }
  return best;
}

/** At each place the largest value of the vectors; 0 where they are shorter. */
function maxOf(vectors: readonly (readonly number[])[], length: number): number[] {
  const most = new Array<number>(length).fill(0);
  for (const vector of vectors) vector.forEach((value, i) => (most[i] = Math.max(most[i]!, value)));
  return most;
}

/** A term matters the more, the fewer units have it. There is no index here: the passages may be from anywhere. */
function weightsOf(units: readonly (readonly number[])[], length: number): number[] {
  const n = units.length;
  const most = Math.log(1 + (n + 1) / 0.5);
  const raw = Array.from({ length }, (_, i) => {
    const holding = units.filter((m) => m[i]! >= MET).length;
    return 0.4 + (0.6 * Math.log(1 + (n + 1) / (holding + 0.5))) / most;
  });
  const total = raw.reduce((a, b) => a + b, 0) || 1;
  return raw.map((w) => w / total);
}

/** Pages that another page replaces: nearly the same title, and a later date. */
function olderPages(read: readonly ReadPassage[]): number[] {
  const dates = read.map(({ passage }) => Date.parse(passage.publishedAt ?? ''));
  return read.map(({ title }, i) => {
    const own = new Set(title.map((w) => w.term));
    const isReplaced = read.some(({ title: other }, j) => {
      if (!(dates[j]! > dates[i]!)) return false;
      const shared = other.filter((w) => own.has(w.term)).length;
      return shared > 0 && shared >= SAME_TITLE * Math.min(own.size, other.length);
    });
    return isReplaced ? 1 : 0;
  });
}
