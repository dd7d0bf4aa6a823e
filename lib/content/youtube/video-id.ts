import { InvalidContentIdError } from '../../core/errors.js';

/** An eleven-character YouTube video ID: 64 bits in base64url. */
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;

/** Path words of YouTube that look like an ID (`/embed/videoseries`, `/embed/live_stream`). */
const NOT_AN_ID = new Set(['videoseries', 'live_stream']);

/** YouTube makes no longer link. */
const MAX_LENGTH = 2048;

/** The deepest nesting seen is a consent page around a sign-in page around a video. */
const MAX_NESTING = 3;

const ACCEPTED =
  'a YouTube video ID (11 characters of A-Z, a-z, 0-9, "-" and "_") or the URL of one YouTube video, ' +
  'e.g. https://www.youtube.com/watch?v=VIDEO_ID, https://youtu.be/VIDEO_ID, or a /shorts/, /live/ or /embed/ link. ' +
  'Playlists and channels are not accepted';

/** The kind of a host decides which of its paths name a video. Hosts match exactly: look-alikes differ by one character. */
type Site = 'main' | 'short' | 'images' | 'studio' | 'consent';

const SITES = new Map<string, Site>([
  ['youtube.com', 'main'],
  ['www.youtube.com', 'main'],
  ['m.youtube.com', 'main'],
  ['music.youtube.com', 'main'],
  ['gaming.youtube.com', 'main'],
  ['youtube-nocookie.com', 'main'],
  ['www.youtube-nocookie.com', 'main'],
  ['youtubekids.com', 'main'],
  ['www.youtubekids.com', 'main'],
  ['www.youtubeeducation.com', 'main'],
  ['youtube.googleapis.com', 'main'],
  ['youtu.be', 'short'],
  ['www.youtu.be', 'short'],
  ['studio.youtube.com', 'studio'],
  ['consent.youtube.com', 'consent'],
  ['img.youtube.com', 'images'],
  ['i.ytimg.com', 'images'],
  ...['1', '2', '3', '4', '9'].map((n): [string, Site] => [`i${n}.ytimg.com`, 'images']),
]);

/** Pages that take the video in the query. */
const QUERY_PATHS = new Set([
  '',
  'watch',
  'watch.php',
  'watch_popup',
  'watch_popup.php',
  'movie',
  'ytscreeningroom',
]);

/** Pages that carry the video in the next part of the path. */
const ID_PATHS = new Set(['watch', 'embed', 'e', 'v', 'vi', 'shorts', 'live']);

/** Folders of thumbnails. */
const IMAGE_PATHS = new Set(['vi', 'vi_webp', 'an_webp']);

/** Pages that redirect to another YouTube page, with the parameter that holds the target. */
const LEADS_TO = new Map([
  ['attribution_link', 'u'],
  ['redirect', 'q'],
  ['signin', 'next'],
  ['verify_age', 'next_url'],
  ['verify_controversy', 'next_url'],
  ['oembed', 'url'],
]);

/** Consent pages. All carry their target in `continue`. */
const CONSENT_PATHS = new Set(['m', 'ml', 'd', 'save']);

/**
 * Finds the video ID in a bare ID or in the URL of one video on one of YouTube's hosts. The URL is never fetched. WHATWG
 * `URL` is not used, because it repairs input that should be refused: backslashes, missing slashes, full-width hosts and
 * tabs. Runs in linear time.
 *
 * @throws InvalidContentIdError for any other input; its message names what is accepted
 */
export function parseVideoId(input: string): string {
  const id = typeof input === 'string' ? find(input) : undefined;
  if (id === undefined) throw new InvalidContentIdError(ACCEPTED);
  return id;
}

function find(input: string): string | undefined {
  const text = trim(input);
  return text.length > MAX_LENGTH ? undefined : (asId(text) ?? fromUrl(text, 0));
}

function asId(text: string | undefined): string | undefined {
  return text !== undefined && VIDEO_ID.test(text) && !NOT_AN_ID.has(text) ? text : undefined;
}

/** Removes white space and zero-width characters at both ends. Chat programs add them. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const BLANK = /[\s\u200b-\u200f\u2060\ufeff]/;

function isBlank(code: number): boolean {
  return BLANK.test(String.fromCharCode(code));
}

interface Parts {
  host: string;
  /** Non-empty parts between the slashes. */
  path: string[];
  query: string;
  fragment: string;
}

function fromUrl(text: string, nesting: number): string | undefined {
  const url = split(text);
  if (!url) return undefined;
  switch (SITES.get(url.host)) {
    case 'main':
      return fromMain(url, nesting);
    case 'short':
      return fromShort(url);
    case 'images':
      return IMAGE_PATHS.has(url.path[0] ?? '') && url.path.length <= 3 ? idInPath(url.path[1]) : undefined;
    case 'studio':
      return url.path[0] === 'video' ? idInPath(url.path[1]) : undefined;
    case 'consent':
      return url.path.length === 1 && CONSENT_PATHS.has(url.path[0] ?? '')
        ? fromTarget(parameter(url.query, ['continue']), nesting)
        : undefined;
    default:
      return undefined;
  }
}

