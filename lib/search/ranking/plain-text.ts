const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};

/** Most texts are clean already, and then one look is enough. */
const NEEDS_CLEANING = /[^\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2013-\u201e]|[<&]| {2}|^ | $/;

/** Elements whose content is never text that a reader sees. */
const UNSEEN_ELEMENTS = ['script', 'style', 'noscript', 'template', 'svg', 'head', 'iframe', 'object'];

/**
 * Text as a reader sees it: tags, comments and the content of scripts and styles removed, entities decoded, zero-width,
 * bidirectional and control characters and lone surrogates dropped, NFC, white space folded to one blank. An empty line
 * becomes `\n`, so that paragraphs can still be told apart. Linear in its input and idempotent for text without markup.
 */
export function plainText(raw: string): string {
  if (!NEEDS_CLEANING.test(raw)) return raw;
  let text = raw;
  if (text.includes('<')) text = withoutMarkup(text);
  if (text.includes('&')) {
    text = decodeEntities(text);
    // What was written as `&lt;script&gt;` would otherwise come back to life in a client that renders HTML.
    if (text.includes('<')) text = withoutMarkup(text);
  }
  return text
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .normalize('NFC')
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n');
}

/** {@link plainText} on one line. */
export function oneLine(raw: string): string {
  return plainText(raw).replaceAll('\n', ' ');
}

function withoutMarkup(html: string): string {
  const lower = html.toLowerCase();
  let out = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    out += html.slice(at, open);
    at = endOfMarkup(lower, open);
    if (at === open) {
      out += '<';
      at = open + 1;
    } else {
      out += isInline(lower, open) ? '' : ' ';
    }
  }
  return out + html.slice(at);
}

/** Index after the comment, element or tag that starts at `open`; `open` itself where `<` is just a sign. */
function endOfMarkup(lower: string, open: number): number {
  if (lower.startsWith('<!--', open)) {
    const end = lower.indexOf('-->', open + 4);
    return end < 0 ? lower.length : end + 3;
  }
  if (!/[a-z/!?]/.test(lower[open + 1] ?? '')) return open;
  for (const name of UNSEEN_ELEMENTS) {
    if (!lower.startsWith(name, open + 1) || /[a-z0-9-]/.test(lower[open + 1 + name.length] ?? '')) continue;
    const close = lower.indexOf(`</${name}`, open);
    if (close < 0) return lower.length;
    const end = lower.indexOf('>', close);
    return end < 0 ? lower.length : end + 1;
  }
  const close = lower.indexOf('>', open);
  const next = lower.indexOf('<', open + 1);
  return close < 0 || (next >= 0 && next < close) ? open : close + 1;
}

/** Tags inside a word's line (`<b>`, `<span class="searchmatch">`) must not tear `H<sub>2</sub>O` apart. */
function isInline(lower: string, open: number): boolean {
  return /^<\/?(?:b|i|u|em|strong|span|mark|sub|sup|a|small|code|font)[\s>/]/.test(
    lower.slice(open, open + 10),
  );
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[(name as string).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
