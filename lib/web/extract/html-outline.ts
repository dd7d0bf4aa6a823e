import type { Pause } from '../../core/async.js';
import { parseUrl } from '../../core/url.js';
import { cleanText } from '../../text/plain-text.js';
import { escapedText, linkAddress } from '../../text/write-markdown.js';
import {
  BLOCK_ELEMENTS,
  IMPLIED_ENDS,
  SKIPPED_ELEMENTS,
  VOID_ELEMENTS,
  BREAKOUTS,
  MAX_ELEMENTS,
} from './html-elements.js';
import { hidingOf } from './hidden-elements.js';
import { declaredLanguage, NOWHERE, placeIn, type HtmlPlace } from './html-places.js';
import { HtmlScanner, type Attributes, type MarkupHandler } from './scan-html.js';
import { HtmlText } from './html-text.js';
import { BEFORE, followed, lowered, raised } from './raised-text.js';
import { isTex, MathText, plainTex } from './math-text.js';
import { BREAK, PLAIN, type Run, type RunStyle } from './inline-runs.js';

/** A block element. In document order, so that a subtree is a stretch of the list, up to `end`. */
export interface Container {
  tag: string;
  /** As the page has them. */
  role: string;
  classes: string;
  /** Its id and `itemprop`. */
  id: string;
  /** Its place in the list, and one past that of the last container inside it. */
  index: number;
  end: number;
  parent: Container | undefined;
  /** What is around its text. */
  place: HtmlPlace;
  /** Inside of an element or role that HTML has for what stands around the main text. */
  isInLandmark: boolean;
}

const emptyOutline = () => ({
  texts: [] as HtmlText[],
  containers: [ROOT()],
  /** `meta` tags by lower-case name, property, http-equiv or itemprop; the first of each. */
  meta: new Map<string, string>(),
  title: '',
  /** Values of `datetime` of `time` elements. */
  times: [] as string[],
  /** Texts of `application/ld+json` scripts, cut. */
  linkedData: [] as string[],
  lang: '',
  /** Number of scripts that run. */
  scripts: 0,
  hasPassword: false,
  /** Outside of landmarks. */
  hasButton: false,
  /** Where a browser goes on at once; empty for nowhere. */
  refresh: '',
  /** It has more block elements than are read: its end is missing. */
  isCut: false,
});

/** Result of one pass over the tags of a page. */
export type HtmlOutline = ReturnType<typeof emptyOutline>;

const ROOT = (): Container => ({
  tag: '',
  role: '',
  classes: '',
  id: '',
  index: 0,
  end: 0,
  parent: undefined,
  place: NOWHERE,
  isInLandmark: false,
});

/** Elements and roles around the main text; a header or footer within it is part of it. */
const LANDMARKS = new Set(
  (
    'nav aside footer header menu search dialog ' + 'navigation banner contentinfo complementary alertdialog'
  ).split(' '),
);
const ENDS_OF_MAIN = new Set(['header', 'footer']);

/** A longer text is cut into several, so that none takes long at once; a plain bound. */
const MAX_TEXT = 32_768;
const MAX_CLASSES = 200; // characters; a plain bound
/** Longest alternative text of an image, and address of a link, characters; a plain bound. */
const MAX_ALT = 300;
const MAX_ADDRESS = 2000;
const MAX_LINKED_DATA = 100_000; // characters of JSON-LD; a plain bound
/** Longest formula in a script, characters; a plain bound. */
const MAX_TEX = 2000;
/** Longer raised text is a text of its own, characters; a plain bound. */
const MAX_RAISED = 100;

/** Elements that say something about the text in them. */
const STYLES = new Set('a b strong code kbd samp tt'.split(' '));
const EMPHASIS = new Set('b strong i em u font'.split(' '));
const STRUCK = new Set('del s strike'.split(' '));
/** Elements that say something about the page. */
const METADATA = new Set('script button input base html meta'.split(' '));

const idOf = ({ id = '', itemprop = '' }: Attributes): string => `${id} ${itemprop}`.slice(0, MAX_CLASSES);

/** React sends parts of a page hidden, with such an id. A script puts each where its placeholder stands: between a template and a comment. */
const PART = /^S:[\da-f]+$/;
const PLACEHOLDER = /^B:[\da-f]+$/;
const END_OF_PLACEHOLDER = '<!--/$-->';

