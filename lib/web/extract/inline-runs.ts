import { withoutInvisible } from '../../core/printable.js';
import { harmlessText } from '../../text/clean-output.js';
import { disarmed } from '../../text/plain-text.js';

export interface RunStyle {
  isLink: boolean;
  isCode: boolean;
  isStrong: boolean;
  url?: string;
}

export interface Run {
  text: string;
  style: RunStyle;
  /** An image in words, for Markdown; it has no text of its own. */
  image?: string;
}

/** A line break within a text: LINE SEPARATOR. */
export const BREAK = '\u2028';

/** A text and what is known about it. */
export interface CleanText {
  text: string;
  markdown?: string;
  isStrong: boolean;
}

/** The text of some runs: runs of white space are one blank, line breaks stay. */
export function cleanRuns(runs: readonly Run[]): CleanText {
  const raw = runs.map((run) => run.text).join('');
  const visible = folded(withoutInvisible(raw).normalize('NFC'));
  const text = disarmed(visible);
  const says = runs.filter((run) => run.image !== undefined || run.text.trim() !== '');
  const isPlain = says.every(({ image, style }) => image === undefined && !style.isCode && !style.url);
  return {
    text,
    ...(isPlain ? {} : { markdown: folded(runs.map(markdownOf).join('')) }),
    isStrong: says.length > 0 && says.every(({ style }) => style.isStrong),
  };
}

/** Preformatted text as it stands, without invisible characters and blanks at the ends of lines. */
export function codeLines(runs: readonly Run[]): string {
  const text = withoutInvisible(runs.map((run) => run.text).join(''));
  return Array.from(text.split(/\r\n?|[\n\u0085\u2028\u2029]/), (line) => line.trimEnd()).join('\n');
}

function folded(text: string): string {
  return text
    .replace(/[^\S\u2028]+/g, ' ')
    .replace(/ ?\u2028[ \u2028]*/g, (breaks) => (breaks.split(BREAK).length > 2 ? BREAK + BREAK : BREAK))
    .trim();
}

function markdownOf({ text, style, image }: Run): string {
  if (image !== undefined) return image;
  const visible = withoutInvisible(text).normalize('NFC');
  if (!style.isCode && !style.url) return withoutCode(harmlessText(visible));
  const words = visible.replace(/\s+/g, ' ').trim();
  if (words === '') return visible;
  const shown = style.isCode ? codeSpan(words) : harmlessText(words);
  const [before, after] = [/^\s/.test(visible) ? ' ' : '', /\s$/.test(visible) ? ' ' : ''];
  return before + (style.url ? `[${shown.replace(/[[\]]/g, '\\$&')}](${style.url})` : shown) + after;
}

/** Text in which no backquote opens code, and whose last backslash does not take the meaning of a backquote behind it. */
function withoutCode(text: string): string {
  const doubled = text.replace(/\\+/g, (signs, at: number) =>
    /[^`]/.test(text.charAt(at + signs.length)) ? signs : signs + signs,
  );
  return doubled.replaceAll('`', '\\`');
}

function codeSpan(code: string): string {
  const longest = Math.max(0, ...Array.from(code.matchAll(/`{1,100}/g), ([marks]) => marks.length));
  const marks = '`'.repeat(longest + 1);
  return longest > 0 ? `${marks} ${code} ${marks}` : `${marks}${code}${marks}`;
}

const WORDS = /[\p{L}\p{N}]/u;

/** A heading without the links that have no word, such as `#` and `¶`. A heading of nothing else stays. */
export function withoutMarks(runs: readonly Run[]): readonly Run[] {
  const kept = runs.filter(({ text, style }) => !style.isLink || WORDS.test(text));
  return kept.some(({ text }) => WORDS.test(text)) ? kept : runs;
}
