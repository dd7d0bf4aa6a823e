/** Values nested deeper than this are no answer to anything that was asked. */
const MOST_DEPTH = 12;
/** Brackets that open one level after the other. */
const OPENING = /(?:[[{]\s{0,9})+/y;
/** A key longer than this is text. */
const MOST_KEY = 60;
/** Characters behind a quotation mark that are looked at. */
const LOOK_AHEAD = 200;
/** White space and comments. */
const GAP = /^(?:[\0- ]|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/;

/** Marks that open a string, with those that may close it. Models mix them up. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"”“',
  '“': '”"“',
  '„': '“”"',
  "'": "'’",
  '‘': "’'",
};
const KEY_AHEAD = /\s{0,50}(?:["'“”‘][^"'“”‘\n]{1,40}["'”’]|[\w-]{1,40})\s{0,20}:/y;
const VALUE_AHEAD = /\s{0,50}(?:["'“‘„{[\d-]|true\b|false\b|null\b)/y;

/**
 * The JSON values in a text that a model wrote, in order, however it departs from JSON: talk and code fences around them, quotation marks
 * inside of strings that are not escaped, curly or single ones around them, line breaks in strings, trailing and missing commas,
 * keys without marks, Python's literals, comments, and an end in the middle. A string that the end cuts off is left out.
 *
 * @returns objects and arrays only; empty where there are none. Never throws; time grows with the length of the text.
 */
export function readLenientJson(text: string): unknown[] {
  const values: unknown[] = [];
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c !== '{' && c !== '[') continue;
    at += tooDeep(text, at);
    const reader = new Reader(text, at);
    const value = reader.value(0);
    if (value === NOTHING) continue;
    values.push(value);
    at = Math.max(at, reader.at - 1);
  }
  return values;
}

/** Number of opening brackets to skip, so that the rest is not nested too deeply. Keeps the time linear. */
function tooDeep(text: string, at: number): number {
  OPENING.lastIndex = at;
  const run = OPENING.exec(text)![0];
  let levels = 0;
  for (let i = run.length - 1; i > 0; i--) if ('[{'.includes(run[i]!) && ++levels > MOST_DEPTH) return i;
  return 0;
}

/** No value stands here. */
const NOTHING = Symbol('nothing');

/** Reads one value from a place on. */
class Reader {
  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  value(depth: number): unknown {
    const c = this.text[this.at];
    if (c === undefined || depth > MOST_DEPTH) return NOTHING;
    if (c === '{') return this.object(depth);
    if (c === '[') return this.array(depth);
    if (CLOSERS[c]) return this.string((from) => this.closes(from, '}]', KEY_AHEAD));
    return this.literal();
  }

  private object(depth: number): unknown {
    const start = this.at++;
    const object: Record<string, unknown> = {};
    for (;;) {
      this.skip();
      const c = this.text[this.at];
      if (c === undefined) return object;
      if (c === '}') {
        this.at++;
        return object;
      }
      const key = CLOSERS[c]
        ? this.string((from) => this.matches(/\s{0,50}:/y, from), MOST_KEY)
        : this.match(/[\p{L}\w$-]{1,40}(?=\s{0,20}:)/uy);
      this.skip();
      if (typeof key !== 'string' || this.text[this.at] !== ':') {
        // Not an object: braces in prose. One that has begun ends where it cannot be read any further.
        if (Object.keys(object).length > 0) return object;
        this.at = start;
        return NOTHING;
      }
      this.at++;
      this.skip();
      const value = this.value(depth + 1);
      if (value !== NOTHING && key !== '__proto__') object[key] = value;
    }
  }

  private array(depth: number): unknown {
    const start = this.at++;
    const array: unknown[] = [];
    for (;;) {
      this.skip();
      const c = this.text[this.at];
      if (c === undefined || c === '}') return array;
      if (c === ']') {
        this.at++;
        return array;
      }
      const value = CLOSERS[c]
        ? this.string((from) => this.closes(from, ']', VALUE_AHEAD))
        : this.value(depth + 1);
      if (value !== NOTHING) array.push(value);
      else if (this.at >= this.text.length) return array;
      else if (array.length === 0) {
        this.at = start;
        return NOTHING;
      } else if (this.text[this.at] !== undefined) this.at++;
    }
  }

  /**
   * A string from its opening mark to the mark that closes it: the first one that what follows allows for. Cut off: nothing.
   * @param closes says whether a mark before this place may close it
   * @param most characters
   */
  private string(closes: (from: number) => boolean, most = Infinity): unknown {
    const closers = CLOSERS[this.text[this.at]!]!;
    let value = '';
    let from = this.at + 1;
    const end = Math.min(this.text.length, from + most);
    for (let i = from; i < end; i++) {
      const c = this.text[i]!;
      if (c === '\\') {
        value += this.text.slice(from, i);
        const [character, length] = unescaped(this.text, i);
        value += character;
        i += length - 1;
        from = i + 1;
      } else if (closers.includes(c) && closes(i + 1)) {
        this.at = i + 1;
        return value + this.text.slice(from, i);
      }
    }
    this.at = end;
    return NOTHING;
  }

  /**
   * Whether a mark may close a value by what follows it: the end of the object or array, or another entry.
   * @param ends brackets that end it
   * @param entry how the next entry begins
   */
  private closes(from: number, ends: string, entry: RegExp): boolean {
    const next = this.nextFrom(from);
    const c = this.text[next];
    if (c === undefined || ends.includes(c)) return true;
    if (c === ',') {
      const after = this.nextFrom(next + 1);
      return after >= this.text.length || ends.includes(this.text[after]!) || this.matches(entry, after);
    }
    // A missing comma.
    return this.text.slice(from, next).includes('\n') && this.matches(entry, next);
  }

  /** A number, `true`, `null` and the like; anything else without marks is a string up to the next comma or bracket. */
  private literal(): unknown {
    const raw = this.match(/[^\s,}\]{["“][^,}\]\n]{0,80}/y)?.trim();
    if (!raw) return NOTHING;
    if (/^(?:true|false)$/i.test(raw)) return raw.toLowerCase() === 'true';
    if (/^(?:null|none|undefined|nan)$/i.test(raw)) return null;
    const number = Number(raw);
    if (!Number.isNaN(number)) return number;
    return /^[\d:.]+s?$/.test(raw) ? raw : NOTHING;
  }

  /** White space, commas and comments. */
  private skip(): void {
    for (;;) {
      const c = this.text[this.at];
      if (c !== undefined && (c === ',' || c <= ' ' || c === '\u00a0')) this.at++;
      else if (c === '/' && this.text[this.at + 1] === '/') this.at = indexOr(this.text, '\n', this.at);
      else if (c === '/' && this.text[this.at + 1] === '*') this.at = indexOr(this.text, '*/', this.at) + 2;
      else return;
    }
  }

  private nextFrom(from: number): number {
    return from + GAP.exec(this.text.slice(from, from + LOOK_AHEAD))![0].length;
  }

  private matches(pattern: RegExp, from: number): boolean {
    pattern.lastIndex = from;
    return pattern.test(this.text);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found) this.at += found.length;
    return found;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '', f: '' };

/** The character that an escape at a place means, and the length of the escape. */
function unescaped(text: string, at: number): [character: string, length: number] {
  const c = text[at + 1];
  if (c === undefined) return ['', 1];
  if (c === 'u') {
    const code = /^[\da-f]{4}$/i.test(text.slice(at + 2, at + 6))
      ? parseInt(text.slice(at + 2, at + 6), 16)
      : NaN;
    return Number.isNaN(code) ? ['', 2] : [String.fromCharCode(code), 6];
  }
  return [ESCAPES[c] ?? c, 2];
}

function indexOr(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}
