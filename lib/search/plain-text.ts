import { decodeHTML } from 'entities/decode';

/** Any character that may have to go: all but those, without `&` and `<`, that a clean text consists of. */
const UNCLEAN = /[^ -%'-;=-~\u00a1-\u00ac\u00ae-\u02ff\u2013-\u201e]/;

/**
 * Characters that a reader does not see and that hostile pages hide instructions in: controls, formatting and directional marks,
 * zero-width ones, halves of surrogate pairs, fillers that look like blanks, variation selectors, interlinear marks and the tag block.
 * Zero-width (non-)joiners go too: a text survives without them.
 */
const INVISIBLE =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Elements whose content is never text that a reader sees. */
const UNSEEN_ELEMENTS = ['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe', 'object'];
/** Tags inside a word's line (`<b>`, `<span class="searchmatch">`) must not tear `H<sub>2</sub>O` apart; nor do comments and scripts. */
const INLINE =
  /^<(?:!--|\/?(?:b|i|u|em|strong|span|mark|sub|sup|a|small|code|font|script|style|noscript|template)[\s>/])/;
const LONGEST_NAME = 12;

/**
 * Text as a reader sees it: tags, comments and the content of scripts and styles removed, entities decoded, invisible characters
 * dropped, NFC, white space folded to one blank. An empty line becomes `\n`, so that paragraphs can still be told apart; a second
 * pass would fold it. `<` that opens no tag (`a < b`) stays. Linear in its input.
 */
export function plainText(raw: string): string {
  if (isPlain(raw)) return raw;
  let text = raw;
  if (text.includes('<')) text = withoutMarkup(text);
  if (text.includes('&')) {
    text = decodeHTML(text);
    // What was written as `&lt;script&gt;` would otherwise come back to life in a client that renders HTML.
    if (text.includes('<')) text = withoutMarkup(text);
  }
  return paragraphsOf(text);
}

/** Most texts are plain already, and then one look is enough: a single class of characters is what a regular expression finds fastest. */
function isPlain(text: string): boolean {
  return !UNCLEAN.test(text) && !text.includes('  ') && !text.startsWith(' ') && !text.endsWith(' ');
}

/** {@link plainText} on one line; idempotent for text without markup. */
export function oneLine(raw: string): string {
  return plainText(raw).replaceAll('\n', ' ');
}

/** One line of a text that is no HTML: signs that look like markup stay, invisible characters go. For providers that send text. */
export function cleanText(text: string): string {
  return paragraphsOf(text).replaceAll('\n', ' ');
}

function paragraphsOf(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n');
}

function withoutMarkup(html: string): string {
  // Only ASCII: `İ` in lower case is two characters long, and all places behind it would be off by one.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const kept: string[] = [];
  let from = 0;
  for (let open = lower.indexOf('<'); open >= 0;) {
    const end = endOfMarkup(lower, open);
    if (end > open) {
      kept.push(html.slice(from, open));
      if (!INLINE.test(lower.slice(open, open + LONGEST_NAME))) kept.push(' ');
      from = end;
    }
    open = lower.indexOf('<', Math.max(end, open + 1));
  }
  kept.push(html.slice(from));
  return kept.join('');
}

/** Index after the comment, element or tag that starts at `open`; `open` itself where `<` is just a sign. */
function endOfMarkup(lower: string, open: number): number {
  if (lower.startsWith('<!--', open)) return after(lower, '-->', open + 4);
  if (!/[a-z/!?]/.test(lower[open + 1] ?? '')) return open;
  for (const name of UNSEEN_ELEMENTS) {
    if (!lower.startsWith(name, open + 1) || /[a-z0-9-]/.test(lower[open + 1 + name.length] ?? '')) continue;
    const close = lower.indexOf(`</${name}`, open);
    return close < 0 ? lower.length : after(lower, '>', close);
  }
  // Looking no further than the next `<` keeps this linear; `<b or <i>`: the first one was never closed and is text.
  const next = lower.indexOf('<', open + 1);
  const close = lower.slice(open, next < 0 ? lower.length : next).indexOf('>');
  return close < 0 ? open : open + close + 1;
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
