import type { Pause } from '../../core/async.js';
import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from 'entities/decode';

/** Attributes by their names in lower case. They are those of the next tag as soon as that is read. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** What a page consists of, in order. Names are in lower case, entities decoded. */
export interface MarkupHandler {
  text(text: string): void;
  /** @param isClosed the tag ends with a slash */
  open(name: string, attributes: Attributes, isClosed: boolean): void;
  close(name: string): void;
  /** @param comment with its marks, cut */
  comment(comment: string): void;
  /** What follows is SVG or MathML: no element's text is raw there, and CDATA is text. */
  readonly isForeign: boolean;
}

/** Attributes that are read; of others not even the value is looked at. */
const KEPT_ATTRIBUTES = new Map(
  (
    'hidden aria-hidden style class id role lang content name property itemprop http-equiv datetime pubdate type ' +
    'href alt start reversed value colspan rowspan data-lang data-language checked aria-level encoding shadowrootmode'
  )
    .split(' ')
    .map((name) => [name, undefined]),
);
/** Characters of the longest of these names. */
const MAX_NAME = Math.max(...Array.from(KEPT_ATTRIBUTES.keys(), (name) => name.length));
/** Characters of an attribute that are read; a plain bound. */
export const MAX_ATTRIBUTE = 20_000;
/** The elements of HTML whose first end tag ends them, whatever is in them. A browser with scripts reads their content as text. */
const RAW = new Map(
  'script style textarea title xmp iframe noembed noframes noscript'
    .split(' ')
    .map((name) => [name, new RegExp(String.raw`</${name}(?=[\s/>])`, 'gi')]),
);
/** Characters of a comment that are handed over; a plain bound. */
const SHOWN_OF_COMMENT = 20;
const COMMENT = /<!--(?:-?>|[^]*?(?:--!?>|$))/y;
/** What a text must not be cut in. */
const BEGUN = /(?:&[^;&\s]*|[\uD800-\uDBFF])$/;
const MAX_ENTITY = 40; // the longest reference of HTML has 33 characters; a plain bound
/** Characters between two pauses: about a millisecond's work; set by hand. */
const SLICE = 65_536;
const XML_MARKUP = /<(?:[/?!]?[\p{L}_]|!--|!\[CDATA\[)/uy;
const [SLASH, LESS, EQUALS, GREATER, BLANK] = [0x2f, 0x3c, 0x3d, 0x3e, 0x20];

/**
 * Finds tags and texts as the HTML standard has them. Linear: what is not closed reaches to the end, and is looked for once. Most of a page is
 * skipped by `indexOf`.
 *
 * @param xml CDATA is text, no element's text is raw, and a tag that is not closed before the next one is text. Default false
 * @param keepsAll all attributes are read, and those of a tag may be kept. Default false
 */
export class HtmlScanner {
  private at = 0;
  /** The page, up to the end of an open `noscript`. */
  private html: string;
  private noscriptEnd = 0;
  /** One object for all tags: objects of many shapes are slow to read. */
  private found: Record<string, string | undefined> = Object.fromEntries(KEPT_ATTRIBUTES);
  private readonly set: string[] = [];

  constructor(
    private readonly page: string,
    private readonly handler: MarkupHandler,
    private readonly xml = false,
    private readonly keepsAll = false,
  ) {
    this.html = page;
  }

  /** @param isDone asked between two pauses; the rest is then left */
  async scan(pause: Pause, isDone: () => boolean): Promise<void> {
    for (let next = SLICE; this.at < this.page.length;) {
      if (this.at === this.html.length) this.html = this.page;
      this.step();
      if (this.at < next) continue;
      if (isDone()) return;
      await pause();
      next = this.at + SLICE;
    }
  }

  /** The text up to the next `<`, and what that begins. */
  private step(): void {
    const { html } = this;
    let less = html.indexOf('<', this.at);
    // A long text without a tag is handed over in pieces.
    if (less < 0) less = html.length;
    if (less > this.at + SLICE) {
      less = this.at + SLICE;
      less -= BEGUN.exec(html.slice(less - MAX_ENTITY, less))?.[0].length ?? 0;
    }
    this.text(less);
    if (html.charCodeAt(less) !== LESS) return;
    const code = this.xml && !isXmlMarkup(html, less) ? BLANK : html.charCodeAt(less + 1);
    if (code === SLASH) this.closeTag(less + 2);
    else if (code === 0x21 || code === 0x3f) this.declaration(less);
    else if (this.xml ? code !== BLANK : isLetter(code)) this.openTag(less + 1);
    else {
      this.handler.text('<');
      this.at = less + 1;
    }
  }

  private text(end: number): void {
    if (end === this.at) return;
    const text = this.html.slice(this.at, end);
    const decode = this.xml ? decodeHTMLStrict : decodeHTML;
    this.handler.text(text.includes('&') ? decode(text) : text);
    this.at = end;
  }

  private closeTag(start: number): void {
    if (this.xml || isLetter(this.html.charCodeAt(start))) {
      const end = this.nameEnd(start);
      this.handler.close(this.html.slice(start, end).toLowerCase());
      this.attributes(end);
    } else this.skipTo('>', start);
  }

  private declaration(start: number): void {
    const { html } = this;
    COMMENT.lastIndex = start;
    if (COMMENT.test(html)) {
      this.at = COMMENT.lastIndex;
      this.handler.comment(html.slice(start, Math.min(this.at, start + SHOWN_OF_COMMENT)));
      return;
    }
    const isCdata = html.startsWith('![CDATA[', start + 1) && (this.xml || this.handler.isForeign);
    if (!isCdata) return this.skipTo('>', start);
    const from = start + 9;
    this.skipTo(']]>', from);
    this.handler.text(html.slice(from, html.startsWith(']]>', this.at - 3) ? this.at - 3 : this.at));
  }

  private skipTo(end: string, from: number): void {
    const found = this.html.indexOf(end, from);
    this.at = found < 0 ? this.html.length : found + end.length;
  }

  private openTag(start: number): void {
    const { html } = this;
    const end = this.nameEnd(start);
    const name = html.slice(start, end).toLowerCase();
    const attributes = this.attributes(end);
    // A tag that is not closed is none.
    if (!attributes)
      return html.charCodeAt(this.at) === LESS
        ? this.handler.text(html.slice(start - 1, this.at))
        : undefined;
    const isClosed = html.charCodeAt(this.at - 2) === SLASH;
    this.handler.open(name, attributes, isClosed);
    const raw = this.xml ? undefined : RAW.get(name);
    if (!raw || this.handler.isForeign || (name === 'noscript' && this.at < this.noscriptEnd)) return;
    raw.lastIndex = this.at;
    const close = raw.exec(html)?.index ?? html.length;
    if (name === 'noscript') {
      // Its content is read all the same.
      this.noscriptEnd = close;
      this.html = html.slice(0, close);
      return;
    }
    if (name === 'title' || name === 'textarea') this.text(close);
    else this.handler.text(html.slice(this.at, close));
    this.at = close;
  }

  private nameEnd(start: number): number {
    const { html, xml } = this;
    let at = start;
    let code = html.charCodeAt(at);
    while (code > BLANK && code !== GREATER && code !== SLASH && !(xml && code === LESS))
      code = html.charCodeAt(++at);
    return at;
  }

  /** Reads attributes up to behind the end of the tag; undefined where there is none. */
  private attributes(start: number): Attributes | undefined {
    const { html, set, xml, keepsAll } = this;
    if (keepsAll) this.found = {};
    const { found } = this;
    while (set.length > 0) found[set.pop()!] = undefined;
    let at = start;
    for (;;) {
      let code = html.charCodeAt(at);
      while (code <= BLANK || code === SLASH) code = html.charCodeAt(++at);
      if (xml && code === LESS) {
        this.at = at;
        return undefined;
      }
      if (code === GREATER || at >= html.length) {
        this.at = Math.min(html.length, at + 1);
        return at < html.length ? found : undefined;
      }
      const from = at;
      do code = html.charCodeAt(++at);
      while (
        code > BLANK &&
        code !== EQUALS &&
        code !== GREATER &&
        code !== SLASH &&
        !(xml && code === LESS)
      );
      const name = at - from > MAX_NAME && !keepsAll ? '' : html.slice(from, at).toLowerCase();
      while (code <= BLANK) code = html.charCodeAt(++at);
      let [valueFrom, valueTo] = [at, at];
      if (code === EQUALS) {
        do code = html.charCodeAt(++at);
        while (code <= BLANK);
        if (code === 0x22 || code === 0x27) {
          valueFrom = at + 1;
          valueTo = html.indexOf(code === 0x22 ? '"' : "'", valueFrom);
          if (valueTo < 0) valueTo = html.length;
          at = valueTo + 1;
          const tagEnd = xml ? endOfTag(html.slice(valueFrom, valueTo)) : -1;
          if (tagEnd >= 0) at = valueTo = valueFrom + tagEnd;
        } else {
          valueFrom = at;
          while (code > BLANK && code !== GREATER) code = html.charCodeAt(++at);
          valueTo = at;
        }
      }
      if (!keepsAll && !KEPT_ATTRIBUTES.has(name)) continue;
      const value = html.slice(valueFrom, Math.min(valueTo, valueFrom + MAX_ATTRIBUTE + 1));
      if (found[name] !== undefined) continue;
      found[name] = value.includes('&') ? decodeHTMLAttribute(value) : value;
      set.push(name);
    }
  }
}

/** Where a tag ends whose quotation mark nobody closes: words stand behind it, and another tag. */
function endOfTag(value: string): number {
  const end = value.indexOf('>');
  return end >= 0 && value.includes('<', end) ? end : -1;
}

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Whether a `<` of XML begins markup: `a <3 b` and `what <? now` are words. */
function isXmlMarkup(xml: string, less: number): boolean {
  XML_MARKUP.lastIndex = less;
  return XML_MARKUP.test(xml);
}
