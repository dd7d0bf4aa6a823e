import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const FIELDS = ['search_queries', 'objective', 'mode', 'max_chars_total', 'advanced_settings'];
const SETTINGS = ['source_policy', 'fetch_policy', 'excerpt_settings', 'location', 'max_results'];

/** Parallel (docs.parallel.ai, search; types of `parallel-web` 1.3.3). */
export function parallelService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/v1/search') return { status: 404, body: '' };
    if (headers['x-api-key'] !== key) return documented('parallel', 'bad key');
    const { source_policy: policy = {}, ...settings } = json.advanced_settings as {
      max_results?: number;
      source_policy?: { include_domains?: string[]; exclude_domains?: string[] };
    };
    const queries = json.search_queries as string[] | undefined;
    const unknown = [
      ...unknownNames(Object.keys(json), FIELDS),
      ...unknownNames(Object.keys(settings), SETTINGS),
    ];
    if (unknown.length > 0 || !queries?.length) return documented('parallel', 'a refused field');
    const pages = findPages(queries.join(' '), {
      include: policy.include_domains,
      exclude: policy.exclude_domains,
      limit: settings.max_results ?? 10,
    });
    return {
      body: {
        search_id: 'search_cad0a6d2dec046bd95ae900527d880e7',
        session_id: 'session_1',
        results: pages.map((page, index) => ({
          url: page.url,
          title: index === 1 ? null : page.title,
          publish_date: index === 1 ? null : page.published,
          excerpts: [`## ${page.title}\n\n**${page.text}**`],
        })),
        warnings: null,
        usage: [{ name: 'sku_search', count: 1 }],
      },
    };
  };
}
