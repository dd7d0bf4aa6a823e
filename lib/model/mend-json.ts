import { jsonrepair } from 'jsonrepair';
import { openAtEnd, parseJson } from '../core/json.js';
import { isRecord } from '../core/schema.js';

/** A name without case and signs: `keyPoints` is `key_points`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The names of the fields that were asked for, as {@link plainName} has them. */
export interface FieldNames {
  /** Of the object itself. */
  outer: ReadonlySet<string>;
  /** With those of inner objects. */
  all: ReadonlySet<string>;
}

/** White space, and comments that models write between two fields. */
const GAP = String.raw`(?:\s|//[^"\n]*\n)*`;
/** What follows the end of a text: the next field, an end of the object, or a part of these at the end of what has come. */
const after = (endOfObject: string): RegExp =>
  new RegExp(
    String.raw`${GAP}(?:$|\}\s*(?:$|${endOfObject})|,${GAP}\}|(?:,${GAP})?(?:$|"[\p{L}\p{N}_ -]{0,40}"?\s*$|"([\p{L}\p{N}_ -]{1,40})"\s*:))`,
    'uy',
  );
const AFTER = {
  key: /\s*:/y,
  item: /\s*(?:$|\]\s*(?:$|[,\]}\n`])|,\s*(?:$|["“{[\]]))/y,
  value: after(String.raw`[\]}\n]|,\s*(?:$|[{"])`),
  /** The same in the outermost object. */
  outer: after(String.raw`[\]}\n\x60]`),
};
/** The beginning of it. */
const PENDING = new RegExp(String.raw`^${GAP}(?:\}\s*|(?:,${GAP})?(?:"[\p{L}\p{N}_ -]{0,40}"?\s*)?)$`, 'u');

export type StringEnd = 'end' | 'open' | 'inside';

/**
 * Whether a quotation mark ends the text of a field in the outermost object. Models forget to escape the marks inside of a text; the one at its
 * end stands before the end of the object, or before a name that was asked for.
 *
 * @param rest the text behind the mark
 * @param names that were asked for, as {@link plainName} has them
 * @returns `open` where more of the text is needed
 */
export function endOfString(rest: string, names: ReadonlySet<string>): StringEnd {
  if (PENDING.test(rest)) return 'open';
  AFTER.outer.lastIndex = 0;
  const found = AFTER.outer.exec(rest);
  return found && (found[1] === undefined || names.has(plainName(found[1]))) ? 'end' : 'inside';
}

/** Text with its inner quotation marks escaped. */
interface Escaped {
  json: string;
  /** True where another reading is possible: in a list of strings, and before a name that nobody asked for. */
  isDoubtful: boolean;
}

function withEscapedQuotes(text: string, names: FieldNames): Escaped {
  const open: string[] = [];
  let json = '';
  let isDoubtful = false;
  let inside: keyof typeof AFTER | undefined;
  let copied = 0;
  let previous = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (inside && sign === '\\') at++;
    else if (inside && sign === '"') {
      const after = AFTER[inside];
      after.lastIndex = at + 1;
      const found = after.exec(text);
      const known = inside === 'outer' ? names.outer : names.all;
      const isUnknown = found?.[1] !== undefined && !known.has(plainName(found[1]));
      isDoubtful ||= isUnknown;
      if (found && !isUnknown) {
        inside = undefined;
        previous = sign;
      } else {
        json += `${text.slice(copied, at)}\\"`;
        copied = at + 1;
        isDoubtful ||= inside === 'item';
      }
    } else if (inside || /\s/.test(sign)) continue;
    else {
      if (sign === '"')
        inside =
          open.at(-1) === '[' ? 'item' : previous !== ':' ? 'key' : open.length > 1 ? 'value' : 'outer';
      else if (sign === '{' || sign === '[') open.push(sign);
      else if (sign === '}' || sign === ']') open.pop();
      previous = sign;
    }
  }
  return { json: json + text.slice(copied), isDoubtful };
}

/** jsonrepair takes time with the square of the length. 24,000 characters take 50 ms at worst; a reply of 4,096 tokens has 16,000. */
const MOST_REPAIRED = 24_000;

/** One reading of text that is not JSON. */
export interface Mending {
  value: unknown;
  isDoubtful: boolean;
  /** Brackets that are missing at its end; one more for a string. */
  open: number;
}

/** The readings of text that is not JSON, the likeliest first: with its inner quotation marks escaped, and as jsonrepair has it. */
export function* mendings(text: string, names: FieldNames): Generator<Mending> {
  if (text.length > MOST_REPAIRED) return;
  for (const { json, isDoubtful } of [withEscapedQuotes(text, names), { json: text, isDoubtful: false }]) {
    try {
      yield { value: parseJson(jsonrepair(json)), isDoubtful, open: openAtEnd(json) };
    } catch {
      // The next one may be read.
    }
  }
}

/** Whether all words of a text stand in an object as often as in the text, where a reader finds them by the object's JSON schema. */
export function holdsWords(text: string, object: object, schema: object): boolean {
  const counts = new Map<string, number>();
  for (const word of wordsIn(object, schema)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return wordsOf(unescaped(text)).every((word) => {
    const left = counts.get(word) ?? 0;
    counts.set(word, left - 1);
    return left > 0;
  });
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '', f: '' };

/** The text of a string of JSON. */
export function unescaped(json: string): string {
  return json.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code?: string, sign = '') =>
    code ? String.fromCharCode(parseInt(code, 16)) : (ESCAPES[sign] ?? sign),
  );
}

function wordsIn(value: unknown, schema: unknown): string[] {
  const { properties, items } = (isRecord(schema) ? schema : {}) as Record<string, unknown>;
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, items));
  if (isRecord(items)) return wordsIn(value, items);
  if (!isRecord(value)) return isRecord(properties) && !('text' in properties) ? [] : wordsOf(String(value));
  const known = isRecord(properties)
    ? new Map(Object.entries(properties).map(([name, field]) => [plainName(name), field]))
    : undefined;
  // Of two spellings of one name a reader takes the last.
  const fields = new Map(Object.entries(value).map(([name, field]) => [plainName(name), { name, field }]));
  return [...fields].flatMap(([plain, { name, field }]) =>
    known && !known.has(plain) ? [] : [...wordsOf(name), ...wordsIn(field, known?.get(plain))],
  );
}

/** Words and numbers; `754.0` is 754, and the `None` of Python is null. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:\.\p{N}+)?/gu) ?? [];
  return words.map((word) =>
    word === 'none' ? 'null' : Number.isNaN(Number(word)) ? word : String(Number(word)),
  );
}
