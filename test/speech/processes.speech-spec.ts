import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../support/eventually.js';
import {
  startFakeTranscriptions,
  type Answer,
  type FakeTranscriptions,
} from '../support/fake-speech/fake-transcriptions.js';
import { articles, ffmpeg, serveFiles, speak } from './recording.js';

const MEBI = 1024 * 1024;

describe('a process that recognizes speech', () => {
  let folder: string;
  let files: Awaited<ReturnType<typeof serveFiles>>;
  let server: FakeTranscriptions;
  /** What the server does with a piece. */
  let answer: (piece: number) => Answer | Promise<Answer>;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-spec-'));
    const { mp3 } = await speak(articles(1000), folder, 'short');
    const long = join(folder, 'long.mp3');
    await ffmpeg('-stream_loop', '-1', '-i', mp3, '-c', 'copy', '-t', '10800', long);
    const type = 'audio/mpeg';
    files = await serveFiles({ 'short.mp3': { path: mp3, type }, 'long.mp3': { path: long, type } });
    let pieces = 0;
    const nowhere = (): Promise<{ startMs: number; endMs: number }> =>
      Promise.resolve({ startMs: 0, endMs: 0 });
    server = await startFakeTranscriptions([], () => answer(pieces++), nowhere);
  });
  afterAll(async () => {
    await files.close();
    await server.close();
    await rm(folder, { recursive: true });
  });
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });

  /** Twenty minutes of sentences, of which none is like another. */
  const sentencesOf = (piece: number): Answer => {
    const segments = Array.from({ length: 240 }, (_, i) => ({
      start: i * 5,
      end: i * 5 + 4.5,
      text: ` In minute ${piece * 20 + i / 12} of the talk, boat number ${piece * 240 + i} sails to harbour ${i % 17}.`,
    }));
    return { text: segments.map(({ text }) => text).join(''), language: 'english', segments };
  };

  function start(name: string, hooks = '') {
    const temporary = mkdtempSync(join(folder, 'tmp-'));
    const child = spawn(process.execPath, ['--expose-gc', 'test/speech/host.mjs'], {
      env: {
        ...process.env,
        TMPDIR: temporary,
        AUDIO_URL: `${files.url}/${name}`,
        SPEECH_URL: server.baseURL,
        HOOKS: hooks,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    const lines: { idle?: number; peak?: number; words?: number; error?: string }[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as object));
    return { child, lines, temporary, ended: once(child, 'exit') };
  }
  /** The programs that a host has started, by their folder in their arguments. */
  const programsOf = (temporary: string): string[] =>
    readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readCommand(pid).includes(`${temporary}/`);
      } catch {
        return false;
      }
    });
  const readCommand = (pid: string): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

  it('needs less than 150 MB more than idle for three hours of sound', async () => {
    answer = sentencesOf;
    const { lines, temporary, ended } = start('long.mp3');
    await ended;
    const { idle = 0, peak = 0, words, error } = lines.at(-1)!;
    expect(error).toBeUndefined();
    expect(words).toBeGreaterThan(5);
    console.log(
      `three hours: idle ${Math.round(idle / MEBI)} MiB, at most ${Math.round((peak - idle) / MEBI)} MiB more`,
    );
    expect(peak - idle).toBeLessThan(150 * MEBI);
    expect(readdirSync(temporary)).toEqual([]);
  }, 900_000);

  it('leaves no file behind after a failure', async () => {
    answer = () => ({ status: 400, body: {} });
    const { lines, temporary, ended } = start('short.mp3');
    await ended;
    expect(lines.at(-1)!.error).toContain('refused the request');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ['with shutdown hooks', 'nest'],
    ['without', ''],
    ['with a library that waits for it too', 'signal-exit'],
  ])('leaves neither files nor programs behind after SIGTERM, %s', async (_how, hooks) => {
    answer = () => new Promise(() => undefined);
    const before = server.requests.length;
    const { child, temporary, ended } = start('short.mp3', hooks);
    await eventually(
      () => server.requests.length > before,
      () => 'no piece has arrived',
    );
    const [made] = readdirSync(temporary);
    expect(statSync(join(temporary, made!)).mode & 0o777).toBe(0o700);
    child.kill('SIGTERM');
    const [code, signal] = (await ended) as [number | null, string | null];
    expect(code ?? signal).toBe('SIGTERM');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('ends the programs that it has started, when it ends while they run', async () => {
    answer = sentencesOf;
    const { child, temporary, ended } = start('long.mp3');
    await eventually(
      () => programsOf(temporary).length > 0,
      () => 'no program was started',
    );
    child.kill('SIGTERM');
    await ended;
    await eventually(
      () => programsOf(temporary).length === 0,
      () => `still running: ${programsOf(temporary).map(readCommand).join()}`,
    );
    expect(readdirSync(temporary)).toEqual([]);
  });
});
