import { disarmed, normalized, withoutMarkup } from '../text/plain-text.js';
import type { Block } from './blocks.js';

/** Longer lines are read in pieces, characters: one line must not hold up other work. */
const MAX_LINE = 20_000;
/** A wrapped line of prose is longer than this; a shorter one before a capital or a number ends there, characters. */
const WRAPPED = 45;
/** Longest line of emphasis alone that is taken for a heading, characters. */
const MAX_HEADING = 120;
/** Cells of a row that are read. */
const MAX_CELLS = 50;
/** Level of a heading that is only a line of emphasis: below all others. */
const EMPHASIS_LEVEL = 7;

/** `---`, lines of `key: value`, `---` at the beginning say things about the page that a reader does not see. */
const FRONT_MATTER =
  /^(?:\s*---[ \t]*\n(?:(?:\w[\w-]*:(?=\s).*|[ \t#].*|-[ \t].*|)\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$))+/;
const FENCE = /^ {0,12}(`{3,20}|~{3,20})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,50}|(?:-[ \t]*){3,50}|(?:_[ \t]*){3,50})$/;
const ITEM = /^([ \t]{0,40})([-*+•‣◦]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/;
const ROW_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*){0,60}\|?[ \t]*$/;
const TABLE_LINE = /^\s*\|.*\|\s*$/;
const QUOTE = /^ {0,3}(?:>[ ]?){1,20}/;
const EMPHASIZED = /^(?:\*\*([^*]+)\*\*|__([^_]+)__):?$/;
/** Lines that only steer how a page is shown: containers, directives, definitions of links. */
const UNSEEN = /^ {0,3}(?::::|!!!|\{%|%%|\[[^\]\n]{1,200}\]:[ \t]*\S)/;

/**
 * Reads the structure of a page's text, which may be Markdown, plain text or HTML: headings, paragraphs, lists, tables and code. Marks of
 * emphasis, links and quotations go, what they mark stays; images, comments and front matter go.
 *
 * Linear in its input, line by line, so that a long text can be read in slices, which `marked` and `markdown-it` cannot.
 *
 * @param options.html the text may hold HTML: tags are removed and entities decoded, but in code. False for text that a browser would show.
 *   Default true
 */
export function readBlocks(raw: string, { html = true } = {}): Block[] {
  const reader = new BlockReader(raw, html);
  while (reader.step());
  return reader.blocks;
}

/**
 * {@link readBlocks} of a text of any length. Gives way to other work by `pause`.
 *
 * @param most reading stops after about this many blocks. Default: no bound
 */
export async function readAllBlocks(
  raw: string,
  pause: () => Promise<void> | undefined,
  { html = true, most = Infinity } = {},
): Promise<Block[]> {
  const reader = new BlockReader(raw, html);
  for (let lines = 1; reader.blocks.length < most && reader.step(); lines++)
    if ((lines & 0x1f) === 0) await pause();
  return reader.blocks;
}

/**
 * The text without invisible characters and front matter, and HTML that tells of structure as Markdown: what the offsets of {@link Block}
 * count in. Idempotent.
 */
export function structuredText(raw: string, html = true): string {
  const text = normalized(raw).replace(FRONT_MATTER, '');
  return html && text.includes('<') ? htmlAsMarkdown(text) : text;
}

/** A line of a text and where it stands. */
interface Line {
  text: string;
  start: number;
  end: number;
}

/** A block that the next line may belong to. */
interface OpenBlock {
  kind: 'paragraph' | 'item' | 'code';
  lines: string[];
  start: number;
  end: number;
  /** Blanks before an item or a fence. */
  indent?: number;
  /** Of an item. */
  marker?: string;
  /** The mark that ends a piece of code. */
  fence?: string;
}

/** Takes the lines of a text one by one. */
class BlockReader {
  /** Blocks that are complete. */
  readonly blocks: Block[] = [];
  private readonly lines: Iterator<Line, undefined>;
  private next: Line | undefined;
  private line: Line = { text: '', start: 0, end: 0 };
  private open: OpenBlock | undefined;
  private headings: { level: number; text: string }[] = [];
  /** The text that introduces what comes next. */
  private leadIn: string | undefined;
  /** The items that an indented line may belong to, outermost first. */
  private items: { indent: number; text: string }[] = [];
  /** Names of the columns of the table that goes on, empty without a header; undefined outside tables. */
  private columns: string[] | undefined;
  private afterBlank = true;

  constructor(
    raw: string,
    private readonly html: boolean,
  ) {
    this.lines = linesOf(structuredText(raw, html));
    this.next = this.lines.next().value;
  }

  /** Reads one line, or two that belong together. Returns false when none is left. */
  step(): boolean {
    if (!this.next) {
      this.close();
      return false;
    }
    this.advance();
    const { open, line } = this;
    // Lines without end that belong together are read in pieces.
    if (open && line.start - open.start > MAX_LINE) {
      this.close();
      if (open.fence) this.begin({ ...open, lines: [] });
    }
    this.read(line.text);
    return true;
  }

  private advance(): void {
    this.line = this.next!;
    this.next = this.lines.next().value;
  }

  private read(line: string): void {
    if (this.open?.fence) return this.readCode(line, this.open);
    const bare = line.replace(QUOTE, '');
    const { afterBlank } = this;
    this.afterBlank = line.trim() === '';
    const fence = FENCE.exec(bare);
    if (bare.trim() === '') {
      this.close();
      this.columns = undefined;
    } else if (fence) {
      this.begin({ kind: 'code', fence: fence[1]!, indent: bare.indexOf(fence[1]!), lines: [] });
    } else if (!this.readHeading(bare) && !this.readRow(bare) && !this.readItem(bare)) {
      this.readText(bare, afterBlank);
    }
  }

  private readCode(line: string, { fence, indent, lines }: OpenBlock): void {
    if (line.trim().startsWith(fence!) && /^[`~\s]+$/.test(line)) return this.close();
    const blanks = /^[ \t]*/.exec(line)![0].length;
    lines.push(line.slice(Math.min(blanks, indent!)));
    this.open!.end = this.line.end;
  }

  private readHeading(line: string): boolean {
    const { start } = this.line;
    const marks = HEADING.exec(line);
    if (marks) {
      this.heading(marks[1]!.length, line.slice(marks[0].length).replace(/[ \t]+#+[ \t]*$/, ''), start);
      return true;
    }
    if (RULE.test(line)) {
      this.close();
      this.leadIn = undefined;
      return true;
    }
    if (this.open || line.length > MAX_HEADING) return false;
    const underline = UNDERLINE.exec(this.nextLine());
    const emphasized = EMPHASIZED.exec(line.trim());
    if (underline && !ITEM.test(line)) {
      this.advance();
      this.heading(underline[1]!.startsWith('=') ? 1 : 2, line, start);
    } else if (emphasized) {
      this.heading(EMPHASIS_LEVEL, emphasized[1] ?? emphasized[2]!, start);
    } else {
      return false;
    }
    return true;
  }

  private heading(level: number, source: string, start: number): void {
    this.close();
    const text = inlineText(source, this.html);
    this.headings = this.headings.filter((h) => h.level < level);
    this.push({ kind: 'heading', text, start, end: this.line.end });
    if (text !== '') this.headings.push({ level, text });
    this.leadIn = undefined;
    this.items = [];
  }

  private readRow(line: string): boolean {
    if (this.columns && line.includes('-') && ROW_RULE.test(line)) return true;
    if (!line.includes('|')) return false;
    const rule = this.nextLine();
    if (!this.columns && ROW_RULE.test(rule) && cellsOf(rule).length === cellsOf(line).length) {
      this.close();
      this.columns = this.cells(line);
      this.advance();
      return true;
    }
    if (!this.columns && !TABLE_LINE.test(line)) return false;
    this.close();
    const columns = (this.columns ??= []);
    const cells = this.cells(line);
    const { start, end } = this.line;
    this.push({
      kind: 'row',
      text: rowText(cells, columns),
      cells,
      columns,
      leadIn: this.leadIn,
      start,
      end,
    });
    return true;
  }

  private cells(line: string): string[] {
    return cellsOf(line).map((cell) => inlineText(cell, this.html));
  }

  private readItem(line: string): boolean {
    const mark = ITEM.exec(line);
    if (!mark) return false;
    const isNumber = /^\d/.test(mark[2]!);
    // "1999. That year …" wrapped into the next line of a paragraph is no item.
    if (this.open?.kind === 'paragraph' && isNumber && !/^1[.)]/.test(mark[2]!)) return false;
    this.columns = undefined;
    this.begin({
      kind: 'item',
      marker: isNumber ? mark[2]! : '•',
      indent: mark[1]!.length,
      lines: [line.slice(mark[0].length)],
    });
    return true;
  }

  private readText(line: string, afterBlank: boolean): void {
    if (UNSEEN.test(line)) return this.close();
    this.columns = undefined;
    const text = line.trim();
    const before = this.open?.lines.at(-1);
    // A line that could have gone on and did not: an address, a line of a form, a verse.
    const endsBefore =
      this.open?.kind === 'paragraph' &&
      before!.length < WRAPPED &&
      /^["“«(¿¡*_]{0,3}[\p{Lu}\p{N}]/u.test(text);
    if (this.open && !endsBefore) {
      this.open.lines.push(text);
      this.open.end = this.line.end;
      return;
    }
    const isOfItem = afterBlank && /^\s{2,}/.test(line);
    if (!isOfItem) this.items = [];
    this.begin({ kind: 'paragraph', lines: [text] });
  }

  private nextLine(): string {
    return this.next?.text.replace(QUOTE, '') ?? '';
  }

  /** Opens a block that begins with this line. */
  private begin(block: Omit<OpenBlock, 'start' | 'end'>): void {
    this.close();
    this.open = { ...block, start: this.line.start, end: this.line.end };
  }

  private close(): void {
    if (!this.open) return;
    const { kind, lines, start, end, marker, indent = 0 } = this.open;
    this.open = undefined;
    if (kind === 'code') {
      const code = lines.map((line) => disarmed(line.trimEnd())).join('\n');
      this.push({ kind, text: code.replace(/^\n+|\n+$/g, ''), leadIn: this.leadIn, start, end });
      return;
    }
    const text = inlineText(lines.join(' '), this.html);
    if (kind === 'item')
      while (this.items.length > 0 && this.items.at(-1)!.indent >= indent) this.items.pop();
    const outer = this.items.at(-1)?.text;
    if (kind === 'item') {
      this.push({ kind, text, marker: marker!, leadIn: outer || this.leadIn, start, end });
      this.items.push({ indent, text });
    } else {
      this.push({ kind, text, leadIn: outer, start, end });
      if (text !== '' && !outer) this.leadIn = text;
    }
  }

  private push({ leadIn, ...block }: Omit<Block, 'headings'>): void {
    if (block.text.trim() === '') return;
    const headings = this.headings.map((h) => h.text);
    this.blocks.push({ ...block, headings, ...(leadIn ? { leadIn } : {}) });
  }
}

function* linesOf(text: string): Generator<Line, undefined> {
  let start = 0;
  while (start <= text.length) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    if (end - start > MAX_LINE) {
      const blank = text.slice(start, start + MAX_LINE + 1).lastIndexOf(' ');
      end = start + (blank > 0 ? blank : MAX_LINE);
      yield { text: text.slice(start, end), start, end };
      // The next line starts anew and is not a wrapped one.
      yield { text: '', start: end, end };
      start = end;
      continue;
    }
    yield { text: text.slice(start, end), start, end };
    start = end + 1;
  }
  return undefined;
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/, MAX_CELLS);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
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

/** Runs of backquotes with what they hold; bounded, so that a backquote without its pair costs little. */
const CODE_SPAN = /(?<!`)(`{1,3})(?!`)([^`]{1,500})\1(?!`)/;
const TARGET = String.raw`\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)`;
const IMAGE = new RegExp(String.raw`!\[([^\][\n]{0,500})\](?:${TARGET}|\[[^\][\n]{0,200}\])`, 'g');
const LINK = new RegExp(String.raw`\[([^\][\n]{0,500})\]${TARGET}`, 'g');
const AUTOLINK = /<((?:https?|mailto):[^\s<>]{1,2000})>/g;
const FOOTNOTE = /\[\^[^\]\s]{1,50}\]/g;
const STRONG = /(\*\*|__|~~)(?=\S)([^*_~\n]{1,1000})(?<=\S)\1/g;
const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])([^*_\n]{1,1000})(?<=[^\s*_])\1(?![\p{L}\p{N}*_])/gu;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
/** Something that may be markup, or white space to fold. */
const MARKED = /[`*_~\\[\]<&]|\s\s|[\n\t\u00a0\u2000-\u200a\u202f]/;

