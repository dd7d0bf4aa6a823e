import { asHtml, findPages, unknownNames } from './fake-index.js';
import type { FakeAnswer, Service } from './fake-upstream.js';

const PARAMETERS = [
  'action',
  'format',
  'formatversion',
  'list',
  'srsearch',
  'srlimit',
  'srprop',
  'srinfo',
  'generator',
  'gsrsearch',
  'gsrlimit',
  'prop',
  'inprop',
  'exintro',
  'explaintext',
  'exlimit',
];

const failed = (code: string, info: string, headers: Record<string, string> = {}) => ({
  headers: { 'mediawiki-api-error': code, ...headers },
  body: {
    error: { code, info, docref: 'See https://en.wikipedia.org/w/api.php for API usage.' },
    servedby: 'mw-api-ext.eqiad.main-1',
  },
});

/** MediaWiki's action API with CirrusSearch and TextExtracts (shapes as a running MediaWiki 1.39 sends them; error codes as public wikis show them). */
export function wikipediaService(): Service {
  return ({ method, path, params, headers }) => {
    if (method !== 'GET' || path !== '/w/api.php')
      return { status: 404, body: '<html>Wikimedia Error</html>' };
    if (!/^nestjs-tools\/\S+ \(.+\)/.test(headers['user-agent'] ?? ''))
      return wikipediaAnswers['a client without a name (403)'];
    const query = params.get('srsearch') ?? '';
    if (
      unknownNames(params.keys(), PARAMETERS).length > 0 ||
      Number(params.get('exlimit')) > 20 ||
      query === ''
    )
      return wikipediaAnswers['a refused parameter behind a 200'];
    const all = findPages(query);
    const pages = all.slice(0, Number(params.get('srlimit') ?? '10'));
    return {
      body: {
        batchcomplete: true,
        query: {
          searchinfo: { totalhits: all.length },
          search: pages.map((page, index) => ({
            ns: 0,
            title: page.title,
            pageid: 100 + index,
            snippet: asHtml(page.text, 'span class="searchmatch"', 'span'),
          })),
          ...(pages.length === 0
            ? {}
            : {
                // Pages come by id, not by rank, and not each has an introduction.
                pages: pages
                  .map((page, index) => ({
                    pageid: 100 + index,
                    ns: 0,
                    title: page.title,
                    index: index + 1,
                    contentmodel: 'wikitext',
                    pagelanguage: 'en',
                    touched: '2025-01-01T00:00:00Z',
                    fullurl: page.url,
                    ...(index === 1 ? {} : { extract: `${page.text}\n\nIt has  two paragraphs.` }),
                  }))
                  .reverse(),
              }),
        },
      },
    };
  };
}

export const wikipediaAnswers = {
  'a client without a name (403)': {
    status: 403,
    body: 'Please set a user-agent and respect our robot policy https://w.wiki/4wJS.',
  },
  'too many requests (429)': {
    status: 429,
    headers: { 'retry-after': '11' },
    body: '<html>Too many requests</html>',
  },
  'too many requests behind a 200': failed(
    'ratelimited',
    "You've exceeded your rate limit. Please wait some time and try again.",
  ),
  'a busy search behind a 200': failed(
    'cirrussearch-too-busy-error',
    'Search is currently too busy. Please try again later.',
  ),
  'a broken search behind a 200': failed(
    'cirrussearch-backend-error',
    'We could not complete your search due to a temporary problem. Please try again later.',
  ),
  'a lagging database behind a 200': failed('maxlag', 'Waiting for db1: 6 seconds lagged.', {
    'retry-after': '5',
  }),
  'a refused parameter behind a 200': failed('badvalue', 'Unrecognized value for parameter "list": x.'),
} satisfies Record<string, FakeAnswer>;
