/** Named entities of caption files and video descriptions. All others are numeric or plain UTF-8. */
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lrm: '',
  rlm: '',
};

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

/** YouTube escapes twice, and uploads may add a round or two. The bound limits the cost of `&amp;amp;amp;…`. */
const MAX_ROUNDS = 8;

/** Decodes HTML entities until nothing changes (`&amp;#39;` → `'`). */
export function decodeEntities(text: string): string {
  let before = text;
  for (let round = 0; round < MAX_ROUNDS && before.includes('&'); round++) {
    const after = before.replace(ENTITY, entity);
    if (after === before) break;
    before = after;
  }
  return before;
}

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal ? Number(decimal) : parseInt(hex ?? '', 16);
  const valid = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? String.fromCodePoint(code) : whole;
}

/** Tags of caption formats. Other tags stay: a speaker who explains HTML says `<div>`. */
const TAG =
  /<\/?(?:i|b|u|s|c|v|p|br|font|lang|ruby|rt|span)(?:[.\s/][^<>]{0,200})?>|<\d{1,4}:\d\d[\d:.,]{0,12}>/gi;

/** Invisible characters without meaning in plain text: zero-width space, direction marks, byte-order mark, soft hyphen. */
const INVISIBLE = /[\u200b\u200e\u200f\u2060\ufeff\u00ad]/g;

/** Most cues are printable ASCII with single spaces and do not match. */
const NEEDS_FOLDING = /[^\x20-\x7e]| {2}/;

/** Plain text of one cue: entities decoded, tags removed, NFC, white space folded. Runs in linear time. */
export function cleanText(raw: string): string {
  let text = raw.includes('<') ? raw.replace(TAG, '') : raw;
  if (text.includes('&')) text = decodeEntities(text).replace(TAG, '');
  if (NEEDS_FOLDING.test(text)) {
    text = text
      .normalize('NFC')
      .replace(INVISIBLE, '')
      .replace(/[\s\x00-\x1f\x7f]+/g, ' ');
  }
  return text.trim();
}

/** A title or a name as plain text; undefined when it is empty. */
export function cleanName(raw: string | undefined): string | undefined {
  return raw === undefined ? undefined : cleanText(raw) || undefined;
}
