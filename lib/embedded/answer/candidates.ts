import { detectLanguage } from '../../text/detect-language.js';
import { sentencesOf } from '../../text/sentences.js';
import { type Language } from '../../text/languages.js';
import type { AnswerPassage } from '../../search/answer-engine.js';
import { shownBlock, type Block } from '../../web/blocks.js';
import { readMarkdown } from '../../web/markdown.js';
import { nameOf } from '../../search/ranking/versions.js';
import { addressesAssistant } from '../../search/answer/wording.js';
import { evidenceOf, type Question } from './question.js';
import { isOrphan, matchesOf, MET, wordsOf, type Word } from './words.js';

/** The smallest part of a page that an answer can quote: a sentence, or a whole block of another kind. */
export interface TextUnit {
  kind: 'sentence' | Exclude<Block['kind'], 'paragraph'>;
  /** Plain text. Verbatim in its page. */
  text: string;
  /** Sentences of one paragraph, items of one list and rows of one table have the same number, counted from 0. */
  group: number;
  /** The headings above, outermost first. */
  headings: readonly string[];
  /** Context of the unit: the text before a list, table or code, the columns of a row, the question that a text answers. */
  leadIn: string;
}

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
  /** How clearly it has the kind of words asked for, 0..1; undefined where code cannot recognise the kind. */
  evidence: number | undefined;
  /**
   * The heading above without which the text would not answer: it has the date or version asked for, or a word of the question that the text
   * has not. Shown with the text.
   */
  heading?: string;
  /** The text begins with a word that refers to something named before. */
  isOrphan: boolean;
  /** By its own text. */
  own: readonly number[];
  /** By its lead-in, the headings above and the title of the page. */
  context: readonly number[];
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
  /** How well each term is met by any passage, 0..1. */
  anywhere: readonly number[];
  /** For each passage 1 if a newer one has the title of a version of it, else 0. */
  older: readonly number[];
  list: readonly Candidate[];
}

/** A term that stands only in the unit before the last one. */
const FURTHER = 0.7;
/** Evidence in the heading above a text counts this much. */
const ABOVE = 0.9;
/** Longer lists are only quoted item by item. */
const MAX_LIST = 12;

