import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const FIELDS = [
  'query',
  'limit',
  'sources',
  'categories',
  'includeDomains',
  'excludeDomains',
  'tbs',
  'country',
  'location',
  'timeout',
  'highlights',
  'scrapeOptions',
];

/** Firecrawl, version 2 (its documentation and `controllers/v2/search.ts`; error texts as in its issues 819 and 1099 and public reports). */
export function firecrawlService(key: string | undefined): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/v2/search') return { status: 404, body: '' };
    if (key !== undefined && headers.authorization !== `Bearer ${key}`)
      return documented('firecrawl', 'bad key');
    const both = json.includeDomains !== undefined && json.excludeDomains !== undefined;
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || both || Number(json.limit) > 100)
      return documented('firecrawl', 'a refused body');
    const pages = findPages(String(json.query), {
      include: json.includeDomains as string[] | undefined,
      exclude: json.excludeDomains as string[] | undefined,
      limit: Number(json.limit ?? 10),
    });
    return {
      body: {
        success: true,
        data:
          pages.length === 0
            ? {}
            : {
                web: pages.map((page, index) => ({
                  url: page.url,
                  title: page.title,
                  description: page.text,
                  position: index + 1,
                  ...(json.scrapeOptions
                    ? { markdown: `# ${page.title}\n\n${page.text}`, metadata: { statusCode: 200 } }
                    : {}),
                })),
              },
        creditsUsed: 2,
        id: '0199c9f2-2c3e-7c3e-8c3e-2c3e0199c9f2',
      },
    };
  };
}
