import { cutAtBlanks } from '../../text/cut-at-blanks.js';
import { shownBlock, type Block } from '../../web/blocks.js';
import { PASSAGE, roughWordCount, weighted, type Piece } from './pieces.js';

interface MatchedPiece {
  piece: Piece;
  found: Float64Array;
}

export interface Passage {
  /** In order; never empty. */
  pieces: readonly MatchedPiece[];
  /** Plain text, a block a line; with the heading and the lead-in that it stands under where these are not part of it. */
  text: string;
  /** The parts of `text`. What is no whole block of the page has no place in it: start and end are 0. */
  blocks: readonly Block[];
  /** Share of the query's words that the passage or its context has, 0..1. */
  match: number;
}

/** Length of `content`, characters, as docs/reference.md promises. */
const CONTENT_MIN = 300;
const CONTENT_MAX = 700;
/**
 * So far the piece that matches best may lie behind the beginning of its block, characters. With 0 and with 700, `content` lacks up to 4 answers in a
 * hundred more (`npm run bench -- search --passages`).
 */
const LEAD = 350;

export interface PassageRules {
  /** At most this many, which do not overlap. */
  count: number;
  /** True: a page of a normal length is divided too. Default false. */
  bySection?: boolean;
}

/** The passages of a page that match best, best first; none goes beyond its section. A page of a normal length is one, unless `bySection` is set. */
export async function bestPassages(
  pieces: readonly MatchedPiece[],
  { count, bySection = false }: PassageRules,
  pause: () => Promise<void> | undefined,
): Promise<Passage[]> {
  if (pieces.length === 0) return [];
  const words: number[] = [];
  for (const { piece } of pieces) {
    words.push(roughWordCount(piece.text));
    await pause();
  }
  if (!bySection && words.reduce((a, b) => a + b, 0) <= PASSAGE.max) return [passageOf(pieces)];
  const values = valuesIn(pieces);
  const scores = pieces.map(({ found }) => weighted(found, values));
  const windows: { from: number; to: number; score: number }[] = [];
  for (const [from, to] of windowsOf(pieces, words)) {
    const best = Math.max(...scores.slice(from, to));
    const score = weighted(together(pieces.slice(from, to)), values) + best;
    windows.push({ from, to, score });
    await pause();
  }
  const opensSection = ({ from }: { from: number }): number =>
    Number(pieces[from]!.piece.block.kind === 'heading');
  windows.sort((a, b) => b.score - a.score || opensSection(b) - opensSection(a) || a.from - b.from);
  const chosen: { from: number; to: number }[] = [];
  for (const window of windows) {
    if (chosen.length === count) break;
    if (chosen.every(({ from, to }) => window.to <= from || window.from >= to)) chosen.push(window);
  }
  return chosen.map(({ from, to }) => passageOf(pieces.slice(from, to)));
}

/** How much each word tells within a page: a word of every sentence says little about where to look. */
function valuesIn(pieces: readonly MatchedPiece[]): number[] {
  const words = pieces[0]!.found.length;
  return Array.from({ length: words }, (_, word) => {
    const having = pieces.reduce((sum, { found }) => sum + (found[word] === 1 ? 1 : 0), 0);
    return Math.log(1 + (pieces.length + 1) / (having + 0.5));
  });
}

/** `[from, to)` of runs of pieces that have the size of a passage; they begin with a block, or within a long one. */
function* windowsOf(
  pieces: readonly MatchedPiece[],
  words: readonly number[],
): Generator<[from: number, to: number]> {
  for (let from = 0; from < pieces.length; from++) {
    const { piece } = pieces[from]!;
    // Within a long block each sentence that has words may begin one.
    if (!piece.first && (piece.block.text.length < CONTENT_MAX || !/[\p{L}\p{N}]/u.test(piece.text)))
      continue;
    let count = 0;
    let hasText = false;
    let to = from;
    while (to < pieces.length) {
      const isHeading = pieces[to]!.piece.block.kind === 'heading';
      if (to > from && (count + words[to]! > PASSAGE.max || count >= PASSAGE.min)) break;
      if (isHeading && hasText) break;
      hasText ||= !isHeading;
      count += words[to++]!;
    }
    yield [from, to];
  }
}

function together(pieces: readonly MatchedPiece[]): Float64Array {
  const found = new Float64Array(pieces[0]?.found.length ?? 0);
  for (const piece of pieces) piece.found.forEach((value, i) => (found[i] = Math.max(found[i]!, value)));
  return found;
}