/** Reads the passages and compares each part with the question. */
export function candidatesIn(question: Question, read: readonly ReadPassage[]): Candidates {
  const { terms } = question;
  const written = read.flatMap(({ title, units }) => [title, ...units.map((u) => u.words)].flat());
  const vocabulary = new Set(written.map(({ term }) => term));
  const meeting = terms.map((term) => matchesOf(term, vocabulary));
  const matches = (words: readonly Word[]): number[] =>
    meeting.map((strengths) => Math.max(0, ...words.map((w) => strengths.get(w.term) ?? 0)));
  // Many units have the same lead-in.
  const known = new Map<string, number[]>();
  const matchesIn = (text: string, language: Language): number[] => {
    const vector = known.get(text) ?? matches(wordsOf(text, language));
    known.set(text, vector);
    return vector;
  };
  const ofUnits = read.map(({ units }) => units.map(({ words }) => matches(words)));
  const list: Candidate[] = [];
  const pages = read.map(({ language, title, units }, p) => {
    const own = ofUnits[p]!;
    const inTitle = matches(title);
    const page = maxOf([inTitle, ...own], terms.length);
    let items: ReadPassage['units'] = [];
    units.forEach((unit, i) => {
      const isFirst = units[i - 1]?.group !== unit.group;
      if (isFirst) items = unit.kind === 'item' ? itemsFrom(units, i) : [];
      if (unit.text.endsWith('?') || addressesAssistant(unit.text)) return;
      const further = own[i - 2]?.map((m) => FURTHER * m) ?? [];
      const lead = matchesIn([unit.leadIn, ...unit.headings].join(' '), language);
      const candidate = {
        passage: p,
        position: i,
        context: maxOf([inTitle, lead], terms.length),
        before: maxOf([own[i - 1] ?? [], further], terms.length),
        page,
      };
      const nearest = unit.headings.at(-1) ?? '';
      const isNeeded = matchesIn(nearest, language).some((met, term) => met >= MET && own[i]![term]! < MET);
      const needed = isNeeded && unit.kind !== 'heading' ? nearest : undefined;
      const isDated = (question.kind === 'time' || question.kind === 'version') && unit.kind !== 'heading';
      const above = isDated ? nearest : '';
      const evidenceAbove =
        above === '' ? 0 : ABOVE * (evidenceOf(question, above, wordsOf(above, language), language) ?? 0);
      const add = (length: number, text: string, words: readonly Word[]): void => {
        const evidence = evidenceOf(question, text, words, language);
        // What stands below says more, and is shown with it, unless it is the date or name itself that is asked for.
        if (unit.kind === 'heading' && !evidence) return;
        const isAbove = evidence !== undefined && evidenceAbove > evidence;
        list.push({
          ...candidate,
          length,
          unit: { ...unit, text },
          words,
          isOrphan: isOrphan(text, language),
          evidence: isAbove ? evidenceAbove : evidence,
          heading: isAbove ? above : needed,
          own: maxOf(own.slice(i, i + length), terms.length),
        });
      };
      const isList = items.length > 1 && items.length <= MAX_LIST;
      // "To end a ride, do two things:" is answered by the whole list.
      const isPartOfAnswer =
        isList && question.kind === 'open' && own[i]!.every((met, term) => met <= lead[term]!);
      if (!isPartOfAnswer) add(1, unit.text, unit.words);
      if (!isList || !isFirst) return;
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
  const blocks = readMarkdown(passage.text, { html: false });
  return { ...passage, blocks, text: blocks.map(shownBlock).join('\n') };
}

function itemsFrom(units: ReadPassage['units'], start: number): ReadPassage['units'] {
  let end = start;
  while (units[end]?.kind === 'item' && units[end]!.group === units[start]!.group) end++;
  return units.slice(start, end);
}

/** At each place the largest value of the vectors; 0 where they are shorter. */
function maxOf(vectors: readonly (readonly number[])[], length: number): number[] {
  const most = new Array<number>(length).fill(0);
  for (const vector of vectors) vector.forEach((value, i) => (most[i] = Math.max(most[i]!, value)));
  return most;
}

/** Pages that another page replaces: the title of a version, and a later date. */
function olderPages(read: readonly ReadPassage[]): number[] {
  const dates = read.map(({ passage }) => Date.parse(passage.publishedAt ?? ''));
  const names = read.map(({ passage }) => nameOf(passage.title));
  return names.map((name, i) => (name && names.some((n, j) => n === name && dates[j]! > dates[i]!) ? 1 : 0));
}

/** A sentence of more characters is cut into pieces. */
const LONG_SENTENCE = 500;
const PIECE = /\S[\s\S]{0,238}\S(?!\S)|\S{1,240}/g;

/**
 * Splits the blocks of a passage into units, in order.
 * @param language whose abbreviations end no sentence; default all six
 */
function unitsOf(blocks: readonly Block[], language?: Language): TextUnit[] {
  const options = language ? { language } : {};
  const units: TextUnit[] = [];
  let group = -1;
  let before: Block | undefined;
  // A question is answered by what follows it: the rest of its paragraph, or the next block.
  let question = '';
  for (const block of blocks) {
    const continues =
      before?.kind === block.kind && block.kind !== 'paragraph' && block.leadIn === before.leadIn;
    if (!continues) group++;
    before = block;
    const { headings } = block;
    if (block.kind !== 'paragraph') {
      const leadIn = [block.leadIn ?? '', ...(block.columns ?? [])].filter((part) => part !== '').join(' ');
      units.push({ kind: block.kind, text: block.text, group, headings, leadIn });
      if (block.kind === 'heading') question = '';
      continue;
    }
    const sentences = sentencesOf(block.text, options).flatMap(cut);
    for (const sentence of sentences) {
      units.push({ kind: 'sentence', text: sentence, group, headings, leadIn: question });
      if (sentence.endsWith('?')) question = sentence;
    }
    if (!sentences.at(-1)?.endsWith('?')) question = '';
  }
  return units;
}

/** Text without full stops, as in captions, is cut between words. */
function cut(sentence: string): string[] {
  return sentence.length > LONG_SENTENCE ? sentence.match(PIECE)! : [sentence];
}
