import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import {
  ToolsModule,
  type Content,
  type ContentSource,
  type Summarizer,
  type Summary,
  type ToolsModuleOptions,
} from '../../lib/index.js';
import { CORAL_SEGMENTS, OneContentSource } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { sendRaw, type RawResponse } from '../support/raw-http.js';

const KEY = 'a-key';
const VIDEO = 'dQw4w9WgXcQ';

/** What no port may return, whichever it is. */
const NOTHING_LIKE_IT: readonly unknown[] = [
  null,
  '',
  'a string',
  0,
  7,
  true,
  [],
  [{}],
  {},
  new Date(0),
  () => undefined,
  Symbol('x'),
  10n,
];

const TRANSCRIPT = { language: 'en', captions: 'manual', chapters: [], segments: CORAL_SEGMENTS };
const BAD_TRANSCRIPTS: readonly unknown[] = [
  { ...TRANSCRIPT, segments: undefined },
  { ...TRANSCRIPT, segments: 'words' },
  { ...TRANSCRIPT, segments: [null] },
  { ...TRANSCRIPT, segments: ['words'] },
  { ...TRANSCRIPT, segments: [{ startMs: 0, endMs: 1 }] },
  { ...TRANSCRIPT, segments: [{ startMs: '0', endMs: '1', text: 'a' }] },
  { ...TRANSCRIPT, segments: [{ startMs: NaN, endMs: Infinity, text: 'a' }] },
  { ...TRANSCRIPT, segments: [{ startMs: 0, endMs: 1, text: { toString: () => 'a' } }] },
  { ...TRANSCRIPT, segments: { length: 1, 0: { startMs: 0, endMs: 1, text: 'a' } } },
  { ...TRANSCRIPT, segments: [{ startMs: 0, endMs: 1, text: 'x'.repeat(11_000_000) }] },
  { ...TRANSCRIPT, segments: Array<object>(600_000).fill({ startMs: 0, endMs: 1, text: 'a' }) },
  { ...TRANSCRIPT, chapters: undefined },
  { ...TRANSCRIPT, chapters: [{ title: 5, startMs: 0, endMs: 1 }] },
  { ...TRANSCRIPT, language: undefined },
  { ...TRANSCRIPT, language: 5 },
  { ...TRANSCRIPT, captions: 'x' },
  { ...TRANSCRIPT, title: 5 },
  { ...TRANSCRIPT, durationMs: 'long' },
];

const SUMMARY: Summary = {
  method: 'simple',
  text: 'Coral.',
  language: 'en',
  keyPoints: [],
  sections: [],
  engine: 'own',
  warnings: [],
};
const BAD_SUMMARIES: readonly unknown[] = [
  { ...SUMMARY, text: undefined },
  { ...SUMMARY, text: '' },
  { ...SUMMARY, text: ' \n' },
  { ...SUMMARY, text: 'x'.repeat(2_000_000) },
  { ...SUMMARY, method: 'auto' },
  { ...SUMMARY, language: null },
  { ...SUMMARY, keyPoints: undefined },
  { ...SUMMARY, keyPoints: [null] },
  { ...SUMMARY, keyPoints: [{ text: 'a', startMs: 'x' }] },
  { ...SUMMARY, sections: [{ title: 'a' }] },
  { ...SUMMARY, warnings: 'none' },
  { ...SUMMARY, usage: { modelCalls: 1, inputTokens: NaN, outputTokens: 0 } },
  { ...SUMMARY, usage: { modelCalls: 1, inputTokens: -5, outputTokens: 0 } },
  { ...SUMMARY, coverage: 7 },
];

const HIT = { url: 'https://example.org/', title: 'Coral', snippet: 'Coral reefs are alive.' };
const BAD_RESULTS: readonly unknown[] = [
  { hits: null },
  { hits: 'none' },
  { hits: {} },
  { hits: [null] },
  { hits: [{}] },
  { hits: [{ ...HIT, url: 5 }] },
  { hits: [{ ...HIT, title: 5 }] },
  { hits: [{ ...HIT, snippet: {} }] },
  { hits: [{ ...HIT, passages: 'words' }] },
  { hits: [{ ...HIT, passages: [5] }] },
  { hits: [{ ...HIT, score: 'high' }] },
  { hits: [{ ...HIT, publishedAt: new Date(0) }] },
];

class OwnSource extends OneContentSource implements ContentSource {
  constructor(private readonly answer: () => unknown) {
    super();
  }
  override load(): Promise<Content> {
    return Promise.resolve(this.answer() as Content);
  }
}

const own = (answer: () => unknown): Summarizer => ({
  engine: 'own-engine',
  translates: true,
  summarize: () => Promise.resolve(answer() as Summary),
});

interface Port {
  answers: readonly unknown[];
  options: (answer: () => unknown) => ToolsModuleOptions;
  tool: string;
  body: object;
  /** What the log must call it. */
  name: string;
}

