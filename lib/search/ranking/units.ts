import { sentenceSpans } from '../../text/sentences.js';
import type { Block } from '../../web/blocks.js';
import { cutAtBlanks, roughWordCount } from './pieces.js';

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
export interface Unit {
  /** Its place in the document's text, `[start, end)`. */
  start: number;
  end: number;
  /** What of its surroundings belongs to it, as Markdown: the headings above it, the header of a table that it begins in. May be empty. */
  context: string;
  /** The words of the headings above it. */
  headings: string;
  /** Its own words. */
  body: string;
}

/** The places of the units of some documents in their texts. Units are counted from 0 over all documents. */
export class UnitTable {
  /** Of each unit the number of its document. */
  readonly documents: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** Only of units that have any. */
  private readonly contexts = new Map<number, string>();

  /** @param texts of the documents, as {@link unitsOf} got them */
  constructor(private readonly texts: readonly string[]) {}

  add(document: number, { start, end, context }: Unit): void {
    if (context !== '') this.contexts.set(this.documents.length, context);
    this.documents.push(document);
    this.starts.push(start);
    this.ends.push(end);
  }

  /** The unit as Markdown or plain text. */
  textOf(unit: number): string {
    return this.texts[this.documents[unit]!]!.slice(this.starts[unit], this.ends[unit]);
  }

  /** The same, behind its context. */
  excerpt(unit: number): string {
    return withContext(this.contexts.get(unit) ?? '', this.textOf(unit));
  }
}

/** A unit of a text as Markdown or plain text, behind its context. */
export function excerptOf(text: string, { start, end, context }: Unit): string {
  return withContext(context, text.slice(start, end));
}

function withContext(context: string, text: string): string {
  return context === '' ? text : `${context}\n\n${text}`;
}

/**
 * The units of a text, at least one. Each step is short: a caller may yield to other work between two units.
 *
 * @param blocks the blocks of the text
 * @param size default: that of units that are ranked by their words
 */
export function* unitsOf(text: string, blocks: readonly Block[], { min, max } = RANKED): Generator<Unit> {
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

function unitOf(parts: readonly Part[]): Unit {
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
