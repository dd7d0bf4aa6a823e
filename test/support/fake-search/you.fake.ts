import { findPages, unknownNames } from './fake-index.js';
import type { FakeAnswer, Service } from './fake-upstream.js';

const FIELDS = [
  'query',
  'count',
  'freshness',
  'offset',
  'country',
  'language',
  'safesearch',
  'livecrawl',
  'livecrawl_formats',
  'include_domains',
  'exclude_domains',
  'boost_domains',
];
const LANGUAGES = ['EN', 'EN-GB', 'ES', 'DE', 'FR', 'IT', 'PT-BR', 'PT-PT'];

/** You.com (its documentation; `@youdotcom-oss/sdk` 0.10.21). Without a key: the endpoint that takes none. */
export function youService(key: string | undefined): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== (key ? '/v1/search' : '/v1/agents/search'))
      return { status: 404, body: { detail: 'Not Found' } };
    if (key && headers['x-api-key'] !== key) return youAnswers['a wrong key (401)'];
    // The keyless endpoint's compressed answers cannot be read.
    if (!key && headers['accept-encoding'] !== 'identity')
      return { headers: { 'content-encoding': 'gzip' }, body: 'not gzip' };
    const wrongLanguage = json.language !== undefined && !LANGUAGES.includes(String(json.language));
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || wrongLanguage)
      return youAnswers['a refused parameter (422)'];
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
            snippets: [page.text, `${page.title} &amp; more`],
            page_age: `${page.published}T08:00:00`,
            authors: [],
            ...(json.livecrawl ? { contents: { markdown: `# ${page.title}\n\n${page.text}` } } : {}),
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

const inSeconds = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds);

export const youAnswers = {
  'a wrong key (401)': { status: 401, body: { detail: 'Invalid or expired API key' } },
  'a key without the scope (403)': { status: 403, body: { detail: 'Missing required scopes' } },
  'no credit (402)': { status: 402, body: { detail: 'Payment required' } },
  'a refused parameter (422)': {
    status: 422,
    body: {
      detail: [
        { loc: ['body', 'count'], msg: 'Input should be less than or equal to 100', type: 'less_than_equal' },
      ],
    },
  },
  'too many requests (429)': {
    status: 429,
    headers: { 'retry-after': '2' },
    body: { detail: 'Too many requests' },
  },
  'the day’s allowance without a key (429)': { status: 429, body: { detail: 'Rate limit exceeded' } },
} satisfies Record<string, FakeAnswer>;

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
