import { detectLanguage } from '../../text/detect-language.js';
import { sentencesOf } from '../../text/sentences.js';
import { type Language } from '../../text/languages.js';
import type { AnswerPassage } from '../../search/answer-engine.js';
import { shownBlock, type Block } from '../../web/blocks.js';
import { publishedMs } from '../../web/iso-date.js';
import { readMarkdown } from '../../web/read-markdown.js';
import { folded } from '../../search/ranking/analyzer.js';
import { nameOf } from '../../search/ranking/duplicate-pages.js';
import { addressesAssistant } from '../../search/answer/wording.js';
import { analyseQuestion, evidenceOf, type Question } from './question.js';
import { isOrphan, matchesOf, wordsOf, type Word } from './words.js';

/** The smallest part of a page that an answer can quote: a sentence, or a whole block of another kind. */
export interface TextUnit {
  kind: 'sentence' | Exclude<Block['kind'], 'paragraph'>;
  /** Plain text. Verbatim in its page. */
  text: string;
  words: readonly Word[];
  /** Sentences of one paragraph, items of one list and rows of one table have the same number, counted from 0. */
  group: number;
  /** The headings above, outermost first. */
  headings: readonly string[];
  /** Context of the unit: the text before a list, table or code, the columns of a row, the question that a text answers. */
  leadIn: string;
  /** The text begins with a word that refers to something named before. */
  isOrphan: boolean;
}

/** A part of a passage that may answer. The vectors say how well it meets each term of the question, 0..1. */
export interface Candidate {
  passage: number;
  /** Index of its first unit in the passage. */
  position: number;
  /** Number of units: 1, or all items of a list. */
  length: number;
  unit: TextUnit;
  /** How clearly it has the kind of words asked for, 0..1; undefined where code cannot recognise the kind. */
  evidence: number | undefined;
  /**
   * The heading above without which the text would not answer: it has the date asked for, or a word of the question that the text
   * has not. Shown with the text.
   */
  heading?: string;
  /** By its own text. */
  own: readonly number[];
  /** By its lead-in, the headings above and the title of the page. */
  context: readonly number[];
  /** By the two units before. */
  before: readonly number[];
}

export interface ReadPassage {
  passage: AnswerPassage;
  language: Language;
  units: readonly TextUnit[];
  /** Whether each unit meets each term of the question, 1 or 0. */
  own: readonly (readonly number[])[];
}

/** The question and everything in the passages that may answer it. */
export interface Candidates {
  question: Question;
  /** Without those that a newer page of the same name replaces. */
  passages: readonly ReadPassage[];
  /** How much each term tells, in all 1: a word of many sentences tells less. */
  weights: readonly number[];
  /** How much the terms tell together, in nats. */
  told: number;
  list: readonly Candidate[];
}

/** A term that stands only in the unit before the last one. `npm run bench -- answers`: with 0 and with 1 as many answers are right. */
const FURTHER = 0.7;
/** Evidence in the heading above a text counts this much; set by hand. */
const ABOVE = 0.9;
/** Longer lists are only quoted item by item; a plain bound. */
const MAX_LIST = 12;

/** Reads the passages and compares each part with the question. */
export function readQuestion(query: string, given: readonly AnswerPassage[]): Candidates {
  const sample = given.slice(0, 3).map((p) => p.text.slice(0, 600));
  const language = detectLanguage(sample.join(' '));
  const fallback = language ?? analyseQuestion(query).language;
  const read = given.filter((page, rank) => !isReplaced(page, given.slice(0, rank))).map(withBlocks);
  const parts = read.map((passage) => {
    const own = detectLanguage(passage.text) ?? fallback;
    const title = wordsOf(passage.title, own);
    return { passage, language: own, title, units: unitsOf(passage.blocks, own) };
  });
  const written = parts.flatMap(({ title, units }) => [title, ...units.map((u) => u.words)].flat());
  const words = new Set(written.flatMap((w) => [w.text, w.lower]));
  const question = analyseQuestion(query, language && { words, language });
  const { terms, measure } = question;
  const vocabulary = new Set(written.map((w) => w.term));
  const isMeasure = ({ lower }: Word): boolean => measure?.test(folded(lower)) ?? false;
  const alike = (term: Word): Word[] => (isMeasure(term) ? written.filter(isMeasure) : []);
  const matches = terms.map(
    (term) => new Set([...matchesOf(term, vocabulary), ...alike(term).map((w) => w.term)]),
  );
  const met = (of: readonly Word[]): number[] =>
    matches.map((known) => (of.some(({ term }) => known.has(term)) ? 1 : 0));
  const passages = parts.map((part): ReadPassage => ({
    ...part,
    own: part.units.map((unit) => met(unit.words)),
  }));
  const units = passages.flatMap(({ own }) => own);
  const having = terms.map((_, i) => units.filter((own) => own[i] === 1).length);
  const values = having.map((n) => Math.log(1 + units.length / Math.max(1, n)));
  const total = values.reduce((a, b) => a + b, 0);
  return {
    question,
    passages,
    weights: values.map((value) => value / total),
    told: total,
    list: passages.flatMap((passage, p) => candidatesOf(question, passage, p, met)),
  };
}

/** A newer page of the same name stands before it: the ranking of the search prefers it for this question. */
function isReplaced(page: AnswerPassage, before: readonly AnswerPassage[]): boolean {
  const name = nameOf(page.title);
  const date = publishedMs(page.publishedAt);
  return (
    name !== '' &&
    before.some((other) => nameOf(other.title) === name && publishedMs(other.publishedAt) > date)
  );
}