/** The words of a line of Markdown. */
function inlineText(source: string, html: boolean): string {
  const line = source.trim();
  if (!MARKED.test(line)) return line;
  const code: string[] = [];
  // A private character holds the place of code.
  const places = line.replace(new RegExp(CODE_SPAN, 'g'), (_, _marks, inside: string) => {
    code.push(inside.trim());
    return `\ue000${code.length - 1}\ue000`;
  });
  let text = places.replace(IMAGE, ' ').replace(LINK, '$1').replace(FOOTNOTE, '');
  if (html) text = withoutMarkup(text.replace(AUTOLINK, '$1'));
  text = text
    .replace(ESCAPED, '$1')
    .replace(STRONG, '$2')
    .replace(EMPHASIS, '$2')
    .replace(/\ue000(\d+)\ue000/g, (_, i: string) => code[Number(i)] ?? '');
  return disarmed(text.replace(/\s+/g, ' ').trim());
}

/** Code, which stays as it is. */
const CODE = /((?:^|\n) {0,3}```[^`][\s\S]*?\n {0,3}```|`[^`\n]{1,500}`)/;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const UNSEEN_ELEMENT = /<(script|style|noscript|template|svg|head|iframe|object)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const TAG =
  /<(\/?)(h[1-6]|p|div|br|ul|ol|dl|dt|dd|table|thead|tbody|tfoot|section|article|blockquote|pre|hr|li|tr|td|th)\b[^<>]*>/gi;
