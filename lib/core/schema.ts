import { rememberSecret } from './secrets.js';
import { LONGEST } from './length-limits.js';
import { nearestName } from './edit-distance.js';
import { describeReceived, InvalidOptionError, shownName } from './errors.js';
import { parseJson } from './json.js';

/**
 * Checks of everything that comes from outside: options of the host, JSON of providers, results of a host's own ports, values read from
 * Redis, fields of requests, replies of models. Own code rather than zod 4: it copies every value, and would be most of what is
 * loaded at start.
 *
 * A schema never copies what it need not change: a value that matches comes back as the same object, unknown fields included, unless
 * a default or a transformation changes something inside. Checking half a million caption cues therefore allocates nothing.
 *
 * @example
 * const HIT = object({ url: string({ min: 1 }), title: orElse(string(), ''), rank: optional(integer(1, 100)) });
 * type Hit = Infer<typeof HIT>;                              // { url: string; title: string; rank: number | undefined }
 * const hits = valid(array(HIT, { skipInvalid: true }), json); // Hit[], or undefined where `json` is no array
 * const hit = parseOption('first', HIT, given);              // throws InvalidOptionError: option `first.url` must be …
 * const fault = faultOf(HIT, fromPort);                      // 'url must be a non-empty string, received null'
 */
export interface Schema<T> {
  /** What it accepts, in words that follow "must be", e.g. `an integer from 1 to 50`. */
  readonly expected: string;
  /** Names of the fields of an object. Absent for other values. */
  readonly fields?: readonly string[];
  /** What it accepts as JSON Schema, for documents of requests. Absent where nobody has said it. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** The parsed value, or why it does not match. Never throws. */
  read(value: unknown): T | Issue;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;

/** One schema for each field of `T`. A field that is left out does not compile. */
export type Fields<T> = { readonly [K in keyof T]-?: Schema<T[K]> };

/** Why a value does not match. Knows where: each object and array on the way out adds its own step to the path. */
export class Issue {
  private readonly steps: string[] = [];
  private readonly words?: string;
  private readonly isCompound?: boolean;

  /**
   * @param expected what it must be
   * @param received what came; `InvalidOptionError.WITHHELD` where it must not be shown
   * @param known the accepted names, where the issue is an unknown name
   * @param meant where the option of that name is
   */
  constructor(
    readonly expected: string,
    public received: unknown,
    readonly known?: readonly string[],
    readonly meant?: string,
  ) {}

  /** An issue in words of its own, which follow the name of the value. */
  static saying(words: string): Issue {
    return Object.assign(new Issue('valid', undefined), { words });
  }

  /** An issue with an object, a list or a port. */
  static compound(expected: string, received: unknown): Issue {
    return Object.assign(new Issue(expected, received), { isCompound: true });
  }

  /** The same issue, seen from the object that holds the value under this name. */
  in(name: string | number): this {
    this.steps.push(typeof name === 'number' ? `[${name}]` : `.${name}`);
    return this;
  }

  get depth(): number {
    return this.steps.length;
  }

  /** Where the wrong value stands, e.g. `segments[3].text`. @param root name of the outermost value; default none */
  pathFrom(root = ''): string {
    const path = root + [...this.steps].reverse().join('');
    return root === '' ? path.replace(/^\./, '') : path;
  }

  /** What came, as a message to the host may show it: a text in place of an object or list may be a key, or an address with a password. */
  get shown(): unknown {
    const { received } = this;
    return this.isCompound && typeof received === 'string' && received
      ? InvalidOptionError.WITHHELD
      : received;
  }

  /** What is wrong, in words that follow the path: `must be a string, received null`. @param shown of what came */
  fault(shown = this.shown): string {
    if (this.known) return `is not known; ${hintFor(this.pathFrom().replace(/^.*\./, ''), this.known)}`;
    return this.words ?? `must be ${this.expected}, received ${describeReceived(shown)}`;
  }

  /** E.g. `hits[2].url must be a string, received null`. @param name of the outermost value in the message; default `it` */
  describe(name = 'it'): string {
    return `${this.pathFrom() || name} ${this.fault()}`;
  }
}

/** What an unknown field is probably meant to be, else which there are. */
export function hintFor(unknown: string, fields: readonly string[]): string {
  const nearest = nearestName(unknown, fields);
  return nearest ? `did you mean ${nearest}?` : `the fields are ${fields.join(', ')}`;
}

// Reading

/** The parsed value; undefined if it does not match. */
export function valid<T>(schema: Schema<T>, value: unknown): T | undefined {
  const read = schema.read(value);
  return read instanceof Issue ? undefined : read;
}

/** {@link valid} for JSON text, e.g. of a store that another version of this package has written to. */
export function validJson<T>(schema: Schema<T>, text: unknown): T | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return valid(schema, parseJson(text));
  } catch {
    return undefined;
  }
}

