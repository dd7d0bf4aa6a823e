import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const FIELDS = [
  'query',
  'search_depth',
  'topic',
  'max_results',
  'time_range',
  'start_date',
  'end_date',
  'include_domains',
  'exclude_domains',
  'include_answer',
  'include_raw_content',
  'chunks_per_source',
  'country',
  'exact_match',
  'include_usage',
  'include_favicon',
  'auto_parameters',
  'include_images',
];

/** Tavily (docs.tavily.com, api-reference/endpoint/search and documentation/keyless). */
export function tavilyService(key: string | undefined): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/search') return { status: 404, body: { detail: 'Not Found' } };
    const allowed = key
      ? headers.authorization === `Bearer ${key}`
      : headers['x-tavily-access-mode'] === 'keyless';
    if (!allowed) return documented('tavily', 'bad key');
    const strings = [
      ...((json.include_domains as string[]) ?? []),
      ...((json.exclude_domains as string[]) ?? []),
    ];
    if (
      unknownNames(Object.keys(json), FIELDS).length > 0 ||
      strings.includes('') ||
      Number(json.max_results) > 20
    )
      return documented('tavily', 'a refused parameter');
    const pages = findPages(String(json.query), {
      include: json.include_domains as string[] | undefined,
      exclude: json.exclude_domains as string[] | undefined,
      limit: Number(json.max_results ?? 5),
    });
    return {
      body: {
        query: json.query,
        follow_up_questions: null,
        answer: null,
        images: [],
        results: pages.map((page, index) => ({
          url: page.url,
          title: page.title,
          content: ['advanced', 'fast'].includes(String(json.search_depth))
            ? `${page.text} [...] ${page.title} again.`
            : page.text,
          score: 0.98 - index / 10,
          raw_content: null,
          ...(json.topic === 'news' ? { published_date: new Date(page.published).toUTCString() } : {}),
        })),
        response_time: 1.09,
        request_id: '123e4567-e89b-12d3-a456-426614174111',
      },
    };
  };
}
