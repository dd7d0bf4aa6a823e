import { decodeHTML } from 'entities/decode';
import { withoutInvisible } from '../core/printable.js';
import { HTML_ELEMENTS } from './plain-text.js';

/**
 * What leaves the product may be shown by anyone, as HTML or as Markdown. This page is the only place that makes it harmless:
 *
 * - {@link cleanOutput} and {@link OutputStream}: Markdown that a model wrote, whole or while it streams. Call it on each text field of a
 *   model's reply, before facts are checked. A transcript or page may have talked the model into advertising an address.
 * - {@link harmlessMarkdown}, {@link harmlessText}, {@link harmlessAddress}: what anyone else wrote. `ToolService` calls them on every result, by
 *   what the DTO says of each field, so no tool has to.
 *
 * After each of them: a browser finds no element in the text, a Markdown renderer makes no image, and no link but to an `http(s)` address
 * of the text. All take time in proportion to the length of the text.
 */

export interface KnownAddresses {
  /**
   * @param address in lower case, without scheme, `www.` and slashes at its end
   * @param explicit true for one that a reader could follow as it stands: with a scheme, `www.` or `@`
   */
  hasAddress(address: string, explicit: boolean): boolean;
}

/** Matches any prompt delimiter (`createDelimiter`), also one that a model has written. */
const DELIMITER_TAG = /<?\/?material-[0-9a-f]{10}>?/g;

// Lines and code

const FENCE = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*(`{3,}(?!.*`)|~{3,})/;
export const LINE_END = /\r\n?|[\u0085\u2028\u2029\v\f]/g;

/** A line that could be a fence for some renderer, but does not begin with it: in a list, a quotation, or only indented. */
const INDENTED_FENCE = /^[\s>*+\d.)-]{1,400}(?:```|~~~)/;

class CodeBlocks {
  private fence: string | undefined;
  /** False once a fence was indented: where such a block ends depends on lists and quotations, so a renderer may see no code here. */
  isCertain = true;

  get isOpen(): boolean {
    return this.fence !== undefined;
  }

  /** @returns whether the line belongs to a code block; its fences do */
  next(line: string): boolean {
    if (INDENTED_FENCE.test(line)) this.isCertain = false;
    if (this.fence === undefined) {
      this.fence = FENCE.exec(line)?.[1];
      return this.fence !== undefined;
    }
    const bare = line.trim().replace(/^(?:>\s*)+/, '');
    if (bare.startsWith(this.fence) && bare === bare[0]!.repeat(bare.length)) this.fence = undefined;
    return true;
  }
}

/** Inline code: a run of backticks ends at the next run of its length. */
const CODE_SPAN = /(?<!`)(`{1,100})(?!`)[^]{1,400}?(?<!`)\1(?!`)/g;

/** Inline code of a line. None behind a backslash that makes one backtick text: what then is code depends on it. */
function codeSpans(line: string): RegExpExecArray[] {
  const end = line.includes('\\`') ? line.indexOf('\\`') : line.length;
  return [...line.matchAll(CODE_SPAN)].filter(({ 0: span, index }) => index + span.length <= end);
}

function onLine(line: string, prose: (text: string) => string, code: (text: string) => string): string {
  let done = '';
  let from = 0;
  for (const { 0: span, index } of codeSpans(line)) {
    const before = prose(line.slice(from, index));
    // A renderer would take the code for the rest of the address.
    done += (/(?::\/\/|www\.)\S{1,2000}$/i.test(before) ? `${before} ` : before) + code(span);
    from = index + span.length;
  }
  return done + prose(line.slice(from));
}

// HTML