/** Printable ASCII without the characters that parsers disagree about. */
const SAFE = /^[\x21-\x7e]+$/;

function split(text: string): Parts | undefined {
  if (!SAFE.test(text) || text.includes('\\')) return undefined;
  const scheme = /^(?:(https?):)?\/\//i.exec(text);
  const rest = scheme ? text.slice(scheme[0].length) : text;
  const hash = indexOrEnd(rest, '#');
  const mark = indexOrEnd(rest.slice(0, hash), '?');
  const slash = indexOrEnd(rest.slice(0, mark), '/');
  const path = rest.slice(slash, mark);
  // One slash at the end is common. Any other empty part is a doubled slash, which YouTube never makes.
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  if (parts.includes('')) return undefined;
  const defaultPort = scheme?.[1]?.toLowerCase() === 'http' ? ':80' : ':443';
  return {
    host: withoutEnd(withoutEnd(rest.slice(0, slash).toLowerCase(), defaultPort), '.'),
    path: parts,
    query: rest.slice(mark + 1, hash),
    fragment: rest.slice(hash + 1),
  };
}

function indexOrEnd(text: string, character: string): number {
  const index = text.indexOf(character);
  return index < 0 ? text.length : index;
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

function fromMain({ path, query, fragment }: Parts, nesting: number): string | undefined {
  const [first = '', second] = path;
  if (path.length === 2 && ID_PATHS.has(first)) return idInPath(second);
  if (path.length === 2 && first === 'user') return fromUserPage(fragment);
  if (path.length > 1) return undefined;
  const leadsTo = LEADS_TO.get(first);
  if (leadsTo) return fromTarget(parameter(query, [leadsTo]), nesting);
  if ((first === '' || first === 'tv') && fragment.startsWith('/')) {
    // Old mobile and TV pages keep the whole address in the fragment: `/#/watch?v=…`.
    const inner = split(`www.youtube.com${fragment}`);
    return inner && inner.path.length === 1 && QUERY_PATHS.has(inner.path[0] ?? '')
      ? idInQuery(parameter(inner.query, ['v', 'vi']))
      : undefined;
  }
  if (!QUERY_PATHS.has(first)) return undefined;
  return idInQuery(
    parameter(query, ['v', 'vi']) ??
      parameter(fragment.startsWith('!') ? fragment.slice(1) : fragment, ['v']),
  );
}

function fromShort({ path, query }: Parts): string | undefined {
  if (path.length === 0) return idInQuery(parameter(query, ['v']));
  if (path.length === 1 && path[0] === 'watch') return idInQuery(parameter(query, ['v']));
  return path.length === 1 ? idInPath(path[0]) : undefined;
}

/** Channel pages of 2010: `/user/NAME#p/u/1/ID` and `#p/a/u/1/ID`. */
function fromUserPage(fragment: string): string | undefined {
  return asId(/^p\/(?:a\/)?u\/\d{1,4}\/([^/?&]+)/.exec(fragment)?.[1]);
}

/** Reads the target of a redirect or consent page: a path on YouTube, or another URL that names one video. */
function fromTarget(target: string | undefined, nesting: number): string | undefined {
  if (target === undefined || nesting >= MAX_NESTING) return undefined;
  if (target.startsWith('/') && !target.startsWith('//')) {
    return fromUrl(`www.youtube.com${target}`, nesting + 1);
  }
  return /^(?:https?:)?\/\//i.test(target) ? fromUrl(target, nesting + 1) : undefined;
}

/** Reads an ID from a part of a path. Old share widgets glue `&parameters` to it. */
function idInPath(part: string | undefined): string | undefined {
  return part === undefined ? undefined : trimmedId(decode(part.slice(0, indexOrEnd(part, '&'))));
}

/** Reads an ID from a decoded parameter. People paste one with a slash or a second `?…` glued to it. */
function idInQuery(value: string | undefined): string | undefined {
  return value === undefined ? undefined : trimmedId(withoutEnd(value.slice(0, indexOrEnd(value, '?')), '/'));
}

/** Copying often adds a space at the end, which browsers encode as `%20`. */
function trimmedId(text: string | undefined): string | undefined {
  return text === undefined ? undefined : asId(trim(text));
}

/** Returns the decoded value of the first parameter with one of the names. `&amp;` is an ampersand copied from HTML. */
function parameter(query: string, names: string[]): string | undefined {
  for (const pair of query.split('&')) {
    let start = 0;
    while (pair.startsWith('amp;', start)) start += 4;
    const equals = pair.indexOf('=', start);
    if (equals >= 0 && names.includes(pair.slice(start, equals))) return decode(pair.slice(equals + 1));
  }
  return undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