function passageOf(pieces: readonly MatchedPiece[]): Passage {
  const blocks = blocksOf(pieces.map(({ piece }) => piece));
  const found = together(pieces);
  const match = found.length === 0 ? 0 : found.reduce((a, b) => a + b, 0) / found.length;
  return { pieces, blocks, text: blocks.map(shownBlock).join('\n'), match };
}

/** The blocks that pieces belong to, shortened to them, below their context. */
function blocksOf(pieces: readonly Piece[]): Block[] {
  const blocks: Block[] = contextOf(pieces[0]!);
  for (let from = 0; from < pieces.length;) {
    const { block } = pieces[from]!;
    let to = from + 1;
    while (to < pieces.length && pieces[to]!.block === block) to++;
    blocks.push(partOf(block, pieces.slice(from, to)));
    from = to;
  }
  return blocks;
}

function partOf(block: Block, pieces: readonly Piece[]): Block {
  const text = pieces.map((piece) => piece.text).join(' ');
  if (text === shownBlock(block)) return block;
  const { marker, ...rest } = { ...block, start: 0, end: 0, markdown: undefined };
  if (marker === undefined || !pieces[0]!.first) return { ...rest, text };
  return { ...rest, marker, text: text.slice(marker.length + 1) };
}

/** The heading that a piece stands under and the text that introduces it, as blocks before it. */
function contextOf({ block, first, before }: Piece): Block[] {
  const context: Block[] = [];
  const heading = block.kind === 'heading' ? undefined : block.headings.at(-1);
  if (heading)
    context.push({ ...block, kind: 'heading', text: heading, headings: block.headings.slice(0, -1) });
  if (first && block.leadIn && block.kind !== 'paragraph')
    context.push({ ...block, kind: 'paragraph', text: lastLine(before) });
  return context.map(({ kind, text, headings }) => ({ kind, text, headings, start: 0, end: 0 }));
}

/** The end of a lead-in: what introduces a list is its last sentence. */
function lastLine(text: string): string {
  const at = text.slice(0, -1).search(/[.!?…]\s[^.!?…]*$/);
  return at < 0 || text.length <= 120 ? text : text.slice(at + 1).trim();
}

/**
 * What is shown of a passage on one line: about 300 to 700 characters around the piece that matches best, from the beginning of its block on,
 * where its subject is named, and under its heading.
 *
 * @param title of the page, which need not be repeated
 */
export function contentOf({ pieces, blocks, text }: Passage, title: string): string {
  const whole = onOneLine(blocks, title);
  if (whole.length <= CONTENT_MAX) return whole || onOneLine(blocks, '');
  const values = valuesIn(pieces);
  const scores = pieces.map(({ found }) => weighted(found, values));
  const best = scores.indexOf(Math.max(...scores));
  const lengths = pieces.map(({ piece }) => piece.text.length + 1);
  const lengthOf = (from: number, to: number): number => lengths.slice(from, to).reduce((a, b) => a + b, 0);
  let from = best;
  while (from > 0 && !pieces[from]!.piece.first && lengthOf(from - 1, best) <= LEAD) from--;
  const contextLength = (at: number): number =>
    contextOf(pieces[at]!.piece).reduce((sum, b) => sum + b.text.length + 2, 0);
  const most = CONTENT_MAX - contextLength(from);
  let to = best + 1;
  while (to < pieces.length && lengthOf(from, to + 1) <= most) {
    if (pieces[to]!.piece.block.kind === 'heading' && lengthOf(from, to) >= CONTENT_MIN) break;
    to++;
  }
  while (from > 0 && to === pieces.length && lengthOf(from - 1, to) <= most) from--;
  const shown = onOneLine(blocksOf(pieces.slice(from, to).map(({ piece }) => piece)), title);
  const line = shown || text.replaceAll('\n', ' ');
  // A text without a border in reach is cut at a blank and marked.
  return line.length <= CONTENT_MAX ? line : `${cutAtBlanks(line, CONTENT_MAX - 1)[0]}…`;
}

/** Blocks one behind the other; a heading that is the title is left out. */
function onOneLine(blocks: readonly Block[], title: string): string {
  return blocks
    .filter((block) => block.kind !== 'heading' || block.text !== title)
    .map((block, i, all) => {
      const text = shownBlock(block).replaceAll('\n', ' ');
      if (i === all.length - 1 || /[\p{P}]$/u.test(text)) return text;
      // A mark replaces the line end.
      return block.kind === 'heading' ? `${text}:` : block.kind === 'row' ? `${text}.` : text;
    })
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
