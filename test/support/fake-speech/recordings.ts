import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AudioSource } from '../../../lib/content/speech/audio-source.js';
import type { SpokenWord } from './fake-transcriptions.js';

/** The path of the fake program, for the option `ffmpeg`. */
export const FAKE_FFMPEG = resolve('test/support/fake-speech/fake-ffmpeg.mjs');

/** A recording as `fake-ffmpeg.mjs` reads it, and its words. */
export interface FakeRecording {
  durationMs: number;
  silences: [startMs: number, endMs: number][];
  /** Stretches of half a minute and more without any sound. */
  soundless?: [startMs: number, endMs: number][];
  words: SpokenWord[];
  /** What its source says. */
  language?: string;
  /** Its channels cancel each other out. */
  areOpposite?: boolean;
  /** Its sound is shorter than it says. */
  endsAtMs?: number;
}

/** A text that is spoken at 150 words a minute, with a pause of half a second after each sentence. */
export function spoken(text: string, { wordMs = 400, pauseMs = 500 } = {}): FakeRecording {
  const words: SpokenWord[] = [];
  const silences: [number, number][] = [];
  let at = 0;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    words.push({ text: word, startMs: at, endMs: at + wordMs });
    at += wordMs;
    if (!/[.!?]$/.test(word)) continue;
    silences.push([at, at + pauseMs]);
    at += pauseMs;
  }
  return { durationMs: at, silences, words };
}

/** A source that has one recording for every id, and counts how often it is asked. */
export class FakeAudio implements AudioSource {
  opened = 0;
  folders: string[] = [];

  constructor(private readonly recording: object | string) {}

  async open(...[, { folder }]: Parameters<AudioSource['open']>): ReturnType<AudioSource['open']> {
    this.opened++;
    this.folders.push(folder);
    const file = join(folder, 'recording');
    const { recording } = this;
    await writeFile(file, typeof recording === 'string' ? recording : JSON.stringify(recording));
    const language = typeof recording === 'string' ? undefined : (recording as FakeRecording).language;
    return { file, title: 'A recording', language };
  }
}
