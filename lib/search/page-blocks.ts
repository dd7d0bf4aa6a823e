import { disarmed, withoutInvisible, withoutMarkup } from './plain-text.js';

/** Kind of a {@link Block}. */
type BlockKind = 'heading' | 'paragraph' | 'item' | 'row' | 'code';

/** A paragraph, list item, table row, heading or piece of code of a page, in the order of the page. */
export interface Block {
  kind: BlockKind;
  /**
   * Plain text on one line, never empty; code keeps its lines. A row reads `name – column: value; column: value`, or `name: value`
   * where the table has no header.
   */
  text: string;
  /** The headings that it stands under, outermost first; of a heading, those above it. Plain text. */
  headings: readonly string[];
  /** For an item: its number as written (`2.`), or `•`. */
  marker?: string;
  /** For an item, row or piece of code: the text directly before its list, table or code, in the same section; of an inner item, the outer one. */
  leadIn?: string;
  /** For a row: its cells, and the names of their columns; without a header row no names. Joined by ` | ` they are as the page has them. */
  cells?: readonly string[];
  columns?: readonly string[];
  /** Where its lines stand in the text that was read, `[start, end)`; of a text from {@link structuredText}, in that one. */
  start: number;
  end: number;
}

/** How {@link readBlocks} takes a text. */
interface ReadBlocksOptions {
  /** The text may hold HTML: tags are removed and entities decoded, but in code. False for text that a browser would show. Default true. */
  html?: boolean;
}

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

