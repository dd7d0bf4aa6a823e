import { jest } from '@jest/globals';
import { withContext } from '../../lib/core/context.js';
import type { ToolsError } from '../../lib/core/errors.js';
import { innertubeTranscripts } from '../../lib/content/youtube/providers/innertube.provider.js';
import { YouTubeSource } from '../../lib/content/youtube/youtube.source.js';
import { startFakeYouTube, type FakeYouTube } from '../support/fake-youtube/fake-youtube.mjs';
import { speech } from '../support/fake-youtube/speech.mjs';

const VIDEOS = 1_000;
const HOUR_MS = 3_600_000;

describe('an hour of 1,000 videos', () => {
  let fake: FakeYouTube;
  /** How many `player` requests a visitor may send. */
  let limit: number;
  let nowMs: number;
  const start = { monotonic: performance.now(), wall: Date.now() };

  beforeEach(async () => {
    nowMs = 0;
    limit = 300;
    fake = await startFakeYouTube({ limitOf: () => limit });
    const video = { tracks: [{ language: 'en', lines: speech(10_000) }], durationMs: 10_000 };
    for (let i = 0; i < VIDEOS; i++) fake.set(idOf(i), video);
    jest.spyOn(performance, 'now').mockImplementation(() => start.monotonic + nowMs);
    jest.spyOn(Date, 'now').mockImplementation(() => start.wall + nowMs);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fake.close();
  });

  const idOf = (i: number): string => `video${String(i).padStart(6, '0')}`;

  /** Loads all videos, spread over the hour, `atOnce` at a time; the statuses of the answers, in order. */
  async function load(atOnce: number, onVideo: (i: number) => void = () => undefined): Promise<string[]> {
    const source = new YouTubeSource({ transcripts: [innertubeTranscripts({ baseUrl: fake.url })] });
    const request = { languages: ['en'] } as const;
    const outcomeOf = (i: number): Promise<string> =>
      withContext(20_000, {}, (context) => source.load(idOf(i), request, context)).then(
        () => 'ok',
        (error: ToolsError) => {
          expect(error.retryAfterSeconds).toBeGreaterThan(0);
          return `${error.getStatus()} ${(error.details as { reason: string }).reason}`;
        },
      );
    const outcomes: string[] = [];
    for (let i = 0; i < VIDEOS; i += atOnce) {
      nowMs = (i / VIDEOS) * HOUR_MS;
      onVideo(i);
      outcomes.push(...(await Promise.all(Array.from({ length: atOnce }, (_, n) => outcomeOf(i + n)))));
    }
    return outcomes;
  }

  const countOf = (outcomes: readonly string[], outcome: string): number =>
    outcomes.filter((other) => other === outcome).length;
  const players = (): number => fake.requests.filter(({ path }) => path.endsWith('/player')).length;

  it.each([1, 20, 200])(
    'answers all videos with a new visitor after each limit, %i at a time',
    async (atOnce) => {
      expect(countOf(await load(atOnce), 'ok')).toBe(VIDEOS);
      // A call that meets the limit goes on with the next client.
      expect(players()).toBeLessThanOrEqual(VIDEOS + atOnce * fake.visitors.size);
    },
  );

  it('answers 503 with the wait while every visitor is limited, and asks once in ten minutes', async () => {
    const outcomes = await load(1, (i) => (limit = i >= 300 && i < 700 ? 0 : 300));
    const answered = countOf(outcomes, 'ok');
    expect(answered + countOf(outcomes, '503 rate_limited')).toBe(VIDEOS);
    expect(outcomes.slice(300, 700)).not.toContain('ok');
    expect([...outcomes.slice(0, 300), ...outcomes.slice(867)]).not.toContain('503 rate_limited');
    // The limited 24 minutes see three probes, each with every client.
    expect(players() - answered).toBe(9);
  });
});
