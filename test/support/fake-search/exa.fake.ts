import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const FIELDS = [
  'query',
  'type',
  'numResults',
  'includeDomains',
  'excludeDomains',
  'startPublishedDate',
  'endPublishedDate',
  'category',
  'userLocation',
  'moderation',
  'contents',
];
const REQUEST_ID = 'b5947044c4b78efa9552a7c89b306d95';

/** Exa (exa.ai/docs; both shapes of error body that `exa-js` 2.23.0 reads; texts of 402 as quoted in public reports). */
export function exaService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/search') return { status: 404, body: { error: 'Not found' } };
    if (headers['x-api-key'] !== key) return documented('exa', 'bad key');
    const isEntity = json.category === 'company' || json.category === 'people';
    const isRefused =
      (isEntity && (json.startPublishedDate ?? json.endPublishedDate ?? json.excludeDomains) !== undefined) ||
      (json.category === 'people' && json.includeDomains !== undefined);
    if (isRefused || unknownNames(Object.keys(json), FIELDS).length > 0 || Number(json.numResults) > 100)
      return documented('exa', 'a refused body');
    const pages = findPages(String(json.query), {
      include: json.includeDomains as string[] | undefined,
      exclude: json.excludeDomains as string[] | undefined,
      limit: Number(json.numResults ?? 10),
    });
    return {
      body: {
        requestId: REQUEST_ID,
        resolvedSearchType: 'neural',
        results: pages.map((page, index) => ({
          id: page.url,
          // Exa knows no title for some pages.
          title: index === 1 ? null : page.title,
          url: page.url,
          publishedDate: `${page.published}T00:00:00.000Z`,
          author: null,
          score: 0.4 - index / 20,
          highlights: [page.text, `And: ${page.title}`],
          highlightScores: [0.5, 0.3],
        })),
        searchTime: 312.4,
        costDollars: { total: 0.007 },
      },
    };
  };
}
