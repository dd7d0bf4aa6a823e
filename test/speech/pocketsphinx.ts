import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  startFakeTranscriptions,
  type FakeTranscriptions,
} from '../support/fake-speech/fake-transcriptions.js';
import { ffmpeg } from './recording.js';

const run = promisify(execFile);

/** A pause that ends a segment, s. */
const PAUSE = 0.25;

/** Recognises the speech of a file with pocketsphinx: a segment up to each pause. */
export async function hear(file: string): Promise<{ start: number; end: number; text: string }[]> {
  const wav = `${file}.16k.wav`;
  await ffmpeg('-i', file, '-ar', '16000', '-ac', '1', wav);
  const asked = ['-infile', wav, '-time', 'yes', '-logfn', '/dev/null'];
  const { stdout } = await run('pocketsphinx_continuous', asked);
  const segments: { start: number; end: number; text: string }[] = [];
  let isNew = true;
  // One line a word, `up(2) 13.000 13.200 0.61`; pauses are `<sil>`, `<s>` and `</s>`.
  for (const [, word, from, to] of stdout.matchAll(/^(\S+) ([\d.]+) ([\d.]+) [\d.]+$/gm)) {
    const [start, end] = [Number(from), Number(to)];
    const text = ` ${word!.replace(/\(\d+\)$/, '')}`;
    if (word!.startsWith('<')) isNew ||= end - start >= PAUSE;
    else if (isNew) segments.push({ start, end, text });
    else Object.assign(segments.at(-1)!, { end, text: segments.at(-1)!.text + text });
    if (!word!.startsWith('<')) isNew = false;
  }
  return segments;
}

/** A server that recognizes speech with pocketsphinx. */
export function startPocketsphinx(folder: string): Promise<FakeTranscriptions> {
  const nowhere = { startMs: 0, endMs: 0 };
  let count = 0;
  return startFakeTranscriptions(
    [],
    async ({ file }) => {
      const path = join(folder, `heard-${count++}.mp3`);
      await writeFile(path, Buffer.from(await file.arrayBuffer()));
      const segments = await hear(path);
      const text = segments.map((segment) => segment.text).join('');
      return { text: text.trim(), language: 'english', segments };
    },
    () => Promise.resolve(nowhere),
  );
}

/**
 * Compares words that were heard with those that were spoken, by the fewest changes.
 * @returns the number of changes, and the places of equal words
 */
export function alignWords(
  spoken: readonly string[],
  heard: readonly string[],
): { errors: number; pairs: [spoken: number, heard: number][] } {
  const costs = spoken.concat('').map((_, i) => [i]);
  costs[0] = heard.concat('').map((_, j) => j);
  const replaced = (i: number, j: number): number =>
    costs[i - 1]![j - 1]! + (spoken[i - 1] === heard[j - 1] ? 0 : 1);
  for (let i = 1; i <= spoken.length; i++)
    for (let j = 1; j <= heard.length; j++)
      costs[i]![j] = Math.min(replaced(i, j), costs[i - 1]![j]! + 1, costs[i]![j - 1]! + 1);
  const pairs: [number, number][] = [];
  let [i, j] = [spoken.length, heard.length];
  while (i > 0 && j > 0) {
    const cost = costs[i]![j]!;
    if (cost === replaced(i, j)) {
      i--;
      j--;
      if (spoken[i] === heard[j]) pairs.push([i, j]);
    } else if (cost === costs[i - 1]![j]! + 1) i--;
    else j--;
  }
  return { errors: costs[spoken.length]![heard.length]!, pairs };
}