/** Every `<` that can begin a tag, comment or instruction. */
const ANY_MARKUP = /<(?=[a-z/!?])/gi;
/** As {@link ANY_MARKUP}, but for type parameters and placeholders that are closed on their line: `Map<string, T>`. For code. */
const LIVE_MARKUP = new RegExp(
  `<(?=[!?]|/[^a-z]|/?(?:${HTML_ELEMENTS})(?![^\\s/<>])|/?[a-z][^\\s<>/]{0,100}-|/?[a-z][^>]{0,200}(?:=|$)|/?[a-z][^>]{200})`,
  'gi',
);
const SCRIPT_SCHEME = /(javascript|vbscript):(?=\S)|(data):(?=[a-z]{1,20}\/)/gi;
const HIDDEN_SCHEME = /&(?=[#a-z\d]{1,32};)/gi;

/** Signs that could become markup are moved away from what follows them: a reader sees the same words. */
function harmlessProse(text: string): string {
  const plain = text.replace(ANY_MARKUP, '< ').replaceAll('](', '] (').replaceAll('![', '! [');
  return withPlainSchemes(plain.replaceAll(JOINT, ']('));
}

function harmlessCode(text: string): string {
  return withPlainSchemes(text.replace(LIVE_MARKUP, '< ').replaceAll('![', '! ['));
}

/** `javascript:x` as `javascript :x`, also where its colon or letters are written as entities. */
export function withPlainSchemes(text: string): string {
  const plain = text.replace(SCRIPT_SCHEME, '$1$2 :');
  if (!plain.includes('&')) return plain;
  return SCRIPT_SCHEME.test(decoded(plain)) ? plain.replace(HIDDEN_SCHEME, '& ') : plain;
}

/** Without the entities of HTML, also those that become one when another is decoded. */
function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round < 3 && plain.includes('&'); round++) plain = decodeHTML(plain);
  return plain;
}

// Markdown

/** `[text](target "title")`; a target may hold parentheses. */
const LINK = /(!?)\[([^\][\n]{0,300})\]\(((?:[^()\n]|\([^()\n]{0,300}\)){0,1000})\)/g;
const IMAGE_REFERENCE = /!\[([^\][\n]{0,300})\]\[[^\][\n]{0,100}\]/g;
const LINK_DEFINITION = /^([\s>*+\d.)-]{0,400}\[[^\][\n]{1,300}\]):/;
const LINK_DEFINITIONS = new RegExp(LINK_DEFINITION, 'gm');
/** Stands for the border of a link that stays. Control characters never come this far. */
const JOINT = '\0';

/** Only links that `keeps` accepts stay links. */
function withLinks(line: string, link: (text: string, target: string, whole: string) => string): string {
  if (!line.includes(']')) return line;
  return line
    .replace(IMAGE_REFERENCE, '$1')
    .replace(LINK, (whole, image: string, text: string, inside: string) => {
      const target = /^\s*<?([^\s<>]*)/.exec(inside)![1]!;
      return image ? text : link(text, target, whole);
    });
}

const joined = (text: string, target: string): string => `[${text}${JOINT}${target})`;

// What anyone wrote

/**
 * Plain text of strangers, such as titles, names, passages and quotations, as it may leave: words and line breaks stay, `<` and `](` get a
 * blank where a browser or a Markdown renderer would take them for markup, and so does the colon of `javascript:`.
 */
export function harmlessText(text: string): string {
  const safe = harmlessProse(withoutInvisible(text));
  return safe.includes(']:') ? safe.replace(LINK_DEFINITIONS, '$1 :') : safe;
}

/**
 * Markdown as it may leave: its code stays as it is but for tags and images; links to `http(s)` addresses stay; images become their text.
 * It does not look up addresses: {@link cleanOutput} does. Tags in code get a blank too: renderers disagree about where code ends.
 */
export function harmlessMarkdown(markdown: string): string {
  return withoutInvisible(markdown.replace(LINE_END, '\n')).split('\n').map(harmlessLines()).join('\n');
}

/** {@link harmlessMarkdown} line by line: the function takes the lines of one text in order, without invisible characters. */
function harmlessLines(): (line: string) => string {
  const blocks = new CodeBlocks();
  return (line) =>
    blocks.next(line)
      ? harmlessCode(line)
      : onLine(line, harmlessLinks, harmlessCode).replace(LINK_DEFINITION, '$1 :');
}

function harmlessLinks(text: string): string {
  return harmlessProse(
    withLinks(text.replaceAll(JOINT, ''), (name, target, whole) =>
      /^https?:\/\//i.test(decoded(target)) ? joined(name, target) : whole,
    ),
  );
}

