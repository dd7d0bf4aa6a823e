import { withoutInvisible } from '../../core/printable.js';
import { disarmed } from '../../text/plain-text.js';
import { codeSpan, escapedText, linked } from '../../text/write-markdown.js';

export interface RunStyle {
  isLink: boolean;
  isCode: boolean;
  isStrong: boolean;
  isStruck: boolean;
  /** Address of its link. */
  readonly url: string | undefined;
  /** The same as the page writes it. */
  readonly href?: string | undefined;
}

export const PLAIN: RunStyle = {
  isLink: false,
  isCode: false,
  isStrong: false,
  isStruck: false,
  url: undefined,
};

export interface Run {
  text: string;
  style: RunStyle;
  /** An image in words, for Markdown; it has no text of its own. */
  image?: string;
  /** The text as a reader sees it, where that is more than its words. */
  shown?: string;
  /** Text that follows is a run of its own. */
  isClosed?: boolean;
  /** Written for a mark of the page: `~~`. */
  isMark?: true;
  /** Of preformatted text: an element with a class, name or style, at the beginning of a line, that holds a number and nothing else. */
  isLineNumber?: true;
}

/** A line break within a text: LINE SEPARATOR. */
export const BREAK = '\u2028';

export interface CleanText {
  text: string;
  markdown?: string;
  isStrong: boolean;
}

/** The text of some runs: runs of white space are one blank, line breaks stay. */
export function cleanRuns(given: readonly Run[]): CleanText {
  const runs = given.some(({ style }) => style.isStruck) ? withStrokes(given) : given;
  const raw = runs.map((run) => run.text).join('');
  const visible = folded(withoutInvisible(raw).normalize('NFC'));
  const text = disarmed(visible);
  const says = runs.filter((run) => run.image !== undefined || run.text.trim() !== '');
  const isPlain =
    text === visible &&
    says.every(
      ({ image, shown, isMark, style }) => !(image ?? shown ?? isMark ?? style.url) && !style.isCode,
    );
  return {
    text,
    ...(isPlain ? {} : { markdown: folded(markdownOf(runs)) }),
    isStrong: says.length > 0 && says.every(({ style }) => style.isStrong),
  };
}

/** The lines of a text that is code and has line breaks. */
export function brokenCode(runs: readonly Run[]): string | undefined {
  const text = runs.map((run) => run.text).join('');
  if (!text.includes(BREAK) || runs.some(({ text: words, style }) => !style.isCode && words.trim() !== ''))
    return undefined;
  const lines = withoutInvisible(text)
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/ ?\u2028 ?/g, '\n');
  return lines.trim() === '' ? undefined : lines.replaceAll('\u00a0', ' ');
}

/** Preformatted text as it stands, without invisible characters and blanks at the ends of lines. */
export function codeLines(runs: readonly Run[]): string {
  const text = withoutInvisible(
    withoutLineNumbers(runs)
      .map((run) => run.text)
      .join(''),
  );
  return Array.from(text.split(/\r\n?|[\n\u0085\u2028\u2029]/), (line) => line.trimEnd()).join('\n');
}

/**
 * Code without the numbers of its lines: each line has one, they count up, and what follows them is no column of data, whose lines would all
 * go on with the same sign, and no rest of a number.
 */
function withoutLineNumbers(runs: readonly Run[]): readonly Run[] {
  const numbers = runs.filter((run) => run.isLineNumber);
  if (numbers.length < 2) return runs;
  const first = Number(numbers[0]!.text);
  const rest = runs.filter((run) => !run.isLineNumber);
  const lines = runs
    .map((run) => (run.isLineNumber ? '' : run.text))
    .join('')
    .trimEnd()
    .split('\n');
  const isColumn =
    lines.some((line) => /^\d/.test(line)) ||
    [lines, lines.map((line) => line.trimStart())].some((some) => {
      const [start = '', ...others] = new Set(some.map((line) => line.charAt(0)));
      return others.length === 0 && !/\p{L}/u.test(start);
    });
  const counts = numbers.length >= lines.length && numbers.every(({ text }, i) => Number(text) === first + i);
  return counts && !isColumn ? rest : runs;
}