/** A longer cell lays out a page and is no part of a table, characters. */
const MAX_CELL = 500;
/** Items further inside stand no deeper. */
const MAX_LEVEL = 10;

/** Tags that tell of structure, as Markdown says the same; all others are left to {@link inlineText}. */
function htmlAsMarkdown(html: string): string {
  const writer = new BlockTagWriter();
  html.split(CODE).forEach((part, i) => (i % 2 ? writer.code(part) : writer.html(part)));
  return writer.text;
}

/** Takes tags one by one, as any of them may be missing. */
class BlockTagWriter {
  text = '';
  /** In a heading or paragraph; in an item; in a row of short cells, of which the last one begins at `start`. */
  private folds = false;
  private inItem = false;
  private row: { cells: number; isHeader: boolean; start: number } | undefined;
  /** The table has a cell that is the name of a column or row. */
  private hasNames = false;
  /** Of each list that is open the number of its last item; NaN for bullets. */
  private readonly lists: number[] = [];

  html(html: string): void {
    const parts = html.replace(COMMENT, '').replace(UNSEEN_ELEMENT, ' ').split(TAG);
    for (let i = 0; i < parts.length; i += 3) {
      if (i > 0) this.text += this.tag(parts[i - 1]!.toLowerCase(), parts[i - 2] === '');
      if (parts[i - 1]?.toLowerCase() === 'tr' && !this.hasNames && isLayout(parts, i)) this.row = undefined;
      const isBetween = i > 0 && i < parts.length - 1 && parts[i]!.trim() === '';
      this.text += isBetween ? ' ' : this.words(parts[i]!);
    }
  }

