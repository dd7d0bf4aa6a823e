import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { innertubeTranscripts } from '../../../../lib/content/youtube/providers/innertube.provider.js';
import { supadataTranscripts } from '../../../../lib/content/youtube/providers/supadata.provider.js';
import type {
  TranscriptProvider,
  VideoTranscript,
} from '../../../../lib/content/youtube/transcript-provider.js';
import type { ToolsError } from '../../../../lib/core/errors.js';
import { FakeUpstream, type FakeAnswer } from '../../../support/fake-search/fake-upstream.js';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';

/** The documented answers of one service, by path; a file under `test/fixtures/youtube`. */
interface Fixtures {
  source: string;
  absent?: Record<string, string>;
  cases: Record<
    string,
    {
      responses: Record<string, FakeAnswer>;
      expect: { transcript: VideoTranscript } | { reason: string; retryAfterSeconds?: number };
    }
  >;
}

const ID = 'jNQXAC9IVRw';
const REQUIRED = ['success', 'empty', 'bad key', 'quota', 'rate limit'];
const PROVIDERS: [string, (url: string) => TranscriptProvider][] = [
  ['innertube', (url) => innertubeTranscripts({ baseUrl: url })],
  ['supadata', (url) => supadataTranscripts({ apiKey: 'secret-key', baseUrl: url })],
];

describe.each(PROVIDERS)('the documented answers of %s', (name, create) => {
  const fixtures = JSON.parse(
    readFileSync(resolve(`test/fixtures/youtube/${name}.json`), 'utf8'),
  ) as Fixtures;

  it('are there for every case that the service knows', () => {
    expect(REQUIRED.filter((required) => !fixtures.cases[required] && !fixtures.absent?.[required])).toEqual(
      [],
    );
    expect(fixtures.source).toMatch(/Read 20\d\d-\d\d-\d\d\.$/);
  });

  it.each(Object.entries(fixtures.cases))('are read: %s', async (_, { responses, expect: expected }) => {
    const upstream = await FakeUpstream.start(({ path }) => responses[path] ?? { status: 404, body: '' });
    const request = { languages: ['en'] } as const;
    const outcome = await Promise.resolve(
      create(upstream.url).fetchTranscript(ID, request, providerContext()),
    ).catch((error: ToolsError) => error);
    await upstream.close();
    if ('transcript' in expected) expect(outcome).toMatchObject(expected.transcript);
    else {
      const error = outcome as ToolsError;
      expect(error.details).toMatchObject({ reason: expected.reason });
      if (expected.retryAfterSeconds) expect(error.retryAfterSeconds).toBe(expected.retryAfterSeconds);
      expect(JSON.stringify([error.message, error.getResponse()])).not.toContain('secret-key');
    }
  });
});
