import { videoFailure } from '../video-failure.js';

/** A slice of this many characters parses in well under a millisecond or two. */
const SLICE = 64 * 1024;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;

/**
 * The array under a key of a JSON object, as texts of smaller arrays of whole items: what one `JSON.parse` would do in one go and
 * block the event loop for. One pass, linear.
 *
 * @throws UpstreamInvalidError: `truncated` where the text ends before the array does, `unreadable` where there is no such array
 */
export function* arraySlices(json: string, key: string): Generator<string, void, undefined> {
  let at = startOfArray(json, key);
  let from = at;
  for (let depth = 1; depth > 0; at++) {
    // NaN past the end fails every comparison; `truncated` is the only way out there.
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === 91 || code === 123) depth++;
    else if (code === 93 || code === 125) depth--;
    else if (code === COMMA && depth === 1 && at - from >= SLICE) {
      yield `[${json.slice(from, at)}]`;
      from = at + 1;
    } else if (at >= json.length) throw videoFailure('truncated');
  }
  yield `[${json.slice(from, at - 1)}]`;
}

/** Index behind the `[` of the key's array; the key must be the object's own, not one further inside. */
function startOfArray(json: string, key: string): number {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(json, at);
      if (depth === 1 && end - at - 1 === key.length && json.startsWith(key, at + 1)) {
        const open = /\s*:\s*\[/y;
        open.lastIndex = end + 1;
        if (open.test(json)) return open.lastIndex;
      }
      at = end;
    } else if (code === 91 || code === 123) depth++;
    else if (code === 93 || code === 125) depth--;
  }
  throw videoFailure(depth === 0 ? 'unreadable' : 'truncated');
}

/** Index of the quote that closes the string opened at `at`. */
function endOfString(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  throw videoFailure('truncated');
}
