import { findPages, unknownNames } from './fake-index.js';
import type { FakeAnswer, Service } from './fake-upstream.js';

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
    if (headers['x-api-key'] !== key) return exaAnswers['a wrong key (401)'];
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || Number(json.numResults) > 100)
      return exaAnswers['a refused body (400)'];
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

export const exaAnswers = {
  'a wrong key (401)': {
    status: 401,
    body: { requestId: REQUEST_ID, error: 'Invalid API key', tag: 'INVALID_API_KEY' },
  },
  'a refused body (400)': {
    status: 400,
    body: { requestId: REQUEST_ID, error: 'Invalid request body', tag: 'INVALID_REQUEST_BODY' },
  },
  'no credit (402)': {
    status: 402,
    body: {
      requestId: REQUEST_ID,
      error: 'You have exceeded your credits limit. Please top up to keep using Exa at dashboard.exa.ai',
      tag: 'NO_MORE_CREDITS',
    },
  },
  'a spent budget, in the newer envelope (402)': {
    status: 402,
    body: {
      error: { type: 'PAYMENT_REQUIRED', code: 'API_KEY_BUDGET_EXCEEDED', message: 'Budget exceeded' },
      requestId: REQUEST_ID,
    },
  },
  'a feature that is off (403)': {
    status: 403,
    body: { requestId: REQUEST_ID, error: 'Feature disabled', tag: 'FEATURE_DISABLED' },
  },
  'too many requests (429)': {
    status: 429,
    body: { error: "You've exceeded your Exa rate limit of 5 requests per second." },
  },
} satisfies Record<string, FakeAnswer>;