function candidatesOf(
  question: Question,
  { passage, language, units, own }: ReadPassage,
  p: number,
  met: (words: readonly Word[]) => number[],
): Candidate[] {
  const size = question.terms.length;
  const list: Candidate[] = [];
  // Many units have the same lead-in.
  const known = new Map<string, number[]>();
  const metIn = (text: string): number[] => {
    const vector = known.get(text) ?? met(wordsOf(text, language));
    known.set(text, vector);
    return vector;
  };
  const isDated = question.kind === 'time';
  let items: readonly TextUnit[] = [];
  units.forEach((unit, i) => {
    const isFirst = units[i - 1]?.group !== unit.group;
    if (isFirst) items = unit.kind === 'item' ? itemsFrom(units, i) : [];
    if (isAside(unit)) return;
    const lead = metIn([unit.leadIn, ...unit.headings].join(' '));
    const nearest = unit.headings.at(-1) ?? '';
    const isNeeded = metIn(nearest).some((isMet, term) => isMet > own[i]![term]!);
    const above = isDated
      ? ABOVE * (evidenceOf(question, nearest, wordsOf(nearest, language), language) ?? 0)
      : 0;
    const add = (length: number, text: string, words: readonly Word[]): void => {
      const evidence = evidenceOf(question, text, words, language);
      const isAbove = evidence !== undefined && above > evidence;
      const further = own[i - 2]?.map((m) => FURTHER * m) ?? [];
      list.push({
        passage: p,
        position: i,
        length,
        unit: { ...unit, text, words },
        evidence: isAbove ? above : evidence,
        ...(isAbove || isNeeded ? { heading: nearest } : {}),
        own: maxOf(own.slice(i, i + length), size),
        context: maxOf([metIn(passage.title), lead], size),
        before: maxOf([own[i - 1] ?? [], further], size),
      });
    };
    const isList = items.length > 1 && items.length <= MAX_LIST;
    // "To end a ride, do two things:" is answered by the whole list.
    const isPartOfAnswer =
      isList && question.kind === 'open' && own[i]!.every((strength, term) => strength <= lead[term]!);
    if (!isPartOfAnswer) add(1, unit.text, unit.words);
    if (!isList || !isFirst) return;
    add(
      items.length,
      items.map((item) => item.text).join('\n'),
      items.flatMap((item) => item.words),
    );
  });
  return list;
}

/** What is no answer by itself: a heading, a question, what introduces something, an order to a program that reads the page. */
export function isAside({ kind, text }: TextUnit): boolean {
  return kind === 'heading' || /[?:]$/.test(text) || addressesAssistant(text);
}

/** A passage that came as text only is read here: its quotations are of the plain text. */
function withBlocks(passage: AnswerPassage): AnswerPassage & { blocks: readonly Block[] } {
  if (passage.blocks) return { ...passage, blocks: passage.blocks };
  const blocks = readMarkdown(passage.text, { html: false });
  return { ...passage, blocks, text: blocks.map(shownBlock).join('\n') };
}

function itemsFrom(units: readonly TextUnit[], start: number): readonly TextUnit[] {
  let end = start;
  while (units[end]?.kind === 'item' && units[end]!.group === units[start]!.group) end++;
  return units.slice(start, end);
}

/** At each place the largest value of the vectors; 0 where they are shorter. */
export function maxOf(vectors: readonly (readonly number[])[], length: number): number[] {
  const most = new Array<number>(length).fill(0);
  for (const vector of vectors) vector.forEach((value, i) => (most[i] = Math.max(most[i]!, value)));
  return most;
}

/** A sentence of more characters is cut into pieces; a plain bound. */
const LONG_SENTENCE = 500;
const PIECE = /\S[\s\S]{0,238}\S(?!\S)|\S{1,240}/g;

function unitsOf(blocks: readonly Block[], language: Language): TextUnit[] {
  const units: TextUnit[] = [];
  let group = -1;
  let before: Block | undefined;
  // A question is answered by what follows it: the rest of its paragraph, or the next block.
  let question = '';
  const add = (kind: TextUnit['kind'], text: string, { headings }: Block, leadIn: string): void => {
    const words = wordsOf(text, language);
    units.push({ kind, text, words, group, headings, leadIn, isOrphan: isOrphan(text, language) });
  };
  for (const block of blocks) {
    const continues =
      before?.kind === block.kind && block.kind !== 'paragraph' && block.leadIn === before.leadIn;
    if (!continues) group++;
    before = block;
    if (block.kind !== 'paragraph') {
      const leadIn = [block.leadIn ?? '', ...(block.columns ?? [])].filter((part) => part !== '').join(' ');
      add(block.kind, block.text, block, leadIn);
      if (block.kind === 'heading') question = '';
      continue;
    }
    // Text without full stops, as in captions, is cut between words.
    const sentences = sentencesOf(block.text, { language }).flatMap((sentence) =>
      sentence.length > LONG_SENTENCE ? sentence.match(PIECE)! : [sentence],
    );
    for (const sentence of sentences) {
      add('sentence', sentence, block, question);
      if (sentence.endsWith('?')) question = sentence;
    }
    if (!sentences.at(-1)?.endsWith('?')) question = '';
  }
  return units;
}
