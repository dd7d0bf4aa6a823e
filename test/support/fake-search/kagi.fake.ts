import { asHtml, findPages, unknownNames } from './fake-index.js';
import type { FakeAnswer, Service } from './fake-upstream.js';

const FIELDS = [
  'query',
  'workflow',
  'format',
  'lens_id',
  'lens',
  'timeout',
  'page',
  'limit',
  'filters',
  'extract',
  'safe_search',
  'personalizations',
];
const META = { trace: 'ad3f5c2b1e', node: 'us-east4', ms: 231 };

const refused = (status: number, code: string, message: string) => ({
  status,
  body: { meta: META, data: [], error: [{ code, url: 'https://help.kagi.com/', message, location: null }] },
});

/** Kagi's API, version 1 (its OpenAPI clients; SearXNG's `engines/kagi.py`). The codes of errors are not published; these stand in for them. */
export function kagiService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/api/v1/search') return { status: 404, body: '' };
    if (headers.authorization !== `Bearer ${key}`) return kagiAnswers['a wrong key (401)'];
    const filters = (json.filters ?? {}) as Record<string, unknown>;
    const lens = (json.lens ?? {}) as Record<string, string[] | undefined>;
    const wrongDate = filters.after !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(String(filters.after));
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || wrongDate)
      return kagiAnswers['a refused parameter (400)'];
    const pages = findPages(String(json.query), {
      include: lens.sites_included,
      exclude: lens.sites_excluded,
      limit: Number(json.limit ?? 50),
    });
    return {
      body: {
        meta: META,
        data:
          pages.length === 0
            ? {}
            : {
                search: pages.map((page, index) => ({
                  url: page.url,
                  title: page.title.replaceAll('&', '&amp;'),
                  snippet: asHtml(page.text, 'b'),
                  ...(index === 0 ? { time: `${page.published}T00:00:00Z` } : {}),
                })),
                related_search: [{ url: '', title: 'organelle functions' }],
              },
      },
    };
  };
}

export const kagiAnswers = {
  'a wrong key (401)': refused(401, 'auth.invalid_token', 'Access token is missing or invalid'),
  'an address that the key does not allow (403)': refused(
    403,
    'auth.ip_not_allowed',
    'Forbidden - IP address not authorized',
  ),
  'a refused parameter (400)': refused(400, 'request.invalid', 'Invalid request parameters'),
  'too many requests (429)': refused(429, 'rate.limited', 'Rate limited'),
  'a spent allowance (429)': refused(429, 'usage.limit', 'Usage limit exhausted'),
  'an error of its own behind a 200': {
    body: { meta: META, data: [], error: [{ code: '0', url: '', message: 'Internal error' }] },
  },
  'no credit behind a 200': {
    body: {
      meta: META,
      data: [],
      error: [{ code: '101', url: '', message: 'Insufficient credit to perform this request.' }],
    },
  },
} satisfies Record<string, FakeAnswer>;
