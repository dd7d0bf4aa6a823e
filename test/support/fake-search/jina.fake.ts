import { findPages, unknownNames } from './fake-index.js';
import { documented } from './fixtures.js';
import type { Service } from './fake-upstream.js';

const FIELDS = ['q', 'num', 'count', 'gl', 'hl', 'location', 'page', 'type', 'nfpr'];

const refused = (code: number, status: number, name: string, message: string, more: object = {}) => ({
  status: code,
  body: { data: null, ...more, code, name, status, message, readableMessage: `${name}: ${message}` },
});

/** s.jina.ai (source of jina-ai/reader: `src/api/searcher.ts`, `src/services/errors.ts`; bodies as quoted in public reports). */
export function jinaService(key: string): Service {
  return ({ method, path, headers, json }) => {
    if (method !== 'POST' || path !== '/' || headers.accept !== 'application/json')
      return { status: 404, body: '' };
    if (headers.authorization !== `Bearer ${key}`) return documented('jina', 'bad key');
    if (unknownNames(Object.keys(json), FIELDS).length > 0 || Number(json.num) > 20)
      return documented('jina', 'a refused parameter');
    const pages = findPages(String(json.q), { limit: Number(json.num ?? 10) });
    if (pages.length === 0)
      return refused(
        422,
        42206,
        'AssertionFailureError',
        `No search results available for query ${String(json.q)}`,
      );
    const withContent = headers['x-respond-with'] !== 'no-content';
    return {
      body: {
        code: 200,
        status: 20000,
        data: pages.map((page) => ({
          title: page.title,
          url: page.url,
          description: page.text,
          date: 'Mar 5, 2024',
          ...(withContent
            ? {
                content: `# ${page.title}\n\n${page.text}\n\n[home](https://example.com)`,
                usage: { tokens: 1000 },
              }
            : {}),
        })),
        meta: { usage: { tokens: 10000 } },
      },
    };
  };
}