const FENCE = /^ {0,12}(`{3,20}|~{3,20})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,50}|(?:-[ \t]*){3,50}|(?:_[ \t]*){3,50})$/;
const ITEM = /^([ \t]{0,40})([-*+•‣◦]|\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/;
const ROW_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*){0,60}\|?[ \t]*$/;
const TABLE_LINE = /^\s*\|.*\|\s*$/;
const QUOTE = /^ {0,3}(?:>[ ]?){1,20}/;
const EMPHASIZED = /^(?:\*\*([^*]+)\*\*|__([^_]+)__):?$/;
const DEFINITION = /^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*\S/;
/** Lines that only steer how a page is shown: directives, containers. */
const DIRECTIVE = /^ {0,3}(?::::|!!!|\{%|%%)/;
const HTML_BLOCK =
  /<!--|<\/?(?:script|style|template|p|div|br|h[1-6]|ul|ol|li|dl|dt|dd|table|tr|t[dh]|section|article|blockquote|pre|hr)[\s/>]/i;

/**
 * Reads the structure of a page's text, which may be Markdown, plain text or HTML: headings, paragraphs, lists, tables and code. Marks of
 * emphasis, links and quotations go, what they mark stays; images, comments and front matter go.
 *
 * Linear in its input, and each step of the generator is short: a caller may give way to other work between two blocks.
 */
export function* readBlocks(raw: string, options: ReadBlocksOptions = {}): Generator<Block> {
  const reader = new BlockReader(options.html ?? true);
  for (const line of linesOf(structuredText(raw, options))) {
    reader.read(line);
    if (reader.ready.length > 0) yield* reader.taken();
  }
  reader.end();
  yield* reader.taken();
}

/**
 * {@link readBlocks} of a text of any length. Gives way to other work by `pause`.
 *
 * @param most reading stops after about this many blocks. Default: no bound
 */
export async function readAllBlocks(
  raw: string,
  options: ReadBlocksOptions,
  pause: () => Promise<void> | undefined,
  most = Infinity,
): Promise<Block[]> {
  const reader = new BlockReader(options.html ?? true);
  let lines = 0;
  for (const line of linesOf(structuredText(raw, options))) {
    reader.read(line);
    if (reader.ready.length >= most) break;
    if ((++lines & 0x1f) === 0) await pause();
  }
  reader.end();
  return reader.taken();
}

/** The text without invisible characters, and HTML that tells of structure as Markdown: what the offsets of {@link Block} count in. Idempotent. */
export function structuredText(raw: string, { html = true }: ReadBlocksOptions = {}): string {
  const text = withoutInvisible(raw);
  return html && HTML_BLOCK.test(text) ? htmlAsMarkdown(text) : text;
}

/** Text of a block as it is shown in a passage: an item with its marker. */
export function shownBlock({ text, marker }: Block): string {
  return marker ? `${marker} ${text}` : text;
}

/** A line of a text and where it stands. */
interface Line {
  text: string;
  start: number;
  end: number;
}

interface OpenList {
  indent: number;
  text: string;
}

/** Takes the lines of a text one by one. */
class BlockReader {
  /** Blocks that are complete. */
  ready: Block[] = [];
  private headings: { level: number; text: string }[] = [];
  private paragraph: string[] = [];
  /** Text that stands before the list, table or code that comes next. */
  private leadIn: string | undefined;
  private item: { marker: string; indent: number; lines: string[] } | undefined;
  private lists: OpenList[] = [];
  private columns: string[] | undefined;
  private inTable = false;
  private fence: { mark: string; indent: number; lines: string[] } | undefined;
  private isFirst = true;
  private inFrontMatter = false;
  private afterBlank = true;
  /** Where the line that is being read stands. */
  private line: Line = { text: '', start: 0, end: 0 };
  /** Where the lines of the open paragraph, item or code stand. */
  private from = 0;
  private to = 0;

  constructor(private readonly html: boolean) {}

  taken(): Block[] {
    const blocks = this.ready;
    this.ready = [];
    return blocks;
  }

  end(): void {
    if (this.fence) this.closeFence();
    this.flush();
  }

  read(line: Line): void {
    this.line = line;
    // Lines without end that belong together are read in pieces.
    if (line.start - this.from > MAX_LINE) {
      if (this.fence) this.closeFence(this.fence);
      else if (this.paragraph.length > 0 || this.item) this.flush();
    }
    this.readLine(line.text);
  }

  private readLine(line: string): void {
    if (this.fence) return this.readCode(this.fence, line);
    if (this.readFrontMatter(line)) return;
    if (line.trim() === '') {
      this.flush();
      this.inTable = false;
      this.columns = undefined;
      this.afterBlank = true;
      return;
    }
    const afterBlank = this.afterBlank;
    this.afterBlank = false;
    const fence = FENCE.exec(line);
    if (fence) {
      this.flush();
      this.fence = { mark: fence[1]!, indent: line.indexOf(fence[1]!), lines: [] };
      return this.open();
    }
    // Inside an item its own text may be indented like code.
    if (afterBlank && /^(?: {4}|\t)\S/.test(line) && !this.lists.length && this.leadIn?.endsWith(':')) {
      this.fence = { mark: '', indent: line.startsWith('\t') ? 1 : 4, lines: [] };
      this.open();
      return this.readCode(this.fence, line);
    }
    const bare = line.replace(QUOTE, '');
    if (bare.trim() === '') return this.flush();
    if (!this.readHeading(bare) && !this.readRow(bare) && !this.readItem(bare))
      this.readText(bare, afterBlank);
  }

  /** `---`, lines of `key: value`, `---` at the very beginning say things about the page that a reader does not see. */
  private readFrontMatter(line: string): boolean {
    if (this.isFirst && line.trim() !== '') {
      this.isFirst = false;
      this.inFrontMatter = /^---\s*$/.test(line);
      if (this.inFrontMatter) return true;
    }
    if (!this.inFrontMatter) return false;
    if (/^(?:---|\.\.\.)\s*$/.test(line)) {
      this.inFrontMatter = false;
      return true;
    }
    // Something else followed: it was a rule.
    this.inFrontMatter = /^(?:\s*[\w-]+:(?:\s|$)|\s+\S|-\s|#|\s*$)/.test(line);
    return this.inFrontMatter;
  }

  private readCode(fence: { mark: string; indent: number; lines: string[] }, line: string): void {
    if (fence.mark === '') {
      const isIndented = /^(?: {4}|\t)/.test(line);
      if (!isIndented && line.trim() !== '') {
        this.closeFence();
        return this.readLine(line);
      }
    } else if (line.trim().startsWith(fence.mark) && /^[`~\s]+$/.test(line)) {
      return this.closeFence();
    }
    let from = 0;
    while (from < fence.indent && (line[from] === ' ' || line[from] === '\t')) from++;
    fence.lines.push(line.slice(from));
    this.to = this.line.end;
  }

  /** @param goesOn the code that the next line still belongs to */
  private closeFence(goesOn?: { mark: string; indent: number }): void {
    const lines = this.fence!.lines.map((line) => disarmed(line.trimEnd()));
    this.fence = goesOn && { ...goesOn, lines: [] };
    const text = lines.join('\n').replace(/^\n+|\n+$/g, '');
    this.push({ kind: 'code', text, ...this.introduced() });
    if (goesOn) this.open();
  }

  /** The line is the first one of a paragraph, item or piece of code. */
  private open(): void {
    this.from = this.line.start;
    this.to = this.line.end;
  }

  /** Takes the line into the open paragraph. */
  private addLine(text: string): void {
    if (this.paragraph.length === 0) this.open();
    this.paragraph.push(text);
    this.to = this.line.end;
  }

  private readHeading(line: string): boolean {
    const marks = HEADING.exec(line);
    if (marks) {
      this.flush();
      this.open();
      this.heading(marks[1]!.length, line.slice(marks[0].length).replace(/[ \t]+#+[ \t]*$/, ''));
      return true;
    }
    const underline = UNDERLINE.exec(line);
    if (underline && this.paragraph.length === 1 && this.paragraph[0]!.length <= MAX_HEADING) {
      const text = this.paragraph.pop()!;
      this.to = this.line.end;
      this.heading(underline[1]!.startsWith('=') ? 1 : 2, text);
      return true;
    }
    if (RULE.test(line)) {
      this.flush();
      this.leadIn = undefined;
      return true;
    }
    return false;
  }

  private heading(level: number, source: string): void {
    const text = inlineText(source, this.html);
    this.headings = this.headings.filter((h) => h.level < level);
    this.push({ kind: 'heading', text });
    if (text !== '') this.headings.push({ level, text });
    this.leadIn = undefined;
    this.lists = [];
  }

  private readRow(line: string): boolean {
    const isRule = line.includes('-') && ROW_RULE.test(line);
    const header = this.paragraph.at(-1);
    if (isRule && header?.includes('|') && cellsOf(header).length === cellsOf(line).length) {
      this.paragraph.pop();
      this.flush();
      this.columns = cellsOf(header).map((cell) => inlineText(cell, this.html));
      this.inTable = true;
      return true;
    }
    if (isRule && this.inTable) return true;
    if (!line.includes('|') || !(this.inTable || TABLE_LINE.test(line))) return false;
    // The first line of a table may be its header, which only the next line tells.
    if (!this.inTable && this.paragraph.length === 0) {
      this.flush();
      this.addLine(line);
      return true;
    }
    // A single line that looks like a row is one: `flush` takes it for that.
    this.flush();
    this.inTable = true;
    this.open();
    this.row(line);
    return true;
  }

  private row(line: string): void {
    const cells = cellsOf(line).map((cell) => inlineText(cell, this.html));
    const columns = this.columns ?? [];
    this.push({ kind: 'row', text: rowText(cells, columns), cells, columns, ...this.introduced() });
  }

  private readItem(line: string): boolean {
    const mark = ITEM.exec(line);
    if (!mark) return false;
    // "1999. That year …" wrapped into the next line of a paragraph is no item.
    if (this.paragraph.length > 0 && /^\d/.test(mark[2]!) && mark[2] !== '1.' && mark[2] !== '1)')
      return false;
    this.flush();
    this.inTable = false;
    this.open();
    const marker = /^\d/.test(mark[2]!) ? mark[2]! : '•';
    this.item = { marker, indent: mark[1]!.length, lines: [line.slice(mark[0].length)] };
    return true;
  }

  private readText(line: string, afterBlank: boolean): void {
    if (DIRECTIVE.test(line) || DEFINITION.test(line)) return this.flush();
    this.inTable = false;
    if (this.item) {
      this.item.lines.push(line.trim());
      this.to = this.line.end;
      return;
    }
    if (afterBlank && this.lists.length > 0 && /^\s{2,}/.test(line)) {
      // A further paragraph of an item, which belongs to it.
      return this.addLine(line.trim());
    }
    this.lists = [];
    const emphasized = this.paragraph.length === 0 && EMPHASIZED.exec(line.trim());
    if (emphasized && line.length <= MAX_HEADING) {
      this.open();
      this.heading(EMPHASIS_LEVEL, emphasized[1] ?? emphasized[2]!);
      return;
    }
    const before = this.paragraph.at(-1);
    // A line that could have gone on and did not: an address, a line of a form, a verse.
    if (
      before !== undefined &&
      before.length < WRAPPED &&
      /^["“«(¿¡*_]{0,3}[\p{Lu}\p{N}]/u.test(line.trimStart())
    )
      this.flush();
    this.addLine(line.trim());
  }

  private flush(): void {
    if (this.item) {
      const { marker, indent, lines } = this.item;
      this.item = undefined;
      while (this.lists.length > 0 && this.lists.at(-1)!.indent >= indent) this.lists.pop();
      const text = inlineText(lines.join(' '), this.html);
      const outer = this.lists.at(-1)?.text;
      this.push({ kind: 'item', text, marker, ...(outer ? { leadIn: outer } : this.introduced()) });
      this.lists.push({ indent, text });
    }
    if (this.paragraph.length > 0) {
      const isRow = this.paragraph.length === 1 && TABLE_LINE.test(this.paragraph[0]!);
      const source = this.paragraph.join(' ');
      this.paragraph = [];
      if (isRow) return this.row(source);
      const text = inlineText(source, this.html);
      const outer = this.lists.at(-1)?.text;
      this.push({ kind: 'paragraph', text, ...(outer ? { leadIn: outer } : {}) });
      if (text !== '' && !outer) this.leadIn = text;
    }
  }

  private introduced(): { leadIn?: string } {
    return this.leadIn === undefined ? {} : { leadIn: this.leadIn };
  }

  private push(block: Omit<Block, 'headings' | 'start' | 'end'>): void {
    if (block.text.trim() === '') return;
    const { from: start, to: end } = this;
    this.ready.push({ ...block, headings: this.headings.map((h) => h.text), start, end });
  }
}

function* linesOf(text: string): Generator<Line> {
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
const CODE_SPAN = /(?<!`)(`{1,3})(?!`)([^`]{1,500})\1(?!`)/g;
const IMAGE =
  /!\[([^\][\n]{0,500})\](?:\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)|\[[^\][\n]{0,200}\])/g;
const LINK = /\[([^\][\n]{0,500})\]\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)/g;
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
  const withPlaces = line.includes('`')
    ? line.replace(
        CODE_SPAN,
        (_, _marks, inside: string) => `\ue000${code.push(disarmed(inside.trim())) - 1}\ue000`,
      )
    : line;
  const prose = proseText(withPlaces, html).replace(STRONG, '$2').replace(EMPHASIS, '$2');
  const text =
    code.length > 0 ? prose.replace(/\ue000(\d+)\ue000/g, (_, i: string) => code[Number(i)] ?? '') : prose;
  return disarmed(text.replace(/\s+/g, ' ').trim());
}

/** Text without links, tags, entities and escapes. */
function proseText(source: string, html: boolean): string {
  let text = source;
  if (text.includes('[')) text = text.replace(IMAGE, ' ').replace(LINK, '$1').replace(FOOTNOTE, '');
  if (html && (text.includes('<') || text.includes('&'))) text = withoutMarkup(text.replace(AUTOLINK, '$1'));
  return text.includes('\\') ? text.replace(ESCAPED, '$1') : text;
}

/** Tags that tell of structure, as Markdown says the same; all others are left to {@link inlineText}. */
function htmlAsMarkdown(html: string): string {
  // Code stays as it is.
  return html
    .split(/((?:^|\n) {0,3}```[^`][\s\S]*?\n {0,3}```|`[^`\n]{1,500}`)/)
    .map((part, i) => (i % 2 ? part : blockTagsAsMarkdown(part)))
    .join('');
}

/** Elements that begin and end a block. */
const BLOCK_ELEMENTS = new Set('p div br ul ol dl dt dd table section article blockquote pre hr'.split(' '));

function blockTagsAsMarkdown(html: string): string {
  let columns = 0;
  let isHeader = false;
  let ordered: number | undefined;
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<(script|style|noscript|template|svg|head|iframe|object)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<(\/?)([a-z][a-z0-9]*)\b[^<>]*>/gi, (tag, slash: string, name: string) => {
      const close = slash !== '';
      const element = name.toLowerCase();
      if (/^h[1-6]$/.test(element)) return close ? '\n\n' : `\n\n${'#'.repeat(Number(element[1]))} `;
      if (BLOCK_ELEMENTS.has(element)) {
        if (element === 'ol') ordered = close ? undefined : 0;
        return '\n\n';
      }
      switch (element) {
        case 'li':
          return close ? '\n' : ordered === undefined ? '\n- ' : `\n${++ordered}. `;
        case 'tr':
          if (close) return columns === 0 ? '' : isHeader ? ` |\n${'|---'.repeat(columns)}|` : ' |';
          columns = 0;
          isHeader = true;
          return '\n';
        case 'td':
        case 'th':
          if (close) return '';
          if (element === 'td') isHeader = false;
          return columns++ === 0 ? '| ' : ' | ';
        default:
          return tag;
      }
    });
}
