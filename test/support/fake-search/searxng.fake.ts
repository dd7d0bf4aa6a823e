import { asHtml, findPages, PAGES, type FakePage } from './fake-index.js';
import type { Service } from './fake-upstream.js';

/**
 * SearXNG and searx 1.1.0 (`searx/webapp.py`, `search_api.rst`). The body of a result is what a running searx 1.1.0 sends.
 * `settings` are the parts of settings.yml that show on the wire.
 */
export function searxngService(settings: { pageSize?: number } = {}): Service {
  return ({ method, path, params }) => {
    if (method !== 'GET' || !['/', '/search'].includes(path))
      return { status: 404, body: '<h1>Page not found</h1>' };
    const query = params.get('q') ?? '';
    if (query === '') return { status: 400, body: { error: 'No query' } };
    if (params.get('format') !== 'json')
      return { body: '<!doctype html><html lang="en"><title>searx</title></html>' };
    const time = params.get('time_range');
    if (time && !['day', 'week', 'month', 'year'].includes(time))
      return { status: 400, body: { error: `Invalid value "${time}" for parameter time_range` } };
    const size = settings.pageSize ?? PAGES.length;
    const from = (Number(params.get('pageno') ?? '1') - 1) * size;
    return { body: body(query, findPages(query).slice(from, from + size)) };
  };
}

function body(query: string, pages: readonly FakePage[], unresponsive: readonly [string, string][] = []) {
  return {
    query,
    number_of_results: 0,
    results: pages.map((page, index) => ({
      url: page.url,
      title: page.title,
      content: asHtml(page.text, 'span class="highlight"', 'span'),
      engine: 'localfts',
      parsed_url: ['http', new URL(page.url).host, new URL(page.url).pathname, '', '', ''],
      template: 'default.html',
      engines: ['localfts'],
      positions: [index + 1],
      score: 4 / (index + 1),
      category: 'general',
      pretty_url: page.url,
      ...(index === 0 ? { publishedDate: `${page.published}T00:00:00` } : {}),
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: unresponsive,
  };
}
