/** No answer of an upstream and no stored value is nested deeper than this; a plain bound. */
const MAX_DEPTH = 512;

/**
 * `JSON.parse` for text from outside: bodies of upstreams, stored values. Text that is nested too deeply is refused before it is parsed.
 * Parsing millions of opening brackets would hold the event loop for long.
 *
 * @throws SyntaxError when the text is no JSON, or nested deeper than 512 levels
 */
export function parseJson(text: string): unknown {
  if (hasMany(text) && openAtEnd(text, MAX_DEPTH) > MAX_DEPTH)
    throw new SyntaxError(`JSON is nested deeper than ${MAX_DEPTH} levels`);
  return JSON.parse(text);
}

/** Whether the text has so many brackets that it may be nested too deeply. Nearly no text has. */
function hasMany(text: string): boolean {
  let left = MAX_DEPTH;
  for (const bracket of '[{')
    for (let i = text.indexOf(bracket); i >= 0 && left >= 0; i = text.indexOf(bracket, i + 1)) left--;
  return left < 0;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [...'[]{}'].map((char) => char.charCodeAt(0));

/**
 * Number of arrays and objects that are open at the end of JSON text; one more inside a string that does not end. Linear in the text.
 *
 * @param limit the count ends as soon as more are open
 */
export function openAtEnd(text: string, limit = Infinity): number {
  let open = 0;
  for (let i = 0; i < text.length && open <= limit; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = stringEnd(text, i);
      if (i < 0) return open + 1;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) open++;
    else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) open--;
  }
  return open;
}

/** Where the string that begins at `start` ends; -1 where it does not. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

/** The value at a path inside untrusted JSON; undefined when a step is missing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

export function stringAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, ...path: (string | number)[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function arrayAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}