/** The value of JSON text; undefined where it is no JSON, or nested too deeply. */
export const jsonOf = (text: string): unknown => validJson(anything(), text);

/**
 * What is wrong with a value, e.g. `hits[2].url must be a string, received null`; undefined where nothing is.
 * @param name of the value itself in the message; default `it`
 */
export function faultOf(schema: Schema<unknown>, value: unknown, name = 'it'): string | undefined {
  const issue = schema.read(value);
  return issue instanceof Issue ? issue.describe(name) : undefined;
}

/**
 * An option of the host, checked and with its defaults.
 *
 * @param option path of the option in messages, e.g. `search`; empty for the module's options themselves
 * @throws InvalidOptionError naming the path, what was expected, what came, and for an unknown name the nearest known one
 */
export function parseOption<T>(option: string, schema: Schema<T>, value: unknown): T {
  const read = schema.read(value);
  if (!(read instanceof Issue)) return read;
  const path = read.pathFrom(option) || 'options';
  if (read.known) {
    const nearest = read.meant ?? nearestName(path.slice(path.lastIndexOf('.') + 1), read.known);
    const meant = nearest === undefined ? '' : `Did you mean \`${nearest}\`? `;
    throw InvalidOptionError.unknown(path, `${meant}Known options: ${read.known.join(', ')}`);
  }
  throw new InvalidOptionError(path, read.expected, read.shown);
}

// Single values

interface StringRules {
  /** Shortest length in UTF-16 units, white space at the ends not counted. */
  min?: number;
  /** Longest length in UTF-16 units. Default {@link LONGEST.other}. */
  max?: number;
  /** What the whole string must match. */
  pattern?: RegExp;
  /** What it must be, in words; default made from the rules. */
  expected?: string;
}

/** A string. `string({ min: 1 })` refuses empty and blank ones. */
export function string({ min = 0, max, pattern, expected }: StringRules = {}): Schema<string> {
  const kind = min > 0 ? 'a non-empty string' : 'a string';
  const most = max ?? LONGEST.other;
  const bounded = `${kind} of at most ${most} characters`;
  const words = expected ?? (max === undefined || max === Infinity ? kind : bounded);
  return {
    expected: words,
    read: (value) => {
      if (typeof value !== 'string') return new Issue(words, value);
      if (value.length > most) return new Issue(expected ?? bounded, value);
      const isSound = (min === 0 || value.trim().length >= min) && (pattern?.test(value) ?? true);
      return isSound ? value : new Issue(words, value);
    },
  };
}

/** A string of others; one that is longer than `max` UTF-16 units is cut and ends with an ellipsis. */
export function cutString(max: number): Schema<string> {
  return map(string({ max: Infinity }), (text) =>
    // A cut surrogate pair would leave half a character.
    text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text,
  );
}

/** A finite number in a range, both ends included. */
export function number(min = -Infinity, max = Infinity): Schema<number> {
  const numbers = check<number>(
    `a number${range(min, max)}`,
    (value) => Number.isFinite(value) && isWithin(value, min, max),
  );
  return documented({ type: 'number', ...bounds(min, max) }, numbers);
}

export function numberAbove(bound: number): Schema<number> {
  return check(`a number above ${bound}`, (value) => Number.isFinite(value) && (value as number) > bound);
}

/** A whole number in a range, both ends included. */
export function integer(min = -Infinity, max = Infinity): Schema<number> {
  const integers = check<number>(
    `an integer${range(min, max)}`,
    (value) => Number.isInteger(value) && isWithin(value, min, max),
  );
  return documented({ type: 'integer', ...bounds(min, max) }, integers);
}

function bounds(minimum: number, maximum: number): object {
  return { ...(minimum > -Infinity ? { minimum } : {}), ...(maximum < Infinity ? { maximum } : {}) };
}

function isWithin(value: unknown, min: number, max: number): boolean {
  return (value as number) >= min && (value as number) <= max;
}

