import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const FIELDS = [
  'query',
  'search_type',
  'max_results',
  'max_tokens',
  'max_tokens_per_page',
  'country',
  'search_domain_filter',
  'search_recency_filter',
  'search_language_filter',
  'search_after_date_filter',
  'search_before_date_filter',
  'search_mode',
  'search_context_size',
  'display_server_time',
];

/** Perplexity's search API (types of `@perplexity-ai/perplexity_ai` 0.38.5; error bodies in OpenAI's form, as public reports show them). */
export function perplexityService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/search') return { status: 404, body: '' };
    if (headers.authorization !== `Bearer ${key}`) return documented('perplexity', 'bad key');
    const domains = (json.search_domain_filter as string[] | undefined) ?? [];
    const denied = domains.filter((domain) => domain.startsWith('-'));
    const mixed = denied.length > 0 && denied.length < domains.length;
    if (
      unknownNames(Object.keys(json), FIELDS).length > 0 ||
      Number(json.max_results) > 20 ||
      domains.length > 20 ||
      mixed
    )
      return documented('perplexity', 'a refused parameter');
    const pages = findPages(String(json.query), {
      include: domains.filter((domain) => !domain.startsWith('-')),
      exclude: denied.map((domain) => domain.slice(1)),
      limit: Number(json.max_results ?? 10),
    });
    return {
      body: {
        id: 'e38104d5-6bd7-4d82-bc4e-0a21179d1f77',
        results: pages.map((page, index) => ({
          title: page.title,
          url: page.url,
          snippet: `# ${page.title}\n\n**${page.text}** See [the source](${page.url}).\n\n- one\n- two\n\n![figure](https://img.example/a.png)`,
          date: index === 1 ? null : page.published,
          last_updated: '2025-01-01',
        })),
        server_time: null,
      },
    };
  };
}
