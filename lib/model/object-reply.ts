import { isRecord, jsonOf } from '../core/schema.js';
import type { ModelCall } from './call.js';
import { holdsWords, mended, plainName, unescaped } from './mend-json.js';

/**
 * A field of a reply: the JSON schema that a model is asked for, and a reader that takes other types too. A reader never throws, and reads
 * what is missing as empty.
 */
export interface ReplyField<T> {
  readonly schema: object;
  read(value: unknown): T;
}

type Fields<T> = { readonly [K in keyof T]: ReplyField<T[K]> };

/** Text, without white space at its ends. The texts in a list or an object are joined, each on its own line. Missing: empty. */
export function textField(): ReplyField<string> {
  const read = (value: unknown): string => {
    if (typeof value === 'string') return value.trim();
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    const parts = isRecord(value) ? Object.values(value) : Array.isArray(value) ? value : [];
    const texts = parts.filter((part) => typeof part === 'string' || typeof part === 'object');
    return texts.map(read).filter(Boolean).join('\n');
  };
  return { schema: { type: 'string' }, read };
}

/** A number; also as text, e.g. `"[2]"`. Missing: undefined. */
export function numeric(): ReplyField<number | undefined> {
  const read = (value: unknown): number | undefined => {
    if (Array.isArray(value)) return read(value[0]);
    const digits = typeof value === 'string' ? /\d{1,9}(?:\.\d{1,6})?/.exec(value)?.[0] : value;
    const number = typeof digits === 'string' ? Number(digits) : digits;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  };
  return { schema: { type: 'number' }, read };
}

/** Seconds from the start of a video; also as `"754s"`, `"12:34"`, `"1:02:03"` or `"[754]"`. Missing: undefined. */
export function seconds(): ReplyField<number | undefined> {
  const { schema, read: number } = numeric();
  const read = (value: unknown): number | undefined => {
    if (Array.isArray(value)) return read(value[0]);
    const clock = typeof value === 'string' ? /(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?!\d)/.exec(value) : null;
    if (!clock) return number(value);
    return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  };
  return { schema, read };
}

/** `true` or `false`; also as `"yes"` or `"False"`. Missing: undefined. */
export function flag(): ReplyField<boolean | undefined> {
  return {
    schema: { type: 'boolean' },
    read: (value) => {
      const said = /^\s*(?:(true|yes)|false|no)\b/i.exec(String(value));
      return said ? said[1] !== undefined : undefined;
    },
  };
}

/** A list. A single item is read as a list too. Missing: empty. */
export function listField<T>(item: ReplyField<T>): ReplyField<T[]> {
  return {
    schema: { type: 'array', items: item.schema },
    read: (value) => [value ?? []].flat().map((entry) => item.read(entry)),
  };
}

/**
 * An object. Names of fields are compared without case and signs: `keyPoints` is `key_points`. Where `text` is missing, and as many fields are
 * unknown as are missing, the unknown ones are the missing ones in the order in which they were asked for.
 *
 * @param fields text in place of the object is read as its field `text`
 */
export function recordField<T extends object>(fields: Fields<T>): ReplyField<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  const known = new Set(names.map(plainName));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, fields[name].schema])),
      required: names,
      additionalProperties: false,
    },
    read: (value) => {
      const values = isRecord(value) ? byPlainName(value) : new Map([['text', value]]);
      const missing = names.filter((name) => !values.has(plainName(name)));
      const others = [...values].filter(([name]) => !known.has(name));
      // An object with its text would be wrong with a "confidence" for its time, and a "speaker" is no text.
      const asText = others[missing.findIndex((name) => name === 'text')]?.[1];
      const areRenamed =
        missing.length === others.length && typeof asText === 'string' && asText.includes(' ');
      if (areRenamed) missing.forEach((name, i) => values.set(plainName(name), others[i]![1]));
      const read = names.map((name) => [name, fields[name].read(values.get(plainName(name)))]);
      return Object.fromEntries(read) as T;
    },
  };
}

function byPlainName(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).map(([name, field]) => [plainName(name), field]));
}

