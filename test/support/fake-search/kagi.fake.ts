import { asHtml, findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

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

/** Kagi's API, version 1 (its OpenAPI clients; SearXNG's `engines/kagi.py`). The codes of errors are not published; these stand in for them. */
export function kagiService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/api/v1/search') return { status: 404, body: '' };
    if (headers.authorization !== `Bearer ${key}`) return documented('kagi', 'bad key');
    const filters = (json.filters ?? {}) as Record<string, unknown>;
    const lens = (json.lens ?? {}) as Record<string, string[] | undefined>;
    const wrongDate = filters.after !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(String(filters.after));
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || wrongDate)
      return documented('kagi', 'a refused parameter');
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
