import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const FIELDS = [
  'q',
  'depth',
  'outputType',
  'includeDomains',
  'excludeDomains',
  'fromDate',
  'toDate',
  'maxResults',
  'includeImages',
  'includeInlineCitations',
];

/** Linkup (docs.linkup.so, errors; error codes as `linkup-sdk` 3.2.7 tells them apart). */
export function linkupService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/v1/search')
      return { status: 404, body: { message: `Cannot ${method} ${path}` } };
    if (headers.authorization !== `Bearer ${key}`) return documented('linkup', 'bad key');
    const wrongDate = json.fromDate !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(String(json.fromDate));
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || !json.depth || wrongDate)
      return documented('linkup', 'a refused parameter');
    const pages = findPages(String(json.q), {
      include: json.includeDomains as string[] | undefined,
      exclude: json.excludeDomains as string[] | undefined,
      limit: Number(json.maxResults ?? 10),
    });
    if (pages.length === 0) return documented('linkup', 'empty');
    return {
      body: {
        results: pages.map((page) => ({
          type: 'text',
          name: page.title,
          url: page.url,
          content: page.text,
          favicon: '',
        })),
      },
    };
  };
}
