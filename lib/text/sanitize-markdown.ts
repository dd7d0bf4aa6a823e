import type { Pause } from '../core/async.js';
import { withoutInvisible } from '../core/printable.js';
import { parseUrl } from '../core/url.js';
import { LINE_END, withPlainSchemes } from './sanitize-output.js';
import { fenceOf, linkAddress, openCode } from './write-markdown.js';

/** A quotation, or a list item with the width of its marker. */
type Container = 'quote' | number;

interface Fence {
  marks: string;
  indent: number;
  info: string;
  /** What stands before the fence on its line, where a container begins there. */
  head: string | undefined;
  containers: readonly Container[];
  /** Containers that were open before its line. */
  outer: readonly Container[];
  lines: string[];
  /** A fence that none of the lines ends. */
  needed: string;
}

const FENCE = /^( {0,3})(?:(`{3,})([^`]*)|(~{3,})([^~].*|))$/;
const ITEM = /^( {0,3})([-+*]|\d{1,9}[.)])( {1,4}(?! )| |$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
/** Quotations and items within each other; deeper marks are text; a plain bound. */
const MOST_CONTAINERS = 100;
const INDENTED = /^(?: {4}|\t)/;
/** A line that may stand below the header of a table. */
const TABLE_RULE = /^[\s>|:+*-]+$/;
/** A line that some renderer may take for the beginning of a block of code. */
const TILDES = /^([\s>*+\d.)-]{0,400})~~~/gm;

/**
 * Markdown of strangers as it may leave: whole pages, parts of them, passages, and texts that were cut. This is the last step of every way out.
 *
 * A renderer with `html: true` finds no element, no picture, and no link but to `http(s)` addresses. Code stays sign for sign: its borders are
 * written anew where renderers could disagree about them (a fence that its code does not end, at the indentation of its list or quotation,
 * between empty lines, closed where it was cut), so that nothing inside has to change. Backquotes without a pair on their line are escaped.
 * Linear in its input. Idempotent.
 *
 * @param options.base address of the page, which relative links are resolved against. Default: relative links become text
 * @param options.isCut the end of the text is missing: code that it leaves open ends there. Default false
 */
