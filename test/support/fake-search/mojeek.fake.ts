import { asHtml, findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const PARAMETERS = [
  'api_key',
  'q',
  'fmt',
  't',
  's',
  'site',
  'since',
  'before',
  'qm',
  'lb',
  'lbb',
  'rb',
  'rbb',
  'safe',
];

/** Mojeek (mojeek.com/support/api/search: request parameters, JSON response). Only the daily limit's text is documented; the others stand in. */
export function mojeekService(key: string): Service {
  return ({ method, path, params }) => {
    if (method !== 'GET' || path !== '/search') return { status: 404, body: '' };
    if (params.get('api_key') !== key) return documented('mojeek', 'bad key');
    if (unknownNames(params.keys(), PARAMETERS).length > 0 || params.get('fmt') !== 'json')
      return documented('mojeek', 'a refused parameter behind a 200');
    const query = params.get('q') ?? '';
    const site = params.get('site');
    const all = findPages(query, { include: site ? [site] : [] });
    const pages = all.slice(0, Number(params.get('t') ?? '10'));
    return {
      body: {
        response: {
          status: 'OK',
          head: {
            query,
            nword: 1,
            timer: 0.61,
            start: 1,
            return: pages.length,
            exact: true,
            results: all.length,
            rankm: 169,
            dups: 0,
          },
          results: pages.map((page) => ({
            url: page.url,
            title: page.title.replaceAll('&', '&amp;'),
            desc: asHtml(page.text, 'em'),
            size: '12kb',
          })),
        },
      },
    };
  };
}