  code(code: string): void {
    if (!code.includes('\n')) {
      this.text += this.row ? code.replaceAll('|', '\\|') : code;
      return;
    }
    this.text += `${this.row?.cells ? ' |' : ''}${code}\n`;
    this.row = undefined;
  }

  private words(text: string): string {
    // Behind an empty line, Markdown may stand in HTML.
    if (!(this.folds || this.inItem || this.row) || /\n\s*\n/.test(text.trim())) return text;
    const words = text.replace(/\s\s+|[^\S ]/g, ' ');
    return this.row ? words.replaceAll('|', '\\|') : words;
  }

  private tag(name: string, opens: boolean): string {
    const { row, lists } = this;
    if (name === 'th') this.hasNames = true;
    if (name === 'table') this.hasNames = false;
    const inCell = row !== undefined && this.text.length - row.start < MAX_CELL;
    if ((inCell || this.inItem) && /^(?:p|div|br)$/.test(name)) return ' ';
    if (inCell && /^(?:ul|ol|li)$/.test(name)) return ' ';
    if (/^t[dh]$/.test(name) && row) {
      if (!opens) return '';
      row.isHeader &&= name === 'th';
      row.start = this.text.length;
      return row.cells++ === 0 ? '| ' : ' | ';
    }
    this.folds = opens && /^(?:h\d|p|dt|dd)$/.test(name);
    this.inItem = opens && name === 'li';
    this.row = opens && name === 'tr' ? { cells: 0, isHeader: true, start: 0 } : undefined;
    const end = row?.cells ? ` |${row.isHeader ? `\n${'|---'.repeat(row.cells)}|` : ''}` : '';
    if (/^t(?:r|head|body|foot)$/.test(name)) return this.row ? `${end}\n` : end;
    if (/^[uo]l$/.test(name)) {
      if (opens) lists.push(name === 'ol' ? 0 : NaN);
      else lists.pop();
    }
    if (name !== 'li')
      return `${end}\n\n${opens && /^h\d/.test(name) ? `${'#'.repeat(Number(name[1]))} ` : ''}`;
    if (!opens) return '\n';
    const number = (lists.pop() ?? NaN) + 1;
    const indent = '  '.repeat(Math.min(lists.length, MAX_LEVEL));
    lists.push(number);
    return `${end}\n${indent}${number ? `${number}.` : '-'} `;
  }
}

/** Whether a row lays out a page: it has one cell, or a list, table, heading or preformatted text in one, and no name of a column. */
function isLayout(parts: readonly string[], row: number): boolean {
  let cells = 0;
  let hasBlocks = false;
  for (let i = row + 3; i < parts.length; i += 3) {
    const name = parts[i - 1]!.toLowerCase();
    if (name === 'th') return false;
    if (name === 'tr') break;
    if (name === 'td' && parts[i - 2] === '') cells++;
    hasBlocks ||= /^(?:[uo]l|table|pre|h\d)$/.test(name) && parts[i - 2] === '';
  }
  return cells === 1 || hasBlocks;
}
