import type { Language } from '../../text/languages.js';
import { countWords } from '../../text/count-words.js';
import { cutAtBlanks } from '../../text/cut-at-blanks.js';
import { sentencesOf } from '../../text/sentences.js';
import { shownBlock, type Block } from '../../web/blocks.js';
import type { Analyzer } from './analyzer.js';
import type { QueryTerm } from './query-terms.js';

/** Sizes of parts of a text, words: a part of `min` ends before the next piece. */
export interface Size {
  min: number;
  max: number;
}

/**
 * Passages for answers, and those that are embedded: small enough to be about one thing and for models that read 256 tokens, large enough for a pronoun's
 * antecedent. From 100 to 50 the best passage of a long page lacks 4 to 12 answers in a hundred more. With 180 the best two hold up to 3 in a hundred more
 * in German and Italian, for longer prompts (`npm run bench -- search --passages`).
 */
export const PASSAGE: Size = { min: 100, max: 180 };

/** The smallest part of a page that is ranked: a sentence, a heading, a table row or a piece of code. */
export interface Piece {
  block: Block;
  /** The displayed form: the first sentence of an item with its marker. */
  text: string;
  first: boolean;
  /** The sentence before in its block, or what introduces the block; may be empty. */
  before: string;
}

const MAX_PIECE = 1200; // characters; a plain bound

export function piecesOf(blocks: readonly Block[], language?: Language): Piece[] {
  const pieces: Piece[] = [];
  for (const block of blocks) {
    const isProse = block.kind === 'paragraph' || block.kind === 'item';
    const sentences = isProse ? sentencesOf(block.text, language ? { language } : {}) : [block.text];
    let before = block.leadIn ?? '';
    let first = true;
    for (const sentence of sentences.flatMap((s) => cutAtBlanks(s, MAX_PIECE))) {
      pieces.push({
        block,
        text: first ? shownBlock({ ...block, text: sentence }) : sentence,
        first,
        before,
      });
      before = sentence;
      first = false;
    }
  }
  return pieces;
}

/** So many characters count as a word: text without blanks must not make a passage without end; a plain bound. */
const LONG_WORD = 15;

/** About how many words a text has. */
export function roughWordCount(text: string): number {
  return Math.max(countWords(text), Math.ceil(text.length / LONG_WORD));
}

/**
 * Weight of a word that stands above the section of a piece; a word in the section counts 1. With 1 all passages tie if the page's title
 * has the whole query (`npm run bench -- research cost`).
 */
const ABOVE = 0.99;

export class PieceMatch {
  /** For a term the words of the query that it may stand for, and how much it counts for each. */
  private readonly wordsOf = new Map<string, [word: number, weight: number][]>();
  private readonly known = new Map<string, Float64Array>();
  private readonly title: Float64Array;

  constructor(
    private readonly terms: readonly QueryTerm[],
    private readonly analyzer: Analyzer,
    title: string,
  ) {
    terms.forEach(({ forms }, word) => {
      for (const [form, weight] of forms) {
        const words = this.wordsOf.get(form) ?? [];
        words.push([word, weight]);
        this.wordsOf.set(form, words);
      }
    });
    this.title = this.foundIn(title, true);
  }

  /** For each word of the query, how well the piece has it, 0..1: by itself, or by the title, headings or column names above it. */
  of({ block, text }: Piece): Float64Array {
    const found = this.foundIn(text);
    const nearest = block.headings.length - (block.kind === 'heading' ? 0 : 1);
    const above = [...block.headings, (block.columns ?? []).join(' ')].map((part) => this.inText(part));
    for (let i = 0; i < found.length; i++) {
      const parts = above.map((part, k) => (k < nearest ? ABOVE : 1) * part[i]!);
      found[i] = Math.max(found[i]!, ABOVE * this.title[i]!, ...parts);
    }
    return found;
  }

  private inText(text: string): Float64Array {
    let found = this.known.get(text);
    if (!found) this.known.set(text, (found = this.foundIn(text)));
    return found;
  }

  private foundIn(text: string, isTitle = false): Float64Array {
    const found = new Float64Array(this.terms.length);
    const visit = (term: string): void => {
      const words = this.wordsOf.get(term);
      if (words) for (const [word, weight] of words) found[word] = Math.max(found[word]!, weight);
    };
    this.analyzer.eachTerm(text, visit, isTitle);
    return found;
  }
}

export function weighted(found: Float64Array, values: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < found.length; i++) sum += found[i]! * values[i]!;
  return sum;
}