function range(min: number, max: number): string {
  if (min === -Infinity) return max === Infinity ? '' : ` of at most ${max}`;
  return max === Infinity ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

export function boolean(): Schema<boolean> {
  return check('true or false', (value) => typeof value === 'boolean');
}

export function oneOf<T extends string | number | boolean>(...allowed: readonly T[]): Schema<T> {
  const expected = allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${allowed.join(', ')}`;
  const values = check<T>(expected, (value) => (allowed as readonly unknown[]).includes(value));
  return documented({ enum: allowed }, values);
}

export function func<T extends (...args: never[]) => unknown>(): Schema<T> {
  return check('a function', (value) => typeof value === 'function');
}

export function anything<T = unknown>(): Schema<T> {
  return { expected: 'anything', read: (value) => value as T };
}

/** The schema, and what it accepts as JSON Schema. */
export function documented<T>(json: Schema<T>['json'], schema: Schema<T>): Schema<T> {
  return { ...schema, json };
}

export function check<T>(expected: string, test: (value: unknown) => boolean): Schema<T> {
  return { expected, read: (value) => (test(value) ? (value as T) : new Issue(expected, value)) };
}

// Compound values

/**
 * An object with these fields.
 * @param isStrict true: an unknown name is an issue, unless it is that of an instance of a class. Otherwise unknown names are kept
 * @param alsoKnown names that belong elsewhere and are suggested as well
 * @param paths of options that stand deeper, by their name
 */
export function object<T extends object>(
  fields: Fields<T>,
  isStrict = false,
  alsoKnown: readonly string[] = [],
  paths?: ReadonlyMap<string, string>,
): Schema<T> {
  const entries = Object.entries<Schema<unknown>>(fields as Record<string, Schema<unknown>>);
  const names = entries.map(([name]) => name);
  return {
    expected: 'an object',
    fields: names,
    read: (value) => {
      if (isStrict && isRecord(value) && isPlain(value)) {
        const unknown = Object.keys(value).find((name) => !names.includes(name));
        if (unknown !== undefined)
          return new Issue(
            'absent',
            InvalidOptionError.WITHHELD,
            [...names, ...alsoKnown],
            paths?.get(unknown),
          ).in(shownName(unknown));
      }
      return readFields<T>(value, () => entries);
    },
  };
}

/** An object of the host's options: {@link object}, strict. Otherwise a misspelt option would silently be the default. */
export function options<T extends object>(
  fields: Fields<T>,
  alsoKnown?: readonly string[],
  paths?: ReadonlyMap<string, string>,
): Schema<T> {
  return object(fields, true, alsoKnown, paths);
}

/** An object whose values all match one schema, under any name. */
export function record<T>(item: Schema<T>): Schema<Record<string, T>> {
  return {
    expected: 'an object',
    read: (value) => readFields(value, (fields) => Object.keys(fields).map((name) => [name, item] as const)),
  };
}

function readFields<T extends object>(
  value: unknown,
  entriesOf: (value: Record<string, unknown>) => readonly (readonly [string, Schema<unknown>])[],
): T | Issue {
  if (!isRecord(value)) return Issue.compound('an object', value);
  const entries = entriesOf(value);
  let result = value;
  for (const [name, schema] of entries) {
    const member = value[name];
    const read = schema.read(member);
    if (read instanceof Issue) return read.in(name);
    if (read === member) continue;
    if (result === value)
      result = copyOf(
        value,
        entries.map(([field]) => field),
      );
    result[name] = read;
  }
  return result as T;
}

interface ArrayRules {
  min?: number;
  max?: number;
  /** What the items are, for the message, e.g. `domains`. */
  of?: string;
  /**
   * True: items that do not match are left out instead of failing the whole. `some`: unless none of them matches. For lists of others.
   * Default false.
   */
  skipInvalid?: boolean | 'some';
}

export function array<T>(
  item: Schema<T>,
  { min = 0, max = Infinity, of, skipInvalid }: ArrayRules = {},
): Schema<T[]> {
  const most = max === Infinity ? '' : ` of at most ${max}${of ? ` ${of}` : ''}`;
  const expected = min > 0 ? `a non-empty array${most}` : `an array${most}`;
  return {
    expected,
    read: (value) => {
      if (!Array.isArray(value) || value.length < min || value.length > max)
        return Issue.compound(expected, value);
      const items = value as unknown[];
      let result: unknown[] | undefined;
      let issue: Issue | undefined;
      for (let i = 0; i < items.length; i++) {
        const read = item.read(items[i]);
        if (read instanceof Issue) {
          if (!skipInvalid) return read.in(i);
          issue ??= read.in(i);
          result ??= items.slice(0, i);
        } else if (result) result.push(read);
        else if (read !== items[i]) result = [...items.slice(0, i), read];
      }
      if (skipInvalid === 'some' && result?.length === 0) return issue!;
      return (result ?? items) as T[];
    },
  };
}

export function union<T extends readonly Schema<unknown>[]>(...schemas: T): Schema<Infer<T[number]>> {
  const expected = schemas.map((schema) => schema.expected).join(', or ');
  return {
    expected,
    read: (value) => {
      let deepest: Issue | undefined;
      for (const schema of schemas) {
        const read = schema.read(value);
        if (!(read instanceof Issue)) return read as Infer<T[number]>;
        if (read.depth > (deepest?.depth ?? 0)) deepest = read;
      }
      // A value that nearly matches gets the message of that schema.
      return deepest ?? Issue.compound(expected, value);
    },
  };
}

/** An implementation of a port: an object, or an instance of a class, that has these members. */
export function port<T extends object>(name: string, ...members: readonly (keyof T & string)[]): Schema<T> {
  const kind = `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
  return {
    expected: kind,
    read: (value) => {
      const missing = members.filter((member) => !isRecord(value) || value[member] === undefined);
      if (isRecord(value) && missing.length === 0) return value as T;
      return Issue.compound(`${kind} (missing: ${missing.join(', ')})`, value);
    },
  };
}

// Modifiers

export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return withDefault(schema, undefined);
}

