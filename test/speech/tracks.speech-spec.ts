import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withContext } from '../../lib/core/context.js';
import { speechTranscripts } from '../../lib/index.js';
import {
  startFakeTranscriptions,
  type FakeTranscriptions,
} from '../support/fake-speech/fake-transcriptions.js';
import { ffmpeg, speakClearly } from './recording.js';

/** Loudness above which a sample is speech, and the pause that ends a stretch of it, ms. */
const LOUD = 300;
const PAUSE_MS = 400;

describe('sound tracks as ffmpeg finds them', () => {
  let folder: string;
  let server: FakeTranscriptions;
  let sentSeconds = 0;
  const at = (name: string): string => join(folder, name);

  /** The stretches of sound in a file, seconds. */
  async function soundIn(file: string): Promise<{ start: number; end: number }[]> {
    const pcm = await ffmpeg('-i', file, '-ac', '1', '-ar', '1000', '-f', 's16le', '-');
    const stretches: { start: number; end: number }[] = [];
    for (let ms = 0; ms < pcm.length / 2; ms++) {
      if (Math.abs(pcm.readInt16LE(2 * ms)) < LOUD) continue;
      const last = stretches.at(-1);
      if (last && ms / 1000 - last.end < PAUSE_MS / 1000) last.end = ms / 1000;
      else stretches.push({ start: ms / 1000, end: ms / 1000 });
    }
    return stretches.filter(({ start, end }) => end > start);
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-spec-'));
    let count = 0;
    // A server that hears a word in each stretch of sound.
    server = await startFakeTranscriptions(
      [],
      async ({ file }) => {
        const path = at(`received-${count++}.mp3`);
        await writeFile(path, Buffer.from(await file.arrayBuffer()));
        sentSeconds +=
          (await ffmpeg('-i', path, '-ac', '1', '-ar', '1000', '-f', 's16le', '-')).length / 2000;
        const segments = (await soundIn(path)).map((times, i) => ({
          ...times,
          text: `Word ${i} of ${count}.`,
        }));
        return { text: segments.map(({ text }) => text).join(' '), language: 'english', segments };
      },
      () => Promise.resolve({ startMs: 0, endMs: 0 }),
    );
    const talk = Array.from({ length: 16 }, () => 'The harbour is quiet in the morning and nobody is there.');
    const { wav } = await speakClearly(talk.join(' '), folder, 'talk');
    const { wav: other } = await speakClearly('Now this is something else.', folder, 'other');
    const gap = ['-af', "asetpts='PTS+gte(T,20)*60/TB'"];
    await ffmpeg('-i', wav, ...gap, '-c:a', 'libopus', at('gap.webm'));
    await ffmpeg('-i', wav, ...gap, '-c:a', 'aac', at('gap.mp4'));
    const far = ['-af', "asetpts='PTS+gte(T,20)*20000/TB'"];
    await ffmpeg('-i', wav, ...far, '-c:a', 'libopus', at('far.webm'));
    const picture = ['-f', 'lavfi', '-i', 'color=black:s=64x64:r=5:d=12'];
    for (const name of ['late.mkv', 'late.mp4'])
      await ffmpeg(
        ...picture,
        '-itsoffset',
        '5',
        '-i',
        other,
        '-map',
        '0',
        '-map',
        '1',
        '-c:v',
        'mpeg4',
        '-c:a',
        'aac',
        at(name),
      );
    await ffmpeg('-i', wav, '-af', 'pan=stereo|c0=c0|c1=-1*c0', at('opposite.wav'));
    await ffmpeg('-i', wav, '-af', 'pan=stereo|c0=0*c0|c1=c0', at('right.wav'));
    const second = ['-disposition:a:0', '0', '-disposition:a:1', 'default'];
    await ffmpeg(
      '-i',
      wav,
      '-i',
      other,
      '-map',
      '0',
      '-map',
      '1',
      '-c:a',
      'aac',
      ...second,
      at('default.mkv'),
    );
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const recognize = (name: string) => {
    server.requests.length = 0;
    sentSeconds = 0;
    const speech = speechTranscripts({
      model: { baseURL: server.baseURL, model: 'fake' },
      audio: { open: () => Promise.resolve({ file: at(name) }) },
      pieceMinutes: 1,
    });
    return withContext(120_000, {}, (context) => speech.recognize('x', context));
  };

  /** Starts of words, s, and the length of the recording. */
  const timesOf = async (name: string) => {
    const { segments, durationMs } = await recognize(name);
    return { starts: segments.map(({ startMs }) => startMs / 1000), seconds: durationMs! / 1000 };
  };

  it.each(['gap.webm', 'gap.mp4'])('have each word at its second behind a gap: %s', async (name) => {
    const talk = await timesOf('talk.wav');
    const { starts, seconds } = await timesOf(name);
    expect(talk.starts.length).toBeGreaterThan(10);
    expect(seconds).toBeCloseTo(talk.seconds + 60, 0);
    expect(server.requests.length).toBeGreaterThan(1);
    // The minute of the gap is not sent.
    expect(sentSeconds).toBeLessThan(talk.seconds + 10);
    const right = talk.starts.map((start) => (start < 20 ? start : start + 60));
    // A word that lies on the border of the gap is heard in two parts.
    const near = (start: number): boolean => starts.some((one) => Math.abs(one - start) < 0.5);
    expect(right.filter((start) => !near(start))).toEqual([]);
    expect(starts.filter((start) => start > 21 && start < 79)).toEqual([]);
  });

  it('are too long where they go on hours later', async () => {
    await expect(recognize('far.webm')).rejects.toMatchObject({
      details: { reason: 'too_long_to_recognize' },
    });
    expect(server.requests).toEqual([]);
  });

  it.each(['late.mkv', 'late.mp4'])('begin when their sound begins: %s', async (name) => {
    const { starts, seconds } = await timesOf(name);
    const other = await timesOf('other.wav');
    expect(starts[0]! - other.starts[0]!).toBeCloseTo(5, 0);
    expect(seconds).toBeCloseTo(other.seconds + 5, 0);
  });

  it.each(['opposite.wav', 'right.wav'])('are heard whatever their channels hold: %s', async (name) => {
    const talk = await timesOf('talk.wav');
    const { starts, seconds } = await timesOf(name);
    expect(seconds).toBeCloseTo(talk.seconds, 1);
    expect(starts).toHaveLength(talk.starts.length);
  });

  it('are taken by the mark of the default', async () => {
    expect((await timesOf('default.mkv')).seconds).toBeCloseTo((await timesOf('other.wav')).seconds, 0);
  });
});
