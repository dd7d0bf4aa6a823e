import { asHtml, findPages, unknownNames, type FakePage } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const PARAMETERS = [
  'action',
  'format',
  'formatversion',
  'list',
  'srsearch',
  'srlimit',
  'srprop',
  'srinfo',
  'srenablerewrites',
  'gsrenablerewrites',
  'generator',
  'gsrsearch',
  'gsrlimit',
  'prop',
  'inprop',
  'exintro',
  'explaintext',
  'exlimit',
];

/** A page needs all words of a query, function words too, but for those that `OR` joins (CirrusSearch, FullTextSimpleMatchQueryBuilder). */
function pagesFor(query: string): FakePage[] {
  const hasWord = ({ title, text }: FakePage, word: string): boolean =>
    `${title} ${text}`.toLowerCase().includes(word.toLowerCase().replace(/s$/, ''));
  const words = query.replace(/[?"]/g, '').split(' ').filter(Boolean);
  return findPages(query).filter(
    (page) => words.includes('OR') || words.every((word) => hasWord(page, word)),
  );
}

/** MediaWiki's action API with CirrusSearch and TextExtracts (shapes as a running MediaWiki 1.39 sends them; error codes as public wikis show them). */
export function wikipediaService(): Service {
  return ({ method, path, params, headers }) => {
    if (method !== 'GET' || path !== '/w/api.php')
      return { status: 404, body: '<html>Wikimedia Error</html>' };
    if (!/^nestjs-tools\/\S+ \(.+\)/.test(headers['user-agent'] ?? ''))
      return documented('wikipedia', 'a client without a name');
    const query = params.get('srsearch') ?? '';
    if (query.length > 300) return documented('wikipedia', 'a query that is too long behind a 200');
    if (
      unknownNames(params.keys(), PARAMETERS).length > 0 ||
      Number(params.get('exlimit')) > 20 ||
      query === ''
    )
      return documented('wikipedia', 'a refused parameter behind a 200');
    const all = pagesFor(query);
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
