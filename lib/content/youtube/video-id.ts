import { InvalidContentIdError } from '../../core/errors.js';
import { parseUrl } from '../../core/url.js';

/** An eleven-character YouTube video ID: 64 bits in base64url. */
const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;

/** Path words of YouTube that look like an ID (`/embed/videoseries`, `/embed/live_stream`). */
const NOT_AN_ID = new Set(['videoseries', 'live_stream']);

const MAX_LENGTH = 2048; // characters, as the API promises

/** The deepest nesting seen is a consent page around a sign-in page around a video. A plain bound. */
const MAX_NESTING = 3;

const ACCEPTED =
  'a YouTube video ID (11 characters of A-Z, a-z, 0-9, "-" and "_") or the URL of one YouTube video, ' +
  'e.g. https://www.youtube.com/watch?v=VIDEO_ID, https://youtu.be/VIDEO_ID, or a /shorts/, /live/ or /embed/ link. ' +
  'Playlists and channels are not accepted';

/** The kind of a host decides which of its paths name a video. Hosts match exactly: look-alikes differ by one character. */
const HOSTS = {
  main:
    'youtube.com www.youtube.com m.youtube.com music.youtube.com gaming.youtube.com youtube-nocookie.com www.youtube-nocookie.com ' +
    'youtubekids.com www.youtubekids.com www.youtubeeducation.com youtube.googleapis.com',
  short: 'youtu.be www.youtu.be',
  images: 'img.youtube.com i.ytimg.com i1.ytimg.com i2.ytimg.com i3.ytimg.com i4.ytimg.com i9.ytimg.com',
  studio: 'studio.youtube.com',
  consent: 'consent.youtube.com',
};
const SITES = new Map(
  Object.entries(HOSTS).flatMap(([site, hosts]) => hosts.split(' ').map((host) => [host, site])),
);

/** Pages that carry the video in their path: kind of the host and path, without a slash at the end. */
const ID_IN_PATH = [
  /^(?:main\/(?:watch|embed|e|v|vi|shorts|live)|short)\/([^/]+)$/,
  /^images\/(?:vi|vi_webp|an_webp)\/([^/]+)(?:\/[^/]+)?$/,
  /^studio\/video\/([^/]+)/,
];

/** Pages that carry the video in the query. Without a path it is the home page. */
const ID_IN_QUERY = /^main(?:\/(?:watch(?:_popup)?(?:\.php)?|movie|ytscreeningroom))?$|^short(?:\/watch)?$/;

/** Pages that lead to another YouTube page, with the parameter that holds the target. */
const LEADS_TO = new Map([
  ['main/attribution_link', 'u'],
  ['main/redirect', 'q'],
  ['main/signin', 'next'],
  ['main/verify_age', 'next_url'],
  ['main/verify_controversy', 'next_url'],
  ['main/oembed', 'url'],
  ...['m', 'ml', 'd', 'save'].map((page) => [`consent/${page}`, 'continue'] as const),
]);

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
  /** Kind of the host and path, without a slash at the end. */
  page: string;
  query: string;
  fragment: string;
}

function fromUrl(text: string, nesting: number): string | undefined {
  const parts = nesting > MAX_NESTING ? undefined : youtubePage(text);
  if (!parts) return undefined;
  const { page, query, fragment } = parts;
  const inPath = ID_IN_PATH.map((pattern) => idInPath(pattern.exec(page)?.[1])).find(Boolean);
  if (inPath) return inPath;
  const leadsTo = LEADS_TO.get(page);
  if (leadsTo) return fromTarget(parameter(query, [leadsTo]), nesting);
  // Old mobile and TV pages keep the whole address in the fragment: `/#/watch?v=…`.
  if (/^main(?:\/tv)?$/.test(page) && fragment.startsWith('/')) return fromTarget(fragment, nesting);
  // Channel pages of 2010: `/user/NAME#p/u/1/ID` and `#p/a/u/1/ID`.
  if (/^main\/user\/[^/]+$/.test(page)) return asId(/^p\/(?:a\/)?u\/\d{1,4}\/([^/?&]+)/.exec(fragment)?.[1]);
  if (!ID_IN_QUERY.test(page)) return undefined;
  return idInQuery(parameter(query, ['v', 'vi']) ?? parameter(fragment.replace(/^!/, ''), ['v']));
}

/** Printable ASCII without the characters that parsers disagree about. */
const SAFE = /^[\x21-\x7e]+$/;

/** The parts of an address on one of YouTube's hosts; undefined for any other text. */
export function youtubePage(text: string): Parts | undefined {
  const scheme = /^(?:https?:)?\/\/(?!\/)/i.test(text);
  const address = scheme ? text : `//${text}`;
  const url = SAFE.test(text) && !text.includes('\\') ? parseUrl(address, 'https://base') : undefined;
  if (!url) return undefined;
  const { username, password, port, hostname, pathname, search, hash } = url;
  const site = SITES.get(withoutEnd(hostname, '.'));
  // One slash at the end is common. Any other empty part is a doubled slash, which YouTube never makes.
  const path = withoutEnd(pathname, '/');
  if (!site || username || password || port || /\/(?:\/|$)/.test(path)) return undefined;
  return { page: `${site}${path}`, query: search.slice(1), fragment: hash.slice(1) };
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** Reads the target of a redirect or consent page: a path on YouTube, or another URL that names one video. */
function fromTarget(target: string | undefined, nesting: number): string | undefined {
  if (!/^(?:https?:\/)?\//i.test(target ?? '')) return undefined;
  return fromUrl(target!.replace(/^\/(?!\/)/, 'www.youtube.com/'), nesting + 1);
}

/** Reads an ID from a part of a path. Old share widgets glue `&parameters` to it. Copying often adds a space, `%20`. */
const idInPath = (part = ''): string | undefined => asId(trim(decode(part.split('&', 1)[0]!) ?? ''));

/** Reads an ID from a decoded parameter. People paste one with a slash or a second `?…` glued to it. */
const idInQuery = (value = ''): string | undefined => asId(trim(withoutEnd(value.split('?', 1)[0]!, '/')));

/** Returns the decoded value of the first parameter with one of the names. `&amp;` is an ampersand copied from HTML. */
export function parameter(query: string, names: string[]): string | undefined {
  for (const pair of query.split('&')) {
    let start = 0;
    while (pair.startsWith('amp;', start)) start += 4;
    const equals = pair.indexOf('=', start);
    if (equals >= 0 && names.includes(pair.slice(start, equals))) return decode(pair.slice(equals + 1));
  }
  return undefined;
}

export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
