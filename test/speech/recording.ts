import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SpokenWord } from '../support/fake-speech/fake-transcriptions.js';

const run = promisify(execFile);
const MOST = { encoding: 'buffer', maxBuffer: 1 << 30 } as const;

/** Runs ffmpeg. */
export async function ffmpeg(...args: string[]): Promise<Buffer> {
  const { stdout } = await run(
    'ffmpeg',
    ['-hide_banner', '-nostdin', '-loglevel', 'error', '-y', ...args],
    MOST,
  );
  return stdout;
}

/** Paragraphs of the articles of the bench `answers`, at least so many words. */
export function articles(words: number): string {
  const folder = 'bench/answers/set';
  const lines = readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const paragraphs = lines.filter((line) => /^[A-Z]/.test(line));
  let count = 0;
  return paragraphs
    .filter((paragraph) => count < words && (count += paragraph.split(' ').length) > 0)
    .join(' ');
}

/** A text that espeak-ng has spoken. */
export interface Speech {
  wav: string;
  mp3: string;
  words: SpokenWord[];
  durationMs: number;
}

/** Speaks a text with espeak-ng. @param name of the files, without an ending */
export async function speak(text: string, folder: string, name: string): Promise<Speech> {
  const [wav, json, mp3] = ['wav', 'json', 'mp3'].map((ending) => join(folder, `${name}.${ending}`)) as [
    string,
    string,
    string,
  ];
  await writeFile(join(folder, `${name}.txt`), text);
  await run('sh', [
    '-c',
    'python3 "$0" "$1" "$2" < "$3"',
    'test/speech/speak.py',
    wav,
    json,
    join(folder, `${name}.txt`),
  ]);
  await ffmpeg('-i', wav, '-b:a', '64k', mp3);
  const words = JSON.parse(await readFile(json, 'utf8')) as SpokenWord[];
  return { wav, mp3, words, durationMs: words.at(-1)!.endMs };
}

const RATE = 16_000;

/**
 * Speaks a text with flite's voice `rms`, which a recognizer understands: of its words pocketsphinx hears 4 % wrong, of those of espeak-ng 67 %.
 * Sentences with digits are left out. A pause of half a second or more follows each.
 *
 * @returns each sentence as one word
 */
export async function speakClearly(text: string, folder: string, name: string): Promise<Speech> {
  const [wav, mp3, sentence] = ['wav', 'mp3', 'sentence.wav'].map((ending) =>
    join(folder, `${name}.${ending}`),
  ) as [string, string, string];
  const words: SpokenWord[] = [];
  const sound: Buffer[] = [];
  let at = 0;
  const add = (pcm: Buffer): number => {
    sound.push(pcm);
    return (at += pcm.length / 2 / (RATE / 1000));
  };
  for (const said of text.match(/[A-Z][^.!?]+[.!?]/g) ?? []) {
    if (/[^A-Za-z ,.'!?-]/.test(said)) continue;
    await run('flite', ['-voice', 'rms', '-t', said, '-o', sentence]);
    const startMs = at;
    const pcm = await ffmpeg('-i', sentence, '-ac', '1', '-ar', String(RATE), '-f', 's16le', '-');
    words.push({ text: said, startMs, endMs: add(pcm) });
    add(Buffer.alloc((RATE / 2) * (2 + (words.length % 3))));
  }
  await writeFile(join(folder, `${name}.pcm`), Buffer.concat(sound));
  await ffmpeg('-f', 's16le', '-ar', String(RATE), '-ac', '1', '-i', join(folder, `${name}.pcm`), wav);
  await ffmpeg('-i', wav, '-b:a', '64k', mp3);
  return { wav, mp3, words, durationMs: at };
}

/** Samples that one value of an envelope stands for: ten milliseconds. */
const HOP = 160;

/** Loudness of a file in steps of ten milliseconds. */
async function envelopeOf(...input: string[]): Promise<Float32Array> {
  const pcm = await ffmpeg(...input, '-ac', '1', '-ar', String(RATE), '-f', 's16le', '-');
  const envelope = new Float32Array(Math.floor(pcm.length / 2 / HOP));
  for (let i = 0; i < envelope.length; i++) {
    let sum = 0;
    for (let k = 0; k < HOP; k++) sum += Math.abs(pcm.readInt16LE(2 * (i * HOP + k)));
    envelope[i] = sum / HOP;
  }
  return envelope;
}

/** Finds out which stretch of a recording a piece is, from its sound alone. */
export async function stretchFinder(
  { wav }: Speech,
  folder: string,
): Promise<(file: File) => Promise<{ startMs: number; endMs: number }>> {
  const whole = await envelopeOf('-i', wav);
  let count = 0;
  return async (file) => {
    const path = join(folder, `received-${count++}.mp3`);
    await writeFile(path, Buffer.from(await file.arrayBuffer()));
    const piece = await envelopeOf('-i', path);
    // Every fourth value of fifteen seconds at every fourth place, then every value around the best.
    const rough = nearest(whole, piece.subarray(0, 1500), 0, whole.length, 4);
    const best = nearest(whole, piece.subarray(0, 1500), rough - 8, rough + 8, 1);
    return { startMs: best * 10, endMs: (best + piece.length) * 10 };
  };
}

/** Where a part stands in a whole, between two places, by the least difference. */
function nearest(whole: Float32Array, part: Float32Array, from: number, to: number, step: number): number {
  let [best, least] = [0, Infinity];
  for (let at = Math.max(0, from); at <= Math.min(to, whole.length - part.length); at += step) {
    let difference = 0;
    for (let k = 0; k < part.length && difference < least; k += step)
      difference += Math.abs(whole[at + k]! - part[k]!);
    if (difference < least) [best, least] = [at, difference];
  }
  return best;
}

/** Serves files over loopback. */
export async function serveFiles(files: Record<string, { path: string; type: string }>): Promise<{
  url: string;
  requests: string[];
  close(): Promise<void>;
}> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const name = request.url!.slice(1);
    requests.push(name);
    const file = files[name];
    if (!file) return void response.writeHead(404).end();
    const bytes = readFileSync(file.path);
    response.writeHead(200, { 'content-type': file.type, 'content-length': bytes.length });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
