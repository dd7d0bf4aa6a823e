import { Tokenizer } from 'htmlparser2';
import {
  BLOCK_ELEMENTS,
  IMPLIED_ENDS,
  SKIPPED_ELEMENTS,
  VOID_ELEMENTS,
  isHidden,
  MAX_ATTRIBUTE,
  type VisibilityAttributes,
} from './html-elements.js';
import { cleanLines, oneLine } from './visible-text.js';

/** A stretch of visible text between two block borders. */
export interface Block {
  text: string;
  /** Characters of it within links. */
  linkChars: number;
  /** Commas of any script: running text has them, menus do not. */
  commas: number;
  /** The innermost block element around it. */
  container: Container;
  kind: 'heading' | 'item' | 'cell' | 'preformatted' | 'paragraph';
  /** The table row of a `cell`, to put the cells of one row on one line. */
  row: number;
}

/** A block element. In document order, so that a subtree is a stretch of the list, up to `end`. */
export interface Container extends ReturnType<typeof unscored> {
  tag: string;
  parent: Container | undefined;
  /** One past the last container inside it. */
  end: number;
  /** Class, id and role, lower-case, cut. */
  hint: string;
}

/** What the choice of the main text adds. Made with the container, which gives way to other work; a second list would not. */
const unscored = () => ({
  /** Surrounds the main text, or is inside of what does. */
  isAround: false,
  /** Its own text is part of the main text. */
  isKept: false,
  /** Characters, those within links, and commas, with everything inside the container. */
  chars: 0,
  linkChars: 0,
  commas: 0,
  score: 0,
  /** Characters of running text, and of links, that are not in a part around the text. */
  prose: 0,
  ownLinks: 0,
});

/** Result of one pass over the tags of a page. */
export interface HtmlOutline {
  blocks: Block[];
  containers: Container[];
  /** `meta` tags by lower-case name, property, http-equiv or itemprop; the first of each. */
  meta: Map<string, string>;
  /** Text of `<title>`. */
  title: string;
  /** Values of `datetime` of `time` elements, with whether the element says that it is the date of publication. */
  times: { datetime: string; published: boolean }[];
  /** Texts of `application/ld+json` scripts, cut. */
  linkedData: string[];
  lang: string;
}

const KEPT_ATTRIBUTES = new Set(
  (
    'hidden aria-hidden style class id role lang content name property itemprop http-equiv datetime ' +
    'pubdate type'
  ).split(' '),
);

/** Comma, semicolon and their like in Arabic, Chinese and Japanese. */
const COMMAS = new Set([...',;،、，；。'].map((char) => char.charCodeAt(0)));

/** Characters handed to the tokenizer between two pauses: about a millisecond's work. */
const SLICE = 32_768;
/** A longer block is cut into several, so that none takes long at once. */
const MAX_BLOCK = 32_768;
const MAX_HINT = 200;
const MAX_LINKED_DATA = 100_000;

interface OpenElement {
  name: string;
  isBlock: boolean;
  isLink: boolean;
  isSkipped: boolean;
  /** Of a block element. */
  container: Container | undefined;
}

/**
 * One pass over a page of any size and shape, in time linear in its length. Uses htmlparser2's tokenizer, because its parser searches the
 * stack of open elements at each tag. Here each name keeps the places where it is open; nothing recurses.
 *
 * @param pause called every 32 Ki characters; may give way to other work
 */
