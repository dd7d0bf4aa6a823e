import { cutAtBlanks } from '../../text/cut-at-blanks.js';
import { sentenceSpans } from '../../text/sentences.js';
import type { Block } from '../../web/blocks.js';
import { roughWordCount } from './pieces.js';

/** Sizes of units, words. */
export interface UnitSize {
  /** A unit of this size ends before the next block, or the next sentence of a long one. */
  min: number;
  /** A text of this size is one unit. */
  max: number;
}

/**
 * What is ranked of a document: all of it where it is short, of a long one parts of about this many words, so that one chapter of a book
 * can be found and a page of normal length stays whole.
 */
const RANKED: UnitSize = { min: 300, max: 400 };
/** Sentences are found in so much of a text at once, characters. */
const MAX_STRETCH = 50_000;
/** Longest sentence that is not cut, characters. */
const MAX_SENTENCE = 1200;

/** A part of a document that is ranked by itself. */
export interface IndexUnit {
  /** Its place in the document's text, `[start, end)`. */
  start: number;
  end: number;
  /** What of its surroundings belongs to it, as Markdown: the headings above it, the header of a table that it begins in. May be empty. */
  context: string;
  headings: string;
  body: string;
}

/** A unit of one of several documents, which are counted from 0. Its words are in the text of the document. */
export type PlacedUnit = Omit<IndexUnit, 'body'> & { document: number };

export function placedIn(document: number, { start, end, context, headings }: IndexUnit): PlacedUnit {
  return { document, start, end, context, headings };
}

/** A unit of a text as Markdown or plain text, behind its context. */
export function excerptOf(text: string, { start, end, context }: Omit<IndexUnit, 'body'>): string {
  const unitText = text.slice(start, end);
  return context === '' ? unitText : `${context}\n\n${unitText}`;
}

/** The units of a text, at least one. Each step is short: a caller may yield to other work between two units. */
export function* unitsOf(
  text: string,
  blocks: readonly Block[],
  { min, max } = RANKED,
): Generator<IndexUnit> {
  const words = blocks.reduce((sum, b) => sum + roughWordCount(b.text), 0);
  if (words <= max) {
    const body = blocks.map((b) => b.text).join('\n');
    yield { start: 0, end: text.length, context: '', headings: '', body };
    return;
  }
  let open: Part[] = [];
  let count = 0;
  for (const part of allParts(text, blocks, max)) {
    if (count > 0 && (count >= min || count + part.words > max)) {
      yield unitOf(open);
      open = [];
      count = 0;
    }
    open.push(part);
    count += part.words;
  }
  if (open.length > 0) yield unitOf(open);
}

/** A block, or some sentences of a long one. */
interface Part {
  start: number;
  end: number;
  text: string;
  words: number;
  block: Block;
}

function* allParts(text: string, blocks: readonly Block[], max: number): Generator<Part> {
  for (const block of blocks) {
    const words = roughWordCount(block.text);
    if (words <= max) yield { ...block, words, block };
    else yield* sentenceParts(text, block);
  }
}

function* sentenceParts(text: string, block: Block): Generator<Part> {
  let at = block.start;
  for (const stretch of cutAtBlanks(text.slice(block.start, block.end), MAX_STRETCH)) {
    for (const { start, end } of sentenceSpans(stretch)) {
      for (const piece of cutAtBlanks(stretch.slice(start, end), MAX_SENTENCE)) {
        at = text.indexOf(piece, at);
        yield { start: at, end: at + piece.length, text: piece, words: roughWordCount(piece), block };
        at += piece.length;
      }
    }
  }
}

function unitOf(parts: readonly Part[]): IndexUnit {
  const first = parts[0]!;
  const headings = first.block.headings;
  const lines = headings.map((heading, i) => `${'#'.repeat(Math.min(6, i + 1))} ${heading}`);
  const columns = first.block.kind === 'row' ? (first.block.columns ?? []) : [];
  if (columns.length > 0) lines.push(`| ${columns.join(' | ')} |\n${'|---'.repeat(columns.length)}|`);
  return {
    start: first.start,
    end: parts.at(-1)!.end,
    context: lines.join('\n'),
    headings: headings.join('\n'),
    body: parts.map((p) => p.text).join('\n'),
  };
}
