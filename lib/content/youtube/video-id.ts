import { InvalidContentIdError } from '../../core/errors.js';
import { parseUrl } from '../../core/url.js';

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

const HOSTS: Record<Site, string> = {
  main:
    'youtube.com www.youtube.com m.youtube.com music.youtube.com gaming.youtube.com youtube-nocookie.com www.youtube-nocookie.com ' +
    'youtubekids.com www.youtubekids.com www.youtubeeducation.com youtube.googleapis.com',
  short: 'youtu.be www.youtu.be',
  images: 'img.youtube.com i.ytimg.com i1.ytimg.com i2.ytimg.com i3.ytimg.com i4.ytimg.com i9.ytimg.com',
  studio: 'studio.youtube.com',
  consent: 'consent.youtube.com',
};
const SITES = new Map(
  Object.entries(HOSTS).flatMap(([site, hosts]) => hosts.split(' ').map((host) => [host, site as Site])),
);

/** Pages that take the video in the query. The first is the home page. */
const QUERY_PATHS = new Set([
  '',
  ...'watch watch.php watch_popup watch_popup.php movie ytscreeningroom'.split(' '),
]);

/** Pages that carry the video in the next part of the path. */
const ID_PATHS = new Set('watch embed e v vi shorts live'.split(' '));

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
 * Finds the video ID in a bare ID or in the URL of one video on one of YouTube's hosts. The URL is never fetched. What WHATWG `URL` would
 * repair (backslashes, missing slashes, full-width hosts, tabs) is refused. Runs in linear time.
 *
 * @throws InvalidContentIdError for any other input; its message names what is accepted
 */
export function parseVideoId(input: string): string {
  const text = typeof input === 'string' && input.length <= MAX_LENGTH ? trim(input) : '';
  const id = asId(text) ?? fromUrl(text, 0);
  if (id === undefined) throw new InvalidContentIdError(ACCEPTED);
  return id;
}

function asId(text: string | undefined): string | undefined {
  return text !== undefined && VIDEO_ID.test(text) && !NOT_AN_ID.has(text) ? text : undefined;
}

/** Removes white space and zero-width characters at both ends. Chat programs add them. */
function trim(text: string): string {
  return text.replace(/^[\s\u200b-\u200f\u2060\ufeff]{1,500}|[\s\u200b-\u200f\u2060\ufeff]{1,500}$/g, '');
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
  const scheme = /^(?:https?:)?\/\/(?!\/)/i.test(text);
  const address = scheme ? text : `//${text}`;
  const url = SAFE.test(text) && !text.includes('\\') ? parseUrl(address, 'https://base') : undefined;
  if (!url) return undefined;
  const { username, password, port, hostname, pathname, search, hash } = url;
  // One slash at the end is common. Any other empty part is a doubled slash, which YouTube never makes.
  const path = pathname.replace(/\/$/, '').split('/').slice(1);
  if (username || password || port || path.includes('')) return undefined;
  return { host: withoutEnd(hostname, '.'), path, query: search.slice(1), fragment: hash.slice(1) };
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
  return trimmedId(part && decode(part.split('&', 1)[0]!));
}

/** Reads an ID from a decoded parameter. People paste one with a slash or a second `?…` glued to it. */
function idInQuery(value: string | undefined): string | undefined {
  return trimmedId(value && withoutEnd(value.split('?', 1)[0]!, '/'));
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
