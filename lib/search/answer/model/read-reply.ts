import { isRecord } from '../../../core/schema.js';
import { addressesOf, cleanOutput } from '../../../text/clean-output.js';
import { sentencesOf } from '../../../text/sentences.js';
import { readLenientJson } from '../../../model/lenient-json.js';
import type { AnswerPassage } from '../../answer-engine.js';

/** A model's reply, as far as it could be read. */
export interface ModelReply {
  /** Its own verdict; undefined when it gave none. */
  answerable?: boolean;
  /** Its sentences with `[n]`; may be empty when it says that the sources do not answer. */
  answer: string;
  quotes: ReplyQuote[];
}

/** Words that a model says are copied from a source. */
export interface ReplyQuote {
  /** The number of the source, from 1; undefined when the model gave none. */
  n?: number;
  text: string;
}

/** A sentence of a model's answer, without its source numbers. */
export interface WrittenSentence {
  text: string;
  /** The numbers in its brackets, each once, whether there is such a source or not. */
  cited: number[];
  /** The text before it: `- ` or `2. ` for the first sentence of a list item, else nothing. */
  lead: string;
  /** Words that the model wrote as code, each as one string. */
  code: string[];
}

const MAX_REPLY = 50_000;
const MAX_ANSWER = 6000;
const MAX_QUOTES = 40;
const MAX_QUOTE = 1500;
/** An answer to a search is short; a longer text without the form is something else. */
const MAX_PROSE = 3000;
const SENTENCE_ENDS = ['.', '!', '?', ']', '。'];

/**
 * Reads the reply of a model: JSON as {@link readLenientJson} takes it, also when it is cut off, tags named as its fields, or prose. Never
 * throws.
 *
 * @param sources in the order of their numbers
 * @returns undefined for anything else, such as a refusal
 */
export function readReply(reply: string, sources: readonly AnswerPassage[]): ModelReply | undefined {
  const text = reply.slice(0, MAX_REPLY);
  const read =
    fromJson(text) ?? fromJson(closedAfterLastSentence(text)) ?? fromTags(text) ?? fromProse(text, sources);
  if (!read || read.answerable !== undefined || read.quotes.length > 0) return read;
  // Without a verdict and quotations only source numbers tell an answer from a refusal.
  return writtenSentences(read.answer, sources).some(({ cited }) => cited.length > 0) ? read : undefined;
}

/** A model that corrects itself gives its answer last. */
function fromJson(text: string): ModelReply | undefined {
  return toReply(readLenientJson(text)).at(-1);
}

/** A reply that the end cuts off inside of its answer, as JSON that ends with the last whole sentence. */
function closedAfterLastSentence(text: string): string {
  const end = Math.max(...SENTENCE_ENDS.map((mark) => text.lastIndexOf(mark)));
  return `${text.slice(0, end + 1)}"}`;
}

/** A field under the name that was asked for, or another that models choose. */
function field(record: Record<string, unknown>, ...names: string[]): unknown {
  return names.map((name) => record[name]).find((value) => value !== undefined);
}

function toReply(value: unknown): ModelReply[] {
  if (Array.isArray(value)) return value.flatMap(toReply);
  if (typeof value === 'string' && /^\s*\{/.test(value)) return toReply(readLenientJson(value));
  if (!isRecord(value)) return [];
  const answerable = verdictOf(field(value, 'answerable', 'can_answer', 'is_answerable'));
  const lines = [field(value, 'answer', 'response')].flat().filter((line) => typeof line === 'string');
  const answer = lines.join('\n').slice(0, MAX_ANSWER).trim();
  // Without an answer, or the word that there is none, it may be the wrapper of one: `{"name": "answer", "arguments": {…}}`.
  if (answer === '' && answerable !== false) return toReply(Object.values(value));
  const quotes = quotesOf(field(value, 'quotes', 'citations'));
  return [{ ...(answerable === undefined ? {} : { answerable }), answer, quotes }];
}

function verdictOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  return /^\s*(?:true|yes)\s*$/i.test(value) ? true : /^\s*(?:false|no)\s*$/i.test(value) ? false : undefined;
}

/** A list of objects or strings, one of either, or an object with the numbers as keys. */
function quotesOf(value: unknown): ReplyQuote[] {
  const isByNumber = isRecord(value) && field(value, 'text', 'quote', 'excerpt') === undefined;
  const given = isByNumber
    ? Object.entries(value).flatMap(([n, texts]) => [texts].flat().map((text) => ({ n, text })))
    : [value].flat();
  return given.slice(0, MAX_QUOTES).flatMap(toQuote);
}

