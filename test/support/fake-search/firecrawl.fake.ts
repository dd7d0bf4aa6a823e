import { findPages, unknownNames } from './fake-index.js';
import type { FakeAnswer, Service } from './fake-upstream.js';

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

const refused = (status: number, error: string, more: object = {}) => ({
  status,
  body: { success: false, error, ...more },
});

/** Firecrawl, version 2 (its documentation and `controllers/v2/search.ts`; error texts as in its issues 819 and 1099 and public reports). */
export function firecrawlService(key: string | undefined): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/v2/search') return { status: 404, body: '' };
    if (key !== undefined && headers.authorization !== `Bearer ${key}`)
      return firecrawlAnswers['a wrong key (401)'];
    const both = json.includeDomains !== undefined && json.excludeDomains !== undefined;
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || both || Number(json.limit) > 100)
      return firecrawlAnswers['a refused body (400)'];
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

const LIMITED =
  'Rate limit exceeded. Consumed (req/min): 11, Remaining (req/min): 0. Upgrade your plan at https://firecrawl.dev/pricing for increased rate limits or please retry after 25s, resets at Wed Oct 23 2024 23:13:13 GMT+0000 (Coordinated Universal Time)';

export const firecrawlAnswers = {
  'a wrong key (401)': refused(401, 'Unauthorized: Invalid token'),
  'no credit (402)': refused(
    402,
    'Insufficient credits to perform this request. For more credits, you can upgrade your plan at https://firecrawl.dev/pricing.',
  ),
  'a refused body (400)': refused(400, 'Bad Request', {
    details: [{ code: 'too_big', path: ['limit'], message: 'Too big: expected number to be <=100' }],
  }),
  'its own time limit (408)': refused(408, 'Request timed out'),
  'too many requests, told in words (429)': refused(429, LIMITED),
  'too many requests, told in a header (429)': {
    ...refused(429, LIMITED, { retry_after_seconds: 25 }),
    headers: { 'retry-after': '25' },
  },
  'a failure behind a 200': { body: { success: false, error: 'All search engines failed' } },
} satisfies Record<string, FakeAnswer>;
