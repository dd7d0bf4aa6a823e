import type { FailedAttempt, ToolsError } from '../../../lib/core/errors.js';
import { withContext } from '../../../lib/core/context.js';
import { innertubeTranscripts } from '../../../lib/content/youtube/providers/innertube.provider.js';
import { YouTubeSource } from '../../../lib/content/youtube/youtube.source.js';
import { FAILURE_MATRIX, setUpFailures } from '../../support/fake-youtube/failure-matrix.mjs';
import { startFakeYouTube, type FakeYouTube } from '../../support/fake-youtube/fake-youtube.mjs';

describe('a video that cannot be read', () => {
  let fake: FakeYouTube;
  beforeAll(async () => {
    fake = await startFakeYouTube();
    setUpFailures(fake);
  });
  afterAll(() => fake.close());

  it.each(FAILURE_MATRIX)('is told: $case', async ({ id, status, code, reason, tells, blocksAddress }) => {
    const source = new YouTubeSource({
      transcripts: [innertubeTranscripts({ baseUrl: fake.url })],
      deadlineMs: 5_000,
      requestTimeoutMs: code === 'upstream_timeout' ? 60 : 2_000,
    });
    const before = fake.requests.length;
    const load = (): Promise<unknown> =>
      withContext(10_000, {}, (context) => source.load(id, { languages: ['en'] }, context));
    const error = (await load().catch((e: unknown) => e)) as ToolsError;
    expect(error).toMatchObject({ code });
    expect(error.getStatus()).toBe(status);
    expect(error.message).toMatch(tells);
    const { attempts, ...details } = error.details as { attempts: FailedAttempt[]; reason?: string };
    expect(details.reason).toBe(reason);
    expect(attempts[0]!.client).toEqual(expect.any(String));
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({
        provider: 'innertube',
        ms: expect.any(Number),
        outcome: expect.stringMatching(/^[a-z_]+$/),
      });
    }
    expect(JSON.stringify(error.getResponse())).not.toMatch(/https?:|127\.0\.0\.1|169\.254/);

    if (!blocksAddress) return;
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(60);
    const made = fake.requests.length - before;
    expect(made).toBeLessThanOrEqual(3);
    const again = (await load().catch((e: unknown) => e)) as ToolsError;
    expect(again.retryAfterSeconds).toBeGreaterThan(55);
    expect(fake.requests.length - before).toBe(made);
  });
});
