import { randomUUID } from 'node:crypto';
import { speechTranscripts, ToolsModule, videoFailure } from '../../lib/index.js';
import { bullMqJobs } from '../../lib/queue/index.js';
import {
  startFakeTranscriptions,
  type FakeTranscriptions,
} from '../support/fake-speech/fake-transcriptions.js';
import { FAKE_FFMPEG, FakeAudio, spoken } from '../support/fake-speech/recordings.js';
import { CORAL_SEGMENTS } from '../support/fixtures.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost } from '../support/host.js';
import { JobClient } from './job-client.js';
import { REDIS_URL } from './sharing.js';

/** Half a minute. */
const TALK = spoken(CORAL_SEGMENTS.map(({ text }) => text).join(' '));

describe.each(ADAPTERS)('speech that is recognized in a job, on %s', (_name, adapter) => {
  let server: FakeTranscriptions;
  beforeEach(async () => {
    server = await startFakeTranscriptions(TALK.words);
  });
  afterEach(async () => {
    await closeHosts();
    await server.close();
  });

  async function start(maxJobMinutes: number): Promise<JobClient> {
    const speech = speechTranscripts({
      model: { baseURL: server.baseURL, model: 'whisper-1' },
      audio: new FakeAudio(TALK),
      ffmpeg: FAKE_FFMPEG,
      maxMinutes: 0.1,
      maxJobMinutes,
    });
    const tools = ToolsModule.forRoot({
      apiKeys: ['key-a'],
      search: { providers: [] },
      logRequests: false,
      youtube: {
        transcripts: [
          { name: 'captions', fetchTranscript: () => Promise.reject(videoFailure('no_captions')) },
          speech,
        ],
      },
      jobs: bullMqJobs({ connection: { url: REDIS_URL }, prefix: randomUUID() }),
    });
    return new JobClient((await startHost([tools], adapter())).url);
  }
  const body = { content_id: 'noCaptions1' };

  it('may be longer than in a request, which says so', async () => {
    const client = await start(10);
    const plain = await client.summarize(body);
    expect(plain.status).toBe(422);
    expect(await plain.json()).toMatchObject({
      code: 'transcript_unavailable',
      details: { reason: 'too_long_to_recognize', hint: expect.stringContaining('Prefer: respond-async') },
    });
    expect(server.requests).toEqual([]);
    const job = await client.ended(await client.accepted(body));
    expect(job).toMatchObject({ status: 'done', result: { data: { content: { captions: 'recognized' } } } });
    expect(server.requests).toHaveLength(1);
  });

  it('is refused above `maxJobMinutes`, before anything is sent', async () => {
    const client = await start(0.2);
    const job = await client.ended(await client.accepted(body));
    expect(job).toMatchObject({
      status: 'failed',
      error: { statusCode: 422, details: { hint: expect.stringContaining('`maxJobMinutes`') } },
    });
    expect(server.requests).toEqual([]);
  });
});
