import { findPages, unknownNames } from './fake-index.js';
import type { FakeAnswer, Service } from './fake-upstream.js';

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

const refused = (statusCode: number, code: string, message: string, details: object[] = []) => ({
  status: statusCode,
  body: { statusCode, error: { code, message, details } },
});

/** Linkup (docs.linkup.so, errors; error codes as `linkup-sdk` 3.2.7 tells them apart). */
export function linkupService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/v1/search')
      return { status: 404, body: { message: `Cannot ${method} ${path}` } };
    if (headers.authorization !== `Bearer ${key}`) return linkupAnswers['a wrong key (401)'];
    const wrongDate = json.fromDate !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(String(json.fromDate));
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || !json.depth || wrongDate)
      return linkupAnswers['a refused parameter (400)'];
    const pages = findPages(String(json.q), {
      include: json.includeDomains as string[] | undefined,
      exclude: json.excludeDomains as string[] | undefined,
      limit: Number(json.maxResults ?? 10),
    });
    if (pages.length === 0) return linkupAnswers['nothing found (400)'];
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

export const linkupAnswers = {
  'nothing found (400)': refused(400, 'SEARCH_QUERY_NO_RESULT', 'The query did not yield any result'),
  'a refused parameter (400)': refused(400, 'VALIDATION_ERROR', 'Validation failed', [
    {
      field: 'outputType',
      message: 'outputType must be one of the following values: sourcedAnswer, searchResults, structured',
    },
  ]),
  'a wrong key (401)': refused(401, 'UNAUTHORIZED', 'Unauthorized action'),
  'payment required (402)': refused(402, 'PAYMENT_REQUIRED', 'Payment required'),
  'a key without access (403)': refused(403, 'FORBIDDEN', 'Forbidden resource'),
  'no credit (429)': refused(429, 'INSUFFICIENT_FUNDS_CREDITS', 'You do not have enough credits'),
  'a spent budget (429)': refused(429, 'EXCEED_BUDGET_LIMIT', 'Budget limit reached'),
  'too many requests (429)': {
    ...refused(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
    headers: { 'retry-after': '3' },
  },
} satisfies Record<string, FakeAnswer>;
