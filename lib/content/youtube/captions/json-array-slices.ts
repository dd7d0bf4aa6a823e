import { videoFailure } from '../video-failure.js';

/** A slice of this many characters parses in a millisecond or two. */
const SLICE = 64 * 1024;

/**
 * The array under a key of a JSON object, parsed piece by piece: what one `JSON.parse` would do in one go and block the event loop for.
 * Pieces are cut where an item begins with `firstMember`; as quotes inside strings are escaped, `{"tStartMs"` can stand nowhere else than at the start of
 * an object. A piece cut in an object further inside does not parse alone; the rest is then parsed in one go.
 *
 * @throws UpstreamInvalidError: `truncated` where the text ends before the object does, `unreadable` where it is no such object
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
  // The rest with the object's own end: it parses only where the text is whole.
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

/** Index behind the `[` of the key's array; the key must be the object's own, not one further inside. */
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

/** True where the text ends inside a string, an array or an object. */
function endsInside(json: string): boolean {
  const scan = new Scan(json);
  while (scan.nextString());
  return scan.depth > 0;
}

const QUOTE = 34;
const BACKSLASH = 92;

/** Goes through JSON string by string and knows how deep it is; one pass, linear. */
class Scan {
  /** Arrays and objects open; 1 more inside a string that does not end. */
  depth = 0;
  private at = 0;

  constructor(private readonly json: string) {}

  /** Where the next string's characters start and end, and how deep it stands. */
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
