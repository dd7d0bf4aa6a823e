import type { ToolsError } from '../../../../lib/core/errors.js';
import { supadataTranscripts } from '../../../../lib/content/youtube/providers/supadata.provider.js';
import type { VideoTranscript } from '../../../../lib/content/youtube/transcript-provider.js';
import {
  startFakeSupadata,
  type FakeSupadata,
  type SupadataAnswer,
} from '../../../support/fake-youtube/fake-supadata.js';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';

const ID = 'jNQXAC9IVRw';
const CONTENT = {
  content: [
    { text: 'Hello &amp; welcome', offset: 500, duration: 1500, lang: 'en' },
    { text: '[Music]', offset: 2000, duration: 1000, lang: 'en' },
  ],
  lang: 'en',
  availableLangs: ['en'],
};
/** Shape: type `Metadata` of `@supadata/js` 1.4.0. */
const METADATA = {
  platform: 'youtube',
  type: 'video',
  id: ID,
  url: `https://www.youtube.com/watch?v=${ID}`,
  title: 'T',
  description: '0:00 A\n0:01 B\n0:02 C',
  author: { username: 'c', displayName: 'C', avatarUrl: '', verified: false },
  stats: { views: 1, likes: null, comments: null, shares: null },
  media: { type: 'video', url: '', duration: 100, width: 1280, height: 720, thumbnailUrl: '' },
  tags: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  additionalData: {},
};

describe('supadataTranscripts', () => {
  let fake: FakeSupadata;
  afterEach(() => fake.close());

  async function get(
    answers: Record<string, SupadataAnswer[]>,
    options: { mode?: 'auto'; metadata?: boolean } = {},
  ): Promise<VideoTranscript | undefined> {
    fake = await startFakeSupadata(answers);
    const provider = supadataTranscripts({ apiKey: 'secret-key', baseUrl: fake.url, ...options });
    return provider.fetchTranscript(ID, { languages: ['en'] }, providerContext());
  }

  it('gets words, title and chapters', async () => {
    expect(await get({ '/v1/transcript': [[200, CONTENT]], '/v1/metadata': [[200, METADATA]] })).toEqual({
      availableLanguages: ['en'],
      title: 'T',
      channel: 'C',
      description: METADATA.description,
      durationMs: 100_000,
      language: 'en',
      captions: 'automatic',
      segments: [
        { startMs: 500, endMs: 2000, text: 'Hello & welcome' },
        { startMs: 2000, endMs: 3000, text: '[Music]', nonSpeech: true },
      ],
      chapters: [
        { title: 'A', startMs: 0, endMs: 1000 },
        { title: 'B', startMs: 1000, endMs: 2000 },
        { title: 'C', startMs: 2000, endMs: 100_000 },
      ],
    });
    const [request] = fake.requests;
    expect(request?.key).toBe('secret-key');
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      url: `https://www.youtube.com/watch?v=${ID}`,
      lang: 'en',
      text: 'false',
      mode: 'native',
    });
  });

  it('does without title and chapters when they cannot be had, or are not wanted', async () => {
    expect((await get({ '/v1/transcript': [[200, CONTENT]] }))?.segments).toHaveLength(2);
    await fake.close();
    await get({ '/v1/transcript': [[200, CONTENT]] }, { metadata: false });
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/transcript']);
  });

  it('waits for a transcript that is being made', async () => {
    const transcript = await get(
      {
        '/v1/transcript': [[202, { jobId: 'job/1' }]],
        '/v1/transcript/job%2F1': [[200, { status: 'completed', ...CONTENT }]],
      },
      { mode: 'auto' },
    );
    expect(transcript?.segments).toHaveLength(2);
  });

  it('says which language came in place of the one asked for', async () => {
    expect(await get({ '/v1/transcript': [[200, { ...CONTENT, lang: 'ja' }]] })).toMatchObject({
      language: 'ja',
    });
  });

  it.each<[string, SupadataAnswer, string, string | undefined]>([
    ['no captions', [206, { error: 'transcript-unavailable' }], 'transcript_unavailable', 'no_captions'],
    ['no lines', [200, { content: [], lang: 'en' }], 'transcript_unavailable', 'no_captions'],
    ['no such video', [404, { error: 'not-found' }], 'content_not_found', 'not_found'],
    [
      'a private video',
      [403, { error: 'forbidden', details: 'This video is private.' }],
      'content_unavailable',
      'private',
    ],
    ['a wrong key', [401, { error: 'unauthorized' }], 'upstream_unavailable', 'refused'],
    ['an empty account', [402, { error: 'upgrade-required' }], 'upstream_unavailable', 'refused'],
    [
      'a limit',
      [429, { error: 'limit-exceeded' }, { 'retry-after': '90' }],
      'upstream_unavailable',
      'rate_limited',
    ],
    ['a server error', [500, {}], 'upstream_unavailable', 'server_error'],
    ['a web page', [200, '<html></html>'], 'upstream_invalid', undefined],
  ])('tells %s', async (_name, answer, code, reason) => {
    const error = (await get({ '/v1/transcript': [answer] }).catch((e: unknown) => e)) as ToolsError;
    expect(error.code).toBe(code);
    expect((error.details as { reason?: string } | undefined)?.reason).toBe(reason);
    expect(JSON.stringify([error.message, error.getResponse()])).not.toContain('secret-key');
    if (reason === 'rate_limited') expect(error.retryAfterSeconds).toBe(90);
    if (code === 'upstream_unavailable' && reason === 'refused') expect(error.shouldRetry).toBe(false);
  });

  it('refuses to be made without a key', async () => {
    fake = await startFakeSupadata({});
    expect(() => supadataTranscripts({ apiKey: ' ' })).toThrow('supadataTranscripts.apiKey');
    expect(() => supadataTranscripts({ apiKey: 'k', baseUrl: 'x' })).toThrow('supadataTranscripts.baseUrl');
  });
});
