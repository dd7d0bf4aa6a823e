import type { FailedAttempt, ToolsError } from '../../../../lib/core/errors.js';
import { youtubeiTranscripts } from '../../../../lib/content/youtube/providers/youtubei.provider.js';
import {
  startFakeYouTube,
  type FakeVideo,
  type FakeYouTube,
} from '../../../support/fake-youtube/fake-youtube.mjs';
import { providerContext } from '../../../support/fake-youtube/provider-context.js';
import { speech } from '../../../support/fake-youtube/speech.mjs';

const ID = 'jNQXAC9IVRw';
const WORDS: FakeVideo = { title: 'T', tracks: [{ language: 'en', lines: speech() }] };

describe('youtubeiTranscripts, with the peer installed', () => {
  let fake: FakeYouTube;
  let attempts: Omit<FailedAttempt, 'provider'>[];
  beforeEach(async () => {
    fake = await startFakeYouTube();
    attempts = [];
  });
  afterEach(() => fake.close());

  async function get(video: FakeVideo, clients?: readonly string[]): Promise<unknown> {
    fake.set(ID, video);
    return youtubeiTranscripts({ clients, fetch: (url, init) => fake.fetch(url, init) }).fetchTranscript(
      ID,
      { languages: ['en'] },
      providerContext(attempts),
    );
  }

  it('gets the words with the client profiles of the peer', async () => {
    expect(await get(WORDS)).toMatchObject({ title: 'T', language: 'en', segments: { length: 20 } });
    expect(attempts.map(({ client, outcome }) => `${client}:${outcome}`)).toEqual(['IOS:ok']);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/youtubei/v1/player', '/api/timedtext']);
    expect(fake.requests[0]?.client).toBe('iOS');
  });

  it('tries the next client', async () => {
    await get({ ...WORDS, clients: { iOS: { player: 'bad-request' } } });
    expect(attempts.map(({ client, outcome }) => `${client}:${outcome}`)).toEqual([
      'IOS:refused',
      'VISIONOS:ok',
    ]);
  });

  it('tries the next client when the peer does not know one', async () => {
    await get(WORDS, ['NO_SUCH_CLIENT', 'IOS']);
    expect(attempts.map(({ client, outcome }) => `${client}:${outcome}`)).toEqual([
      'NO_SUCH_CLIENT:error',
      'IOS:ok',
    ]);
  });

  it.each<[string, FakeVideo]>([
    ['rate_limited', { player: 'rate-limited' }],
    ['captcha', { player: 'captcha' }],
    ['not_json', { player: 'html' }],
    ['unreadable', { player: 'truncated' }],
    ['private', { playability: { status: 'LOGIN_REQUIRED', reason: 'This is a private video' } }],
    ['no_captions', {}],
    ['gated_captions', { ...WORDS, gated: true }],
  ])('tells %s', async (reason, video) => {
    const error = (await get(video).catch((e: unknown) => e)) as ToolsError;
    expect(error.details).toMatchObject({ reason });
  });
});