export function anyObject(schema: object): ReplyField<unknown> {
  return { schema, read: (value) => value };
}

/** What a model was asked for. */
export interface Reply<T> {
  value: T;
  /** True where the reply has no such object: `value` then holds its text in the main field, and nothing else. */
  unstructured: boolean;
  /** True where the object was broken, and `value` may lack a part of its text. */
  isDamaged: boolean;
}

/**
 * The form of a reply: one JSON object. The same form goes to the provider as a schema (`ModelCall.schema`), into the prompt as an example,
 * and to the reader of the reply.
 *
 * Reading takes off what stands around the object, and mends it where it is not JSON. A mended object is compared with what came: see
 * `Reply.isDamaged`. Reasoning is removed before, see `ReasoningFilter`. Without such an object the reply is prose; of an object in another form the
 * texts.
 */
export class ReplyForm<T extends object> {
  readonly schema: { name: string; schema: object };
  private readonly whole: ReplyField<T>;
  private readonly names: ReadonlySet<string>;

  /**
   * @param name of the schema, for the provider
   * @param fields in the order in which the model should write them
   * @param main the field that holds the text of the reply. It can be streamed, and it takes the text of a reply without an object.
   */
  constructor(
    name: string,
    fields: Fields<T>,
    private readonly main: keyof T & string,
  ) {
    this.whole = recordField(fields);
    this.schema = { name, schema: this.whole.schema };
    this.names = new Set(Object.keys(fields).map(plainName));
  }

  /** A call of one text that asks for this form. @param system our own instructions */
  call(stage: string, system: string, text: string, maxOutputTokens: number): ModelCall {
    return { stage, system, parts: [{ type: 'text', text }], maxOutputTokens, schema: this.schema };
  }

