import { decodeHTML } from 'entities/decode';
import { withoutInvisible } from '../core/printable.js';

/** Any character that may have to go: all but those, without `&` and `<`, that a clean text consists of. */
const UNCLEAN = /[^ -%'-;=-~\u00a1-\u00ac\u00ae-\u02ff\u2013-\u201e]/;

/** The elements of HTML, current and obsolete. A browser does nothing with any other name unless it has attributes. */
export const HTML_ELEMENTS =
  'a|abbr|acronym|address|applet|area|article|aside|audio|b|base|basefont|bdi|bdo|bgsound|big|blink|blockquote|body|br|button|canvas|' +
  'caption|center|cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|dl|dt|em|embed|fieldset|figcaption|figure|font|' +
  'footer|form|frame|frameset|h[1-6]|head|header|hgroup|hr|html|i|iframe|image|img|input|ins|isindex|kbd|keygen|label|legend|li|link|' +
  'listing|main|map|mark|marquee|math|menu|menuitem|meta|meter|nav|nobr|noembed|noframes|noscript|object|ol|optgroup|option|output|p|' +
  'param|picture|plaintext|portal|pre|progress|q|rb|rp|rt|rtc|ruby|s|samp|script|search|section|select|selectedcontent|slot|small|source|' +
  'spacer|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|track|tt|u|ul|var|' +
  'video|wbr|xmp';
/** What a browser takes for a tag, comment or instruction, from behind its `<`: a known name, or any name with an attribute. */
const OPENS = `[!/?]|(?:${HTML_ELEMENTS})(?![^\\s/<>])|[a-z][^<>]*=`;
const OPENS_MARKUP = new RegExp(`^(?:${OPENS})`, 'i');
const OPENING = new RegExp(`<(?=${OPENS})`, 'gi');
const NO_TAG = new RegExp(`<(?![!/?]|(?:${HTML_ELEMENTS})(?=[\\s/>])[^<>]*>|[a-z][^<>]*=)`, 'gi');
/**
 * Comments, elements whose content a reader never sees, and tags. None of them looks beyond the next `<` for its end, or it takes
 * everything up to there: linear.
 */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|svg|head|iframe|object)(?![a-z0-9-])[\s\S]*?(?:<\/\1[^>]*>?|$)|<([a-z/!?][^<>]*)>/gi;
/** Tags inside a word's line (`<b>`, `<span class="searchmatch">`) must not tear `H<sub>2</sub>O` apart; nor do comments and scripts. */
const INLINE =
  /^<(?:!--|\/?(?:b|i|u|em|strong|span|mark|sub|sup|a|small|code|font|script|style|noscript|template)[\s>/])/i;

/**
 * Text as a reader sees it: tags, comments and the content of scripts and styles removed, entities decoded once, invisible characters
 * dropped, NFC, white space folded to one blank. An empty line becomes `\n`, so that paragraphs stay separate; a second
 * pass would fold it. `<` that opens no tag (`a < b`, `Map<string, T>`) stays. What a browser would take for a tag never stays: where it
 * cannot be removed, because it is not closed, a blank is put behind its `<`. Linear in its input.
 */
export function plainText(raw: string): string {
  return isPlain(raw) ? raw : paragraphsOf(withoutMarkup(raw));
}

/** Most texts are plain already, and then one look is enough: a single class of characters is what a regular expression finds fastest. */
function isPlain(text: string): boolean {
  return !UNCLEAN.test(text) && !text.includes('  ') && !text.startsWith(' ') && !text.endsWith(' ');
}

/** {@link plainText} on one line; idempotent for text without markup. */
export function oneLine(raw: string): string {
  return plainText(raw).replaceAll('\n', ' ');
}

/** One line of a text that is not HTML: signs that look like markup stay, invisible characters go. For providers that send text. */
export function cleanText(text: string): string {
  return paragraphsOf(text).replaceAll('\n', ' ');
}

/** The text without tags, comments and entities; see {@link plainText}. White space is left as it is. */
export function withoutMarkup(raw: string): string {
  // First of all: `<` + zero-width space + `img` is a tag as soon as the space is gone.
  let text = normalized(raw);
  if (text.includes('<')) text = withoutTags(text);
  if (text.includes('&')) text = withoutTags(normalized(decodeHTML(text)));
  // Removing a tag can put another one together: `<im<b>g>`.
  return disarmed(text);
}

/** Line ends as `\n`, composed characters (NFC), without invisible characters. */
export function normalized(text: string): string {
  if (!UNCLEAN.test(text)) return text;
  return withoutInvisible(text.replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')).normalize('NFC');
}

/** HTML in which a `<` that opens no tag, as in `a < b` or `Map<string, T>`, is written as an entity. */
export function withTextBrackets(html: string): string {
  return html.includes('<') ? html.replace(NO_TAG, '&lt;') : html;
}

/** Puts a blank behind each `<` that a browser would take for the beginning of a tag or comment. */
export function disarmed(text: string): string {
  return text.includes('<') ? text.replace(OPENING, '< ') : text;
}

function paragraphsOf(text: string): string {
  return normalized(text)
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n');
}

function withoutTags(html: string): string {
  let closed: Set<string> | undefined;
  return html.replace(MARKUP, (markup: string, _unseen: string | undefined, inside: string | undefined) => {
    // A type parameter or a placeholder is text, unless something closes it like an element.
    if (inside !== undefined && !OPENS_MARKUP.test(inside)) {
      closed ??= new Set(
        Array.from(html.matchAll(/<\/([^\s<>/]{1,40})/g), ([, name]) => name!.toLowerCase()),
      );
      if (!closed.has(/^[^\s/]*/.exec(inside)![0].toLowerCase())) return markup;
    }
    return INLINE.test(markup) ? '' : ' ';
  });
}
