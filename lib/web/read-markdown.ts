import type { Pause } from '../core/async.js';
import { disarmed, normalized, withoutMarkup } from '../text/plain-text.js';
import { BlockList, endsLine, MAX_HEADING, type Block } from './blocks.js';

/** Longer lines are read in pieces, characters: one line must not hold up other work; a plain bound. */
const MAX_LINE = 20_000;
const MAX_CELLS = 50; // of a row; a plain bound

/** `---`, lines of `key: value`, `---` at the beginning say things about the page that a reader does not see. */
const FRONT_MATTER =
  /^(?:\s*---[ \t]*\n(?:(?:\w[\w-]*:(?=\s).*|[ \t#].*|-[ \t].*|)\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$))+/;
const FENCE = /^ {0,12}(`{3,20}|~{3,20})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,50}|(?:-[ \t]*){3,50}|(?:_[ \t]*){3,50})$/;
const ITEM = /^([ \t]{0,40})([-*+•‣◦]|\d{1,4}[.)])[ \t]+(?=\S)/;
const ROW_RULE = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*){0,60}(?:\|[ \t]*)?$/;
const TABLE_LINE = /^\s*\|.*\|\s*$/;
const QUOTE = /^ {0,3}(?:>[ ]?){1,20}/;
const EMPHASIZED = /^(?:\*\*((?:\\.|[^\\*])+)\*\*|__((?:\\.|[^\\_])+)__):?$/;
/** Lines that only steer how a page is shown: containers, directives, definitions of links. */
const UNSEEN = /^ {0,3}(?::::|!!!|\{%|%%|\[[^\]\n]{1,200}\]:[ \t]*\S)/;

export interface MarkdownOptions {
  /** The text may hold tags and entities of HTML: they are removed and decoded, but in code. False for text that a browser would show. Default true. */
  html?: boolean;
  /** Where the blocks are written. Default: a list of their own. */
  list?: BlockList;
}

/**
 * Reads the structure of Markdown or plain text: headings, paragraphs, lists, tables and code. Marks of emphasis, links and quotations go,
 * what they mark stays; images, comments and front matter go.
 *
 * Linear in its input, line by line, so that a long text can be read in slices, which `marked` and `markdown-it` cannot.
 */
export function readMarkdown(
  raw: string,
  { html = true, list = new BlockList() }: MarkdownOptions = {},
): Block[] {
  const reader = new MarkdownReader(raw, html, list);
  while (reader.step());
  return list.blocks;
}

/**
 * {@link readMarkdown} of a text of any length. Yields to other work by `pause`.
 *
 * @param options.most reading stops after about this many blocks. Default: no bound
 */
export async function readLongMarkdown(
  raw: string,
  pause: Pause,
  { html = true, list = new BlockList(), most = Infinity }: MarkdownOptions & { most?: number } = {},
): Promise<Block[]> {
  const reader = new MarkdownReader(raw, html, list);
  for (let lines = 1; list.blocks.length < most && reader.step(); lines++)
    if ((lines & 0x1f) === 0) await pause();
  return list.blocks;
}

/** The text without invisible characters and front matter: what the offsets of {@link Block} count in. Idempotent. */
export function markdownSource(raw: string): string {
  return normalized(raw).replace(FRONT_MATTER, '');
}

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
  indent?: number;
  marker?: string;
  /** Of a paragraph: it continues an item. */
  isOfItem?: boolean;
  /** Of code: the mark that ends it, and its language. */
  fence?: string;
  language?: string;
}

class MarkdownReader {
  private readonly lines: Iterator<Line, undefined>;
  private next: Line | undefined;
  private line: Line = { text: '', start: 0, end: 0 };
  private open: OpenBlock | undefined;
  /** Names of the columns of the open table, `[]` without a header row; undefined outside tables. */
  private columns: string[] | undefined;
  private afterBlank = true;

  constructor(
    raw: string,
    private readonly html: boolean,
    private readonly list: BlockList,
  ) {
    this.lines = linesOf(html ? markdownSource(raw) : normalized(raw));
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
      const [marks, mark] = [fence[0], fence[1]!];
      const [language] = /^[\w+#.-]{0,30}/.exec(bare.slice(marks.length).trim())!;
      this.begin({ kind: 'code', fence: mark, language, indent: bare.indexOf(mark), lines: [] });
    } else if (!this.readHeading(bare) && !this.readRow(bare) && !this.readItem(bare)) {
      this.readText(bare, afterBlank);
    }
  }

  private readCode(line: string, { fence, indent, lines }: OpenBlock): void {
    this.open!.end = this.line.end;
    if (line.trim().startsWith(fence!) && /^[`~\s]+$/.test(line)) return this.close();
    const blanks = /^[ \t]*/.exec(line)![0].length;
    lines.push(line.slice(Math.min(blanks, indent!)));
  }

  private readHeading(line: string): boolean {
    const { start } = this.line;
    const marks = HEADING.exec(line);
    if (marks) {
      const title = line.slice(marks[0].length).trimEnd();
      this.heading(marks[1]!.length, title.replace(/[ \t]#{1,300}$/, ''), start);
      return true;
    }
    if (RULE.test(line)) {
      this.close();
      this.list.endSection();
      return true;
    }
    if (this.open || line.length > MAX_HEADING) return false;
    const underline = UNDERLINE.exec(this.nextLine());
    const emphasized = EMPHASIZED.exec(line.trim());
    if (underline && !ITEM.test(line)) {
      this.advance();
      this.heading(underline[1]!.startsWith('=') ? 1 : 2, line, start);
    } else if (emphasized) {
      this.heading(undefined, emphasized[1] ?? emphasized[2]!, start);
    } else {
      return false;
    }
    return true;
  }

  private heading(level: number | undefined, source: string, start: number): void {
    this.close();
    this.list.heading({ text: inlineText(source, this.html), start, end: this.line.end }, level);
  }

  private readRow(line: string): boolean {
    if (this.columns && line.includes('-') && ROW_RULE.test(line)) return true;
    if (!line.includes('|')) return false;
    const rule = this.nextLine();
    if (!this.columns && ROW_RULE.test(rule) && cellsOf(rule).length === cellsOf(line).length) {
      this.close();
      const names = this.cells(line);
      this.columns = names.some((name) => name !== '') ? names : [];
      this.advance();
      return true;
    }
    if (!this.columns && !TABLE_LINE.test(line)) return false;
    this.close();
    const columns = (this.columns ??= []);
    const cells = this.cells(line);
    const { start, end } = this.line;
    this.list.row(cells, columns, { start, end });
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
    if (this.open && !(this.open.kind === 'paragraph' && endsLine(before!, text))) {
      this.open.lines.push(text);
      this.open.end = this.line.end;
      return;
    }
    this.begin({ kind: 'paragraph', isOfItem: afterBlank && /^\s{2,}/.test(line), lines: [text] });
  }

  private nextLine(): string {
    return this.next?.text.replace(QUOTE, '') ?? '';
  }

  private begin(block: Omit<OpenBlock, 'start' | 'end'>): void {
    this.close();
    this.open = { ...block, start: this.line.start, end: this.line.end };
  }

  private close(): void {
    if (!this.open) return;
    const { kind, lines, start, end, marker = '', indent = 0, isOfItem, language } = this.open;
    this.open = undefined;
    const place = { start, end };
    if (kind === 'code') {
      this.list.code({ text: lines.map((line) => line.trimEnd()).join('\n'), ...place }, language);
      return;
    }
    const text = inlineText(lines.join(' '), this.html);
    if (kind === 'item') this.list.item({ text, ...place }, marker, indent);
    else this.list.paragraph({ text, ...place }, isOfItem);
  }
}

/** The lines of a text; a very long one is several, with empty lines between them. */
export function* linesOf(text: string): Generator<Line, undefined> {
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

/** An escaped sign, or backquotes with what they hold; bounded, so that a backquote without its pair costs little. */
const LITERAL = /\\([!-/:-@[-`{-~])|(?<!`)(`{1,3})(?!`)([^`]{1,500})\2(?!`)/g;
const TARGET = String.raw`\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,2000})?\)`;
const IMAGE = new RegExp(String.raw`!\[([^\][\n]{0,500})\](?:${TARGET}|\[[^\][\n]{0,200}\])`, 'g');
const LINK = new RegExp(String.raw`\[([^\][\n]{0,500})\]${TARGET}`, 'g');
const AUTOLINK = /<((?:https?|mailto):[^\s<>]{1,2000})>/g;
const FOOTNOTE = /\[\^[^\]\s]{1,50}\]/g;
const STRONG = /(\*\*|__)(?=\S)([^*_\n]{1,1000})(?<=\S)\1/g;
const EMPHASIS = /(?<![\p{L}\p{N}*_])([*_])(?=[^\s*_])([^*_\n]{1,1000})(?<=[^\s*_])\1(?![\p{L}\p{N}*_])/gu;
/** Something that may be markup, or white space to fold. */
const MARKED = /[`*_~\\[\]<&]|\s\s|[\n\t\u00a0\u2000-\u200a\u202f]/;

export function inlineText(source: string, html: boolean): string {
  const line = source.trim();
  if (!MARKED.test(line)) return line;
  const literals: string[] = [];
  // A private character holds the place of what is no markup.
  const places = line.replace(LITERAL, (_, sign: string | undefined, _marks, code = '') => {
    literals.push(sign ?? (code as string).trim());
    return `\ue000${literals.length - 1}\ue000`;
  });
  let text = places.replace(IMAGE, ' ').replace(LINK, '$1').replace(FOOTNOTE, '');
  if (html) text = withoutMarkup(text.replace(AUTOLINK, '$1'));
  text = text
    .replace(STRONG, '$2')
    .replace(EMPHASIS, '$2')
    .replace(/\ue000(\d+)\ue000/g, (_, i: string) => literals[Number(i)] ?? '');
  return disarmed(text.replace(/\s+/g, ' ').trim());
}
