import type { Pause } from '../core/async.js';
import { disarmed } from '../text/plain-text.js';
import { escapedStart, escapedText, fenced } from '../text/write-markdown.js';

type BlockKind = 'heading' | 'paragraph' | 'item' | 'row' | 'code' | 'image';

/** A paragraph, list item, table row, heading, image or piece of code of a page, in the order of the page. */
export interface Block {
  kind: BlockKind;
  /**
   * Plain text on one line, never empty; code keeps its lines. A row reads `name – column: value; column: value`, or `name: value`
   * where the table has no header. Of an image its alternative text.
   */
  text: string;
  /** The text with its links, code spans and images as Markdown, of a row the whole line; absent where these say no more than the text. */
  markdown?: string;
  /** The headings that it stands under, outermost first; of a heading, those above it. Plain text. */
  headings: readonly string[];
  /** Of a heading: 1 to 6, or 7 for a line of emphasis that serves as one. */
  level?: number;
  /** Of an item: its number as written (`2.`), or `•`. */
  marker?: string;
  /** Of an item, or of code in one: how many lists are around the list of the item. */
  depth?: number;
  /** Of an item: its list begins with it. */
  isFirst?: true;
  /** Of an item, row or piece of code: the text directly before its list, table or code, in the same section; of an inner item, the outer one. */
  leadIn?: string;
  /** Of a row: its cells, and the names of their columns; without a header row no names. */
  cells?: readonly string[];
  columns?: readonly string[];
  /** Of code: its language as the page names it, e.g. `ts`. */
  language?: string;
  isQuoted?: true;
  /** Where its lines stand in the text that was read, `[start, end)`. 0 for HTML. */
  start: number;
  end: number;
}

/** Level of a heading that is only a line of emphasis: below all others; any number above six. */
const EMPHASIS_LEVEL = 7;
/** Nested lists that are shown as such; a plain bound. */
const MAX_DEPTH = 20;
/** Blanks before the lines of code in items, on one page; code that would need more stands at the margin; a plain bound. */
const MAX_BLANKS = 262_144;
/** Longest line of emphasis alone that is taken for a heading, characters; set by hand. */
export const MAX_HEADING = 120;
/** A line of prose that goes on is longer than this; a shorter one before a capital or a number ends there, characters; set by hand. */
const WRAPPED = 45;

export function paragraphOf(text: string): Block {
  return { kind: 'paragraph', text, headings: [], start: 0, end: text.length };
}

/** Text of a block as it is shown in a passage: an item with its marker. */
export function shownBlock({ text, marker }: Block): string {
  return marker ? `${marker} ${text}` : text;
}