export async function outlineHtml(
  html: string,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<HtmlOutline> {
  const builder = new OutlineBuilder(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, builder);
  for (let from = 0; from < html.length; from += SLICE) {
    tokenizer.write(html.slice(from, from + SLICE));
    await pause();
  }
  tokenizer.end();
  return builder.outline;
}

type TokenizerEvents = ConstructorParameters<typeof Tokenizer>[1];

class OutlineBuilder implements TokenizerEvents {
  readonly outline: HtmlOutline = {
    blocks: [],
    containers: [{ tag: '', parent: undefined, end: 0, hint: '', ...unscored() }],
    meta: new Map(),
    title: '',
    times: [],
    linkedData: [],
    lang: '',
  };

  private readonly stack: OpenElement[] = [];
  /** Where in the stack each name is open. */
  private readonly openAt = new Map<string, number[]>();
  /** Where in the stack block elements are open. */
  private readonly blocksAt: number[] = [];
  private links = 0;
  private skipped = 0;
  private rows = 0;

  private text = '';
  private linkText = 0;

  private tag = '';
  private attribute = '';
  private value = '';
  private attributes: Record<string, string> = {};
  private rawElement = '';

  constructor(private readonly html: string) {}

  ontext(start: number, end: number): void {
    this.append(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.append(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    this.attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = '';
  }

  onattribdata(start: number, end: number): void {
    if (KEPT_ATTRIBUTES.has(this.attribute) && this.value.length <= MAX_ATTRIBUTE)
      this.value += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (KEPT_ATTRIBUTES.has(this.attribute)) this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (KEPT_ATTRIBUTES.has(this.attribute)) this.attributes[this.attribute] ??= this.value;
  }

  onopentagend(): void {
    this.open(this.tag, this.attributes);
  }

  /** A slash at the end means nothing on an HTML element, but ends one of SVG or MathML. */
  onselfclosingtag(): void {
    this.open(this.tag, this.attributes);
    if (this.openAt.get('svg')?.length || this.openAt.get('math')?.length) this.close(this.tag);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (name === 'br') this.append('\n');
    else this.close(name);
  }

  onend(): void {
    this.closeDownTo(0);
    this.flush();
    this.outline.containers[0]!.end = this.outline.containers.length;
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  private append(text: string): void {
    if (this.rawElement === 'title') this.outline.title += text;
    else if (this.rawElement === 'ld+json') {
      const { linkedData } = this.outline;
      const last = linkedData.length - 1;
      linkedData[last] = ((linkedData[last] ?? '') + text).slice(0, MAX_LINKED_DATA);
    } else if (this.skipped === 0) {
      this.text += text;
      if (this.links > 0) this.linkText += text.length;
      if (this.text.length > MAX_BLOCK) this.cutBlock();
    }
  }

  private cutBlock(): void {
    const { text } = this;
    const end = text.lastIndexOf(' ') + 1 || text.length;
    this.text = text.slice(0, end);
    this.flush();
    this.text = text.slice(end);
  }

  private open(name: string, attributes: Record<string, string>): void {
    this.readMetadata(name, attributes);
    if (VOID_ELEMENTS.has(name)) {
      if (name === 'br') this.append('\n');
      else if (name === 'hr') this.flush();
      else if (name === 'img' || name === 'wbr') this.append(name === 'img' ? ' ' : '');
      return;
    }
    const isBlock = BLOCK_ELEMENTS.has(name);
    if (isBlock) this.endImplied(name);
    if (name === 'a') this.close('a');
    const isSkipped = SKIPPED_ELEMENTS.has(name) || isHidden(attributes as VisibilityAttributes);
    const isLink = name === 'a';
    if (isBlock) this.flush();
    const container = isBlock ? this.addContainer(name, attributes) : undefined;
    if (name === 'tr') this.rows++;
    if (isSkipped) this.skipped++;
    if (isLink) this.links++;
    const depth = this.stack.push({ name, isBlock, isLink, isSkipped, container }) - 1;
    this.openAt
      .set(name, this.openAt.get(name) ?? [])
      .get(name)!
      .push(depth);
    if (isBlock) this.blocksAt.push(depth);
    // An SVG has titles of its own.
    if (name === 'title' && this.outline.title === '' && this.skipped === 0) this.rawElement = 'title';
    if (name === 'script' && attributes['type']?.trim().toLowerCase() === 'application/ld+json') {
      this.rawElement = 'ld+json';
      this.outline.linkedData.push('');
    }
  }

  private addContainer(tag: string, attributes: Record<string, string>): Container {
    const { containers } = this.outline;
    const id = attributes['id'] ?? '';
    // A long id is a heading's text made an anchor: `sharing-with-others` is no row of buttons.
    const hint = `${attributes['class'] ?? ''} ${/^[^\s_-]*(?:[_-][^\s_-]*)?$/.test(id) ? id : ''} ${attributes['role'] ?? ''}`;
    const container: Container = {
      tag,
      parent: this.container(),
      end: 0,
      hint: hint.trim().slice(0, MAX_HINT).toLowerCase(),
      ...unscored(),
    };
    containers.push(container);
    return container;
  }

  private container(): Container {
    const place = this.blocksAt.at(-1);
    return (place === undefined ? undefined : this.stack[place]?.container) ?? this.outline.containers[0]!;
  }

  private endImplied(name: string): void {
    // Every block element but those inside a paragraph's own kind ends an open paragraph.
    if (this.lastOpen('p') === this.blocksAt.at(-1) && this.blocksAt.length > 0) this.close('p');
    const rule = Object.hasOwn(IMPLIED_ENDS, name) ? IMPLIED_ENDS[name] : undefined;
    if (!rule) return;
    const border = Math.max(...rule.within.map((outer) => this.lastOpen(outer)));
    for (const ended of rule.ended) if (this.lastOpen(ended) > border) this.close(ended);
  }

  private lastOpen(name: string): number {
    return this.openAt.get(name)?.at(-1) ?? -1;
  }

  private close(name: string): void {
    const place = this.lastOpen(name);
    if (place < 0) return;
    // A misplaced end tag of an inline element does not end the blocks that began inside it.
    if (!this.stack[place]?.isBlock && (this.blocksAt.at(-1) ?? -1) > place) return;
    this.closeDownTo(place);
  }

  private closeDownTo(place: number): void {
    while (this.stack.length > place) {
      const element = this.stack.pop()!;
      this.openAt.get(element.name)?.pop();
      if (element.isBlock) {
        // Before the element is gone: the text belongs to it.
        this.flush(element);
        this.blocksAt.pop();
        element.container!.end = this.outline.containers.length;
      }
      if (element.isSkipped) this.skipped--;
      if (element.isLink) this.links--;
      if (element.name === 'title' || element.name === 'script') this.rawElement = '';
    }
  }

  /** Ends the current block; its container is `closing`, or the innermost open one. */
  private flush(closing?: OpenElement): void {
    if (this.text === '') return;
    const place = closing ? undefined : this.blocksAt.at(-1);
    const element = closing ?? (place === undefined ? undefined : this.stack[place]);
    const tag = element?.name ?? '';
    const preformatted = tag === 'pre';
    const raw = this.text;
    const text = preformatted ? cleanLines(raw) : oneLine(raw);
    if (text !== '')
      this.outline.blocks.push({
        text,
        linkChars: Math.min(text.length, Math.round((this.linkText / raw.length) * text.length)),
        commas: countCommas(text),
        container: element?.container ?? this.outline.containers[0]!,
        kind: preformatted ? 'preformatted' : kindOf(tag),
        row: this.rows,
      });
    this.text = '';
    this.linkText = 0;
  }

  private readMetadata(name: string, attributes: Record<string, string>): void {
    const { meta, times } = this.outline;
    if (name === 'html' && this.outline.lang === '') this.outline.lang = attributes['lang'] ?? '';
    const content = attributes['content'];
    if (content !== undefined && (name === 'meta' || attributes['itemprop'])) {
      const key =
        attributes['property'] ?? attributes['name'] ?? attributes['http-equiv'] ?? attributes['itemprop'];
      if (key && !meta.has(key.toLowerCase())) meta.set(key.toLowerCase(), content.slice(0, 1000));
    }
    const { datetime } = attributes;
    if (datetime && times.length < 50) {
      const published = 'pubdate' in attributes || /datePublished/i.test(attributes['itemprop'] ?? '');
      times.push({ datetime, published });
    }
  }
}

function kindOf(tag: string): Block['kind'] {
  if (/^h[1-6]$/.test(tag)) return 'heading';
  if (tag === 'li' || tag === 'dt' || tag === 'dd') return 'item';
  return tag === 'td' || tag === 'th' ? 'cell' : 'paragraph';
}

function countCommas(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (COMMAS.has(text.charCodeAt(i))) count++;
  return count;
}
