import { ConsoleLogger } from '@nestjs/common';
import { memoryTranscripts, ToolsModule, type SearchHit } from '../../lib/index.js';
import { CORAL_SEGMENTS } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { sendRaw, type RawResponse } from '../support/raw-http.js';

const KEY = 'a-key';
const VIDEO = 'dQw4w9WgXcQ';
/** Terminal codes, NUL, a turn of the writing direction, invisible spaces, half a character, a forged header and a forged log line. */
const HOSTILE =
  '\u001b[31mRED\u001b[0m \u0000 \u0007 \u202etxet \u200b\u2066 \ufeff \ud800 $& $1 %s\r\nSet-Cookie: a=b\r\n\r\nERROR forged line';
/** What no answer and no line of the log may hold, raw or as JSON escapes it. */
const UNPRINTABLE =
  /[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069\ufeff]|\\u(?:00[01]|200b|202[a-e]|206[6-9]|feff|d8)/iu;

class Lines extends ConsoleLogger {
  readonly lines: string[] = [];
  override log(message: unknown): void {
    this.lines.push(String(message));
  }
  override warn(message: unknown): void {
    this.lines.push(String(message));
  }
  override error(message: unknown): void {
    this.lines.push(String(message));
  }
}

const HITS: SearchHit[] = [
  {
    url: 'https://example.org/\u202e?a=\r\nX: y',
    title: HOSTILE,
    snippet: `Coral reefs are alive. ${HOSTILE}`,
  },
  { url: 'https://example.org/b', title: 'Coral', passages: [`Coral polyps are tiny animals. ${HOSTILE}`] },
  { url: 'java\nscript:alert(1)', title: 'Coral', snippet: 'Coral reefs run scripts.' },
  { url: ' data:text/html,<script>alert(1)</script>', title: 'Coral', snippet: 'Coral reefs are data.' },
];

describe.each(ADAPTERS)('hostile texts from upstream, on %s', (_name, adapter) => {
  let host: RunningHost;
  const logger = new Lines();

  beforeAll(async () => {
    const segments = CORAL_SEGMENTS.map((segment) => ({ ...segment, text: `${segment.text} ${HOSTILE}` }));
    const chapters = [{ title: HOSTILE, startMs: 0, endMs: 60_000 }];
    host = await startHost(
      [
        ToolsModule.forRoot({
          apiKeys: [KEY],
          youtube: {
            transcripts: [
              memoryTranscripts({
                [VIDEO]: { title: HOSTILE, channel: HOSTILE, language: 'en', segments, chapters },
              }),
            ],
          },
          search: {
            providers: [{ name: 'engine', search: () => Promise.resolve({ hits: HITS }) }],
            pages: false,
          },
          cache: {
            get: () => Promise.reject(new Error(HOSTILE)),
            set: () => Promise.reject(new Error(HOSTILE)),
          },
          hooks: {
            onUsage: () => {
              throw new Error(HOSTILE);
            },
          },
        }),
      ],
      adapter(),
      (app) => app.useLogger(logger),
    );
  });
  afterAll(closeHosts);

  const ask = async (tool: string, body: object): Promise<RawResponse> => {
    const response = await sendRaw(host.url, {
      path: `/v1/tools/${tool}`,
      headers: [`X-API-Key: ${KEY}`, 'Content-Type: application/json'],
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    expect(response.headers['set-cookie']).toBeUndefined();
    return response;
  };

  it.each([
    ['summarize_content', { content_id: VIDEO }],
    ['summarize_content', { content_id: VIDEO, method: 'recursive' }],
    ['search_web', { query: 'coral reefs' }],
    ['search_web', { query: 'What are coral polyps?', llm_answer: true }],
  ])('come out of %s %j as plain text', async (tool, body) => {
    const { json } = await ask(tool, body);
    const texts: string[] = [];
    JSON.stringify(json, (_key, value: unknown) => {
      if (typeof value === 'string') texts.push(value.replaceAll('\n', ' '));
      return value;
    });
    expect(texts.filter((text) => UNPRINTABLE.test(text))).toEqual([]);
  });

  it('never become an address that a browser would run', async () => {
    const { json } = await ask('search_web', { query: 'coral' });
    const { results } = (json as { data: { results: { source_url: string }[] } }).data;
    expect(results.length).toBeGreaterThan(0);
    expect(
      results.filter(({ source_url: url }) => !/^https:\/\/example\.org\/[\x21-\x7e]*$/.test(url)),
    ).toEqual([]);
  });

  it('are one line each in the log, in which nothing can be forged', () => {
    const told = logger.lines.filter((line) => line.includes('forged'));
    expect(told.length).toBeGreaterThan(2);
    // The frames of a stack are lines of our own.
    const withoutFrames = logger.lines.map((line) => line.replace(/\n {4}at [^\n]*/g, ''));
    expect(withoutFrames.filter((line) => UNPRINTABLE.test(line))).toEqual([]);
  });
});