function toQuote(value: unknown): ReplyQuote[] {
  if (typeof value === 'string') {
    const [, n, text] = /^\s*(?:\[(\d{1,3})\][\s:]*)?([\s\S]*)$/.exec(value)!;
    return toQuote({ n, text });
  }
  if (!isRecord(value)) return [];
  const text = field(value, 'text', 'quote', 'excerpt');
  if (typeof text !== 'string' || text.trim() === '') return [];
  const n = Number.parseInt(String(field(value, 'n', 'source', 'index')).replace(/^[[\s]+/, ''), 10);
  return [{ ...(Number.isNaN(n) ? {} : { n }), text: text.slice(0, MAX_QUOTE) }];
}

/** `<answerable>true</answerable> <answer>…</answer>` */
function fromTags(text: string): ModelReply | undefined {
  const fields = [...text.matchAll(/<(answerable|answer)>([\s\S]*?)(?:<\/\1>|$)/g)];
  return toReply(Object.fromEntries(fields.map(([, name, value]) => [name, value]))).at(-1);
}

/** Prose with source numbers: the answer itself. `(1)` does not make an answer of prose: it may number anything. */
function fromProse(text: string, sources: readonly AnswerPassage[]): ModelReply | undefined {
  const answer = text.replace(/```\w*/g, '').trim();
  if (answer.length > MAX_PROSE || answer.startsWith('{')) return undefined;
  return marksIn(tidy(answer, sources, [])).length > 0 ? { answer, quotes: [] } : undefined;
}

const MAX_SENTENCES = 20;
const MARK = /\[(\d{1,3})\]/g;
const SOURCE_WORD = '(?:sources?|refs?|quellen?|fuentes?|fonti|fontes?)[.:]?\\s?';
const NUMBERS = String.raw`\d{1,3}(?:\s?[,;–-]\s?(?:${SOURCE_WORD})?\d{1,3}){0,12}`;
/** `[1, 3-5]`, `[^1]`, `【1†L3】`, `[Source 1, Source 2]`, `(Quelle 1)` */
const MARKS = new RegExp(
  String.raw`\[\^?(?:${SOURCE_WORD})?(${NUMBERS})\]|【\^?(\d{1,3})[^【】]{0,20}】|\(${SOURCE_WORD}(${NUMBERS})\)`,
  'gi',
);
/** `(1, 3)` and `¹` at the end of a clause. A superscript after one or two letters belongs to a unit: `m²`. */
const UNSURE_MARKS = new RegExp(
  String.raw`\((${NUMBERS})\)(?=\s?\(\d|[.,;:!?…]|$)|(?<=\p{L}{3}|[.!?…])([¹²³⁴-⁹]{1,8})(?=[\s.,;:!?…]|$)`,
  'giu',
);
const LEADING_MARK = /^\[\d{1,3}\]\s*/;
const HEADING = /^\s*#{1,6}\s[^[]*$/;
const LIST_ITEM = /^\s{0,12}(?:[-*•]|(\d{1,2})[.)])\s+(?=\S)/;
/** The line below the head of a table. */
const TABLE_RULE = /^[\s:-]*\|[\s|:-]*-[\s|:-]*$/;
const CODE = /`([^`\n]{1,300})`/g;
/** Source numbers next to a full stop end a sentence, whatever the word before it is. */
const MARKED_END = /(?:[.!?…]["'”»)]{0,2} ?(?:\[\d{1,3}\])+|(?:\[\d{1,3}\])+[.!?…]) (?=[^\p{Ll}[])/gu;

/**
 * Takes an answer apart into sentences. Source numbers are read in the usual spellings, before or after the full stop; `(1)` and `¹` only for
 * sources that are quoted, in an answer without `[1]`. Headings, lists of sources, a question to the reader, markup, tags of the prompt and every
 * address that is in no source are removed; list items keep their mark.
 *
 * @param sources in the order of their numbers
 * @param quoted numbers of the sources that the reply quotes
 */
export function writtenSentences(
  answer: string,
  sources: readonly AnswerPassage[],
  quoted: readonly number[] = [],
): WrittenSentence[] {
  const sentences: WrittenSentence[] = [];
  const names = sources.map(({ title, url }) => [title, url, title + url].map(lettersOf));
  const unsure = answer.search(MARKS) < 0 ? quoted : [];
  const known = addressesOf(sources.flatMap(({ text, title, url }) => [text, title, url]));
  const lines = cleanOutput(answer, known).split('\n');
  for (const [i, written] of lines.entries()) {
    if (HEADING.test(written) || TABLE_RULE.test(lines[i + 1] ?? '')) continue;
    const raw = /^\s*\|/.test(written)
      ? `- ${written.replace(/\s*\|\s*(?=$|\[)|^\s*\|\s*/g, ' ').replaceAll('|', '–')}`
      : written;
    const item = LIST_ITEM.exec(raw);
    let lead = item ? (item[1] ? `${item[1]}. ` : '- ') : '';
    const code = [...raw.matchAll(CODE)].map((match) => match[1]!);
    const line = tidy(raw.slice(item?.[0].length ?? 0), sources, unsure).replace(MARKED_END, '$&\n');
    for (const piece of sentencesOf(line)) {
      let rest = piece;
      // "One. [1] Two. [2]": marks after a full stop belong to what stands before, unless that has its own.
      const last = sentences.at(-1);
      if (last && last.cited.length === 0 && lead === '') {
        for (let mark = LEADING_MARK.exec(rest); mark; mark = LEADING_MARK.exec(rest)) {
          last.cited.push(...marksIn(mark[0]));
          rest = rest.slice(mark[0].length);
        }
      }
      const cited = [...new Set(marksIn(rest))];
      const text = withoutMarks(rest);
      // An entry of a list of sources. A sentence may be the title of its source too.
      const isEntry = lead !== '' || LEADING_MARK.test(rest) || !/[.!]$/.test(text);
      const name = lettersOf(text);
      const isReference = isEntry && sentences.some((s) => s.cited.some((n) => names[n - 1]?.includes(name)));
      // A model that is caught in a loop repeats itself; items of two lists, and steps of one, may be the same.
      const before = lead === '' ? sentences : sentences.slice(-1);
      const same = /^\d/.test(lead) ? undefined : before.find((sentence) => sentence.text === text);
      const owner = same ?? (/[\p{L}\p{N}]/u.test(text) ? undefined : last);
      if (owner) owner.cited = [...new Set([...owner.cited, ...cited])];
      else if (/[\p{L}\p{N}]/u.test(text) && !isReference) {
        sentences.push({ text, cited, lead, code: code.filter((c) => text.includes(c)) });
        lead = '';
      }
    }
  }
  // At the end a question to the reader, or a label whose list was left out, is no part of the answer.
  const isTalk = ({ cited, lead, text }: WrittenSentence): boolean =>
    cited.length === 0 && lead === '' && /[:?][^\p{L}\p{N}]*$/u.test(text);
  while (sentences.length > 1 && isTalk(sentences.at(-1)!)) sentences.pop();
  return sentences.slice(0, MAX_SENTENCES);
}

/** Letters and digits of a title or address. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/https?:\/\/|www\.|[^\p{L}\p{N}]/gu, '');
}

/** The blank before a mark goes with it; other spacing stays, as French puts a blank before a colon. */
function withoutMarks(text: string): string {
  return text
    .replace(/ ?\[\d{1,3}\]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,])(?=\s|$)/g, '$1')
    .trim();
}

function marksIn(text: string): number[] {
  return [...text.matchAll(MARK)].map((m) => Number(m[1]));
}

/** @param unsure numbers of sources that may stand in parentheses or raised */
function tidy(line: string, sources: readonly AnswerPassage[], unsure: readonly number[]): string {
  return line
    .replace(/\*\*|`/g, '')
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/\[(\[[^[\]]{0,300}\])\]/g, '$1')
    .replace(/!?\[\^?(\d{1,3})\]\([^()]{0,500}\)/g, (link, n: string) =>
      sources[Number(n) - 1] ? `[${n}]` : link,
    )
    .replace(/\(!?\[[^[\]]{0,300}\](\([^()]{0,500}\))\)/g, '$1')
    .replace(/!?\[([^[\]]{0,300})\](\([^()]{0,500}\))/g, '$1 $2')
    .replace(/\(([^()\s]{1,500})\)/g, (whole, url: string) => {
      const at = sources.findIndex((source) => lettersOf(source.url) === lettersOf(url));
      return at < 0 ? whole : `[${at + 1}]`;
    })
    .replace(MARKS, (_, ...lists: (string | undefined)[]) => marks(lists.find(Boolean)!))
    .replace(UNSURE_MARKS, (whole, list?: string, raised = '') => {
      const read = marks(list ?? [...raised.normalize('NFKC')].join());
      return marksIn(read).every((n) => unsure.includes(n)) ? read : whole;
    })
    .replace(/\(((?:\[\d{1,3}\])+)\)/g, '$1')
    .replace(/([.!?…])\[/g, '$1 [')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `1, 3-5` as `[1][3][4][5]`. */
function marks(list: string): string {
  const numbers = list.split(/[,;]/).flatMap((part) => {
    const [from, to] = part.split(/[–-]/).map((number) => Number(/\d+/.exec(number)![0]));
    if (to === undefined || to < from! || to - from! > 12) return [from!, ...(to === undefined ? [] : [to])];
    return Array.from({ length: to - from! + 1 }, (_, i) => from! + i);
  });
  return numbers.map((n) => `[${n}]`).join('');
}