const isStreamed = ({ id, hidden }: Attributes): boolean =>
  hidden !== undefined && id !== undefined && PART.test(id);

/** An address that a browser goes to after no time. */
const REFRESH = /^0+(?:\.0*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"'\s][^"']{0,1999})/i;

const TAGS_OF_ROLES: Readonly<Record<string, string>> = {
  list: 'ul',
  listitem: 'li',
  table: 'table',
  grid: 'table',
  row: 'tr',
  cell: 'td',
  gridcell: 'td',
  columnheader: 'th',
  rowheader: 'th',
};
/** Elements that mean what their role says. */
const GENERIC = new Set('div span section p'.split(' '));

/** The element that an element stands for. */
function tagOf(name: string, { role, style, 'aria-level': level }: Attributes): string {
  if (!GENERIC.has(name)) return name;
  if (role === 'heading') return /^[1-9]$/.test(level ?? '') ? `h${Math.min(6, Number(level))}` : 'h2';
  if (role && Object.hasOwn(TAGS_OF_ROLES, role)) return TAGS_OF_ROLES[role]!;
  return style && CODE_BOX.test(style) ? 'pre' : name;
}

/** The style of a box in which an editor shows code. */
const CODE_BOX = /^(?=.*white-space:\s*pre(?:-wrap)?(?:\s|;|$))(?=.*mono)/i;

interface OutlineOptions {
  /** Address of the page: links and images are then part of the Markdown of its texts. Default: there is no Markdown. */
  base?: URL;
  /** XHTML: any element may end with a slash, and CDATA is text. Default false. */
  xml?: boolean;
  /** Texts hold Markdown, as those of documents may, and are handed on as they stand as well. Default false. */
  markdown?: boolean;
}

/** What is known of the elements of a name on one page. Looked up once for a tag: most of them are read by code that is not compiled. */
class Kind {
  readonly isBlock: boolean;
  readonly isVoid: boolean;
  readonly isSkipped: boolean;
  readonly isStyle: boolean;
  readonly isStruck: boolean;
  readonly endsForeign: boolean;
  readonly saysMore: boolean;
  readonly implied: (typeof IMPLIED_ENDS)[string] | undefined;
  /** Where in the stack it is open. */
  readonly openAt: number[] = [];

  constructor(readonly name: string) {
    this.isBlock = BLOCK_ELEMENTS.has(name);
    this.isVoid = VOID_ELEMENTS.has(name);
    this.isSkipped = SKIPPED_ELEMENTS.has(name);
    this.isStyle = STYLES.has(name);
    this.isStruck = STRUCK.has(name);
    this.endsForeign = BREAKOUTS.has(name);
    this.saysMore = METADATA.has(name);
    this.implied = Object.hasOwn(IMPLIED_ENDS, name) ? IMPLIED_ENDS[name] : undefined;
  }

  get lastOpen(): number {
    const { openAt } = this;
    return openAt.length === 0 ? -1 : openAt[openAt.length - 1]!;
  }
}

interface OpenElement {
  kind: Kind;
  /** Its class, or its style. */
  look: string | undefined;
  isStruck: boolean;
  /** Of raised and lowered text, and of elements with a class or name in code: where it begins in the runs. */
  from: number | undefined;
  /** It has content of another kind than text, or is hidden within a hidden one. */
  isSkipped: boolean;
  /** Address of a link, as the page has it. */
  href: string | undefined;
  /** Of a block. */
  container: Container | undefined;
}

/** The style of text in a link, whose address is made when the text is written: of most links of a page, nobody asks. */
class LinkStyle implements RunStyle {
  readonly isLink = true;
  private address: string | undefined;

  constructor(
    readonly isCode: boolean,
    readonly isStrong: boolean,
    readonly isStruck: boolean,
    readonly href: string,
    private readonly base: URL | undefined,
  ) {}

  /** Absolute, where it leads away from the page; empty where it does not. */
  get url(): string {
    return (this.address ??= addressOf(this.href, this.base));
  }
}

function addressOf(href: string, base: URL | undefined): string {
  if (!base || href.length > MAX_ADDRESS || /^\s*(?:#|$)/.test(href)) return '';
  const url = parseUrl(href.trim(), base);
  return url && /^https?:$/.test(url.protocol) ? linkAddress(url) : '';
}

/** One pass over a page of any size and shape, in time linear in its length. Nothing recurses. Yields to other work by `pause`. */
export async function outlineHtml(
  html: string,
  pause: Pause,
  options: OutlineOptions = {},
): Promise<HtmlOutline> {
  const builder = new OutlineBuilder(options);
  const { outline } = builder;
  await new HtmlScanner(html, builder, options.xml).scan(pause, () => {
    outline.isCut = outline.containers.length > MAX_ELEMENTS;
    return outline.isCut;
  });
  builder.end();
  return outline;
}

class OutlineBuilder implements MarkupHandler {
  readonly outline = emptyOutline();

  private readonly stack: OpenElement[] = [];
  private readonly kinds = new Map<string, Kind>();
  private readonly svg = this.kindOf('svg');
  private readonly mathml = this.kindOf('math');
  private readonly template = this.kindOf('template');
  private readonly paragraph = this.kindOf('p');
  private readonly anchor = this.kindOf('a');
  private readonly blocksAt: number[] = [];
  private skipped = 0;
  /** Open elements that strike their text. */
  private struck = 0;
  /** The inline element that ended right behind the last text, null where another began first or it was raised; and the one that begins behind it. */
  private ended: OpenElement | null | undefined;
  private beside: OpenElement | undefined;
  /** The last piece of text. */
  private piece = '';
  private math: MathText | undefined;
  /** The last raised text: its marks, and what stands before it. */
  private power: { start: Run; end: Run; before: string } | undefined;
  private noscripts = 0;
  /** The texts of placeholders by the number of their part; of the open one, that number and the texts before it. */
  private readonly placeholders = new Map<string, HtmlText[]>();
  private placeholder: { part: string; from: number } | undefined;
  /** Texts of placeholders whose part came. */
  private readonly replaced = new Set<HtmlText>();
  /** The open block element that is hidden by its own attributes. */
  private hidingContainer: Container | undefined;

  /** Of the open text, with its length. */
  private runs: Run[] = [];
  private length = 0;
  private style = PLAIN;

  private rawElement = '';
  private readonly isHidden = hidingOf();
  private base: URL | undefined;

  constructor(private readonly options: OutlineOptions) {
    this.base = options.base;
  }

  end(): void {
    if (this.math) this.endMath();
    this.closeDownTo(0);
    this.flush();
    if (this.replaced.size > 0)
      this.outline.texts = this.outline.texts.filter((text) => !this.replaced.has(text));
    this.outline.containers[0]!.end = this.outline.containers.length;
  }

  text(text: string): void {
    if (this.rawElement === 'title') this.outline.title += text;
    else if (this.rawElement === 'ld+json') {
      const { linkedData } = this.outline;
      const last = linkedData.length - 1;
      linkedData[last] = ((linkedData[last] ?? '') + text).slice(0, MAX_LINKED_DATA);
    } else if (this.math) {
      this.math.text(text);
      if (this.math.chars > MAX_TEXT) this.endMath();
    } else if (this.skipped === 0 || (this.rawElement === 'tex' && text.length < MAX_TEX)) {
      const last = this.runs.at(-1);
      if (last && this.power?.end === last) this.endPower(text);
      if (!last && text.trim() === '' && !this.options.markdown && !this.container().place.pre) return;
      const isApart = last && this.runsInto(last, text);
      this.ended = this.beside = undefined;
      this.piece = text;
      if (isApart) this.runs.push({ text: ' ', style: PLAIN });
      if (!isApart && last?.style === this.style && last.image === undefined && !last.isClosed)
        last.text += text;
      else this.runs.push({ text, style: this.style });
      this.length += text.length;
      // A cut could part a fence from its code.
      if (this.length > MAX_TEXT && !this.options.markdown) this.cutText();
    }
  }

  /**
   * Whether a text would run into that of the element before it, though nothing stands between the two elements. A browser shows no blank
   * there either, but most of such elements are boxes: of 1,509 borders on labelled pages, 1,437 part words, and 72 tear one. That one goes on
   * with a small letter: behind a single letter, at the same address, or in the same look. Or its letters stand one by one.
   */
  private runsInto({ text: before, style }: Run, text: string): boolean {
    const { ended, beside } = this;
    if (!ended || !beside || this.container().place.pre) return false;
    if (style.isCode && this.style.isCode) return /\S$/.test(before) && /^\S/.test(text);
    if (!/[\p{L}\p{N}]$/u.test(before) || !/^[\p{L}\p{N}]/u.test(text)) return false;
    // A label stands beside its control.
    if (beside.kind.name === 'label' || (style.isLink && this.style.isLink && style.href !== this.style.href))
      return true;
    const isAlike = beside.look === ended.look;
    if (isAlike && this.piece.length === 1 && text.length === 1) return false;
    if (/^[\p{Lu}\p{N}]/u.test(text)) return /\p{L}{2}$|[\p{Ll}\p{N}]$/u.test(before);
    // Without a class, a span may be a box.
    const hasLook = beside.look !== undefined || [beside, ended].every(({ kind }) => EMPHASIS.has(kind.name));
    const isTorn = style.isLink || (isAlike && hasLook);
    return !isTorn && /\p{L}{2}$/u.test(before) && /^\p{Ll}{2}/u.test(text);
  }

  private breakLine(): void {
    this.text(this.container().place.pre ? '\n' : BREAK);
  }

  /** Ends the open text at its last blank, of preformatted text at its last line. */
  private cutText(): void {
    const last = this.runs.at(-1)!;
    const end = last.text.lastIndexOf(this.container().place.pre ? '\n' : ' ') + 1 || last.text.length;
    const rest = last.text.slice(end);
    last.text = last.text.slice(0, end);
    this.flush();
    if (rest !== '') this.text(rest);
  }

  private kindOf(name: string): Kind {
    let kind = this.kinds.get(name);
    if (!kind) this.kinds.set(name, (kind = new Kind(name)));
    return kind;
  }

  open(name: string, attributes: Attributes, isClosed: boolean): void {
    const kind = this.kindOf(name);
    this.begin(kind, attributes);
    // A slash at the end means nothing on an HTML element, but ends one of SVG or MathML.
    if (isClosed && (this.isForeign || (this.options.xml && !kind.isVoid))) this.close(name);
  }

  comment(comment: string): void {
    if (comment !== END_OF_PLACEHOLDER || !this.placeholder) return;
    this.flush();
    const { part, from } = this.placeholder;
    this.placeholders.set(part, this.outline.texts.slice(from));
    this.placeholder = undefined;
  }

  get isForeign(): boolean {
    if (this.math !== undefined) return true;
    const foreign = Math.max(this.svg.lastOpen, this.mathml.lastOpen);
    return foreign >= 0 && foreign > this.lastOpen('foreignobject');
  }

  private begin(kind: Kind, attributes: Attributes): void {
    const { name } = kind;
    if (kind.saysMore || attributes['content'] !== undefined || attributes['datetime'] !== undefined)
      this.readMetadata(name, attributes);
    if (kind.endsForeign && !this.math && this.isForeign) this.close('svg');
    if (this.math) {
      if (!kind.isBlock) return this.math.open(name, attributes['encoding']);
      this.endMath();
    }
    if (kind.isVoid) {
      if (name === 'br') this.breakLine();
      else if (name === 'hr') this.flush();
      else if (name === 'img') this.image(attributes);
      else if (name === 'input') this.tick(attributes);
      return;
    }
    if (kind === this.mathml && this.skipped === 0) {
      this.math = new MathText();
      return;
    }
    const tag = tagOf(name, attributes);
    const isBlock = kind.isBlock || tag !== name;
    if (isBlock) this.endImplied(kind);
    if (kind === this.anchor) this.close('a');
    const isPart = isStreamed(attributes);
    if (isPart) this.placeholders.get(attributes['id']!.slice(2))?.forEach((text) => this.replaced.add(text));
    const isUnseen = !isPart && this.isHidden(attributes);
    if (isBlock) this.flush();
    const container = isBlock ? this.addContainer(tag, attributes) : undefined;
    const isRoot = isUnseen && isBlock && !this.hidingContainer;
    if (isRoot) this.hidingContainer = container;
    // A browser shows a template that is the shadow of its element. Within a text, a `noscript` holds an image that a script loads later.
    const isNoscript = name === 'noscript' && this.runs.every(({ text }) => text.trim() === '');
    const isShadow = kind === this.template && /^(?:open|closed)$/i.test(attributes['shadowrootmode'] ?? '');
    const isSkipped = kind.isSkipped ? !isNoscript && !isShadow : isUnseen && !isRoot;
    if (isSkipped) this.skipped++;
    if (isNoscript) {
      this.flush();
      this.noscripts++;
    }
    if (kind === this.template && PLACEHOLDER.test(attributes['id'] ?? '')) {
      this.flush();
      this.placeholder = { part: attributes['id']!.slice(2), from: this.outline.texts.length };
    }
    const href = kind === this.anchor ? (attributes['href'] ?? '') : undefined;
    const isStruck = kind.isStruck || attributes['style']?.includes('line-through') === true;
    const { class: classes, id, style } = attributes;
    const mayNumber = !isBlock && (classes ?? id ?? style) !== undefined && this.container().place.pre;
    const from = mayNumber || name === 'sup' || name === 'sub' ? this.beginRun() : undefined;
    const element = { kind, look: classes ?? style, isSkipped, isStruck, from, href, container };
    const depth = this.stack.push(element) - 1;
    // A word in bold or in a colour may be torn by the editor that wrote the page.
    const goesOn = kind === this.ended?.kind && EMPHASIS.has(name) && element.look === undefined;
    if (this.ended === undefined) this.ended = null;
    else if (this.ended && from === undefined && !isSkipped && !goesOn && !this.style.isCode)
      this.beside = element;
    kind.openAt.push(depth);
    if (isBlock) this.blocksAt.push(depth);
    if (isStruck) this.struck++;
    if (kind.isStyle || isStruck) this.restyle();
    if (name === 'q') this.text('"');
    this.noteCode(name, attributes);
    // An SVG has titles of its own.
    if (name === 'title' && this.outline.title === '' && this.skipped === 0) this.rawElement = 'title';
    const type = name === 'script' ? attributes['type']?.trim().toLowerCase() : undefined;
    if (type?.startsWith('math/tex') && this.skipped === 1) this.rawElement = 'tex';
    else if (type === 'application/ld+json') {
      this.rawElement = 'ld+json';
      this.outline.linkedData.push('');
    }
  }

  private addContainer(tag: string, attributes: Attributes): Container {
    const { containers } = this.outline;
    const parent = this.container();
    const { role = '', class: classes = '' } = attributes;
    const isOfMain = ENDS_OF_MAIN.has(tag) && (this.isOpen('main') || this.isOpen('article'));
    const container: Container = {
      tag,
      role,
      classes: classes.length > MAX_CLASSES ? classes.slice(0, MAX_CLASSES) : classes,
      id: idOf(attributes),
      index: containers.length,
      end: 0,
      parent,
      place: placeIn(parent.place, tag, attributes),
      isInLandmark: parent.isInLandmark || (LANDMARKS.has(role === '' ? tag : role) && !isOfMain),
    };
    containers.push(container);
    return container;
  }

  /** What a page says about its code. */
  private noteCode(name: string, attributes: Attributes): void {
    const { pre } = this.container().place;
    if (!pre) return;
    if (name === 'code' || name === 'samp' || (name === 'span' && attributes['class'])) pre.isCode = true;
    if (name === 'code') pre.language ??= declaredLanguage(attributes);
  }

  private image(attributes: Attributes): void {
    const image = cleanText(attributes['alt'] ?? '').slice(0, MAX_ALT);
    if (isTex(image)) this.text(` ${plainTex(image)} `);
    else if (this.base && image !== '' && this.skipped === 0 && !this.isHidden(attributes)) {
      this.runs.push({ text: ' ', style: PLAIN, image: ` [Image: ${escapedText(image)}] ` });
      this.length += image.length;
      if (this.length > MAX_TEXT) this.cutText();
    } else this.text(' ');
  }

  /** The box of an entry of a list of tasks. */
  private tick({ type, checked }: Attributes): void {
    const { tag, parent } = this.container();
    const isInItem = tag === 'li' || parent?.tag === 'li';
    const isBegun = this.runs.some(({ text }) => text.trim() !== '');
    if (type?.trim().toLowerCase() === 'checkbox' && isInItem && !isBegun)
      this.text(checked === undefined ? '[ ] ' : '[x] ');
  }

  private beginRun(): number {
    const last = this.runs.at(-1);
    if (last) last.isClosed = true;
    return this.runs.length;
  }

  private endInCode(from: number): void {
    const run = this.runs[from];
    if (from !== this.runs.length - 1 || !/^[ \t]*\d{1,6}[ \t]*$/.test(run!.text)) return;
    const before = this.runs[from - 1]?.text;
    if (before?.endsWith('\n') === false) return;
    run!.isLineNumber = true;
    run!.isClosed = true;
  }

  /** Writes raised and lowered text so that it does not run into what stands before it. */
  private endRaised(name: string, from: number): void {
    // Before they are copied: each of many open elements holds all that is in the later ones.
    if (this.runs.length - from > MAX_RAISED) return;
    const runs = this.runs.slice(from);
    if (runs.reduce((length, run) => length + run.text.length, 0) > MAX_RAISED) return;
    const text = runs.map((run) => run.text).join('');
    if (text.trim() === '' || (name === 'sub' && /^\d+$/.test(text.trim()) && this.isFraction(from))) return;
    const parts = this.runs.slice(Math.max(0, from - 4), from).map((run) => run.text.slice(-BEFORE));
    const before = parts.join('').slice(-BEFORE) || ' ';
    const { style } = runs[0]!;
    // A link that holds what stands before it, too, is none to a note.
    const isOfLink = style.isLink && this.runs[from - 1]?.style === style;
    const isLink = !isOfLink && runs.some((run) => run.style.isLink);
    const written = name === 'sup' ? raised(text, before, isLink) : lowered(text, before);
    if (written === text) return;
    const at = written.indexOf(text.trim());
    if (at < 0) {
      this.runs.length = from;
      const words = name === 'sup' ? written : text;
      this.runs.push({ text: words, style, shown: written, isClosed: true });
      return;
    }
    const around = isOfLink ? style : PLAIN;
    // Of the shape of all runs: others are slow to read.
    const start: Run = { text: written.slice(0, at), style: around, isClosed: true };
    const end: Run = { text: written.slice(at + text.trim().length), style: around, isClosed: true };
    this.runs.splice(from, 0, start);
    this.runs.push(end);
    this.power = { start, end, before };
  }

  /** Writes the last raised text by the text that follows it. */
  private endPower(next: string): void {
    const { power, runs } = this;
    const number = runs.at(-2);
    const written = number && power && followed(number.text.trim(), power.before, next);
    if (!written || number.style.isLink || runs.at(-3) !== power.start) return;
    power.start.text = power.end.text = '';
    number.shown = written;
    number.text = written.normalize('NFKC');
  }

  /** Whether lowered text follows a bar and raised text, as in ½; the marks of the raised text then go. */
  private isFraction(from: number): boolean {
    const { power, runs } = this;
    if (!power || runs[from - 2] !== power.end || !/^[/\u2044]$/.test(runs[from - 1]!.text.trim()))
      return false;
    // A power keeps its mark.
    if (/[\p{L})\]]$/u.test(power.before)) return true;
    power.start.text = /\d$/.test(power.before) ? ' ' : '';
    power.end.text = '';
    return true;
  }

  private endMath(): void {
    const text = String(this.math);
    this.math = undefined;
    this.text(text);
  }

  private restyle(): void {
    const href = this.stack[this.anchor.lastOpen]?.href;
    const isCode = this.isOpen('code') || this.isOpen('kbd') || this.isOpen('samp') || this.isOpen('tt');
    const isStrong = this.isOpen('b') || this.isOpen('strong');
    const isStruck = this.struck > 0;
    this.style =
      href === undefined
        ? { isLink: false, isCode, isStrong, isStruck, url: undefined }
        : new LinkStyle(isCode, isStrong, isStruck, href, this.base);
  }

  private container(): Container {
    const place = this.blocksAt.at(-1);
    return (place === undefined ? undefined : this.stack[place]?.container) ?? this.outline.containers[0]!;
  }

  private endImplied({ implied }: Kind): void {
    // Every block element but those inside a paragraph's own kind ends an open paragraph.
    const open = this.paragraph.lastOpen;
    if (open >= 0 && open === this.blocksAt.at(-1)) this.closeDownTo(open);
    if (!implied) return;
    const border = Math.max(...implied.within.map((outer) => this.lastOpen(outer)));
    for (const ended of implied.ended) if (this.lastOpen(ended) > border) this.close(ended);
  }

  private isOpen(name: string): boolean {
    return this.lastOpen(name) >= 0;
  }

  private lastOpen(name: string): number {
    return this.kinds.get(name)?.lastOpen ?? -1;
  }

  close(name: string): void {
    if (name === 'br') return this.breakLine();
    const kind = this.kinds.get(name);
    const place = kind?.lastOpen ?? -1;
    if (this.math) {
      if (kind !== this.mathml && place < 0) return this.math.close(name);
      this.endMath();
      if (kind === this.mathml) return;
    }
    // An element ends within its template.
    if (place < this.template.lastOpen || place < 0) return;
    // A misplaced end tag of an inline element does not end the blocks that began inside it.
    const isInline = !this.stack[place]!.container && !kind!.isSkipped;
    if (isInline && (this.blocksAt.at(-1) ?? -1) > place) return;
    this.closeDownTo(place);
  }

  private closeDownTo(place: number): void {
    let isStyled = false;
    while (this.stack.length > place) {
      const element = this.stack.pop()!;
      const { kind, from, container } = element;
      kind.openAt.pop();
      if (this.ended === undefined) this.ended = from === undefined ? element : null;
      if (element === this.beside) this.beside = undefined;
      if (container) {
        // Before the element is gone: the text belongs to it.
        this.flush(element);
        this.blocksAt.pop();
        container.end = this.outline.containers.length;
        if (container === this.hidingContainer) this.hidingContainer = undefined;
      }
      if (from !== undefined) {
        if (kind.name === 'sup' || kind.name === 'sub') this.endRaised(kind.name, from);
        else this.endInCode(from);
      }
      if (kind.name === 'q') this.text('"');
      if (element.isStruck) this.struck--;
      if (element.isSkipped) this.skipped--;
      else if (kind.name === 'noscript') {
        this.flush();
        this.noscripts--;
      }
      isStyled ||= kind.isStyle || element.isStruck;
      if (kind.name === 'title' || kind.name === 'script') this.rawElement = '';
    }
    if (isStyled) this.restyle();
  }

  /** Ends the open text; its container is `closing`, or the innermost open one. */
  private flush(closing?: OpenElement): void {
    const { runs } = this;
    if (runs.length === 0) return;
    const container = closing?.container ?? this.container();
    const isMarkdown = this.options.markdown === true;
    const text = new HtmlText(runs, container, this.noscripts > 0, this.hidingContainer, isMarkdown);
    if (!text.isEmpty) {
      this.outline.texts.push(text);
      if (!text.hiddenIn)
        for (let { cell } = container.place; cell; cell = cell.row.table.outer) cell.chars += text.chars;
    }
    this.runs = [];
    this.length = 0;
  }

  private readMetadata(name: string, attributes: Attributes): void {
    const { outline } = this;
    const { type, content, itemprop = '', datetime } = attributes;
    const isSeen = this.skipped + this.noscripts === 0 && !this.hidingContainer;
    if (name === 'script') outline.scripts += +!type?.includes('json');
    else if (name === 'button') outline.hasButton ||= isSeen && !this.container().isInLandmark;
    else if (name === 'input') outline.hasPassword ||= isSeen && type?.trim().toLowerCase() === 'password';
    else if (name === 'base') this.base &&= parseUrl(attributes['href'] ?? '', this.base) ?? this.base;
    else if (name === 'html') outline.lang ||= attributes['lang'] ?? '';
    else if (name === 'meta' && isSeen && attributes['http-equiv']?.trim().toLowerCase() === 'refresh')
      outline.refresh ||= REFRESH.exec(content?.trim() ?? '')?.[1] ?? '';
    if (content !== undefined && (name === 'meta' || itemprop)) {
      const key = (
        attributes['property'] ??
        attributes['name'] ??
        attributes['http-equiv'] ??
        itemprop
      ).toLowerCase();
      if (key && !outline.meta.has(key)) outline.meta.set(key, content.slice(0, 1000));
    }
    // A time in a link or next to the main text is that of another page.
    if (datetime && outline.times.length < 50 && !this.isOpen('a') && !this.container().isInLandmark)
      outline.times.push(datetime);
  }
}
