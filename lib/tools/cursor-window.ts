import { roughTokens } from '../model/context-window.js';
import { fenced, goesOn, tableHead, type Block, type BlockText } from '../web/blocks.js';

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
  const { content, next } = partOf(page, from, maxTokens);
  return { content: page.isVerbatim ? fenced(content) : content, next };
}

function partOf({ text, blocks }: BlockText, from: number, maxTokens: number): PageWindow {
  const first = blocks.findIndex(({ end }) => end > from);
  if (first < 0) return { content: trimmed(text.slice(from)), next: undefined };
  const head = headOf(blocks, first, from);
  let rest = maxTokens - roughTokens(head);
  let to = from;
  let last = first;
  for (; last < blocks.length; last++) {
    const { end } = blocks[last]!;
    const tokens = roughTokens(text.slice(to, end));
    if (tokens > rest) break;
    rest -= tokens;
    to = end;
  }
  if (last === blocks.length) return { content: head + trimmed(text.slice(from)), next: undefined };
  const isCut = to === from;
  if (isCut) to = cutAt(text, from, rest);
  const { kind, start } = blocks[first]!;
  const foot = isCut && kind === 'code' && text.startsWith('`', start) ? '\n```' : '';
  return { content: head + trimmed(text.slice(from, to)) + foot, next: to };
}

/** Without empty lines at the start, and the blank after a sentence; an indented line stays as it is. */
const trimmed = (part: string): string => part.replace(/^(?:\s*\n| (?! ))/, '').trimEnd();

/** What a window needs before its own text. */
function headOf(blocks: readonly Block[], first: number, from: number): string {
  const block = blocks[first]!;
  if (block.start < from) return block.kind === 'code' ? `\`\`\`${block.language ?? ''}\n` : '';
  return goesOn(block, blocks[first - 1]) && block.columns!.length > 0 ? tableHead(block) : '';
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
