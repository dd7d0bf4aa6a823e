import { videoFailure } from '../video-failure.js';

/** Characters of a slice. It parses in a millisecond or two. */
const SLICE = 64 * 1024;

/**
 * Parses the array under a key of a JSON object in slices, because one `JSON.parse` would block the event loop. A slice ends where an item
 * begins with `firstMember`. Quotes inside strings are escaped, so `{"tStartMs"` only stands at the start of an object. A slice that ends
 * inside another object does not parse; the rest is then parsed at once.
 *
 * @throws UpstreamInvalidError: `truncated` when the text ends before the object, `unreadable` for any other text
 */
export function* parseArrayInSlices(
  json: string,
  key: string,
  firstMember: string,
): Generator<unknown[], void, undefined> {
  let from = startOfArray(json, key);
  const itemStart = new RegExp(`,\\s*\\{\\s*"${firstMember}"`, 'g');
  for (;;) {
    itemStart.lastIndex = from + SLICE;
    const cut = itemStart.exec(json);
    if (!cut) break;
    const items = tryParse(`[${json.slice(from, cut.index)}]`);
    if (!Array.isArray(items)) break;
    yield items;
    from = cut.index + 1;
  }
  // The rest includes the end of the object, so it parses only when the text is complete.
  const rest = tryParse(`{"items":[${json.slice(from)}`) as { items?: unknown } | undefined;
  if (!Array.isArray(rest?.items)) throw videoFailure(endsInside(json) ? 'truncated' : 'unreadable');
  yield rest.items;
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Index after the `[` of the key's array. The key must belong to the outermost object. */
function startOfArray(json: string, key: string): number {
  const scan = new Scan(json);
  for (let text = scan.nextString(); text; text = scan.nextString()) {
    if (text.depth === 1 && text.end - text.start === key.length && json.startsWith(key, text.start)) {
      const open = /\s*:\s*\[/y;
      open.lastIndex = text.end + 1;
      if (open.test(json)) return open.lastIndex;
    }
  }
  throw videoFailure(scan.depth > 0 ? 'truncated' : 'unreadable');
}

/** True when the text ends inside a string, an array or an object. */
function endsInside(json: string): boolean {
  const scan = new Scan(json);
  while (scan.nextString());
  return scan.depth > 0;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Walks through JSON from string to string and counts the depth. One pass, linear time. */
class Scan {
  /** Number of open arrays and objects; one more inside a string that does not end. */
  depth = 0;
  private at = 0;

  constructor(private readonly json: string) {}

  /** Start and end of the next string's characters, and its depth. */
  nextString(): { start: number; end: number; depth: number } | undefined {
    for (; this.at < this.json.length; this.at++) {
      const code = this.json.charCodeAt(this.at);
      if (code === 91 || code === 123) this.depth++;
      else if (code === 93 || code === 125) this.depth--;
      else if (code === QUOTE) return this.readString();
    }
    return undefined;
  }

  private readString(): { start: number; end: number; depth: number } | undefined {
    const start = this.at + 1;
    for (let end = this.json.indexOf('"', start); end >= 0; end = this.json.indexOf('"', end + 1)) {
      let escapes = 0;
      while (this.json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
      if (escapes % 2 === 0) {
        this.at = end + 1;
        return { start, end, depth: this.depth };
      }
    }
    this.at = this.json.length;
    this.depth++;
    return undefined;
  }
}
