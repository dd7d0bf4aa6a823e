import type { Pause } from '../../core/async.js';
import { disarmed } from '../../text/plain-text.js';
import { escapedText } from '../../text/write-markdown.js';
import { BlockList, endsLine, MAX_HEADING, tableLine, type Block } from '../blocks.js';
import { inlineText, readLongMarkdown, readMarkdown } from '../read-markdown.js';
import type { HtmlText } from './html-text.js';
import {
  markerOf,
  type Cell,
  type Item,
  type HtmlPlace,
  type Preformatted,
  type Row,
} from './html-places.js';
import { BREAK } from './inline-runs.js';

/** A table with a longer cell lays out a page, characters; one that names its columns or rows may have this much; set by hand. */
const MAX_CELL = 500;
const MAX_NAMED_CELL = 2000;
const MAX_COLUMNS = 50; // a plain bound
/** Longer preformatted text is several blocks, characters; a plain bound. */
const MAX_CODE = 262_144;
/** As much of a text file is read at once, characters; a plain bound. */
const MAX_PROSE = 65_536;
/** Preformatted text that is no code and makes up this share of a page is a text file; set by hand. */
const WHOLE_PAGE = 0.6;

/**
 * The blocks of the texts of a page. Yields to other work by `pause`.
 * @param options.list where they are written. Default: a list of their own
 * @param options.textFiles a page that is one preformatted text is read as a text file, and not as code. Default true
 */
export async function blocksOf(
  texts: readonly HtmlText[],
  pause: Pause,
  { list = new BlockList(), textFiles = true }: { list?: BlockList; textFiles?: boolean } = {},
): Promise<Block[]> {
  const writer = new BlockWriter(textFiles && isTextFile(texts), pause, list);
  for (const text of texts) {
    const more = writer.add(text) ?? pause();
    if (more) await more;
  }
  return writer.end();
}

function isTextFile(texts: readonly HtmlText[]): boolean {
  let all = 0;
  let preformatted = 0;
  for (const { chars, container } of texts) {
    all += chars;
    if (container.place.pre?.isCode === false) preformatted += chars;
  }
  return preformatted > all * WHOLE_PAGE;
}

const itemOf = ({ item, definition }: HtmlPlace): Item | undefined =>
  item?.isSection || definition !== undefined ? undefined : item;

interface OpenCode {
  of: Preformatted;
  row: Row | undefined;
  isQuoted: true | undefined;
  /** The number of its last line, where it has numbers. */
  last: number | undefined;
  item: Item | undefined;
  parts: string[];
  chars: number;
}

interface CellText {
  text: string;
  markdown: string;
}

class BlockWriter {
  private row: Row | undefined;
  private cells = new Map<Cell, CellText>();
  private columns: readonly string[] = [];
  /** Header rows of the open table that no row has followed. */
  private heads: CellText[][] = [];
  /** Texts that go on below, by their column. */
  private spans: (CellText & { until: number })[] = [];
  private pre: OpenCode | undefined;
  /** A cell of nothing but numbers, which are those of the lines in the next one if that holds code. */
  private gutter: { text: HtmlText; row: Row; first: number; last: number } | undefined;
  private terms: HtmlText[] = [];

  constructor(
    private readonly isTextFile: boolean,
    private readonly pause: Pause,
    private readonly list: BlockList,
  ) {}

  /** @returns a promise where it takes long */
  add(text: HtmlText): Promise<unknown> | undefined {
    const { gutter, pre } = this;
    const { place } = text.container;
    this.gutter = undefined;
    // One number beside text of its own may be data.
    const isBeside = place.pre && gutter && place.row === gutter.row;
    const last =
      isBeside && (gutter.last > gutter.first || gutter.row.table.isInCode) ? gutter.last : undefined;
    if (gutter && last === undefined) void this.write(gutter.text);
    // Lines of code may be rows, each with its number.
    const goesOn =
      last !== undefined && pre?.row?.table === place.row!.table && pre.last === gutter!.first - 1;
    if (goesOn) pre.last = last;
    else if (last !== undefined) this.endPre();
    const numbers = place.row && !dataCell(place.cell) ? numbersIn(text.text) : undefined;
    if (!numbers || last !== undefined) return this.write(text, goesOn ? pre.of : place.pre, last);
    this.gutter = { text, row: place.row!, ...numbers };
    return undefined;
  }

