import type { Block } from '../../page-blocks.js';
import { sentencesOf } from '../../../core/text/sentences.js';
import { type Language } from '../../../core/text/languages.js';

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

/** A paragraph of more characters is no lead-in; its last sentence is. */
const LONG_LEAD = 300;
/** A sentence of more characters is cut into pieces. */
const LONG_SENTENCE = 500;
const PIECE = /\S[\s\S]{0,238}\S(?!\S)|\S{1,240}/g;

/**
 * Splits the blocks of a passage into units, in order.
 * @param language whose abbreviations end no sentence; default all six
 */
export function unitsOf(blocks: readonly Block[], language?: Language): TextUnit[] {
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
      const leadIn = [lastSentence(block.leadIn ?? ''), ...(block.columns ?? [])]
        .filter((part) => part !== '')
        .join(' ');
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

function lastSentence(text: string): string {
  return text.length > LONG_LEAD ? (sentencesOf(text).at(-1) ?? '') : text;
}
