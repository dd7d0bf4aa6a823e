import { jsonrepair } from 'jsonrepair';
import { openAtEnd, parseJson } from '../core/json.js';
import { isRecord } from '../core/schema.js';

/** A name without case and signs: `keyPoints` is `key_points`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** jsonrepair takes time with the square of the length. 24,000 characters take 50 ms at worst; a reply of 4,096 tokens has 16,000. A plain bound. */
const MOST_REPAIRED = 24_000;

/** The value of text that is nearly JSON, and how many brackets are missing at its end (one more for a string); undefined where there is none. */
export function mended(text: string): { value: unknown; open: number } | undefined {
  if (text.length > MOST_REPAIRED) return undefined;
  try {
    return { value: parseJson(jsonrepair(text)), open: openAtEnd(text) };
  } catch {
    return undefined;
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
