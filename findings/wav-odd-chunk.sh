#!/usr/bin/env bash
# Behaviour  A WAV file with a chunk of an odd length before the sound has no sound for one reader, which raises no error; two others raise one.
# Package    wav 1.0.2 (Reader) gives 0 samples, node-wav 0.0.2 and wav-decoder 1.3.0 an error; right: wavefile 11.0.0, music-metadata 12.1.0
# Source     In RIFF a chunk of odd length is followed by one byte of padding that its length does not count (Multimedia Programming Interface and Data
#            Specifications 1.0, chapter 2). lib/reader.js of wav goes on at the padding: all later names of chunks are shifted by one, "data" is never met, and
#            the stream ends.
# Met by     Recognizers of speech that are fed with recordings of field recorders and editors, which put notes and positions (iXML, bext) before the sound.
# Do         Read with wavefile, or let ffmpeg write the file again.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install wav@1.0.2 node-wav@0.0.2 wav-decoder@1.3.0 wavefile@11.0.0 music-metadata@12.1.0
check <<'JS'
import { createRequire } from 'node:module';
import { parseBuffer } from 'music-metadata';
import nodeWav from 'node-wav';
import wav from 'wav';
import wavDecoder from 'wav-decoder';
import { finding } from './finding.mjs';

const { WaveFile } = createRequire(import.meta.url)('wavefile');
const SAMPLES = 8000;
const chunk = (id, content) => {
  const head = Buffer.alloc(8);
  head.write(id);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};
/** One second of 16 bits, one channel, 8 kHz, with a note before the sound. */
const file = (note) => {
  const format = Buffer.alloc(16);
  [1, 1].forEach((value, index) => format.writeUInt16LE(value, 2 * index));
  format.writeUInt32LE(8000, 4);
  format.writeUInt32LE(16_000, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const sound = Buffer.alloc(2 * SAMPLES);
  for (let index = 0; index < SAMPLES; index++) sound.writeInt16LE(Math.round(1000 * Math.sin(index / 10)), 2 * index);
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), chunk('note', Buffer.from(note)), chunk('data', sound)]));
};
const readers = {
  wav: (bytes) =>
    new Promise((resolve, reject) => {
      let length = 0;
      const reader = new wav.Reader();
      reader.on('data', (part) => (length += part.length)).on('end', () => resolve(length / 2)).on('error', reject);
      reader.end(bytes);
    }),
  'node-wav': (bytes) => nodeWav.decode(bytes).channelData[0].length,
  'wav-decoder': async (bytes) => (await wavDecoder.decode(bytes)).channelData[0].length,
  wavefile: (bytes) => new WaveFile(bytes).getSamples().length,
  'music-metadata': async (bytes) => (await parseBuffer(bytes, 'audio/wav')).format.numberOfSamples,
};
const seen = {};
for (const [name, read] of Object.entries(readers)) {
  seen[name] = [];
  for (const note of ['four', 'fives']) {
    try {
      seen[name].push(await read(file(note)));
    } catch {
      seen[name].push('error');
    }
  }
}

finding({ input: '8,000 samples behind a note of 4 and of 5 bytes', expected: '8000 and 8000', seen, recorded: {"wav":[8000,0],"node-wav":[8000,"error"],"wav-decoder":[8000,"error"],"wavefile":[8000,8000],"music-metadata":[8000,8000]} });
JS
