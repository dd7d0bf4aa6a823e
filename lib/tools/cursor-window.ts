import { roughTokens } from '../model/model-profile.js';
import { fenced, openCode } from '../text/write-markdown.js';
import { goesOn, paragraphOf, tableHead, type Block, type BlockText } from '../web/blocks.js';

interface PageWindow {
  content: string;
  /** Where the rest begins; undefined at the end of the page. */
  next: number | undefined;
}

/**
 * The part of a page that a cursor stands for: its text from an offset on, as much as fits. It ends with a block, and within one only where that alone is too long. A table
 * that goes on has its header again, and code its fence.
 *
 * @param from where a window before has ended, 0 for the beginning
 * @param maxTokens estimated
 */
export function windowOf(
  page: BlockText & { isVerbatim?: boolean },
  from: number,
  maxTokens: number,
): PageWindow {
  const { text, blocks } = page;
  // What follows the last block counts, too: definitions of links, or code without lines.
  const start = Math.max(from, blocks.at(-1)?.end ?? 0);
  const isMore = text.slice(start).trim() !== '';
  const all = isMore ? [...blocks, { ...paragraphOf(''), start, end: text.length }] : blocks;
  const { content, next } = partOf({ text, blocks: all }, from, maxTokens);
  return { content: page.isVerbatim ? fenced(content) : content, next };
}

function partOf({ text, blocks }: BlockText, from: number, maxTokens: number): PageWindow {
  const first = blocks.findIndex(({ end }) => end > from);
  if (first < 0) return { content: trimmed(text.slice(from)), next: undefined };
  const block = blocks[first]!;
  const head = headOf(blocks, first, from);
  const fences = block.kind === 'code' ? fenced('', block.language) : '';
  let rest = maxTokens - roughTokens(head + fences);
  let to = from;
  let last = first;
  for (; last < blocks.length; last++) {
    const { end } = blocks[last]!;
    const tokens = roughTokens(text.slice(to, end));
    if (tokens > rest) break;
    rest -= tokens;
    to = end;
  }
  const isWhole = last === blocks.length;
  if (isWhole) to = text.length;
  else if (to === from) to = cutAt(text, from, rest);
  const next = isWhole ? undefined : to;
  const isCut = block.start < from || to < block.end;
  if (!isCut || block.kind !== 'code')
    return { content: head + dedented(pieceOf(text, block, from, to)), next };
  const end = Math.min(to, block.end);
  const code = fenced(codeIn(text, block, from, end), block.language);
  return { content: trimmed(text.slice(from, block.start)) + code + text.slice(end, to).trimEnd(), next };
}

/** Without empty lines at the start, and the blank after a sentence; an indented line stays as it is. */
const trimmed = (part: string): string => part.replace(/^(?:\s*\n| (?! ))/, '').trimEnd();

/** A part of inner items as the list or code that it is; its indentation would make it other code. */
export function dedented(part: string): string {
  const indent = /^ {4,}/.exec(part)?.[0].length;
  if (indent === undefined) return part;
  return part
    .split('\n')
    .map((line) => line.slice(Math.min(indent, /^ */.exec(line)![0].length)))
    .join('\n');
}

/** A part that begins or ends within inline code has its backquotes there. */
function pieceOf(text: string, { start }: Block, from: number, to: number): string {
  const opening = openCode(text.slice(start, from));
  const part = opening + trimmed(text.slice(from, to));
  return part + openCode(part.slice(part.lastIndexOf('\n\n') + 1));
}

/** What a window needs before its own text. */
function headOf(blocks: readonly Block[], first: number, from: number): string {
  const block = blocks[first]!;
  const isInTable = block.start >= from && goesOn(block, blocks[first - 1]) && block.columns!.length > 0;
  return isInTable ? tableHead(block) : '';
}

/** The lines of a block of code that stand in a part of the page, without its fences and what stands before them. */
function codeIn(text: string, { start, end }: Block, from: number, to: number): string {
  const prefix = /^[ >]*/.exec(text.slice(start, start + 100))![0];
  const lines = text.slice(Math.max(start, from), to).split('\n');
  if (from <= start) lines.shift();
  if (to === end && /^[ >]*(?:`{3,}|~{3,})\s*$/.test(lines.at(-1) ?? '')) lines.pop();
  return lines
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line))
    .join('\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
}

/** The end of the last line, sentence or word that fits. */
function cutAt(text: string, from: number, maxTokens: number): number {
  let end = from;
  for (let tokens = 0; end < text.length; end++) {
    tokens += roughTokens(text[end]!);
    if (tokens > maxTokens) break;
  }
  const fitting = text.slice(from, end);
  const line = fitting.lastIndexOf('\n');
  const sentence = Math.max(...['. ', '? ', '! ', '。'].map((mark) => fitting.lastIndexOf(mark)));
  const at = [line, sentence + 1, fitting.lastIndexOf(' ')].find((place) => place > fitting.length / 2);
  const size = at ?? fitting.length;
  // Never between the two halves of a surrogate pair.
  return from + Math.max(1, (text.charCodeAt(from + size) & 0xfc00) === 0xdc00 ? size - 1 : size);
}
