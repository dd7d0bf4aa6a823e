import { innertubeTranscripts, ToolsModule } from '../../../lib/index.js';
import { FAILURE_MATRIX, setUpFailures } from '../../support/fake-youtube/failure-matrix.mjs';
import {
  startFakeYouTube,
  type FakeTrack,
  type FakeYouTube,
} from '../../support/fake-youtube/fake-youtube.mjs';
import { speech } from '../../support/fake-youtube/speech.mjs';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { closeHosts, startHost, type RunningHost } from '../../support/host.js';

const KEY = 'a-key';

describe('summarize_content on Fastify with YouTube upstream', () => {
  let fake: FakeYouTube;
  beforeAll(async () => {
    fake = await startFakeYouTube();
    setUpFailures(fake);
  });
  afterEach(closeHosts);
  afterAll(() => fake.close());

  /** A host of its own for each case: a circuit that one opens is not to answer the next. */
  const start = (requestTimeoutMs = 2000): Promise<RunningHost> =>
    startHost(
      [
        ToolsModule.forRoot({
          apiKeys: [KEY],
          youtube: { transcripts: [innertubeTranscripts({ baseUrl: fake.url })], requestTimeoutMs },
        }),
      ],
      new FastifyAdapter(),
    );

  const ask = ({ http }: RunningHost, contentId: string) =>
    http.post('/v1/tools/summarize_content').set('X-API-Key', KEY).send({ content_id: contentId });

  it.each(FAILURE_MATRIX)('tells the truth: $case', async ({ id, status, code, reason, tells }) => {
    const response = await ask(await start(status === 504 ? 60 : 2000), id);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({
      statusCode: status,
      code,
      request_id: expect.any(String),
      details: { attempts: expect.any(Array), ...(reason ? { reason } : {}) },
    });
    expect(response.body.message).toMatch(tells);
    expect(response.text).not.toMatch(/127\.0\.0\.1|169\.254|https?:\/\//);
    if (status === 503) expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  const track = (kind?: 'asr'): FakeTrack => ({
    language: 'en',
    kind,
    lines: speech(60_000, 'The bridge carries a thousand people each day and needs new steel.'),
  });

  it('summarizes captions', async () => {
    const id = 'bridges0000';
    fake.set(id, { title: 'Bridges', tracks: [track('asr'), track()] });
    const { body } = await ask(await start(), `https://youtu.be/${id}`).expect(200);
    expect(body.data.content).toMatchObject({ id, title: 'Bridges', captions: 'manual', language: 'en' });
    expect(body.data.summary).toContain('bridge');
  });
});
