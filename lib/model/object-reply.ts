import { jsonrepair } from 'jsonrepair';
import { isRecord } from '../core/schema.js';

/**
 * A field of a reply: the JSON schema that a model is asked for, and a reader that takes other types too. A reader never throws, and reads
 * what is missing as empty.
 */
export interface ReplyField<T> {
  readonly schema: object;
  read(value: unknown): T;
  /** Whether a value under another name may be meant for this field. Default: none may. */
  fits?(value: unknown): boolean;
}

type Fields<T> = { readonly [K in keyof T]: ReplyField<T[K]> };

/** Text, without white space at its ends. The texts in a list or an object are joined, each on its own line. Missing: empty. */
export function text(): ReplyField<string> {
  const read = (value: unknown): string => {
    if (typeof value === 'string') return value.trim();
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    const parts = isRecord(value) ? Object.values(value) : Array.isArray(value) ? value : [];
    const texts = parts.filter((part) => typeof part === 'string' || typeof part === 'object');
    return texts.map(read).filter(Boolean).join('\n');
  };
  return {
    schema: { type: 'string' },
    read,
    fits: (value) => typeof value === 'string' && /\S\s+\S/.test(value),
  };
}

/** A number; also as text, e.g. `"[2]"`. Missing: undefined. */
export function numeric(): ReplyField<number | undefined> {
  const read = (value: unknown): number | undefined => {
    if (Array.isArray(value)) return read(value[0]);
    const digits = typeof value === 'string' ? /\d{1,9}(?:\.\d{1,6})?/.exec(value)?.[0] : value;
    const number = typeof digits === 'string' ? Number(digits) : digits;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  };
  return {
    schema: { type: 'number' },
    read,
    fits: (value) => /^\W{0,9}\d[\d:.]{0,20}\s?s?\W{0,9}$/.test(String(value)),
  };
}

/** Seconds from the start of a video; also as `"754s"`, `"12:34"`, `"1:02:03"` or `"[754]"`. Missing: undefined. */
export function seconds(): ReplyField<number | undefined> {
  const { schema, read: number, fits } = numeric();
  const read = (value: unknown): number | undefined => {
    if (Array.isArray(value)) return read(value[0]);
    const clock = typeof value === 'string' ? /(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?!\d)/.exec(value) : null;
    if (!clock) return number(value);
    return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  };
  return { schema, read, fits };
}

/** `true` or `false`; also as `"yes"` or `"False"`. Missing: undefined. */
export function flag(): ReplyField<boolean | undefined> {
  return {
    schema: { type: 'boolean' },
    read: (value) =>
      /^\s*(?:true|yes)\b/i.test(String(value))
        ? true
        : /^\s*(?:false|no)\b/i.test(String(value))
          ? false
          : undefined,
  };
}

/** A list. A single item, and an object of items, are read as a list too. Missing: empty. */
export function list<T>(item: ReplyField<T>): ReplyField<T[]> {
  return {
    schema: { type: 'array', items: item.schema },
    read: (value) => {
      const isMap = isRecord(value) && Object.values(value).every((one) => isRecord(one));
      const items = Array.isArray(value) ? value : isMap ? Object.values(value) : [value ?? []].flat();
      return items.map((one) => item.read(one));
    },
  };
}

/**
 * An object. Names of fields are compared without case and signs: `keyPoints` is `key_points`. A missing field takes the first value under an
 * unknown name that fits its type.
 *
 * @param fields text in place of the object is read as its field `text`
 */
export function record<T extends object>(fields: Fields<T>): ReplyField<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, fields[name].schema])),
      required: names,
      additionalProperties: false,
    },
    read: (value) => {
      const given = isRecord(value) ? byPlainName(value) : new Map([['text', value]]);
      const known = new Set(names.map(plainName));
      const others = [...given].filter(([name]) => !known.has(name)).map(([, other]) => other);
      const valueOf = (name: keyof T & string): unknown => {
        if (given.has(plainName(name))) return given.get(plainName(name));
        const at = others.findIndex((other) => fields[name].fits?.(other));
        return at < 0 ? undefined : others.splice(at, 1)[0];
      };
      return Object.fromEntries(names.map((name) => [name, fields[name].read(valueOf(name))])) as T;
    },
  };
}

