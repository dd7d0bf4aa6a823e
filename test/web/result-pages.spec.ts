import { getEventListeners } from 'node:events';
import { withContext } from '../../lib/core/context.js';
import type { PageReaderOptions } from '../../lib/web/fetch-page.js';
import { createPageReader, type ReadPages } from '../../lib/web/result-pages.js';
import { type FakePage, type FakePages, fakePages } from '../support/fake-pages/fake-pages.js';

let site: FakePages;
const PROSE =
  'A cell has a nucleus, mitochondria, ribosomes, a membrane and much else besides, as is well known.';
const page = (name: string): string =>
  `<title>${name}</title><meta name="date" content="2024-05-03"><html lang="en"><main><p>${name}: ${PROSE}</main>`;
const hang: FakePage = () => undefined;

beforeAll(async () => {
  site = await fakePages({
    ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`/${i}`, page(`Page ${i}`)])),
    '/slow': (_request, response) =>
      void setTimeout(() => response.setHeader('content-type', 'text/html').end(page('Slow')), 60),
    '/hang1': hang,
    '/hang2': hang,
    '/hang3': hang,
    '/png': (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
    '/empty': '<title>nothing</title><script>x</script>',
    '/broken': (_request, response) => response.socket?.destroy(),
    '/pdf': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 words'),
    '/long': `<p>${`${PROSE} `.repeat(20_000)}`,
    '/long.pdf': (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'.padEnd(2_000_000)),
    '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  });
});
afterAll(() => site.close());

/** @param stageMs time for the round; far from what a busy machine needs unless a test is about it */
async function read(
  paths: string[],
  options: PageReaderOptions = {},
  { wanted = 5, stageMs = 60_000, spareAfterMs = 30_000 } = {},
): Promise<ReadPages> {
  const reader = createPageReader({ allowHosts: [site.host], timeoutMs: 30_000, ...options }, spareAfterMs);
  const { signal } = new AbortController();
  return reader.read(paths.map(at), { wanted, limitMs: stageMs }, { signal, remainingMs: () => Infinity });
}
const at = (path: string): string => (path.startsWith('/') ? site.origin + path : path);
const titles = ({ pages }: ReadPages): (string | undefined)[] => pages.map(({ title }) => title);
const reasons = ({ failed }: ReadPages): string[] =>
  failed.map(({ url, reason }) => `${url.replace(site.origin, '')} ${reason}`);

describe('a page reader', () => {
  it('reads five pages at once and returns them in order with what they say of themselves', async () => {
    const before = site.requests.length;
    const result = await read(['/slow', '/1', '/2', '/3', '/4', '/5', '/6']);
    expect(titles(result)).toEqual(['Slow', 'Page 1', 'Page 2', 'Page 3', 'Page 4']);
    expect(result.pages[1]).toEqual({
      url: at('/1'),
      title: 'Page 1',
      blocks: [expect.objectContaining({ kind: 'paragraph', text: `Page 1: ${PROSE}` })],
      publishedAt: '2024-05-03',
      language: 'en',
    });
    expect(result.failed).toEqual([]);
    expect(site.requests.length - before).toBe(5);
  });

  it('rolls forward to the next page for each that fails, whatever the failure', async () => {
    const result = await read(
      [
        '/png',
        'http://127.0.0.1:1/x',
        '/0',
        '/nowhere',
        '/empty',
        '/broken',
        '/loop',
        '/pdf',
        'not a URL',
        '/1',
        '/2',
        '/3',
      ],
      {},
      { wanted: 3 },
    );
    expect(titles(result)).toEqual(['Page 0', 'Page 1', 'Page 2']);
    expect(reasons(result).sort()).toEqual([
      '/broken unavailable',
      '/empty empty',

      '/loop redirects',
      '/nowhere status',
      '/pdf unsupported_type',
      '/png unsupported_type',
      'http://127.0.0.1:1/x blocked_address',
      'not a URL blocked_address',
    ]);
  });

  it('gives a hung page its own time and then reads a spare', async () => {
    const result = await read(['/hang1', '/0', '/1', '/2'], { timeoutMs: 1000 }, { wanted: 3 });
    expect(titles(result)).toEqual(['Page 0', 'Page 1', 'Page 2']);
    expect(reasons(result)).toEqual(['/hang1 timeout']);
  });

  it('returns what has arrived at the end of the stage, and cancels the rest', async () => {
    const paths = ['/hang1', '/0', '/hang2', '/1', '/hang3', '/2'];
    const result = await read(paths, {}, { stageMs: 1000 });
    expect(titles(result)).toEqual(['Page 0', 'Page 1']);
    expect(reasons(result)).toEqual(['/hang1 late', '/hang2 late', '/hang3 late']);
    while (site.open.size > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it('begins a spare for a page that is late', async () => {
    const result = await read(['/hang1', '/0', '/1'], {}, { wanted: 2, spareAfterMs: 10 });
    expect(titles(result)).toEqual(['Page 0', 'Page 1']);
  });

  it('leaves no listener on the signal of the request', async () => {
    const reader = createPageReader({ allowHosts: [site.host], timeoutMs: 60_000 });
    const { signal } = new AbortController();
    const result = await reader.read(
      [at('/hang1'), at('/0')],
      { wanted: 5, limitMs: 1000 },
      { signal, remainingMs: () => Infinity },
    );
    expect(titles(result)).toEqual(['Page 0']);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('throws only when the caller leaves, and lets every page go', async () => {
    const reader = createPageReader({ allowHosts: [site.host], timeoutMs: 60_000 });
    const controller = new AbortController();
    const reason = new Error('client gone');
    const outcome = withContext(60_000, { signal: controller.signal }, (context) =>
      reader.read([at('/hang1'), at('/hang2')], { wanted: 5, limitMs: 60_000 }, context),
    );
    while (site.open.size < 2) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    while (site.open.size > 0) await new Promise((resolve) => setImmediate(resolve));
    await expect(
      reader.read(
        [at('/0')],
        { wanted: 5, limitMs: 1000 },
        { signal: controller.signal, remainingMs: () => 1000 },
      ),
    ).rejects.toBe(reason);
  });

  it('reads nothing from no addresses, and the same address twice when asked twice', async () => {
    expect(await read([])).toEqual({ pages: [], failed: [] });
    const twice = await read(['/0', '/0', '/hang1', '/hang1'], {}, { stageMs: 1000 });
    expect(titles(twice)).toEqual(['Page 0', 'Page 0']);
  });

  it('reads the beginning of a page that is too long', async () => {
    const { pages } = await read(['/long'], { maxBytes: 100_000 });
    const characters = pages[0]!.blocks.reduce((sum, { text }) => sum + text.length + 1, 0);
    expect(characters).toBeGreaterThan(99_900);
    expect(characters).toBeLessThan(100_100);
  });

  it('reads PDFs with the reader it is given, whole ones only', async () => {
    const pdf = (bytes: Buffer) => Promise.resolve({ text: bytes.toString().slice(9), title: 'A PDF' });
    const result = await read(['/pdf', '/long.pdf'], { pdf });
    expect(result.pages).toEqual([
      expect.objectContaining({ url: at('/pdf'), title: 'A PDF', text: 'words' }),
    ]);
    expect(reasons(result)).toEqual(['/long.pdf too_large']);
  });

  it('takes a broken PDF reader for a page that cannot be read', async () => {
    const broken = () => Promise.reject(new Error('bug'));
    expect(reasons(await read(['/pdf'], { pdf: broken }))).toEqual(['/pdf unreadable']);
  });

  it('checks its options', () => {
    expect(() => createPageReader({ timeoutMs: -1 })).toThrow('option `search.pages.timeoutMs`');
  });

  it('warns of no leak when it reads many pages at once', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const paths = Array.from({ length: 12 }, (_, i) => `/${i}`);
    expect((await read(paths, {}, { wanted: 12 })).pages).toHaveLength(12);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});