export function harmlessAddress(address: string): string {
  return withPlainSchemes(address)
    .replace(/[<>"`]/g, (sign) => encodeURIComponent(sign))
    .replaceAll('](', ']%28');
}

// Addresses

/** Signs of a compatibility form: full-width letters, dots and slashes. */
const WIDE = /[\uff01-\uff5e。｡․⁄]/;
/** An address that can be followed: with a scheme or `www.`, or of a mailbox. */
const EXPLICIT =
  /[a-z][a-z\d+-]{0,20}:[/\\]{2}|(?<![\p{L}\p{N}])(?:https?|ftps?|wss?|mailto|tel|sms|magnet|blob):(?=[\p{L}\p{N}/\\+%])|(?:javascript|vbscript):(?=\S)|(?<!\p{L})data:[a-z]{1,20}\/|(?<![\p{L}\p{N}:/\\])[/\\]{2}(?=[\p{L}\p{N}\p{M}\p{S}_-]{1,63}\.\p{L})|www\.(?=\S)|[\w.+-]{1,64}@[\p{L}\p{N}-]{1,63}\.\p{L}/giu;
const USUAL_DOMAINS =
  'com|org|net|io|ly|me|tv|gg|co|info|biz|xyz|app|dev|ai|link|shop|store|online|site|live|club|click|top|win|vip|page|cloud|tech|zip|mov|gov|' +
  'edu|us|ca|eu|ch|at|nl|jp|cn|ru|uk|au|de|fr|it|es|pt|br|example|xn--[a-z\\d-]{1,59}';
const LABELS = String.raw`(?<![\p{L}\p{N}-])(?:[\p{L}\p{N}-]{1,63}\.){1,5}`;
/** A host name: of a usual top-level domain, or of any where a path or a port follows. */
const HOST = new RegExp(
  String.raw`${LABELS}(?:(?:${USUAL_DOMAINS})(?![\p{L}\p{N}-])|\p{L}{2,24}(?=[/?#]|:\d))`,
  'giu',
);
/** In code `user.name` and `a.app?.b` are no hosts. */
const HOST_IN_CODE = new RegExp(String.raw`${LABELS}(?:${USUAL_DOMAINS})(?=/)`, 'giu');
/** What an address consists of, from its beginning on. */
const RUN = /[^\s\0|<>"`[\]，、；）】」』]*/y;
const AFTER_ADDRESS = `)}'»”.,;:!?…*_~`;

/** An address in a text, without the signs that follow it. */
interface FoundAddress {
  start: number;
  end: number;
  /** In lower case, without scheme, `www.` and slashes at its end. */
  name: string;
  explicit: boolean;
}

function* addressesIn(text: string, isCode: boolean): Generator<FoundAddress> {
  const hosts = isCode ? HOST_IN_CODE : HOST;
  let explicit = -1;
  let host = -1;
  for (let from = 0; ;) {
    if (explicit < from) explicit = firstFrom(EXPLICIT, text, from);
    if (host < from) host = firstFrom(hosts, text, from);
    const start = Math.min(explicit, host);
    if (start === Infinity) return;
    RUN.lastIndex = start;
    let end = start + RUN.exec(text)![0].length;
    end = start + endOfAddress(text.slice(start, end));
    const name = text
      .slice(start, end)
      .toLowerCase()
      .replace(/^(?:[a-z][a-z\d+-]{0,20}:)?[/\\]{1,3}|^(?:https?|mailto):/, '')
      .replace(/^www\./, '');
    yield { start, end, name: name.replace(/\/{1,20}$/, ''), explicit: explicit <= host };
    from = Math.max(end, start + 1);
  }
}

/** Length of an address without the signs after it. Parentheses in pairs belong to it. */
function endOfAddress(run: string): number {
  let unpaired = 0;
  for (const sign of run) unpaired += sign === '(' ? -1 : sign === ')' ? 1 : 0;
  let end = run.length;
  for (; end > 0 && AFTER_ADDRESS.includes(run[end - 1]!); end--) {
    if (run[end - 1] === ')' && unpaired-- <= 0) break;
  }
  return end;
}

function firstFrom(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Infinity;
}

/** The addresses that texts hold, and the hosts of those. For {@link KnownAddresses} of pages: titles, texts and addresses of the sources. */
export function addressesOf(texts: Iterable<string>): KnownAddresses {
  let held: Set<string> | undefined;
  const read = (): Set<string> => {
    held = new Set();
    for (const text of texts)
      for (const { name } of addressesIn(viewOf(text), false)) held.add(name).add(name.split(/[/?#]/, 1)[0]!);
    return held;
  };
  return { hasAddress: (address) => (held ?? read()).has(address) };
}

/** A word as a renderer or browser reads it: without entities, escapes and compatibility forms. */
function viewOf(word: string): string {
  const plain = decoded(word).replace(/\\([!-/:-@[-`{-~])/g, '$1');
  return WIDE.test(plain) ? plain.normalize('NFKC').replaceAll('。', '.') : plain;
}

/** A text without the addresses that the sources do not hold. In prose the brackets and quotation marks around them go too. */
function withoutForeign(text: string, known: KnownAddresses, isCode: boolean): string {
  let done = '';
  let from = 0;
  for (const { 0: word, index } of text.matchAll(/[^\s|]+/g)) {
    const kept = wordWithoutForeign(
      word,
      text.slice(index + word.length, index + word.length + 100),
      known,
      isCode,
    );
    if (kept === word) continue;
    const gap = text.slice(from, index);
    // The rest of "(https://…)." ends the word before.
    done += isCode || /[^\p{P}\p{S}]/u.test(kept) ? gap + kept : gap.trimEnd() + kept;
    from = index + word.length;
  }
  return done + text.slice(from);
}

function wordWithoutForeign(word: string, after: string, known: KnownAddresses, isCode: boolean): string {
  if (!/[.:@/\\&。．｡․：／＠]/.test(word)) return word;
  const view = viewOf(word);
  let text = view;
  // What is left may be an address again; it is shorter each time.
  for (let isForeign = true; isForeign;) {
    let done = '';
    let from = 0;
    isForeign = false;
    for (const { start, end, name, explicit } of addressesIn(text, isCode)) {
      const isKept = name !== '' && known.hasAddress(name, explicit);
      isForeign ||= !isKept;
      done += text.slice(from, isKept ? end : start);
      from = end;
      // A renderer would take letters behind it for a part of the address.
      const next = (text.slice(end, end + 100) + after).replace(/\[\d{1,3}\]/g, '');
      if (isKept && explicit && /^[^\s<]*[\p{L}\p{N}]/u.test(next)) done += ' ';
    }
    text = done + text.slice(from);
    if (isForeign && !isCode) text = withoutEmptyMarks(text);
  }
  return text === view ? word : text;
}

/** What an address leaves behind: `()`, `**`, and signs without a word. */
function withoutEmptyMarks(word: string): string {
  const rest = word.replace(/\(\)|\[\]|\{\}|<>|""|''|“”|„“|«»|([*_~]{1,3})\1/g, '');
  return /[\p{L}\p{N}]/u.test(rest) ? rest : rest.replace(/[^.,;:!?…()[\]]/g, '');
}

/** A line of a model; see {@link cleanOutput}. @param isBlock it belongs to a block of code, for every renderer or for some */
function cleanLine(line: string, isBlock: 'yes' | 'maybe' | 'no', known: KnownAddresses): string {
  const code = (text: string, isCode: boolean): string => harmlessCode(withoutForeign(text, known, isCode));
  if (isBlock !== 'no') return code(line, isBlock === 'yes').trimEnd();
  const clean = onLine(
    line,
    (text) => cleanProse(text, known),
    // In a row of a table, code may end with its cell.
    (text) => code(text, !text.includes('|')),
  );
  return clean.replace(LINK_DEFINITION, '$1 :').trimEnd();
}

const AUTOLINK = /<((?:https?:\/\/|mailto:|[\w.+-]{1,64}@)[^\s<>]{1,2000})>/gi;
/** Tags that set type in a text. Others are disarmed. */
const TAG =
  /<\/?(?:a|b|br|p|i|u|em|strong|ul|ol|li|h[1-6]|div|span|hr|su[bp]|mark)(?:\s[^<>\n]{0,1000})?\/?>/gi;

function cleanProse(text: string, known: KnownAddresses): string {
  const words = text
    .replaceAll(JOINT, '')
    .replace(DELIMITER_TAG, '')
    .replace(AUTOLINK, '$1')
    .replace(TAG, '');
  const plain = words.includes('&')
    ? withoutInvisible(decoded(words)).replace(/[\n\f\r\u0085]/g, ' ')
    : words;
  const linked = withLinks(plain, (name, target, whole) => {
    const [address] = addressesIn(viewOf(target), false);
    if (!address) return whole;
    const isKept = /^https?:\/\//i.test(target) && known.hasAddress(address.name, true);
    if (isKept) return joined(name, target);
    // The number of a source stays one.
    return /^\^?\d{1,3}$/.test(name) ? `[${name}]` : name;
  });
  // A backtick that nothing on its line ends could begin code for a renderer, which ends at code of another line.
  return harmlessProse(withoutForeign(linked, known, false)).replace(/\\?`/g, "'");
}

/** What may be changed by what follows it: code, tags, links, pictures and entities, but for source numbers. */
const OPEN = /[`<]|~~~|!\[|\[(?!\d{1,3}\][^(:])|&(?=[#a-z\d]{0,32}(?:;|$))/i;

/** The part of an open line that nothing behind it can change: whole words before whatever is open. */
function settledPart(line: string): string {
  let visible = '';
  for (const { 0: span, index } of codeSpans(line))
    visible += line.slice(visible.length, index) + 'x'.repeat(span.length);
  visible += line.slice(visible.length);
  const open = visible.search(OPEN);
  let end = open < 0 ? line.length : open;
  while (end > 0 && !/\s/.test(visible[end - 1]!)) end--;
  return line.slice(0, end).trimEnd();
}

// What a model wrote

/**
 * Markdown of a model as it may leave: without prompt delimiters, HTML, images, invisible characters, and without any address that the
 * sources do not hold. Lists, tables, emphasis and code stay; in code only addresses are removed and tags are disarmed. Entities are decoded.
 */
export function cleanOutput(markdown: string, known: KnownAddresses): string {
  const pieces: string[] = [];
  const stream = new OutputStream(known, (text) => pieces.push(text));
  stream.push(markdown);
  stream.end();
  return pieces.join('');
}

/** An open line is looked at again when it has grown by this factor; set by hand. */
const GROWTH = 1.125;

/**
 * {@link cleanOutput} for a text that is still being written. What it emits together is what `cleanOutput` makes of the whole, and never shows what
 * the end of the text would remove: the rest of a line waits while a link, tag, code or address in it is open.
 */
export class OutputStream {
  private readonly blocks = new CodeBlocks();
  /** The current line, and how much of its clean form has been emitted. */
  private line = '';
  private shown = 0;
  private tryAt = 0;
  /** The last sign of a piece where it may be the first half of a line end or of a character. */
  private half = '';
  /** Line breaks that are emitted before the next text. */
  private breaks = 0;
  private started = false;

  constructor(
    private readonly known: KnownAddresses,
    private readonly emit: (text: string) => void,
  ) {}

  push(delta: string): void {
    const given = this.half + delta;
    this.half = /[\r\ud800-\udbff]$/.exec(given)?.[0] ?? '';
    const text = withoutInvisible(given.slice(0, given.length - this.half.length).replace(LINE_END, '\n'));
    const [first, ...others] = text.split('\n');
    this.line += first!;
    for (const line of others) {
      this.endLine();
      this.line = line;
    }
    if (this.line.length < this.tryAt) return;
    this.tryAt = this.line.length * GROWTH;
    this.showSettled();
  }

  end(): void {
    this.endLine();
  }

  private endLine(): void {
    const isCode = this.blocks.next(this.line);
    const isBlock = !isCode ? 'no' : this.blocks.isCertain ? 'yes' : 'maybe';
    this.show(cleanLine(this.line, isBlock, this.known), isCode);
    if (this.started) this.breaks++;
    this.line = '';
    this.shown = 0;
    this.tryAt = 0;
  }

  /** Whether a line begins or ends a block of code is known at its end. */
  private showSettled(): void {
    if (!this.blocks.isOpen) this.show(cleanLine(settledPart(this.line), 'no', this.known), false);
  }

  private show(clean: string, isCode: boolean): void {
    const text = clean.slice(this.shown);
    if (text === '' || (!this.started && clean.trim() === '')) return;
    const gap = this.shown > 0 ? '' : '\n'.repeat(isCode ? this.breaks : Math.min(this.breaks, 2));
    this.emit(gap + (this.started ? text : text.trimStart()));
    this.started = true;
    this.breaks = 0;
    this.shown = clean.length;
  }
}
