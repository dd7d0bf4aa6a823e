import { findPages, unknownNames } from './fake-index.js';
import type { FakeAnswer, Service } from './fake-upstream.js';

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

const refused = (status: number, error: string, headers?: Record<string, string>) => ({
  status,
  headers,
  body: { detail: { error } },
});

/** Tavily (docs.tavily.com, api-reference/endpoint/search; the text of 432 as quoted in public reports). */
export function tavilyService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/search') return { status: 404, body: { detail: 'Not Found' } };
    if (headers.authorization !== `Bearer ${key}`) return tavilyAnswers['a wrong key (401)'];
    const strings = [
      ...((json.include_domains as string[]) ?? []),
      ...((json.exclude_domains as string[]) ?? []),
    ];
    if (
      unknownNames(Object.keys(json), FIELDS).length > 0 ||
      strings.includes('') ||
      Number(json.max_results) > 20
    )
      return tavilyAnswers['a refused parameter (400)'];
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
          content: json.search_depth === 'advanced' ? `${page.text} [...] ${page.title} again.` : page.text,
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

export const tavilyAnswers = {
  'a wrong key (401)': refused(401, 'Unauthorized: missing or invalid API key.'),
  'a refused parameter (400)': refused(400, "Invalid topic. Must be 'general' or 'news'."),
  'too many requests (429)': refused(429, 'Your request has been blocked due to excessive requests.', {
    'retry-after': '60',
  }),
  'the plan’s limit (432)': refused(
    432,
    "This request exceeds your plan's set usage limit. Please upgrade your plan or contact support@tavily.com",
  ),
  'the pay-as-you-go limit (433)': refused(433, 'This request exceeds the pay-as-you-go limit.'),
  'an error of its own (500)': refused(500, 'Internal Server Error'),
} satisfies Record<string, FakeAnswer>;