  /** Reads a reply. Never throws. */
  read(reply: string): Reply<T> {
    const json = jsonIn(reply);
    const whole = jsonOf(reply) ?? (json && jsonOf(json));
    // A model that corrects itself gives its answer last.
    const inside = whole === undefined ? [...closedIn(reply)] : [];
    const last = inside.filter(({ value }) => this.find(value)).at(-1);
    const rest = reply.slice(last?.end ?? 0);
    const mended = whole === undefined && BEGIN.test(rest) ? this.mended(rest) : undefined;
    const found = mended?.found ?? this.find(whole ?? last?.value);
    const isDamaged = mended?.isDamaged ?? false;
    if (found) return { value: this.whole.read(found), unstructured: false, isDamaged };
    const main = this.stream().push(reply);
    const prose = withoutFence(reply);
    const other = whole ?? mended?.value;
    const isMostlyJson = json !== undefined && 2 * json.length > prose.length;
    // A broken object is not shown as a text.
    const texts = other && isMostlyJson ? textField().read(other) : /^\s*\{\s*"/.test(prose) ? '' : prose;
    const value = this.whole.read({ [this.main]: main || texts });
    return { value, unstructured: main === '', isDamaged: main !== '' || (isDamaged && texts !== prose) };
  }

  /**
   * The object of broken JSON, and whether a part of its text may be lost: a word of the text is not in it, or its end is missing. The last bracket
   * alone may be missing behind all fields.
   */
  private mended(reply: string): { value?: unknown; found?: object; isDamaged: boolean } {
    const json = jsonIn(reply)!;
    const behind = reply.slice(reply.indexOf(json) + json.length);
    const { value, open } = mended(json) ?? { value: undefined, open: Infinity };
    const found = this.find(value);
    if (!found) return { value, isDamaged: true };
    const values = byPlainName(found);
    const isEnded = open <= 0 || (open === 1 && json.startsWith('{') && !/[\p{L}\p{N}]/u.test(behind));
    const isAll = open <= 0 || [...this.names].every((name) => values.has(name));
    return { value, found, isDamaged: !(isEnded && isAll && holdsWords(json, found, this.whole.schema)) };
  }

  stream(): MainFieldStream {
    return new MainFieldStream(this.main);
  }

  /** The object itself, or one in a wrapper: a list, or a call of a tool with its arguments as an object or as JSON. */
  private find(value: unknown, depth = 0): object | undefined {
    if (typeof value === 'string' && value.includes('{') && depth <= MOST_WRAPPERS)
      return this.find(jsonOf(value), depth + 1);
    if (typeof value !== 'object' || value === null || depth > MOST_WRAPPERS) return undefined;
    if (Object.keys(value).some((name) => this.names.has(plainName(name)))) return value;
    const parts: unknown[] = Object.values(value);
    const isMainList = depth === 0 && Array.isArray(value) && this.names.size === 1;
    if (isMainList && parts.some((part) => typeof part === 'object')) return { [this.main]: value };
    const found = parts.map((part) => this.find(part, depth + 1));
    return found.filter(Boolean).at(-1);
  }
}

/** A call of a tool has two: a list, and its arguments. A plain bound. */
const MOST_WRAPPERS = 3;
/** Where an object, or a list of objects or strings, begins. */
const BEGIN = /\{\s*(?:["'“‘}]|\w{1,40}\s*:)|\[\s*[{"“]/;

/** The part of a reply that may be JSON: from the first bracket to the last that closes something. What is cut off after that is left out. */
function jsonIn(reply: string): string | undefined {
  const begin = BEGIN.exec(reply)?.index;
  if (begin === undefined) return undefined;
  const end = Math.max(reply.lastIndexOf('}'), reply.lastIndexOf(']'));
  return end > begin ? reply.slice(begin, end + 1) : reply.slice(begin);
}

/** The objects and lists of JSON in a reply, with the place behind each. Linear. */
function* closedIn(reply: string): Generator<{ value: unknown; end: number }> {
  let depth = 0;
  let start = 0;
  let isInString = false;
  for (let at = 0; at < reply.length; at++) {
    const sign = reply[at];
    if (isInString && sign === '\\') at++;
    else if (sign === '"') isInString = !isInString && depth > 0;
    else if (isInString) continue;
    else if (sign === '{' || sign === '[') {
      if (depth++ === 0) start = at;
    } else if ((sign === '}' || sign === ']') && depth > 0 && --depth === 0) {
      const value = jsonOf(reply.slice(start, at + 1));
      if (value !== undefined) yield { value, end: at + 1 };
    }
  }
}

/** Whether the last object of a reply is whole: then nothing of it was cut off. */
export function isClosed(reply: string): boolean {
  const json = jsonIn(reply);
  if (json === undefined || jsonOf(json) !== undefined) return json !== undefined;
  const last = [...closedIn(reply)].at(-1);
  return last !== undefined && !BEGIN.test(reply.slice(last.end));
}

/** Text in one block of code is the text itself. */
function withoutFence(reply: string): string {
  return /^\s*```[\w-]*\n([\s\S]*?)\n?```\s*$/.exec(reply)?.[1] ?? reply;
}

/** Longest beginning of the field, up to its text; a plain bound. */
const LONGEST_BEGIN = 90;

/** The text of one field of an object, while the object is written. Linear. */
export class MainFieldStream {
  private readonly begins: RegExp;
  private pending = '';
  private state: 'before' | 'inside' | 'after' = 'before';

  constructor(name: string) {
    this.begins = new RegExp(String.raw`(?<!\\)["'“]${name}["'”]\s*:\s*"`, 'i');
  }

  /** Takes the next piece of a reply. @returns the text that is certain with it */
  push(delta: string): string {
    if (this.state === 'after') return '';
    this.pending += delta;
    if (this.state === 'before') {
      const begin = this.begins.exec(this.pending);
      this.pending = this.pending.slice(begin ? begin.index + begin[0].length : -LONGEST_BEGIN);
      if (!begin) return '';
      this.state = 'inside';
    }
    // Up to a quotation mark, or to an escape that is not complete.
    const [known] = /^[^"\\]*(?:\\(?:u[\da-f]{4}|[^u])[^"\\]*)*/is.exec(this.pending)!;
    this.pending = this.pending.slice(known.length);
    if (this.pending.startsWith('"')) this.state = 'after';
    return unescaped(known);
  }
}
