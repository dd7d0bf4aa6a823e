/** A line of a list, or an object of JSON, taken apart. */
export interface Entry {
  /** Seconds from the start of the video, where the line names a time. */
  second?: number;
  /** Text of the line, without bullet, time, quotation and the marks of Markdown. */
  text: string;
  /** Words that the line quotes. */
  quote?: string;
  /** Bold text at its beginning: models write titles so. */
  bold?: string;
  /** A title that is not part of the text. */
  title?: string;
  /** True when a bullet or a number begins the line, and for a row of a table that may be one of a list. */
  listed?: boolean;
}

const BOLD_UNDERLINES = /(?<![\p{L}\p{N}_])__(?=\S)([^_\n]{1,200} [^_\n]{1,200})(?<=\S)__(?![\p{L}\p{N}_])/gu;
const LONGEST_LINE = 2000;
const LONGEST_FIELD = 500;

const BULLET =
  /^(?:[a-z]{1,4}[.)](?=\s+[[(【*\d])|[-•–—·▪►‣+◦>]|\*(?!\*)|#?\d{1,2}[.)]|#\d{1,2}|#{1,6})(?:\s+|(?=[*_[(【]))/i;
/** Signs that models set in place of a bullet: emoji and digits in a box. */
const PICTOGRAMS = /^(?:(?:\p{Extended_Pictographic}[\uFE0F\u200D]*|\d\uFE0F?\u20E3)\s*){1,4}/u;
/** `Point 1:`, `Abschnitt 2 –` */
const COUNTED_LABEL =
  /^(?:(?:key )?point|takeaway|section|chapter|part|punkt|abschnitt|kapitel|teil|partie|chapitre|punto|sección|capítulo|parte|sezione|capitolo|ponto|seção)\s#?\d{1,2}\s?[:.–-]\s/i;
/** Italics whose end went with the quotation. */
const LONE_STAR = /^[*_](?=[^*_]*$)/;
const UNITS = String.raw`(?:\d{1,2}\s?h\s?)?\d{1,3}\s?m(?:in(?:utes?)?)?\s?\d{1,2}\s?s(?:ec(?:onds?)?)?`;
const TIME = String.raw`(?:${UNITS}|\d{1,2}:\d{2}:\d{2}|\d{1,3}:\d{2}|\d{1,6})(?:[.,]\d{1,3})?(?:\s?s(?:ec(?:onds?)?|eg|ek)?\b\.?)?`;
const CLOCK = String.raw`\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;
const MORE = String.raw`(?:\s?(?:[-–—,;/&+~→>]|->|to|bis|à|al?)\s?[[(]?(?:TIME)[\])]?){0,5}`;
const range = (time: string): string => `(${time})${MORE.replace('TIME', time)}`;
const REFERENCE = 't|time|timestamp|see|sec(?:onds?)?|zeit|siehe|voir|véase|vedi|veja';
const labelOf = (words: string): string => String.raw`(?:(?:${words})\s?[=:]?\s?|[@~])?`;
/** What models write before a time in brackets: `t=61`, `Time: 1:01`, `from 1:01`. */
export const LABEL = labelOf(`${REFERENCE}|at|from|bei|à`);
/** The same without words that a talk says before the time of a day: "It is open on Sundays (from 9:30)." */
export const REFERENCE_LABEL = labelOf(REFERENCE);
/** A time in brackets, e.g. `[754]`, `(12:34)`, `[61-124]`, `【t=61】`, also linked. */
const BRACKETED = new RegExp(
  String.raw`^[[(【⟨]{1,2}\s?${LABEL}${range(TIME)}\s?[\])】⟩]{1,2}(?:\(\S{0,300}\))?`,
  'i',
);
/** A time without brackets: with a colon or a unit anywhere in a list, a bare number only before a separator. */
const CLOCKED = new RegExp(
  // "At 8:30 the ferry crosses" says what happens then; "At 8:30, …" is taken for a time of the video.
  String.raw`^(?:(?:at|from|um|ab|bei|à|de|a|alle|dalle|às)\s(?=[\d:.\s–-]{4,20}[,:|])|(?:t|time|sec(?:onds?)?|timestamp)\s?[=:]?\s?|[@~])?${range(CLOCK)}(?=[\s:|,–—.-]|$)`,
  'i',
);
const COUNTED =
  /^(?:t\s?[=:]\s?)?(\d{1,6}(?:\.\d+)?)(?:\s?s(?:ec(?:onds?)?)?\b\.?|(?=\s*[|:–—]\s)|(?=\s-\s))/i;
/** A time at the end of a line. Without a colon only in square brackets: `(1999)` is a year. */
const AT_END = new RegExp(
  String.raw`\s*(?:[[【]\s?${LABEL}${range(TIME)}\s?[\]】]|\(\s?${LABEL}${range(`(?:${UNITS}|${CLOCK})`)}\s?\)|(?:@|\s[–—-])\s?(${CLOCK})|\s[–—-]\s?(\d{1,6})\s?s(?:ec)?)[\s.]*$`,
  'i',
);
const SECONDS = new RegExp(String.raw`^\s*[[(]?\s?${LABEL}${range(TIME)}\s?[\])]?\s*$`, 'i');
/** Where a time at the end may begin at the earliest. */
const LONGEST_MARK = 80;
const IN_BRACKETS = String.raw`[[(【]\s?${LABEL}(?:${TIME})${MORE.replace('TIME', TIME)}\s?[\])】]`;
/** "**Title** (0:08): …", "Title (0:08): …" */
const TITLE_FIRST = new RegExp(
  String.raw`^(\*\*[^*\n]{1,200}\*\*|[^:|()[\]"“\n]{2,80}(?=\s${IN_BRACKETS}\s?[:|]))\s?(${IN_BRACKETS})`,
  'i',
);
const SEPARATOR = /^\s*(?:[:|,–—→.-]\s*)?/;

/**
 * Takes a line apart: bullet, time, words and quotation, wherever models put them. Linear.
 * @returns undefined for a line without a bullet and without a time
 */
export function parseEntry(line: string): Entry | undefined {
  let rest = line.slice(0, LONGEST_LINE).trim();
  const row = rest.startsWith('|') ? readRow(rest) : undefined;
  if (row) rest = row.line;
  if (rest === '') return undefined;
  const pictograms = PICTOGRAMS.exec(rest)?.[0] ?? '';
  rest = rest.slice(pictograms.length);
  const bullet = BULLET.exec(rest);
  if (bullet) rest = rest.slice(bullet[0].length);
  const label = COUNTED_LABEL.exec(rest);
  if (label) rest = rest.slice(label[0].length);
  // The time goes where most models set it.
  rest = rest.replace(TITLE_FIRST, '$2 $1');
  const bold =
    /^(?:[[(【]?[\d:.,\s–-]{0,30}[\])】]?[\s:–-]{0,3})?(?:\*\*|__)([^*_\n]{1,200})(?:\*\*|__)/.exec(
      rest,
    )?.[1];
  rest = withoutMarks(rest);
  const isHeading = bullet !== null && /^#+\s/.test(bullet[0]);
  const listed =
    pictograms !== '' || (bullet !== null && !isHeading) || label !== null || row?.listed === true;
  const mark = BRACKETED.exec(rest) ?? CLOCKED.exec(rest) ?? (listed ? COUNTED.exec(rest) : null);
  let second = toSecond(mark?.[1]);
  // A number that opens a sentence is no time.
  if (mark && second === undefined) return undefined;
  if (mark) rest = rest.slice(mark[0].length).replace(SEPARATOR, '');
  const another = mark && BRACKETED.exec(rest);
  if (another) rest = rest.slice(another[0].length).replace(SEPARATOR, '');
  let { rest: text, quote } = splitQuote(rest);
  if (second === undefined) {
    const from = Math.max(0, text.length - LONGEST_MARK);
    const end = AT_END.exec(text.slice(from));
    second = toSecond(end?.slice(1).find(Boolean));
    if (end && second !== undefined) text = text.slice(0, from + end.index);
    if (quote === undefined) ({ rest: text, quote } = splitQuote(text));
  }
  if (!listed && second === undefined) return undefined;
  const title = bold && withoutTime(bold);
  return {
    second,
    text: tidy(text).replace(COUNTED_LABEL, '').replace(LONE_STAR, ''),
    quote,
    bold: title || undefined,
    listed,
  };
}

/** Takes an item of a list apart that has no bullet of its own. */
export function parseItem(text: string): Entry {
  return parseEntry(`- ${text}`) ?? { text: tidy(text) };
}

/** A head of a table has no cell with more words. */
const MOST_HEAD_WORDS = 3;

/**
 * A row of a Markdown table as a line that begins with its time: a clock or a time in brackets, or else the last number, since the first
 * may be that of the row. The line is empty for the head of a table and the dashes below it.
 */
function readRow(row: string): { line: string; listed: boolean } {
  const cells = row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => !/^(?::?-+:?)?$/.test(cell));
  const isTime = (cell: string): boolean => toSecond(withoutMarks(cell)) !== undefined;
  const times = cells.filter(isTime);
  const marked = times.find((cell) => /[:[(]/.test(cell));
  const time = marked ?? times.at(-1);
  const told = cells.filter((cell) => !isTime(cell));
  const states = told.some(isStatement);
  if (time === undefined) return { line: states ? told.join(' | ') : '', listed: true };
  return {
    line: [`[${time}] ${told[0] ?? ''}`, ...told.slice(1)].join(' | '),
    // Other tables have numbers too.
    listed: states && (marked !== undefined || isTime(cells[0]!)),
  };
}

function isStatement(cell: string): boolean {
  return cell.split(/\s+/).length > MOST_HEAD_WORDS || /^[*_]*["“„«»‹「]/.test(cell) || isSentence(cell);
}

/** Marks that close a quotation, with those that may open it. */
const OPENERS: Readonly<Record<string, string>> = {
  '"': '"“„',
  '”': '“"„',
  '“': '„',
  '»': '«',
  '«': '»',
  '›': '‹',
  '」': '「',
  '’': '‘',
  "'": "'‘",
};
const SHORTEST_QUOTE = 8;
/** Separators that models put between a statement and its quotation. */
const BEFORE_QUOTE =
  /[\s([–—:|>*_\p{Extended_Pictographic}\uFE0F-]*(?:\b(?:quotes?|words|evidence|zitat|cita|citations?|citação|citazione)\b)?[\s([–—:|>-]*$/iu;

/** Takes a quotation of at least eight characters off the end of a line. Linear. */
export function splitQuote(line: string): { rest: string; quote?: string } {
  const text = line.slice(0, LONGEST_LINE).trimEnd();
  const end = trimEndOf(text, ' .)]_*');
  const openers = OPENERS[text[end - 1] ?? ''];
  if (!openers) return { rest: text.trim() };
  const open = Math.max(...[...openers].map((mark) => text.lastIndexOf(mark, end - 2)));
  const quote = tidy(text.slice(open + 1, end - 1));
  if (open < 0 || quote.length < SHORTEST_QUOTE) return { rest: text.trim() };
  // An apostrophe opens nothing inside of a word.
  if (text[open] === "'" && open > 0 && !/[\s(]/.test(text[open - 1]!)) return { rest: text.trim() };
  const before = text.slice(Math.max(0, open - 40), open);
  const rest = text.slice(0, open - before.length) + before.replace(BEFORE_QUOTE, '');
  return { rest: rest.trim(), quote };
}

/** Where a text ends without these characters. A loop: patterns that end in `$` are quadratic in runs of what they match. */
export function trimEndOf(text: string, characters: string): number {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return end;
}

/** Title and sentence of a section, whatever separates them. */
interface TitledText {
  title: string;
  summary: string;
}

/** Most words of a title. */
const MOST_TITLE_WORDS = 12;

/**
 * Divides an entry into the title of a section and what it says of it: at the sign that was asked for (`|`), after what is in bold, else at
 * the first colon or dash with a short title before it and a sentence behind it. A title may hold a colon of its own.
 */
export function splitTitle({ text, bold }: Pick<Entry, 'text' | 'bold'>): TitledText {
  const bar = text.indexOf('|', 1);
  if (bar > 0) {
    const summary = text.slice(bar + 1).replace(/\|/g, ' ');
    return { title: text.slice(0, bar).trim(), summary: summary.trim() };
  }
  if (bold && text.startsWith(bold)) {
    const title = bold.slice(0, trimEndOf(bold, ' :.–—-'));
    return { title, summary: text.slice(bold.length).replace(SEPARATOR, '').trim() };
  }
  let fallback: TitledText | undefined;
  for (const match of text.matchAll(/\s?:\s+|\s[–—-]{1,2}\s/g)) {
    const title = text.slice(0, match.index).trim();
    const summary = text.slice(match.index + match[0].length).trim();
    if (title === '' || title.split(' ').length > MOST_TITLE_WORDS) break;
    if (isSentence(summary)) return { title, summary };
    fallback ??= { title, summary };
  }
  if (fallback) return fallback;
  return isSentence(text) ? { title: '', summary: text } : { title: text, summary: '' };
}

function isSentence(text: string): boolean {
  return (
    /^["'«“„¿¡(]?[\p{Lu}\p{N}]/u.test(text) && text.includes(' ') && /[.!?…]["'»”)]?$/.test(text.slice(-3))
  );
}

function withoutTime(bold: string): string {
  const mark = BRACKETED.exec(bold) ?? CLOCKED.exec(bold);
  return tidy(mark ? bold.slice(mark[0].length).replace(SEPARATOR, '') : bold);
}

const CODE = /((?<!\\)`[^`\n]*`)/;
/**
 * A line whose marks are escaped: at its beginning, or those of bold text, of a link or of a quotation at its end. Elsewhere a backslash
 * may be what the talk is about.
 */
const ESCAPED = /^\s*(?:[-*•]\s+)?(?:\d{1,2}\\[.)]|\\(?:[*#>|"_-]|[[(](?=\d|t)))|\\\*\\\*|\\\]\\\(|\\"\s*$/;

/** With the marks of Markdown as they are meant: not escaped, and not in full width. Code stays as it is. */
export function withPlainMarks(text: string): string {
  const escaped = ESCAPED.test(text);
  const plain = (part: string): string =>
    (escaped ? part.replace(/\\([[\]()*_#|"'>`.-])/g, '$1') : part).replace(
      /[［］｜＊＃]|(?<=\d)：(?=\d)/g,
      (mark) => mark.normalize('NFKC'),
    );
  return text
    .split(CODE)
    .map((part, i) => (i % 2 === 0 ? plain(part) : part))
    .join('');
}

/** Without the marks of Markdown that set type in bold or as code; `__init__` is a name. */
export function withoutMarks(text: string): string {
  return text.replace(/\*\*|`/g, '').replace(BOLD_UNDERLINES, '$1');
}

/** One line, without control characters, of at most 500 characters. */
export function tidy(text: string): string {
  return text
    .slice(0, LONGEST_FIELD)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}

/** Seconds from a number, `"754"`, `"754s"`, `"12:34"`, `"1:02:03.5"`, or the start of a range. */
export function toSecond(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (Array.isArray(value)) return toSecond(value[0]);
  if (typeof value !== 'string') return undefined;
  const match = SECONDS.exec(value.slice(0, 60));
  if (!match) return undefined;
  const units = /^(?:(\d+)\s?h\s?)?(\d+)\s?m[a-z]*\s?(\d+)\s?s/i.exec(match[1]!);
  if (units) return Number(units[1] ?? 0) * 3600 + Number(units[2]) * 60 + Number(units[3]);
  const parts = match[1]!
    .replace(/[^\d:.,]/g, '')
    .replace(',', '.')
    .split(':');
  const second = parts.reduce((sum, part) => sum * 60 + Number(part), 0);
  return Number.isFinite(second) ? second : undefined;
}
