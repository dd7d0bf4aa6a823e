import { asHtml, findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { FakeAnswer, RecordedRequest, Service } from './fake-upstream.js';

const LANGUAGES = ['en', 'es', 'de', 'fr', 'it', 'pt-br', 'pt-pt'];
const WEB = [
  'q',
  'count',
  'offset',
  'country',
  'search_lang',
  'ui_lang',
  'safesearch',
  'freshness',
  'text_decorations',
  'spellcheck',
  'result_filter',
  'extra_snippets',
  'goggles',
];
const CONTEXT = [
  'q',
  'count',
  'country',
  'search_lang',
  'freshness',
  'maximum_number_of_urls',
  'maximum_number_of_tokens',
  'maximum_number_of_snippets',
  'context_threshold_mode',
];

const error = (status: number, code: string, detail: string, meta: object) => ({
  status,
  body: {
    type: 'ErrorResponse',
    error: { id: '5d832250-9396-4f6e-b84a-2a1fe524cd7d', status, code, detail, meta },
    time: 1732147200,
  },
});

const validation = (loc: string[], message: string) =>
  error(422, 'VALIDATION', 'Unable to validate request parameter(s)', {
    errors: [{ type: 'value_error', loc, msg: message, input: '' }],
  });

/** Brave's web search and LLM context (Brave's API documentation; error bodies as documented there and in chatwise issue 1296). */
export function braveService(key: string): Service {
  return (request) => {
    const refusal = refusalOf(request, key);
    if (refusal) return refusal;
    return request.path === '/res/v1/web/search' ? web(request) : context(request);
  };
}

function refusalOf({ method, path, params, headers }: RecordedRequest, key: string): FakeAnswer | undefined {
  const known = { '/res/v1/web/search': WEB, '/res/v1/llm/context': CONTEXT }[path];
  if (method !== 'GET' || !known) return { status: 404, body: '' };
  const token = headers['x-subscription-token'];
  if (token === undefined) return documented('brave', 'no key');
  if (token !== key) return documented('brave', 'bad key');
  const query = params.get('q') ?? '';
  if (query === '' || query.length > 400 || query.split(/\s+/).length > 50)
    return validation(['query', 'q'], 'too long');
  if (Number(params.get('count')) > (known === WEB ? 20 : 50))
    return validation(['query', 'count'], 'less_than_equal');
  if (params.has('search_lang') && !LANGUAGES.includes(params.get('search_lang') ?? ''))
    return validation(['query', 'search_lang'], 'Input should be a language');
  if (params.has('freshness') && !/^(pd|pw|pm|py)$/.test(params.get('freshness') ?? ''))
    return validation(['query', 'freshness'], 'pattern');
  const [unknown] = unknownNames(params.keys(), known);
  return unknown ? validation(['query', unknown], 'Extra inputs are not permitted') : undefined;
}

function web({ params }: RecordedRequest): FakeAnswer {
  const query = params.get('q') ?? '';
  const pages = findPages(query, { limit: Number(params.get('count') ?? '20') });
  return {
    headers: {
      'x-ratelimit-limit': '1, 2000',
      'x-ratelimit-remaining': '0, 1985',
      'x-ratelimit-reset': '1, 1419704',
    },
    body: {
      type: 'search',
      query: { original: query, is_navigational: false, more_results_available: false },
      ...(pages.length === 0
        ? {}
        : {
            web: {
              type: 'search',
              results: pages.map((page) => ({
                title: page.title.replaceAll('&', '&amp;'),
                url: page.url,
                is_source_local: false,
                description:
                  params.get('text_decorations') === 'false'
                    ? page.text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
                    : asHtml(page.text, 'strong'),
                page_age: `${page.published}T10:30:00`,
                language: 'en',
                family_friendly: true,
                meta_url: {
                  scheme: 'https',
                  netloc: new URL(page.url).host,
                  hostname: new URL(page.url).hostname,
                  favicon: '',
                  path: '',
                },
                ...(params.get('extra_snippets') === 'true'
                  ? { extra_snippets: [page.text, `More on ${asHtml(page.title, 'strong')}`] }
                  : {}),
                age: 'March 5, 2024',
              })),
            },
          }),
    },
  };
}

function context({ params }: RecordedRequest): FakeAnswer {
  const pages = findPages(params.get('q') ?? '', {
    limit: Number(params.get('maximum_number_of_urls') ?? '20'),
  });
  return {
    body: {
      grounding: {
        generic: pages.map((page) => ({
          url: page.url,
          title: page.title,
          snippets: [page.text, `${page.title}: see also.`],
        })),
        map: [],
      },
      sources: Object.fromEntries(
        pages.map((page) => [
          page.url,
          {
            title: page.title,
            hostname: new URL(page.url).hostname,
            age: ['Tuesday, March 05, 2024', page.published, '626 days ago'],
          },
        ]),
      ),
    },
  };
}
