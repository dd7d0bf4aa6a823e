import { decodeHTML } from 'entities/decode';

/**
 * Characters that a reader does not see and that hostile pages hide instructions in: C0 and C1 controls other than
 * white space, soft hyphen, zero-width and directional marks, invisible operators, variation selectors, the byte order
 * mark, interlinear marks and the tag block. Zero-width (non-)joiners go too: a snippet survives without them.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

const TAG_START = /[a-z/!?]/i;
const BLOCK = /^<\/?(?:p|div|br|li|ul|ol|tr|td|th|h[1-6]|hr|table|section|article)\b/i;

/** Plain text as it is, without invisible characters, white space folded to single spaces. For providers that send text. */
export function cleanText(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

/**
 * The text of an HTML fragment such as a title or a snippet: tags and comments removed, the content of `script` and
 * `style` too, entities decoded once, then cleaned as `cleanText` does. `<` that opens no tag (`a < b`) stays. Linear.
 */
export function plainText(html: string): string {
  return cleanText(decodeHTML(withoutTags(html)));
}

function withoutTags(html: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let open = html.indexOf('<'); open >= 0;) {
    const end = endOfTag(html, open);
    if (end >= 0) {
      kept.push(html.slice(from, open));
      // A block border is a word border; an inline tag such as <b> may stand inside a word.
      if (BLOCK.test(html.slice(open, open + 10))) kept.push(' ');
      from = end;
    }
    open = html.indexOf('<', Math.max(end, open + 1));
  }
  kept.push(html.slice(from));
  return kept.join('');
}

/** Where the tag, comment or whole script that opens here ends; -1 where `<` is only a character. */
function endOfTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
  if (!TAG_START.test(html.charAt(open + 1))) return -1;
  // Looking no further than the next `<` keeps this linear; `<b or <i>`: the first one was never closed and is text.
  const next = html.indexOf('<', open + 1);
  const close = html.slice(open, next < 0 ? html.length : next).indexOf('>');
  if (close < 0) return -1;
  const hidden = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1]?.toLowerCase();
  if (!hidden) return open + close + 1;
  const end = indexOfIgnoringCase(html, `</${hidden}`, open);
  return end < 0 ? html.length : after(html, '>', end);
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

function indexOfIgnoringCase(html: string, mark: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2))
    if (html.slice(at, at + mark.length).toLowerCase() === mark) return at;
  return -1;
}
