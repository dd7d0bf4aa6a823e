import { sentenceSpans } from '../../text/sentences.js';

/** A sentence, list item, row of a table or block of code of a written answer, with its place in {@link WrittenAnswer.text}. */
export interface WrittenStatement {
  /** Without source numbers and emphasis. */
  text: string;
  /** Where it stands: `[start, end)`, without the source numbers behind it. */
  start: number;
  end: number;
  /** Its groups of source numbers, `[1][3]`, in order. */
  marks: readonly { start: number; end: number; numbers: readonly number[] }[];
  /** Words that the model wrote as code, each line as one string. */
  code: readonly string[];
  /** The line that it stands on, with its line break. */
  line: { start: number; end: number };
  /** `item`: alone on its line, behind a bullet. `block`: code in a fence. `head`: a heading, or the head of a table. */
  kind: 'prose' | 'item' | 'block' | 'head';
}

/** An answer as a model wrote it. Only its source numbers are read and replaced; every other character stays. */
export interface WrittenAnswer {
  /** With all source numbers in the form `[n]`. */
  text: string;
  statements: readonly WrittenStatement[];
}

const CODE = /(```[\s\S]{0,200000}?(?:\n[^\S\n]*```|$)|`[^`\n]{1,300}`)/g;
const SOURCE_WORD = '(?:sources?|refs?|passages?|quellen?|fuentes?|fonti|fontes?)[.:]?\\s?';
const NUMBERS = String.raw`\d{1,3}(?:\s?[,;–-]\s?(?:${SOURCE_WORD})?\d{1,3}){0,12}`;
/** `[1, 3-5]`, `[^1]`, `【1†L3】`, `[Source 1, Source 2]`, `(Quelle 1)`, `[1](https://…)` */
const MARKS = new RegExp(
  String.raw`\[{1,2}\^?(?:${SOURCE_WORD})?(${NUMBERS})\]{1,2}(?:\([^()\s]{0,500}\))?|【\^?(\d{1,3})[^【】]{0,20}】|\(${SOURCE_WORD}(${NUMBERS})\)`,
  'gi',
);
/** "According to source 2": a source, and no value. */
const SOURCE_IN_PROSE = new RegExp(String.raw`(?<!\p{L})${SOURCE_WORD}${NUMBERS}(?!\p{N})`, 'giu');
const GROUP = /(?:\[\d{1,3}\]\s?){0,30}\[\d{1,3}\]/g;
const LINE = /[^\n]*\n?/g;
const ITEM = /^\s*(?:[-*•+]|(\d{1,3})[.)])\s+/;
const HEADING = /^\s*(?:#{1,6}\s|(\*\*|__)[^*_\n]{1,200}\1:?\s*$)/;
const ROW = /^\s*\|/;
/** A line of a command that goes on in the next line. */
const CONTINUED = /\\[^\S\n]*\n?$/;
/** The line below the head of a table. */
const TABLE_RULE = /^[\s:-]*\|[\s|:]*-[\s|:-]*$/;
/** Behind a full stop, source numbers end a sentence, whatever the word before it is. */
const MARKED_END = /[.!?…]["'”»)*]{0,3}\s*$/;

/** Takes a written answer apart. Linear. */
export function readAnswer(raw: string): WrittenAnswer {
  const text = raw
    .split(CODE)
    .map((part, i) =>
      i % 2 === 1 ? part : part.replace(MARKS, (_, ...lists: unknown[]) => plainMarks(lists)),
    )
    .join('');
  const statements: WrittenStatement[] = [];
  const lines = [...text.matchAll(LINE)].filter((line) => line[0] !== '');
  for (let i = 0; i < lines.length; i++) {
    const line = { start: lines[i]!.index, end: lines[i]!.index + lines[i]![0].length };
    const written = lines[i]![0];
    const isFence = /^\s*```/.test(written);
    if (isFence || CONTINUED.test(written)) {
      const from = i;
      if (isFence) while (i + 1 < lines.length && !/^\s*```\s*$/.test(lines[++i]![0]));
      else while (i + 1 < lines.length && CONTINUED.test(lines[i]![0])) i++;
      const end = lines[i]!.index + lines[i]![0].length;
      const code = lines
        .slice(isFence ? from + 1 : from, isFence ? i : i + 1)
        .flatMap(([codeLine]) => codeLine.trim() || []);
      const place = { start: line.start, end: text.slice(0, end).trimEnd().length };
      statements.push({ text: '', ...place, marks: [], code, line: { ...line, end }, kind: 'block' });
      continue;
    }
    const isHead = HEADING.test(written) || TABLE_RULE.test(lines[i + 1]?.[0] ?? '');
    if (TABLE_RULE.test(written)) continue;
    statements.push(...statementsOf(text, line, isHead));
  }
  return { text, statements };
}

