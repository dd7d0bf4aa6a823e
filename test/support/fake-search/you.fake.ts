import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { FakeAnswer, Service } from './fake-upstream.js';

const FIELDS = [
  'query',
  'count',
  'freshness',
  'offset',
  'country',
  'language',
  'safesearch',
  'extraction',
  'include_domains',
  'exclude_domains',
  'boost_domains',
];
const LANGUAGES = ['EN', 'EN-GB', 'ES', 'DE', 'FR', 'IT', 'PT-BR', 'PT-PT'];

/** You.com (its documentation; `@youdotcom-oss/sdk` 0.10.21). Without a key: the endpoint that takes none, by GET. */
export function youService(key: string | undefined): Service {
  return ({ method, path, params, headers, json: body }) => {
    const [expectedMethod, expectedPath] = key ? ['POST', '/v1/search'] : ['GET', '/v1/agents/search'];
    if (method !== expectedMethod || path !== expectedPath)
      return { status: 404, body: { detail: 'Not Found' } };
    if (key && headers['x-api-key'] !== key) return documented('you', 'bad key');
    // The keyless endpoint's compressed answers cannot be read.
    if (!key && headers['accept-encoding'] !== 'identity')
      return { headers: { 'content-encoding': 'gzip' }, body: 'not gzip' };
    if (!/^nestjs-tools\//.test(headers['user-agent'] ?? '')) return { status: 403, body: '' };
    const json = key ? body : fromAddress(params);
    const wrongLanguage = json.language !== undefined && !LANGUAGES.includes(String(json.language));
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || wrongLanguage)
      return documented('you', 'a refused parameter');
    if (json.include_domains && json.exclude_domains) return documented('you', 'both domain lists');
    const { extraction_mode: mode } = (json.extraction ?? {}) as { extraction_mode?: string };
    const pages = findPages(String(json.query), {
      include: json.include_domains as string[] | undefined,
      exclude: json.exclude_domains as string[] | undefined,
      limit: Number(json.count ?? 10),
    });
    const [first, ...others] = pages;
    return {
      body: {
        results: {
          web: (first ? [first, ...others.slice(0, -1)] : []).map((page) => ({
            url: page.url,
            title: page.title,
            description: `${page.title}: a page`,
            ...(mode === 'highlights' ? {} : { snippets: [page.text, `${page.title} &amp; more`] }),
            page_age: `${page.published}T08:00:00`,
            authors: [],
            ...(mode === 'full_page' ? { contents: { markdown: `# ${page.title}\n\n${page.text}` } } : {}),
            ...(mode === 'highlights' ? { contents: { highlights: [`**${page.text}**`] } } : {}),
          })),
          news: others.slice(-1).map((page) => ({
            url: page.url,
            title: page.title,
            description: page.text,
            page_age: `${page.published}T08:00:00.000Z`,
          })),
        },
        metadata: { search_uuid: '942ccbdd-7705-4d9c-9d37-4ef386658e90', query: json.query, latency: 0.12 },
      },
    };
  };
}

/** In an address lists are separated by commas. */
function fromAddress(params: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...params].map(([name, value]) => [name, name.endsWith('_domains') ? value.split(',') : value]),
  );
}

const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds);
/** A 429 that tells when the window resets by Unix time alone. */
export const youLimitedUntil = (seconds: number): FakeAnswer => ({
  status: 429,
  headers: {
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': inSeconds(seconds),
  },
  body: { detail: 'Too many requests' },
});
