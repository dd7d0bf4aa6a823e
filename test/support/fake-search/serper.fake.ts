import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const FIELDS = ['q', 'num', 'page', 'gl', 'hl', 'location', 'tbs', 'autocorrect'];

/** Serper (results as in public recordings; 403 as in crewAI issue 633; 400 as in public adapters' tests). */
export function serperService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/search')
      return { status: 404, body: { message: 'Not Found', statusCode: 404 } };
    if (headers['x-api-key'] !== key) return documented('serper', 'bad key');
    if (unknownNames(Object.keys(json), FIELDS).length > 0)
      return documented('serper', 'a refused parameter');
    const pages = findPages(String(json.q), { limit: Number(json.num ?? 10) });
    return {
      body: {
        searchParameters: {
          q: json.q,
          gl: json.gl ?? 'us',
          hl: json.hl ?? 'en',
          type: 'search',
          num: json.num ?? 10,
          engine: 'google',
        },
        ...(pages.length > 0 ? { knowledgeGraph: { title: 'Organelle', type: 'Cell part' } } : {}),
        organic: pages.map((page, index) => ({
          title: page.title,
          link: page.url,
          snippet: `${page.text} ...`,
          // Google writes a date for some and an age for others.
          ...(index === 0 ? { date: 'Mar 5, 2024' } : index === 1 ? { date: '3 days ago' } : {}),
          position: index + 1,
        })),
        relatedSearches: [{ query: 'organelles functions' }],
        credits: 1,
      },
    };
  };
}