function plainMarks(lists: readonly unknown[]): string {
  const list = lists.slice(0, 3).find((match) => typeof match === 'string') as string;
  const numbers = list.split(/[,;]/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/[–-]/).map((number) => Number(/\d+/.exec(number)![0]));
    if (to < from || to - from > 12) return [from, to];
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  return numbers.map((n) => `[${n}]`).join('');
}

/** The statements of one line: sentences; a row of a table is one. */
function statementsOf(
  text: string,
  line: { start: number; end: number },
  isHead: boolean,
): WrittenStatement[] {
  const written = text.slice(line.start, line.end);
  const item = ITEM.exec(written);
  const isRow = ROW.test(written);
  const lead = item?.[0].length ?? 0;
  // Code has no sentences and no source numbers; what is hidden keeps its place.
  const visible = ' '.repeat(lead) + written.slice(lead).replace(CODE, (code) => 'x'.repeat(code.length));
  const groups = [...visible.matchAll(GROUP)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    numbers: [...match[0].matchAll(/\d+/g)].map((n) => Number(n[0])),
  }));
  // "… en vol. [1] Le train": a sentence also ends where source numbers follow its full stop.
  const unmarked = visible.replace(GROUP, (group, at: number) =>
    (MARKED_END.test(visible.slice(Math.max(0, at - 10), at)) ? '\n' : '').padEnd(group.length),
  );
  const isWord = ({ start, end }: { start: number; end: number }): boolean =>
    /[\p{L}\p{N}]/u.test(unmarked.slice(start, end));
  const whole = { start: unmarked.search(/\S/), end: unmarked.replace(/[\s|]{1,1000}$/, '').length };
  const spans = (isRow || isHead ? [whole] : sentenceSpans(unmarked)).filter(isWord);
  const ownerOf = (group: { start: number }): number =>
    Math.max(0, spans.filter((span) => span.start < group.start).length - 1);
  return spans.map((span, at): WrittenStatement => {
    const marks = groups.filter((group) => ownerOf(group) === at);
    const placed = marks.map((mark) => ({
      ...mark,
      start: mark.start + line.start,
      end: mark.end + line.start,
    }));
    const end = Math.max(span.start, span.end);
    const source = written.slice(span.start, end);
    const code = [...source.matchAll(CODE)].map((match) => match[0].replace(/`/g, ''));
    return {
      text: plain(withoutMarks(source, marks, span.start, isRow)),
      start: line.start + span.start,
      end: line.start + end,
      marks: placed,
      code,
      line,
      kind: isHead ? 'head' : item && !item[1] && spans.length === 1 ? 'item' : 'prose',
    };
  });
}

function withoutMarks(
  source: string,
  marks: readonly { start: number; end: number }[],
  from: number,
  isRow: boolean,
): string {
  const inside = marks.filter(({ start }) => start < from + source.length);
  const text = edited(
    source,
    inside.map(({ start, end }) => ({ start: start - from, end: end - from, text: '' })),
  );
  return isRow ? text.replace(/\s{0,50}\|\s{0,50}/g, ' – ').replace(/^ – | – $/g, '') : text;
}

/** Without emphasis and marks of code, and without the names of sources: "source 1". */
function plain(text: string): string {
  return text
    .replace(/\*\*|__|`/g, '')
    .replace(SOURCE_IN_PROSE, '')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:](?:\s|$))/g, '')
    .trim();
}

/** A change of the text of an answer: the characters `[start, end)` are replaced. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Applies changes that do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
