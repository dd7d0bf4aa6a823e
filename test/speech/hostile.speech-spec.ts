import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withContext } from '../../lib/core/context.js';
import { speechTranscripts } from '../../lib/index.js';
import {
  startFakeTranscriptions,
  type FakeTranscriptions,
} from '../support/fake-speech/fake-transcriptions.js';
import { ffmpeg, speak } from './recording.js';

describe('hostile files and ffmpeg', () => {
  let folder: string;
  let server: FakeTranscriptions;
  const at = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-spec-'));
    server = await startFakeTranscriptions(
      [{ text: 'Heard.', startMs: 0, endMs: 500 }],
      (_, usual) => usual,
      () => Promise.resolve({ startMs: 0, endMs: 1000 }),
    );
    const { mp3, wav } = await speak('This is a short text. It is spoken by a machine.', folder, 'speech');
    await writeFile(at('text'), '<html><body>Not found</body></html>');
    // A list of segments: one is a file of the server, the other an address inside its network.
    await writeFile(
      at('list'),
      `#EXTM3U\n#EXTINF:1,\nfile://${wav}\n#EXTINF:1,\nhttp://127.0.0.1:1/x\n#EXT-X-ENDLIST\n`,
    );
    await writeFile(at('concat'), `ffconcat version 1.0\nfile '${wav}'\n`);
    await ffmpeg('-f', 'lavfi', '-i', 'testsrc=d=1:s=64x64', '-f', 'matroska', at('pictures'));
    await writeFile(at('nothing'), (await readFile(wav)).subarray(0, 44));
    await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '60', '-f', 'flac', at('silence'));
    // Ten hours of the same minute.
    await ffmpeg('-f', 'lavfi', '-i', 'sine=r=8000', '-t', '60', '-b:a', '8k', '-f', 'mp3', at('minute'));
    await ffmpeg('-stream_loop', '599', '-i', at('minute'), '-c', 'copy', '-f', 'mp3', at('bomb'));
    await writeFile(at('cut'), (await readFile(mp3)).subarray(0, 20_000));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  const recognize = (name: string) => {
    const speech = speechTranscripts({
      model: { baseURL: server.baseURL, model: 'fake' },
      audio: { open: () => Promise.resolve({ file: at(name) }) },
      maxMinutes: 5,
      maxJobMinutes: 10,
    });
    return withContext(120_000, {}, (context) => speech.recognize('x', context));
  };

  it.each([
    ['text', 'no_audio'],
    ['list', 'no_audio'],
    ['concat', 'no_audio'],
    ['pictures', 'no_audio'],
    ['nothing', 'no_audio'],
    ['silence', 'low_speech'],
    ['bomb', 'too_long_to_recognize'],
  ])('%s: %s, and nothing is sent', async (name, reason) => {
    await expect(recognize(name)).rejects.toMatchObject({
      code: 'transcript_unavailable',
      details: { reason },
    });
    expect(server.requests).toEqual([]);
  });

  it('reads a damaged file up to the damage', async () => {
    expect((await recognize('cut')).segments.map(({ text }) => text)).toEqual(['Heard.']);
  });
});