const PORTS: Record<string, Port> = {
  TranscriptProvider: {
    answers: [...NOTHING_LIKE_IT, ...BAD_TRANSCRIPTS],
    options: (answer) => ({
      youtube: {
        transcripts: [{ name: 'own-words', fetchTranscript: () => Promise.resolve(answer() as undefined) }],
      },
    }),
    tool: 'summarize_content',
    body: { content_id: VIDEO },
    name: 'own-words',
  },
  ContentSource: {
    answers: [
      ...NOTHING_LIKE_IT,
      undefined,
      ...BAD_TRANSCRIPTS.map((bad) => ({ id: 'coral', url: 'https://x', provider: 'p', ...(bad as object) })),
      { ...TRANSCRIPT, url: 'https://x', provider: 'p' },
      { ...TRANSCRIPT, id: 'coral', url: 5, provider: 'p' },
    ],
    options: (answer) => ({ contentSources: [new OwnSource(answer)] }),
    tool: 'summarize_content',
    body: { content_id: 'coral' },
    name: 'youtube',
  },
  Summarizer: {
    answers: [...NOTHING_LIKE_IT, undefined, ...BAD_SUMMARIES],
    options: (answer) => ({ contentSources: [new OneContentSource()], summarizer: own(answer) }),
    tool: 'summarize_content',
    body: { content_id: 'coral' },
    name: 'own-engine',
  },
  SearchProvider: {
    answers: [...NOTHING_LIKE_IT, undefined, ...BAD_RESULTS],
    options: (answer) => ({
      search: { providers: [{ name: 'own-index', search: () => Promise.resolve(answer() as never) }] },
    }),
    tool: 'search_web',
    body: { query: 'coral' },
    name: 'own-index',
  },
  VideoListProvider: {
    answers: [
      ...NOTHING_LIKE_IT,
      ...[
        null,
        'none',
        {},
        [null],
        [{}],
        [{ id: 'coral', title: 'No ID of YouTube' }],
        [{ id: VIDEO, title: 5 }],
      ].map((items) => ({ items })),
      { items: [{ id: 'coral', title: 'A script', url: 'javascript:alert(1)' }] },
      { items: [], title: 5 },
      { items: [], next: '' },
    ],
    options: (answer) => ({
      listVideos: {
        providers: [{ name: 'own-lists', listVideos: () => Promise.resolve(answer() as never) }],
      },
    }),
    tool: 'list_videos',
    body: { query: 'coral' },
    name: 'own-lists',
  },
};

describe.each(ADAPTERS)("a host's own implementations that return another shape, on %s", (_name, adapter) => {
  let host: RunningHost;
  const warnings: string[] = [];
  /** What the implementation under test returns. */
  let answer: unknown;

  afterEach(async () => {
    jest.restoreAllMocks();
    await closeHosts();
  });

  const start = async (options: ToolsModuleOptions): Promise<void> => {
    await closeHosts();
    host = await startHost(
      [ToolsModule.forRoot({ apiKeys: [KEY], logRequests: false, cache: false, ...options })],
      adapter(),
    );
  };
  const ask = (tool: string, body: object): Promise<RawResponse> =>
    sendRaw(host.url, {
      path: `/v1/tools/${tool}`,
      // A failure of a video is remembered.
      headers: [`X-API-Key: ${KEY}`, 'Content-Type: application/json', 'Cache-Control: no-cache'],
      body: JSON.stringify(body),
    });

  it.each(Object.entries(PORTS))('%s: 502, and the log names it and the fault', async (_port, test) => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line) => void warnings.push(String(line)));
    const failures: string[] = [];
    for (const [i, bad] of test.answers.entries()) {
      // Anew before the fifth failure in a row opens the provider's circuit.
      if (i % 4 === 0) await start(test.options(() => answer));
      answer = bad;
      warnings.length = 0;
      const { status, body } = await ask(test.tool, test.body);
      const named = warnings.some((line) => line.includes(`"${test.name}"`) && line.includes(' must '));
      if (status !== 502 || !body.includes('"upstream_invalid"') || !named)
        failures.push(`${describeAnswer(bad)}: ${status} ${body.slice(0, 200)} ${warnings.join()}`);
    }
    expect(failures).toEqual([]);
  });

  it('ApiKeyStore: nobody is let in', async () => {
    for (const identity of [true, 1, 'yes', [], [{}], {}, { id: 5, name: 'x' }]) {
      await start({ apiKeys: { verify: () => identity as never } });
      expect([identity, (await ask('search_web', { query: 'coral' })).status]).toEqual([identity, 503]);
    }
  });
});

function describeAnswer(answer: unknown): string {
  try {
    return String(JSON.stringify(answer) ?? String(answer)).slice(0, 100);
  } catch {
    return String(answer);
  }
}