function byPlainName(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).map(([name, field]) => [plainName(name), field]));
}

/** A name without case and signs: `keyPoints` is `key_points`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** An object of any form. Missing: undefined. */
export function anyObject(schema: object): ReplyField<unknown> {
  return { schema, read: (value) => value, fits: isRecord };
}

/** What a model was asked for. */
export interface Reply<T> {
  value: T;
  /** True where the reply has no such object: `value` then holds its text in the main field, and nothing else. */
  unstructured: boolean;
}

/**
 * The form of a reply: one JSON object. The same form goes to the provider as a schema (`ModelCall.schema`), into the prompt as an example,
 * and to the reader of the reply.
 *
 * Reading takes off fences and the text around the object, parses it, repairs it where it is not JSON (jsonrepair), and reads each field.
 * Reasoning is removed before, see `ReasoningFilter`. Without such an object the reply is prose; of an object in another form the texts.
 */
export class ReplyForm<T extends object> {
  /** For `ModelCall.schema`. */
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
    this.whole = record(fields);
    this.schema = { name, schema: this.whole.schema };
    this.names = new Set(Object.keys(fields).map(plainName));
  }

  /** Reads a reply. Never throws; linear. */
  read(reply: string): Reply<T> {
    let found = /^\s*"/.test(reply) ? this.find(parse(reply)) : undefined;
    // A model that corrects itself gives its answer last.
    let other: unknown;
    for (const { json } of jsonIn(reply)) {
      other = parse(json);
      found = this.find(other) ?? found;
    }
    if (found) return { value: this.whole.read(found), unstructured: false };
    const stream = this.stream();
    const main = stream.push(reply) + stream.end();
    const prose = withoutFence(reply);
    const isOther = typeof other === 'object' && /^\s*[{[]/.test(prose);
    const value = this.whole.read({ [this.main]: main || (isOther ? text().read(other) : prose) });
    return { value, unstructured: main === '' };
  }

  /** Reads the main field while the reply is written. */
  stream(): MainFieldStream {
    return new MainFieldStream(this.main);
  }

  /** The object itself, or one in a wrapper: a list, or a call of a tool with its arguments as an object or as JSON. */
  private find(value: unknown, depth = 0): object | undefined {
    if (depth > MOST_WRAPPERS) return undefined;
    if (typeof value === 'string')
      return value.includes('{') ? this.find(parse(value), depth + 1) : undefined;
    if (isRecord(value) && [...byPlainName(value).keys()].some((name) => this.names.has(name))) return value;
    if (
      depth === 0 &&
      Array.isArray(value) &&
      this.names.size === 1 &&
      value.some((item) => typeof item === 'object')
    )
      return { [this.main]: value };
    const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    return parts
      .map((part) => this.find(part, depth + 1))
      .filter(Boolean)
      .at(-1);
  }
}

const MOST_WRAPPERS = 3;
/** Objects in objects. More is no reply to anything that was asked. */
const MOST_DEPTH = 12;
/** jsonrepair takes time with the square of the length. 24,000 characters take 50 ms at worst; a reply of 4,096 tokens has 16,000. */
const MOST_REPAIRED = 24_000;
/** Where an object or a list of objects or strings begins. */
const BEGIN = /\{\s*(?:["'“”‘`][^{}\n]{0,60}|[\w-]{1,40}\s*):|\[\s*[{"“]|\{\s*\}/g;
/** A time without quotation marks, which no parser reads. */
const BARE_CLOCK = /(:\s*)(\d{1,3}:\d{2}(?::\d{2})?)(?=\s*[,}\n])/g;

const withQuotedClocks = (json: string): string => json.replace(BARE_CLOCK, '$1"$2"');

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    if (json.length > MOST_REPAIRED) return undefined;
  }
  try {
    return JSON.parse(jsonrepair(json));
  } catch {
    return undefined;
  }
}

/** Whether the last object or list of a reply is closed: then nothing of it was cut off. Linear. */
export function isClosed(reply: string): boolean {
  let last: { isClosed: boolean } | undefined;
  for (const json of jsonIn(reply)) last = json;
  return last?.isClosed ?? false;
}

