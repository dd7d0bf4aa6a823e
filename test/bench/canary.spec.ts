import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  asMarkdown,
  documentedServices,
  hasFailed,
  runCanary,
  type CanaryReport,
} from '../../bench/lib/canary.mjs';
import { shapeDifferences } from '../../bench/lib/shape.mjs';
import { WEB_CLIENT } from '../../lib/content/youtube/innertube/clients.js';
import { withContext } from '../../lib/core/context.js';
import { upstreamFaults } from '../../lib/core/errors.js';
import * as library from '../../lib/index.js';
import { ENVIRONMENT_PROVIDERS } from '../../lib/search/providers/from-environment.js';
import { FakeUpstream, redirectedTo, type FakeAnswer } from '../support/fake-search/fake-upstream.js';
import { documented } from '../support/fake-search/fixtures.js';

const KEY = 'brave-secret-5f3a';

describe('shapeDifferences', () => {
  it('is empty for the same shape with other values, more items and null', () => {
    const before = { a: 1, list: [{ url: 'u', date: '2024' }], by: { 'https://a.example': { x: 1 } } };
    const now = {
      a: 2,
      list: [
        { url: 'v', date: null },
        { url: 'w', date: 'x' },
      ],
      by: { 'https://b.example': { x: 3 } },
    };
    expect(shapeDifferences(before, now)).toEqual([]);
    expect(shapeDifferences(now, before)).toEqual([]);
  });

  it('names fields that are missing, new or of another type, but not the fields inside them', () => {
    const before = { id: 1, list: [{ url: 'u', score: 0.5 }], gone: { deep: { deeper: 1 } } };
    const now = { id: 'x', list: [{ url: 'u', rank: { n: 1 } }] };
    expect(shapeDifferences(before, now)).toEqual([
      '! id: string, documented as number',
      '- list[].score: number, not in the answer',
      '- gone: object, not in the answer',
      '+ list[].rank: object, not documented',
    ]);
  });
});

describe('the canary', () => {
  let upstream: FakeUpstream;
  let answers: Record<string, FakeAnswer>;
  beforeAll(async () => {
    upstream = await FakeUpstream.start(({ path }) => answers[path] ?? { status: 404, body: '' });
  });
  afterAll(() => upstream.close());

  const run = (only: string[], env: Record<string, string> = {}): Promise<CanaryReport[]> =>
    runCanary(
      { ...library, ENVIRONMENT_PROVIDERS, WEB_CLIENT, withContext, upstreamFaults },
      { env, only, query: 'golgi', videoId: 'jNQXAC9IVRw', send: redirectedTo(upstream.url) },
    );

  it('reports a service that answers as documented without a difference', async () => {
    answers = {
      '/res/v1/web/search': documented('brave', 'success'),
      '/v1/agents/search': documented('you-keyless', 'success'),
    };
    const reports = await run(['brave', 'you'], { BRAVE_API_KEY: KEY });
    expect(reports.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['brave', 'ok'],
      ['you (without a key)', 'ok'],
    ]);
    expect(reports[0]).toMatchObject({ facts: '2 results, 1 with passages, 1 with a date', differences: [] });
    expect(hasFailed(reports)).toBe(false);
  });

  it('reports differences field by field', async () => {
    const { body } = documented('tavily', 'success') as { body: { results: { content?: unknown }[] } };
    const changed = structuredClone(body) as { results: { content?: unknown; text?: string }[] };
    for (const result of changed.results) {
      result.text = String(result.content);
      delete result.content;
    }
    answers = { '/search': { body: changed } };
    const [report] = await run(['tavily']);
    expect(hasFailed([report!])).toBe(true);
    expect(report?.differences).toEqual([
      '- results[].content: string, not in the answer',
      '+ results[].text: string, not documented',
    ]);
  });

  it('names a refusal with its status, and everything that is not configured', async () => {
    answers = { '/res/v1/web/search': documented('brave', 'bad key') };
    const [brave, exa] = await run(['brave', 'exa'], { BRAVE_API_KEY: KEY });
    expect(brave).toMatchObject({
      outcome: 'auth',
      facts: expect.stringContaining('brave 422'),
      differences: ['HTTP 422 at /res/v1/web/search'],
    });
    expect(exa).toMatchObject({ outcome: 'not configured', facts: expect.stringContaining('EXA_API_KEY') });
    expect([hasFailed([brave!]), hasFailed([exa!])]).toEqual([true, false]);
    answers = { '/res/v1/web/search': documented('brave', 'quota') };
    expect(hasFailed(await run(['brave'], { BRAVE_API_KEY: KEY }))).toBe(false);
  });

  it('asks each client of YouTube, and compares player and captions', async () => {
    const { responses } = (
      JSON.parse(readFileSync(resolve('test/fixtures/youtube/innertube.json'), 'utf8')) as {
        cases: { success: { responses: Record<string, FakeAnswer> } };
      }
    ).cases.success;
    answers = responses;
    const reports = await run(['innertube']);
    expect(reports.map(({ name }) => name.split(' ')[1])).toEqual(['ANDROID', 'IOS', 'VISIONOS', 'WEB']);
    for (const report of reports)
      expect(report).toMatchObject({
        outcome: 'ok',
        facts: expect.stringMatching(/^3 lines, en/),
        differences: [],
      });
  });

  it('prints Markdown without a key or a text of an answer', async () => {
    answers = { '/res/v1/web/search': documented('brave', 'success') };
    const text = asMarkdown(await run(['brave'], { BRAVE_API_KEY: KEY }), {
      version: '1.0.0',
      date: '2026-11-22',
    });
    expect(text).toMatch(/^## canary of nestjs-tools 1\.0\.0, 2026-11-22, Node /);
    expect(text).toContain('### brave: ok');
    expect(text).toMatch(/^\| `brave` \| api-dashboard.* \| 2026-11-22 \| 2026-11-22: ok \|$/m);
    expect(text.match(/^\| `/gm)).toHaveLength(1);
    expect(text).not.toContain(KEY);
    expect(text).not.toContain('parameterized over types');
  });

  it('covers every service of the table in docs/compatibility.md, which says what each was written from', () => {
    const rows = documentedServices();
    const fixtures = ['search', 'youtube'].flatMap((folder) =>
      readdirSync(resolve('test/fixtures', folder)).map((file) => ({
        name: file.replace('.json', '').replace('-keyless', ' (without a key)'),
        source: (
          JSON.parse(readFileSync(resolve('test/fixtures', folder, file), 'utf8')) as { source: string }
        ).source,
      })),
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [...fixtures.map(({ name }) => name), 'youtubei', 'yt-dlp'].sort(),
    );
    for (const { name, source } of fixtures) {
      const [, from, day, tried] = rows.find((row) => row.name === name)!.cells;
      expect(`${from}. Read ${day}.`).toBe(source);
      expect(tried).toMatch(/^(?:not yet|20\d\d-\d\d-\d\d)/);
    }
    for (const provider of ENVIRONMENT_PROVIDERS) expect(rows.map(({ name }) => name)).toContain(provider);
  });
});
