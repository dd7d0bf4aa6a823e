import { isRecord } from '../../../core/schema.js';
import { parseItem, tidy, toSecond, withoutMarks, type Entry } from './entries.js';
import { partNamed, type ListPart, type Part } from './headings.js';
import { readLenientJson } from '../../../model/lenient-json.js';

/** Takes what the JSON of an answer holds. */
export interface JsonListener {
  addProse(text: string): void;
  addEntry(part: ListPart, entry: Entry): void;
}

const MOST_DEPTH = 5;

/** Names that models give to the fields of an entry. */
const TEXT =
  'claim summary text point statement sentence note fact content key_point description details gist insight'.split(
    ' ',
  );
const TITLE = 'title heading name chapter topic titel titre título titolo'.split(' ');
const SECOND = 't second seconds time timestamp start start_seconds start_time ts at from moment begin'.split(
  ' ',
);
const QUOTE = 'quote quotes words evidence citation verbatim excerpt quotation source supporting'.split(' ');
const FIELDS: readonly string[] = [...TEXT, ...TITLE, ...QUOTE];

/**
 * Reads every JSON value in an answer, whatever its fields are called. Never throws; linear.
 * @param part of values that no field names; undefined: prose
 */
export function readJsonEntries(answer: string, listener: JsonListener, part?: ListPart): void {
  for (const value of readLenientJson(answer)) readValue(value, part, listener, 0);
}

/** True for a field of an entry. */
export function isEntryField(name: string, value: string): boolean {
  return SECOND.includes(name) ? toSecond(value) !== undefined : FIELDS.includes(name);
}

/** What a field of an entry holds. */
export function kindOf(name: string): 'second' | 'quote' | 'title' | 'text' {
  if (SECOND.includes(name)) return 'second';
  if (QUOTE.includes(name)) return 'quote';
  return TITLE.includes(name) ? 'title' : 'text';
}

function readValue(value: unknown, part: Part | undefined, listener: JsonListener, depth: number): void {
  if (depth > MOST_DEPTH) return;
  if (typeof value === 'string') readText(value, part, listener, depth);
  else if (Array.isArray(value)) {
    const tuple = isList(part) ? tupleOf(value) : undefined;
    if (isList(part) && tuple) listener.addEntry(part, tuple);
    else for (const item of value) readValue(item, part, listener, depth + 1);
  } else if (isRecord(value)) {
    const entry = isList(part) ? entryOf(value, part) : undefined;
    if (isList(part) && entry) listener.addEntry(part, entry);
    else readFields(value, part, listener, depth);
  }
}

function readText(text: string, part: Part | undefined, listener: JsonListener, depth: number): void {
  if (/^\s{0,20}\{\s{0,20}"/.test(text))
    for (const inner of readLenientJson(text)) readValue(inner, part, listener, depth + 1);
  else if (isList(part)) listener.addEntry(part, parseItem(text));
  else listener.addProse(text);
}

function readFields(
  object: Record<string, unknown>,
  part: Part | undefined,
  listener: JsonListener,
  depth: number,
): void {
  // `{"type": "key_points", "items": […]}`
  const { type, ...rest } = object;
  const typed = typeof type === 'string' ? partNamed(type) : undefined;
  for (const [name, field] of Object.entries(typed ? rest : object)) {
    const second = toSecond(name);
    // `{"754": "It rains."}`
    if (isList(part) && second !== undefined && typeof field === 'string')
      listener.addEntry(part, { second, ...parseItem(field) });
    else if (isList(part) && second !== undefined && isRecord(field))
      readValue({ begin: second, ...field }, part, listener, depth + 1);
    else if (typeof field !== 'string') {
      const own = isList(part) ? part : (typed ?? partNamed(name) ?? part);
      readValue(field, own, listener, depth + 1);
    } else {
      const named = typed ?? partNamed(name) ?? (isProse(field) ? 'text' : undefined);
      if (named) readValue(field, named, listener, depth + 1);
    }
  }
}

const isList = (part: Part | undefined): part is ListPart => part !== undefined && part !== 'text';

/**
 * The entry that an object holds: models rename and translate its fields. Undefined for objects that hold entries themselves, and for the
 * echo of a schema.
 */
export function entryOf(object: Record<string, unknown>, part: ListPart): Entry | undefined {
  if (/^(?:object|array|string|number|integer)$/.test(String(object['type']))) return undefined;
  const keys = Object.keys(object);
  if (keys.length > 1 && keys.every((key) => /^\d[\d:.]*$/.test(key))) return undefined;
  const values = Object.values(object);
  const title = textNamed(object, TITLE);
  if (!values.every(isFlat) && !(part === 'sections' && title)) return undefined;
  const texts = values.filter((value): value is string => typeof value === 'string');
  const quote = textNamed(object, QUOTE);
  const text =
    textNamed(object, TEXT, quote) ??
    texts.find((one) => isStatement(one) && one !== title && one !== quote) ??
    '';
  if (!/\p{L}/u.test(`${text}${title ?? ''}${quote ?? ''}`)) return undefined;
  const times: unknown[] = fieldsNamed(object, SECOND);
  if (!title) times.push(values.find((value) => typeof value === 'number'));
  return entry(
    text,
    times.map(toSecond).find((one) => one !== undefined),
    quote,
    title,
  );
}

/** `[754, "claim", "quote"]` */
function tupleOf([first, text, quote]: readonly unknown[]): Entry | undefined {
  const second = Array.isArray(first) ? undefined : toSecond(first);
  if (second === undefined || typeof text !== 'string' || !isStatement(text)) return undefined;
  return entry(text, second, typeof quote === 'string' ? quote : undefined);
}

function entry(text: string, second?: number, quote?: string, title?: string): Entry {
  return {
    text: tidy(withoutMarks(text)),
    second,
    quote: quote && /\p{L}/u.test(quote) ? tidy(quote) : undefined,
    title: title ? tidy(withoutMarks(title)) : undefined,
  };
}

function textNamed(
  object: Record<string, unknown>,
  names: readonly string[],
  other?: string,
): string | undefined {
  return fieldsNamed(object, names)
    .map((value): unknown => (Array.isArray(value) ? value[0] : value))
    .find((value): value is string => typeof value === 'string' && value.trim() !== '' && value !== other);
}

/** The values of the fields that have one of these names, or a name with one of them in it: `section_title`, `supportingQuote`. */
function fieldsNamed(object: Record<string, unknown>, names: readonly string[]): unknown[] {
  const exact = names.filter((name) => Object.hasOwn(object, name)).map((name) => object[name]);
  const wanted = new Set(names.filter((name) => name.length > 2));
  const partly = Object.entries(object)
    .filter(([name]) =>
      name
        .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_')
        .toLowerCase()
        .split(/[_\s-]/)
        .some((word) => wanted.has(word)),
    )
    .map(([, value]) => value);
  return [...exact, ...partly];
}

function isFlat(value: unknown): boolean {
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string' || typeof item === 'number');
  return !isRecord(value);
}

const countBlanks = (text: string): number => text.trim().split(/\s+/).length;

function isStatement(text: string): boolean {
  return countBlanks(text) >= 3;
}

/** A field that holds sentences; ids, languages and counts are short. */
function isProse(text: string): boolean {
  return countBlanks(text) >= 8;
}