/** The objects and lists in a text, the last one perhaps cut off. Quotation marks inside of strings are escaped. Linear. */
function* jsonIn(reply: string): Generator<{ json: string; isClosed: boolean }> {
  BEGIN.lastIndex = 0;
  for (let begin; (begin = BEGIN.exec(reply));) {
    const { json, end, isClosed = false } = jsonFrom(reply, begin.index);
    if (json !== undefined) yield { json, isClosed };
    BEGIN.lastIndex = end;
  }
}

/**
 * One value, from its first bracket to the one that closes it. Where the reply is cut off inside of a list, it ends after the last complete
 * string or item.
 *
 * @returns without `json` where it is nested too deeply
 */
function jsonFrom(reply: string, start: number): { json?: string; end: number; isClosed?: true } {
  let json = '';
  let from = start;
  let complete = 0;
  const open: string[] = [];
  const upTo = (at: number): string => json + reply.slice(from, at);
  for (let at = start; at < reply.length; at++) {
    const c = reply[at]!;
    if (c === '{' || c === '[') {
      open.push(c);
      if (open.length > MOST_DEPTH) return { end: at };
    } else if (c === '}' || c === ']') {
      open.pop();
      if (open.length === 0) return { json: withQuotedClocks(upTo(at + 1)), end: at + 1, isClosed: true };
      complete = json.length + at + 1 - from;
    } else if (c === '"') {
      for (at++; at < reply.length; at++) {
        if (reply[at] === '\\') at++;
        else if (reply[at] === '"') {
          if (closesString(reply.slice(at + 1, at + LOOK_AHEAD), open.at(-1) === '{')) {
            complete = json.length + at + 1 - from;
            break;
          }
          json = `${upTo(at)}\\`;
          from = at;
        }
      }
    }
  }
  const all = upTo(reply.length);
  return { json: withQuotedClocks(open.length > 1 ? all.slice(0, complete) : all), end: reply.length };
}

/** Characters after a quotation mark that tell whether it closes a string. */
const LOOK_AHEAD = 90;
const GAP = String.raw`(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*\/){0,9}`;
const ENDS = String.raw`^${GAP}(?:$|[}\]:]|,?${GAP}(?:$|[}\]]|`;
const AFTER_FIELD = new RegExp(String.raw`${ENDS}["'“]?[\p{L}\w -]{1,40}["'”]?\s{0,9}(?::|$)))`, 'u');
const AFTER_ITEM = new RegExp(String.raw`${ENDS}["“{[\d-]|true|false|null))`);

/**
 * Whether a quotation mark closes its string, by what follows it: another field, another item, or the end of the object or list.
 * @param isField whether the string stands in an object
 */
function closesString(rest: string, isField: boolean): boolean {
  return (isField ? AFTER_FIELD : AFTER_ITEM).test(rest);
}

/** Text in one block of code is the text itself. */
function withoutFence(reply: string): string {
  return /^\s*```[\w-]*\n([\s\S]*?)\n?```\s*$/.exec(reply)?.[1] ?? reply;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '', f: '' };

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
    return this.read(false);
  }

  /** The reply is over. @returns the rest of the text */
  end(): string {
    return this.state === 'inside' ? this.read(true) : '';
  }

  private read(complete: boolean): string {
    if (this.state === 'before') {
      const begin = this.begins.exec(this.pending);
      if (!begin) {
        this.pending = this.pending.slice(-LOOK_AHEAD);
        return '';
      }
      this.state = 'inside';
      this.pending = this.pending.slice(begin.index + begin[0].length);
    }
    let end = this.pending.length;
    for (let at = 0; at < end; at++) {
      const c = this.pending[at];
      if (c === '\\') {
        const length = this.pending[at + 1] === 'u' ? 6 : 2;
        if (at + length > this.pending.length) end = at;
        at++;
      } else if (c === '"') {
        const rest = this.pending.slice(at + 1, at + LOOK_AHEAD);
        // More of the reply may say whether the string ends here.
        if (!complete && rest.length < LOOK_AHEAD - 1) end = at;
        else if (closesString(rest, true)) {
          this.state = 'after';
          end = at;
        }
      }
    }
    const known = this.pending.slice(0, end);
    this.pending = this.pending.slice(end);
    return known.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code?: string, sign = '') =>
      code ? String.fromCharCode(parseInt(code, 16)) : (ESCAPES[sign] ?? sign),
    );
  }
}
