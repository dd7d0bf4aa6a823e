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

/** An ID at the end of a path. Old share widgets glue `&parameters` to it; copying often adds a space. */
const ID_AT_END = String.raw`([\w-]{11})(?:%20|&[^/]*)?$`;
/** Pages that carry the video in their path: kind of the host and path, without a slash at the end. */
const ID_IN_PATH = [
  new RegExp(`^(?:main/(?:watch|embed|e|v|vi|shorts|live)|short)/${ID_AT_END}`),
  /^images\/(?:vi|vi_webp|an_webp)\/([\w-]{11})(?:\/[^/]+)?$/,
  /^studio\/video\/([\w-]{11})(?:\/|$)/,
];

/** Pages that carry the video in the query. Without a path it is the home page. */
const ID_IN_QUERY = /^main(?:\/(?:watch(?:_popup)?(?:\.php)?|movie|ytscreeningroom))?$|^short(?:\/watch)?$/;

/** Pages that lead to another YouTube page, and the parameters that hold it. */
const LEADS_ON =
  /^(?:main\/(?:attribution_link|redirect|signin|verify_age|verify_controversy|oembed)|consent\/(?:m|ml|d|save))$/;
const TARGETS = ['u', 'q', 'next', 'next_url', 'url', 'continue'];

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

function fromUrl(text: string, nesting: number): string | undefined {
  const url = nesting > MAX_NESTING ? undefined : safeUrl(text);
  const site = url && SITES.get(withoutEnd(url.hostname, '.'));
  if (!site) return undefined;
  // One slash at the end is common. Any other empty part is a doubled slash, which YouTube never makes.
  const path = withoutEnd(url.pathname, '/');
  if (/\/(?:\/|$)/.test(path)) return undefined;
  const page = `${site}${path}`;
  const inPath = ID_IN_PATH.map((pattern) => asId(pattern.exec(page)?.[1])).find(Boolean);
  if (inPath) return inPath;
  const fragment = url.hash.slice(1);
  if (LEADS_ON.test(page)) return fromTarget(parameter(url.search, TARGETS), nesting);
  // Old mobile and TV pages keep the whole address in the fragment: `/#/watch?v=…`.
  if (/^main(?:\/tv)?$/.test(page) && fragment.startsWith('/')) return fromTarget(fragment, nesting);
  // Channel pages of 2010: `/user/NAME#p/u/1/ID` and `#p/a/u/1/ID`.
  if (/^main\/user\/[^/]+$/.test(page)) return asId(/^p\/(?:a\/)?u\/\d{1,4}\/([^/?&]+)/.exec(fragment)?.[1]);
  if (!ID_IN_QUERY.test(page)) return undefined;
  const value = parameter(url.search, ['v', 'vi']) ?? parameter(fragment.replace(/^!/, ''), ['v']);
  // People paste an ID with a slash or a second `?…` glued to it.
  return value === undefined ? undefined : asId(trim(withoutEnd(value.split('?', 1)[0]!, '/')));
}

/** Printable ASCII without the backslash, about which parsers disagree. */
const SAFE = /^[\x21-\x5b\x5d-\x7e]+$/;

function safeUrl(text: string): URL | undefined {
  const address = /^(?:https?:)?\/\/(?!\/)/i.test(text) ? text : `//${text}`;
  const url = SAFE.test(text) ? parseUrl(address, 'https://base') : undefined;
  return url?.username || url?.password || url?.port ? undefined : url;
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** Reads the target of a redirect or consent page: a path on YouTube, or another URL that names one video. */
function fromTarget(target = '', nesting: number): string | undefined {
  if (/^\/(?!\/)/.test(target)) return fromUrl(`www.youtube.com${target}`, nesting + 1);
  return /^(?:https?:)?\/\//i.test(target) ? fromUrl(target, nesting + 1) : undefined;
}

/** The first of the parameters that a query has. `&amp;` is an ampersand copied from HTML. */
function parameter(query: string, names: readonly string[]): string | undefined {
  const parameters = new URLSearchParams(query.replace(/&(?:amp;)+/g, '&'));
  return names.map((name) => parameters.get(name)).find((value) => value !== null) ?? undefined;
}
