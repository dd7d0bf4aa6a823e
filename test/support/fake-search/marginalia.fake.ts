import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const PARAMETERS = ['query', 'count', 'timeout', 'dc', 'page', 'nsfw', 'filter'];
const TEXT = { 'content-type': 'text/plain;charset=UTF-8' };

/** Marginalia's API, version 2 (its page on the API; statuses and texts from `ApiV2.java` of its source). */
export function marginaliaService(key: string): Service {
  return ({ method, path, params, headers }) => {
    if (method !== 'GET' || path !== '/search') return { status: 404, body: '' };
    if (headers['api-key'] === undefined) return documented('marginalia', 'no key');
    if (headers['api-key'] !== key) return documented('marginalia', 'bad key');
    if (!params.get('query') || unknownNames(params.keys(), PARAMETERS).length > 0)
      return { status: 400, headers: TEXT, body: '' };
    const query = params.get('query') ?? '';
    const pages = findPages(query, { limit: Number(params.get('count') ?? '20') });
    return {
      headers: { 'api-remaining-daily-capacity': '99', 'api-event-type': 'Ok' },
      body: {
        license: 'CC-BY-NC-SA 4.0',
        page: 1,
        pages: 1,
        query,
        results: pages.map((page, index) => ({
          url: page.url,
          title: page.title,
          description: page.text,
          quality: 3.4 + index,
          format: 'html5',
          resultsFromDomain: 1,
          details: [[{ keyword: 'organelles', count: 3, flagsUnstableAPI: ['Title'] }]],
        })),
      },
    };
  };
}