  /** @param last the number of its last line, of code */
  private write(
    text: HtmlText,
    code = text.container.place.pre,
    last?: number,
  ): Promise<unknown> | undefined {
    const { place } = text.container;
    const cell = holdsMarkdown(text) ? undefined : dataCell(place.cell);
    if (this.row && this.row !== cell?.row) this.endRow(cell?.row);
    if (this.pre && (cell || this.pre.of !== code)) this.endPre();
    if (cell) {
      this.endTerms();
      this.addToRow(cell, text);
    } else if (code) {
      this.endTerms();
      const { row, isQuoted } = place;
      this.pre ??= { of: code, row, isQuoted, item: itemOf(place), parts: [], chars: 0, last };
      this.pre.parts.push(text.text);
      this.pre.chars += text.text.length;
      if (this.pre.chars > (this.isTextFile ? MAX_PROSE : MAX_CODE)) this.endPre();
    } else if (text.text === '') {
      // Of invisible characters alone, nothing is left.
      const { markdown = '' } = text;
      this.list.image({ text: markdown, markdown });
    } else if (place.heading !== undefined) {
      this.endTerms();
      this.list.heading({ ...inLine(text), isQuoted: place.isQuoted }, place.heading);
    } else if (place.definition === 'term') {
      this.terms.push(text);
    } else {
      return this.addProse(text);
    }
    return undefined;
  }

  end(): Block[] {
    if (this.gutter) void this.write(this.gutter.text);
    if (this.row) this.endRow(undefined);
    this.endPre();
    this.endTerms();
    return this.list.blocks;
  }

  private addProse(text: HtmlText): Promise<unknown> | undefined {
    const { definition, isQuoted } = text.container.place;
    const item = itemOf(text.container.place);
    if (holdsMarkdown(text)) {
      this.endTerms();
      return readLongMarkdown(text.source!, this.pause, { html: false, list: this.list });
    } else if (definition === 'text' && this.terms.length > 0) {
      this.define(text);
    } else if (item && !item.isBegun) {
      this.endTerms();
      item.isBegun = true;
      const isFirst = item.list !== undefined && item.index === 0;
      this.list.item({ ...inLine(text), isQuoted }, markerOf(item), item.depth, isFirst);
    } else {
      this.endTerms();
      this.addParagraphs(text, item !== undefined);
    }
    return undefined;
  }

  private addParagraphs(text: HtmlText, isOfItem: boolean): void {
    const { isQuoted } = text.container.place;
    if (text.brokenCode !== undefined) return this.list.code({ text: text.brokenCode });
    const isHeading = text.isStrong && !isOfItem && !isQuoted && text.text.length <= MAX_HEADING;
    if (isHeading && !text.text.includes(BREAK)) this.list.heading(inLine(text));
    else for (const lines of paragraphsOf(text)) this.list.paragraph({ ...lines, isQuoted }, isOfItem);
  }

  /** A term and what is said of it are one paragraph, as people write them in Markdown. */
  private define(text: HtmlText): void {
    const terms = this.terms.map(inLine);
    this.terms = [];
    const [term, markdown] = [
      terms.map((t) => t.text).join(', '),
      terms.map((t) => t.markdown ?? escapedText(t.text)).join(', '),
    ];
    const colon = /\p{P}$/u.test(term) ? '' : ':';
    const [first, ...rest] = paragraphsOf(text);
    this.list.paragraph({
      text: `${term}${colon} ${first!.text}`,
      markdown: `**${markdown}${colon}** ${first!.markdown ?? escapedText(first!.text)}`,
    });
    for (const paragraph of rest) this.list.paragraph(paragraph);
  }

  private endTerms(): void {
    const { terms } = this;
    this.terms = [];
    for (const term of terms) this.addParagraphs(term, false);
  }

  private endPre(): void {
    if (!this.pre) return;
    const { of, parts, item, isQuoted } = this.pre;
    this.pre = undefined;
    const text = parts.join('\n');
    if (of.isCode || !this.isTextFile)
      this.list.code({ text, isQuoted }, of.language, item?.isBegun ? item.depth : undefined);
    else readMarkdown(text, { html: false, list: this.list });
  }

  private addToRow(cell: Cell, text: HtmlText): void {
    this.row = cell.row;
    const { text: words, markdown = escapedText(words) } = inLine(text);
    const before = this.cells.get(cell);
    if (before) {
      before.text = joined(before.text, words);
      before.markdown = joined(before.markdown, markdown);
    } else this.cells.set(cell, { text: words, markdown });
  }

  /** @param next the row that follows at once */
  private endRow(next: Row | undefined): void {
    const { row, heads } = this;
    const cells = this.gridOf(row!);
    if (row!.isHead && row!.cells.length > 1) heads.push(cells);
    else {
      if (heads.length > 0) this.columns = namesOf(heads);
      this.heads = [];
      this.writeRow(cells);
    }
    this.row = undefined;
    this.cells = new Map();
    if (next?.table === row!.table) return;
    // A table of names alone: nothing is lost.
    for (const head of this.heads) this.writeRow(head);
    this.heads = [];
    this.columns = [];
    this.spans = [];
  }