/** The same, or absent, or `null`, which becomes absent: JSON of others has both. */
export function nullable<T>(schema: Schema<T>): Schema<T | undefined> {
  const absent = optional(schema);
  return { expected: schema.expected, read: (value) => absent.read(value ?? undefined) };
}

/** The same; an absent value becomes the default. */
export function withDefault<T, D = T>(schema: Schema<T>, byDefault: D): Schema<T | D> {
  return {
    expected: schema.expected,
    json: schema.json,
    read: (value) => (value === undefined ? byDefault : schema.read(value)),
  };
}

/** The same; a value that does not match becomes the substitute. For foreign data that must not cause a failure. */
export function orElse<T, D = T>(schema: Schema<T>, substitute: D): Schema<T | D> {
  return andThen<T, T | D>(schema, (read) => (read instanceof Issue ? substitute : read));
}

export function refine<T>(schema: Schema<T>, expected: string, test: (value: T) => boolean): Schema<T> {
  const tested = andThen<T, T>(schema, (read, value) =>
    read instanceof Issue || test(read) ? read : new Issue(expected, value),
  );
  return { ...tested, expected };
}

/** The same, made into something else. `transform` must not throw. */
export function map<T, R>(schema: Schema<T>, transform: (value: T) => R): Schema<R> {
  return andThen<T, R>(schema, (read) => (read instanceof Issue ? read : transform(read)));
}

/** The same, for keys, tokens and addresses with passwords: neither a message nor a line of the log shows what came. */
export function secret<T>(schema: Schema<T>): Schema<T> {
  return andThen<T, T>(withheld(schema), (read, value) => {
    // Headers: `Authorization: Bearer <key>`.
    const parts = isRecord(value)
      ? Object.values(value).map((text) => String(text).split(' ').at(-1))
      : [value];
    for (const part of parts) if (typeof part === 'string') rememberSecret(part);
    return read;
  });
}

/** The same, where a secret may stand by mistake: a message never shows what came, unless it is absent or empty. */
export function withheld<T>(schema: Schema<T>): Schema<T> {
  return andThen<T, T>(schema, (read, value) => {
    const isShown = value === undefined || value === null || value === '';
    if (read instanceof Issue && !isShown) read.received = InvalidOptionError.WITHHELD;
    return read;
  });
}

function andThen<T, R>(schema: Schema<T>, next: (read: T | Issue, value: unknown) => R | Issue): Schema<R> {
  const { expected, json } = schema;
  return { expected, json, read: (value) => next(schema.read(value), value) };
}

// Helpers of the above

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an object is no instance of a class. Configuration may come from another realm, with an `Object` of its own. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A copy that also has what an instance of a class inherits, such as getters. */
function copyOf(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const copy = { ...value };
  for (const name of names) if (name in value) copy[name] = value[name];
  return copy;
}