/** Whether a line ends although it could go on, as in an address, a form or a verse. */
export function endsLine(line: string, next: string): boolean {
  return line.length < WRAPPED && /^["“«(¿¡*_]{0,3}[\p{Lu}\p{N}]/u.test(next);
}

type Written = Pick<Block, 'text'> & Partial<Pick<Block, 'markdown' | 'isQuoted' | 'start' | 'end'>>;

/**
 * Collects the blocks of a page in order, and knows what each one stands under: its headings, and the text that introduces it. The readers
 * of HTML and of Markdown both write here.
 */
export class BlockList {
  readonly blocks: Block[] = [];
  private headings: { level: number; text: string }[] = [];
  private leadIn: string | undefined;
  private items: { indent: number; text: string }[] = [];

  /** @param level 1 to 6; default: that of a line of emphasis */
  heading(written: Written, level = EMPHASIS_LEVEL): void {
    this.headings = this.headings.filter((heading) => heading.level < level);
    this.push({ kind: 'heading', ...written, level });
    if (written.text !== '') this.headings.push({ level, text: written.text });
    this.endSection();
  }

  /** @param isOfItem it continues the item before */
  paragraph(written: Written, isOfItem = false): void {
    if (!isOfItem) this.items = [];
    const leadIn = this.items.at(-1)?.text;
    this.push({ kind: 'paragraph', ...written, leadIn });
    if (written.text !== '' && !leadIn) this.leadIn = written.text;
  }

  /**
   * @param indent larger for items of inner lists
   * @param isFirst its list begins with it. Default: unknown
   */
  item(written: Written, marker: string, indent: number, isFirst = false): void {
    const { items } = this;
    while (items.length > 0 && items.at(-1)!.indent >= indent) items.pop();
    const leadIn = items.at(-1)?.text ?? this.leadIn;
    const depth = Math.min(items.length, MAX_DEPTH);
    this.push({ kind: 'item', ...written, marker, depth, leadIn, ...(isFirst ? { isFirst } : {}) });
    items.push({ indent, text: written.text });
  }

  row(cells: readonly string[], columns: readonly string[], written: Omit<Written, 'text'> = {}): void {
    this.push({
      kind: 'row',
      text: rowText(cells, columns),
      ...written,
      cells,
      columns,
      leadIn: this.leadIn,
    });
  }

  /**
   * Code as it is written; empty lines around it go. Its text is safe to show, its Markdown is the code itself.
   *
   * @param indent that of the item which it continues. Default: none
   */
  code({ text, ...written }: Written, language?: string, indent = -1): void {
    const code = text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
    const shown = disarmed(code);
    const { items } = this;
    while (indent >= 0 && items.length > 0 && items.at(-1)!.indent > indent) items.pop();
    const depth = Math.min(items.length - 1, MAX_DEPTH);
    this.push({
      kind: 'code',
      text: shown,
      ...(shown === code ? {} : { markdown: code }),
      ...written,
      ...(language ? { language } : {}),
      ...(indent >= 0 && depth >= 0 ? { depth } : {}),
      leadIn: this.leadIn,
    });
  }

  image(written: Written): void {
    this.push({ kind: 'image', ...written });
  }

  /** What comes next is not introduced by what came before. */
  endSection(): void {
    this.leadIn = undefined;
    this.items = [];
  }

  private push({
    leadIn,
    start = 0,
    end = 0,
    ...block
  }: Omit<Block, 'headings' | 'start' | 'end'> & Written): void {
    if (block.text.trim() === '') return;
    const headings = this.headings.map((heading) => heading.text);
    this.blocks.push({ ...block, headings, ...(leadIn ? { leadIn } : {}), start, end });
  }
}

function rowText(cells: readonly string[], columns: readonly string[]): string {
  const [name = '', ...values] = cells;
  const named = values.flatMap((value, i) => {
    if (value === '') return [];
    const column = columns[i + 1];
    return [column ? `${column}: ${value}` : value];
  });
  if (named.length === 0) return name;
  if (name === '') return named.join('; ');
  return `${name}${columns.length > 0 ? ' – ' : ': '}${named.join('; ')}`;
}

export interface BlockText {
  /** Markdown or plain text. */
  text: string;
  /** With offsets that count in the text, and without Markdown of their own. */
  blocks: Block[];
}

/**
 * Blocks as Markdown: lists and tables as such, code in fences, links and images as the blocks have them. Yields to other work by `pause`.
 */
export async function markdownOf(blocks: readonly Block[], pause: Pause): Promise<BlockText> {
  let text = '';
  /** Widths of the markers of the open items, and the depth of the outermost one. */
  let widths: number[] = [];
  let outermost = 0;
  let isInList = false;
  let isListQuoted = false;
  let blanks = 0;
  /** Depths whose list follows another one, from which its markers tell it apart. */
  const second = new Set<number>();
  const placed: Block[] = [];
  for (const [i, block] of blocks.entries()) {
    await pause();
    const before = blocks[i - 1];
    const { kind, depth = 0, marker = '', isQuoted = false } = block;
    if (kind === 'item' && isQuoted !== isListQuoted) isInList = false;
    const isNext = isInList && block.isFirst === true && widths.length > depth - outermost;
    if (isNext && !second.has(depth)) second.add(depth);
    else if (kind === 'item' && (block.isFirst || !isInList)) second.delete(depth);
    const isTight =
      goesOn(block, before) || (kind === 'item' && isInList && before?.kind === 'item' && !isNext);
    const isOfList: boolean = isInList && (kind === 'item' || isOfItem(block));
    if (before) text += isTight ? '\n' : isOfList && isListQuoted ? '\n>\n' : '\n\n';
    if (kind === 'row' && !goesOn(block, before)) text += tableHead(block);
    if (kind === 'item') {
      if (!isInList) [widths, outermost, isListQuoted] = [[], depth, isQuoted];
      widths = widths.slice(0, Math.max(0, depth - outermost));
    }
    const start = text.length;
    isInList = kind === 'item' || isOfList;
    if (kind === 'code') widths = widths.slice(0, Math.max(0, depth - outermost) + 1);
    let indent = isInList ? ' '.repeat(widths.reduce((sum, width) => sum + width, 0)) : '';
    let line = lineOf(block);
    if (kind === 'code' && isInList) {
      blanks += indent.length * line.split('\n').length;
      isInList = blanks <= MAX_BLANKS;
      if (!isInList) indent = '';
    } else if (kind === 'item' && second.has(depth)) {
      line = line.replace(/^-|(?<=^\d{1,9})\./, otherMarker);
    }
    // The mark of a quotation stands before a list in it, and behind the indentation of a list around it; `sanitizeMarkdown` takes none of code behind more.
    const isAround = isInList && isListQuoted;
    const isBehind = isQuoted && !isAround && !(kind === 'code' && indent.length > 3);
    if (isBehind) line = line.replace(/^/gm, '> ');
    if (indent) line = line.replace(/^(?!$)/gm, indent);
    text += isAround ? line.replace(/^/gm, '> ') : line;
    if (kind === 'item') widths.push(marker.length + 1);
    const own: Block = { ...block, start, end: text.length };
    delete own.markdown;
    placed.push(own);
  }
  return { text, blocks: placed };
}

/** Whether a row belongs to the table of the block before it. */
export function goesOn(block: Block, before: Block | undefined): boolean {
  if (block.kind !== 'row' || before?.kind !== 'row') return false;
  return before.columns === block.columns || before.columns!.join('\n') === block.columns!.join('\n');
}

const otherMarker = (sign: string): string => (sign === '-' ? '*' : ')');

const isOfItem = ({ kind, leadIn, depth }: Block): boolean =>
  kind === 'code' ? depth !== undefined : kind === 'paragraph' && leadIn !== undefined;

function lineOf(block: Block): string {
  const { kind, text, markdown = escapedText(text), level = 1, marker } = block;
  switch (kind) {
    case 'heading':
      return level < EMPHASIS_LEVEL
        ? `${'#'.repeat(level)} ${markdown.replace(/(?<=\s)#+$/, '\\$&')}`
        : `**${markdown}**`;
    case 'item':
      return `${marker === '•' ? '-' : marker} ${escapedStart(markdown)}`;
    case 'row':
      return block.markdown ?? tableLine(block.cells!.map(escapedText));
    case 'code':
      return fenced(block.markdown ?? text, block.language);
    default:
      return escapedStart(markdown);
  }
}

export function tableHead({ cells = [], columns = [] }: Block): string {
  const names = columns.length > 0 ? columns.map(escapedText) : cells.map(() => '');
  return `${tableLine(names)}\n|${'---|'.repeat(names.length)}\n`;
}

export function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