function folded(text: string): string {
  return text
    .replace(/[^\S\u2028]+/g, ' ')
    .replace(/ ?\u2028[ \u2028]*/g, (breaks) => (breaks.split(BREAK).length > 2 ? BREAK + BREAK : BREAK))
    .trim();
}

/** Runs as Markdown. What has no marks of its own is written together, so that signs next to each other are seen together; so is a link. */
function markdownOf(runs: readonly Run[]): string {
  let markdown = '';
  let words = '';
  let link = '';
  for (const [i, run] of runs.entries()) {
    const { text, style, image, shown = text, isMark } = run;
    const visible = withoutInvisible(shown);
    if (image === undefined && !style.isCode && !style.url && !isMark) words += visible;
    else if (!isMark && isSameMark(style, runs[i + 1]?.style)) link += visible;
    else {
      markdown += escapedText(words) + (image ?? (isMark ? text : marked(link + visible, style)));
      words = link = '';
    }
  }
  return (markdown + escapedText(words)).normalize('NFC');
}

const isSameMark = (style: RunStyle, next: RunStyle | undefined): boolean =>
  style.url === next?.url && style.isCode === next?.isCode;

/** Runs whose text is Markdown, with what elements say about them. A line break in a row of a table is a blank. */
export function sourceOf(runs: readonly Run[]): string {
  const markdown = (runs.some(({ style }) => style.isStruck) ? withStrokes(runs) : runs).map(
    ({ text, style, image, shown = text }) =>
      image?.trim() ?? (style.url || (style.isCode && !IS_WORDS.test(shown)) ? marked(shown, style) : shown),
  );
  return markdown
    .join('')
    .replace(/^[ \t]*\|[^\n\u2028]*\u2028[^\n]*/gm, (row) => row.replaceAll(BREAK, ' '))
    .replace(/\u2028[^\S\n]*\n?/g, '\n');
}

/** Words that are no mark in Markdown. */
const IS_WORDS = /^[\p{L}\p{N} ]*$/u;

/** Struck text between its marks, which blanks part from the words around it. */
function withStrokes(runs: readonly Run[]): Run[] {
  const marked: Run[] = [];
  const isOpen = (i: number): boolean => runs[i]?.style.isStruck === true;
  runs.forEach((run, i) => {
    const words = run.text.trim();
    const [before, after] = [/^\s/.test(run.text) ? ' ' : '', /\s$/.test(run.text) ? ' ' : ''];
    if (!isOpen(i) || (words === '' && run.image === undefined)) return marked.push(run);
    if (!isOpen(i - 1)) marked.push({ text: `${before}~~`, style: PLAIN, isMark: true });
    const text = `${isOpen(i - 1) ? before : ''}${words}${isOpen(i + 1) ? after : ''}`;
    marked.push({ ...run, text });
    const next = runs[i + 1]?.text ?? '';
    if (!isOpen(i + 1))
      marked.push({
        text: `~~${after || (/^[^\s.,;:!?)\]]/.test(next) ? ' ' : '')}`,
        style: PLAIN,
        isMark: true,
      });
    return undefined;
  });
  return marked;
}

function marked(visible: string, { isCode, url }: RunStyle): string {
  const words = visible.replace(/\s+/g, ' ').trim();
  if (words === '') return visible;
  const [before, after] = [/^\s/.test(visible) ? ' ' : '', /\s$/.test(visible) ? ' ' : ''];
  const code = isCode ? codeSpan(words) : undefined;
  return before + (url ? (code ? `[${code}](${url})` : linked(words, url)) : code!) + after;
}

const WORDS = /[\p{L}\p{N}]/u;

/** A heading without the links that have no word, such as `#` and `¶`. A heading of nothing else stays. */
export function withoutMarks(runs: readonly Run[]): readonly Run[] {
  const kept = runs.filter(({ text, style }) => !style.isLink || WORDS.test(text));
  return kept.some(({ text }) => WORDS.test(text)) ? kept : runs;
}