  private writeRow(cells: readonly CellText[]): void {
    const isPlain = cells.every(({ text, markdown }) => escapedText(text) === markdown);
    this.list.row(
      cells.map(({ text }) => text),
      this.columns,
      isPlain ? {} : { markdown: tableLine(cells.map(({ markdown }) => markdown)) },
    );
  }

  /** The cells of a row by column: a cell over several rows is in each of them. */
  private gridOf({ cells, index, isHead }: Row): CellText[] {
    const grid: CellText[] = [];
    const carried = (): void => {
      for (let span = this.spans[grid.length]; span && span.until > index; span = this.spans[grid.length])
        grid.push(span);
    };
    for (const cell of cells) {
      carried();
      const content = this.cells.get(cell) ?? { text: '', markdown: '' };
      for (let i = 0; i < cell.columns && (i === 0 || grid.length < MAX_COLUMNS); i++) {
        if (cell.rows > 1) this.spans[grid.length] = { ...content, until: index + cell.rows };
        grid.push(i === 0 || isHead ? content : { text: '', markdown: '' });
      }
    }
    carried();
    return grid;
  }
}

/** The numbers that a text consists of, one on each line and each one more than the one before. */
function numbersIn(text: string): { first: number; last: number } | undefined {
  const lines = text.trim().split(/[\n\u2028]/);
  const first = Number(lines[0]);
  const isGutter = lines.every((line, i) => line.trim() === String(first + i));
  return isGutter ? { first, last: first + lines.length - 1 } : undefined;
}

/** The innermost cell around a place that holds data; a table without names is part of the cell of data around it. */
export function dataCell(cell: Cell | undefined): Cell | undefined {
  let at = cell;
  while (at && !isData(at.row)) at = at.row.table.outer;
  for (let outer = at?.row.table.outer; at && outer && !at.row.table.hasNames; outer = outer.row.table.outer)
    if (isData(outer.row)) at = outer;
  return at;
}

/** A row lays out a page that has one cell, a long one, or a list, table or heading in one, unless its table names columns or rows. */
function isData(row: Row): boolean {
  if (row.isData === undefined) {
    const { table, cells, hasBlocks } = row;
    const longest = table.hasNames ? MAX_NAMED_CELL : MAX_CELL;
    const isPart = !table.isInCode && (table.hasNames || (cells.length > 1 && !hasBlocks));
    row.isData = isPart && cells.every(({ chars }) => chars <= longest);
  }
  return row.isData;
}

function namesOf(heads: readonly CellText[][]): string[] {
  const width = Math.max(...heads.map((cells) => cells.length));
  return Array.from({ length: width }, (_, column) =>
    disarmed(
      [...new Set(heads.map((cells) => cells[column]?.text ?? ''))].filter((name) => name !== '').join(' '),
    ),
  );
}

const joined = (before: string, text: string): string =>
  before === '' || text === '' ? before + text : `${before} ${text}`;

function inLine({ text, markdown, source }: HtmlText): { text: string; markdown?: string } {
  const line = text.replace(/\s+/g, ' ');
  if (source !== undefined) return { text: inlineText(line, false) };
  return { text: line, ...(markdown ? { markdown: markdown.replace(/\s+/g, ' ') } : {}) };
}

/** The paragraphs of a text with line breaks: an empty line ends one, and a line that could go on and does not. */
function paragraphsOf({ text, markdown, source }: HtmlText): { text: string; markdown?: string }[] {
  if (source !== undefined)
    return text
      .split(BREAK)
      .filter((line) => line !== '')
      .map((line) => ({ text: inlineText(line, false) }));
  const shown = markdown?.split(BREAK);
  const paragraphs: { text: string; markdown?: string }[] = [];
  let before: string | undefined;
  text.split(BREAK).forEach((line, i) => {
    const own = shown?.[i];
    const open = paragraphs.at(-1);
    if (before === undefined || before === '' || endsLine(before, line)) {
      if (line !== '') paragraphs.push({ text: line, ...(own ? { markdown: own } : {}) });
    } else if (line !== '') {
      open!.text += ` ${line}`;
      if (own) open!.markdown = `${open!.markdown} ${own}`;
    }
    before = line;
  });
  return paragraphs;
}

/** Behind an empty line, or outside of elements for words, Markdown may stand in HTML. */
export function holdsMarkdown({ source, container: { place, tag } }: HtmlText): boolean {
  if (source === undefined || place.pre) return false;
  const { item, definition, cell, heading } = place;
  const isWords = [item, definition, cell, heading].some((part) => part !== undefined) || tag === 'p';
  return !isWords || /\n\s*\n/.test(source.trim()) || /(?:^|\n) {0,3}```/.test(source);
}