export function sanitizeMarkdown(
  markdown: string,
  { base, isCut = false }: { base?: string; isCut?: boolean } = {},
): string {
  const prose = (lines: readonly string[], isTable: boolean): string => sanitizedProse(lines, base, isTable);
  const steps = mapSteps(withoutInvisible(markdown.replace(LINE_END, '\n')), { prose, isCut });
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

interface MarkdownParts {
  /** @param isTable some renderer may see a table in these lines */
  prose(lines: readonly string[], isTable: boolean): string;
  /** A line of a block of code. Default: as it is. */
  code?(line: string): string;
  isCut?: boolean;
  /** Lines may be code by their indentation. Default true. */
  hasIndentedCode?: boolean;
}

/**
 * Markdown with its prose, and the lines of its blocks of code, written anew. The borders of code are so that all renderers agree about them.
 * Yields to other work by `pause`.
 */
export async function mapMarkdown(markdown: string, parts: MarkdownParts, pause: Pause): Promise<string> {
  const steps = mapSteps(markdown, parts);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await pause();
  return step.value;
}

function* mapSteps(markdown: string, parts: MarkdownParts): Generator<undefined, string> {
  const reader = new BlockReader(parts);
  /** The lines up to the next empty one. */
  let lines: string[] = [];
  let [hasRule, hasBar] = [false, false];
  let steps = 0;
  for (let from = 0; from <= markdown.length;) {
    const end = markdown.indexOf('\n', from);
    const line = markdown.slice(from, end < 0 ? undefined : end);
    from = end < 0 ? Infinity : end + 1;
    lines.push(line);
    hasRule ||= line.includes('-') && TABLE_RULE.test(line);
    hasBar ||= line.includes('|');
    if ((++steps & 0x3f) === 0) yield;
    if (line.trim() !== '' && from <= markdown.length) continue;
    for (const next of lines) {
      // `marked` lets no item of a list end a table.
      reader.line(next, hasRule && hasBar);
      if ((++steps & 0x3f) === 0) yield;
    }
    lines = [];
    hasRule = hasBar = false;
  }
  return reader.end();
}

/** Follows quotations, lists and fences as CommonMark has them. */
class BlockReader {
  private readonly out: string[] = [];
  private containers: Container[] = [];
  private fence: Fence | undefined;
  /** Lines of the open paragraph, table or item. */
  private prose: string[] = [];
  private afterBlank = true;
  /** Some renderer may see a table in the lines up to the next empty one, across items of lists. */
  private isTable = false;
  /** No renderer can see an open list or quotation here. */
  private isCalm = true;

  constructor(private readonly parts: MarkdownParts) {}

  line(line: string, isTable: boolean): void {
    const { fence } = this;
    const { rest, depth } = this.matched(line);
    if (fence) {
      if (depth === fence.containers.length) return this.code(rest, fence);
      this.closeFence();
    }
    if (rest.trim() === '') {
      this.closeProse();
      this.out.push(line.trimEnd());
      this.afterBlank = true;
      return;
    }
    this.isTable = isTable;
    this.text(line, rest, depth);
    this.afterBlank = false;
  }

  end(): string {
    if (this.fence) this.closeFence();
    const last = this.prose.pop();
    if (last !== undefined) this.prose.push(this.parts.isCut ? last + openCode(last) : last);
    this.closeProse();
    return this.out.join('\n');
  }

  /** The line without the marks of the open containers, and how many of these it continues. */
  private matched(line: string): { rest: string; depth: number } {
    let rest = this.containers.length > 0 ? spaced(line) : line;
    let depth = 0;
    for (const container of this.containers) {
      if (container === 'quote') {
        const mark = /^ {0,3}> ?/.exec(rest)?.[0];
        if (mark === undefined) break;
        rest = rest.slice(mark.length);
      } else {
        if (!rest.startsWith(' '.repeat(container)) && rest.trim() !== '') break;
        rest = rest.slice(container);
      }
      depth++;
    }
    return { rest, depth };
  }

  private text(line: string, given: string, depth: number): void {
    if (this.afterBlank && /^[^\s>]/.test(line) && !ITEM.test(line)) this.isCalm = true;
    const isParagraph = this.prose.length > 0;
    const open = this.containers.slice(0, depth);
    let rest = given;
    while (open.length < MOST_CONTAINERS) {
      const quote = /^ {0,3}> ?/.exec(rest)?.[0];
      const item = RULE.test(rest) ? null : ITEM.exec(rest);
      if (quote !== undefined) open.push('quote');
      else if (item) open.push(item[0].length + (item[3] === '' ? 1 : 0));
      else break;
      this.isCalm = false;
      rest = spaced(rest.slice((quote ?? item![0]).length));
    }
    const isMarker = open.length > depth;
    const fence = FENCE.exec(rest);
    if (fence) {
      this.closeProse();
      this.containers = open;
      const [, { length: indent } = '', ticks, ofTicks, tildes = '', ofTildes = ''] = fence;
      const marks = ticks ?? tildes;
      this.fence = {
        marks,
        indent,
        info: (ofTicks ?? ofTildes).split(/[`<&\\|]/, 1)[0]!.trim(),
        head: isMarker ? line.slice(0, line.indexOf(marks) - indent) : undefined,
        containers: open,
        outer: open.slice(0, depth),
        lines: [],
        needed: fenceOf(''),
      };
      return;
    }
    // A line without marks goes on with the paragraph of the container.
    if (isMarker || !isParagraph || depth === this.containers.length) {
      if (isMarker) this.closeProse();
      this.containers = open;
    }
    if (this.isIndentedCode(line)) this.out.push(this.coded(line));
    else this.prose.push(line);
  }

  /** Code by its indentation for every renderer: not at the beginning of the text, which may be trimmed. */
  private isIndentedCode(line: string): boolean {
    const before = this.out.at(-1);
    return (
      this.parts.hasIndentedCode !== false &&
      this.isCalm &&
      INDENTED.test(line) &&
      this.prose.length === 0 &&
      before !== undefined &&
      (this.afterBlank || INDENTED.test(before))
    );
  }

  private code(line: string, fence: Fence): void {
    const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
    if (end?.startsWith(fence.marks)) return this.closeFence();
    const needed = fenceOf(line);
    if (needed.length > fence.needed.length) fence.needed = needed;
    fence.lines.push(this.coded(line.slice(Math.min(fence.indent, /^ */.exec(line)![0].length))));
  }

  private closeFence(): void {
    const { marks, info, head, containers, outer, lines, needed } = this.fence!;
    this.fence = undefined;
    const own = marks.startsWith(needed) ? marks : needed;
    let prefix = prefixOf(containers);
    let first = head ?? prefix;
    let blank = prefixOf(outer).trimEnd();
    // Indented as code for some renderer, a quotation would be none. The outermost one stays: agents tell by it what a stranger wrote.
    if (/ {4}>/.test(first) || / {4}>/.test(prefix)) {
      this.containers = containers.slice(0, containers[0] === 'quote' ? 1 : 0);
      first = prefix = prefixOf(this.containers);
      blank = prefix.trimEnd();
    }
    if (prefix === '') this.containers = [];
    if (!this.isCalm && !this.isBlank()) this.out.push(blank);
    this.out.push(`${first}${own}${info}`);
    const code =
      prefix === '' ? lines : lines.map((line) => (line === '' ? prefix.trimEnd() : prefix + line));
    if (code.length > 0) this.out.push(code.join('\n'));
    this.out.push(prefix + own);
    this.isCalm ||= prefix === '';
    this.afterBlank = false;
  }

  private coded(line: string): string {
    return this.parts.code?.(line) ?? line;
  }

  private isBlank(): boolean {
    return this.out.length === 0 || /^[\s>]*$/.test(this.out.at(-1)!);
  }

  private closeProse(): void {
    if (this.prose.length === 0) return;
    this.out.push(this.parts.prose(this.prose, this.isTable));
    this.prose = [];
  }
}

const prefixOf = (containers: readonly Container[]): string =>
  containers.map((container) => (container === 'quote' ? '> ' : ' '.repeat(container))).join('');

function spaced(line: string): string {
  const blanks = /^[ \t]*/.exec(line)![0];
  if (!blanks.includes('\t')) return line;
  let columns = 0;
  for (const blank of blanks) columns += blank === '\t' ? 4 - (columns % 4) : 1;
  return ' '.repeat(columns) + line.slice(blanks.length);
}

// Words

const TARGET = String.raw`\(\s{0,9}(<[^<>\n]{0,2000}>|[^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,2000})?)(\s{1,9}"[^"\n]{0,300}"|\s{1,9}'[^'\n]{0,300}')?\s{0,9}\)`;
const IMAGE = new RegExp(String.raw`!\[([^\][]{0,500})\](?:${TARGET}|\[[^\][\n]{0,200}\])`, 'g');
const LINK = new RegExp(String.raw`\[([^\][]{0,500})\]${TARGET}`, 'g');
const AUTOLINK = /<https?:\/\/[^\s<>\0\\]{1,2000}>/gi;
const DEFINITION =
  /^( {0,3}\[[^\][\0\n]{1,200}\]:[ \t]*)(<[^<>\n]{0,2000}>|[^\s<]{1,2000})([ \t]+(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\([^()\n]{0,300}\)))?[ \t]*$/gm;
/** A footnote of two words or more: one word is the address of a link for a renderer without footnotes. */
const FOOTNOTE =
  /^( {0,3}\[\^[^\][\s\0]{1,50}\]):(?=[ \t]+(?!(?!https?:\/\/)[a-z][a-z\d+.-]*:)[^\s<&\\/]\S{0,2000}[ \t]{1,99}[^\s"'(])/gim;
/** A line that some renderer may take for the definition of a link. */
const LABEL = /^[\s>*+\d.)-]{0,400}\[/m;
const WEB_RUN = /(?:(?:https?|ftp):\/\/|www\.)\S*/gi;

/** A line in pieces. What keeps its place in the text is held apart: `\0<index>\0`. Control characters never come this far. */
class Literals {
  private readonly texts: string[] = [];
  /** Signs of code that some renderer may take for the end of a mark in prose. */
  readonly risky = new Set<string>();

  hold(text: string): string {
    return `\0${this.texts.push(text) - 1}\0`;
  }

  code(span: string): string {
    const isLong = span.startsWith('``');
    if (/[[\]]/.test(span)) this.risky.add('[').add(']');
    for (const sign of isLong ? '*_~' : '~') if (span.includes(sign)) this.risky.add(sign);
    return this.hold(span);
  }

  isCode(index: string): boolean {
    return this.texts[Number(index)]!.startsWith('`');
  }

  /** Whether every renderer takes it for the text of a link: some look into code, and `marked` drops the backslashes of brackets. */
  isLabel(text: string): boolean {
    const pieces = [...text.matchAll(/\0(\d+)\0/g)].map(([, index]) => this.texts[Number(index)]!);
    return (
      !pieces.some((piece) => /^``.*[[\]]/.test(piece)) &&
      !/!\[|\]\(/.test(this.restored(text).replace(/\\([[\]])/g, '$1'))
    );
  }

  restored(text: string): string {
    let rest = text;
    while (rest.includes('\0'))
      rest = rest.replace(/\0(\d+)\0/g, (_, index: string) => this.texts[Number(index)]!);
    return rest;
  }
}

function sanitizedProse(lines: readonly string[], base: string | undefined, isTable: boolean): string {
  const literals = new Literals();
  const source = lines.join('\n');
  const apart = /[`\\]/.test(source)
    ? lines.map((line) => (isTable ? rowApart(line, literals) : lineApart(line, literals))).join('\n')
    : source;
  const held = (text: string): string => literals.hold(text);
  let text = apart
    .replace(IMAGE, (_, alt: string) => alt)
    .replace(AUTOLINK, held)
    .replace(DEFINITION, (whole, label: string, target: string, title = '') => {
      const address = addressOf(literals.restored(target), base);
      return address === undefined || /[\0`<]/.test(title) ? whole : held(`${label}${address}${title}`);
    })
    .replace(FOOTNOTE, (_, label: string) => `${label}${held(':')}`)
    .replace(LINK, (whole, name: string, target: string, title = '') => {
      const address = addressOf(literals.restored(target), base);
      if (address === undefined || /[\0`<]/.test(title) || !literals.isLabel(name)) return whole;
      return `${held('[')}${name}${held(`](${address}${title})`)}`;
    })
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replaceAll('](', ']\\(')
    .replaceAll('![', '\\![')
    .replace(TILDES, (_, before: string) => before + held('\\~\\~\\~'));
  if (LABEL.test(text)) text = text.replaceAll(']:', ']\\:');
  // Renderers that look for pairs of marks first would end one within the code.
  for (const sign of literals.risky)
    if (text.includes(sign))
      text = text.replaceAll(sign, (found, at: number) => escapedSign(text, found, at));
  // A renderer would take the code for the rest of the address.
  text = text.replace(WEB_RUN, (run) =>
    run.replace(/\0(\d+)\0/g, (piece, index: string) => (literals.isCode(index) ? ` ${piece}` : piece)),
  );
  return literals.restored(withPlainSchemes(text));
}

const escapedSign = (text: string, sign: string, at: number): string =>
  /\s|^$/.test(text.charAt(at + 1)) && sign !== '[' && sign !== ']' ? sign : `\\${sign}`;

function addressOf(target: string, base: string | undefined): string | undefined {
  const bare = target.replace(/^<|>$/g, '').replace(/\\([!-/:-@[-`{-~])/g, '$1');
  if (/^#[\w.-]*$/.test(bare)) return bare;
  if (/[`\0]/.test(bare) || bare === '') return undefined;
  const url = parseUrl(bare, base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  if (/^https?:\/\/[\w./?#=&;%:@+,~-]*$/i.test(bare)) return bare;
  return linkAddress(url);
}

/** Cells of a table are read one by one; renderers disagree about where one ends behind two backslashes. */
function rowApart(line: string, literals: Literals): string {
  if (/(?<!\\)(?:\\\\)+\|/.test(line)) return lineApart(line, literals, false);
  return line
    .split(/(?<!\\)(\|)/)
    .map((cell) => (cell === '|' ? cell : lineApart(cell, literals)))
    .join('');
}

/** Code and escaped signs of a line held apart; backquotes without a pair are escaped. */
function lineApart(line: string, literals: Literals, hasCode = true): string {
  const places = new Map<number, number[]>();
  for (const { 0: marks, index } of line.matchAll(/`+/g)) {
    const known = places.get(marks.length);
    if (known) known.push(index);
    else places.set(marks.length, [index]);
  }
  for (const list of places.values()) list.reverse();
  let done = '';
  let from = 0;
  const token = /\\[!-/:-@[-`{-~]|`+/g;
  for (let found = token.exec(line); found; found = token.exec(line)) {
    const { 0: marks, index } = found;
    done += line.slice(from, index);
    if (marks.startsWith('\\')) {
      done += literals.hold(marks === '\\<' ? '&lt;' : marks);
      from = token.lastIndex;
      continue;
    }
    const ends = places.get(marks.length) ?? [];
    while (ends.length > 0 && ends.at(-1)! < index + marks.length) ends.pop();
    const end = ends.at(-1);
    if (end === undefined || !hasCode) {
      done += literals.hold('\\`'.repeat(marks.length));
      from = token.lastIndex;
    } else {
      from = end + marks.length;
      done += literals.code(line.slice(index, from));
      token.lastIndex = from;
    }
  }
  return done + line.slice(from);
}
