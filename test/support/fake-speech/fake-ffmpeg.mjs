#!/usr/bin/env node
/**
 * Behaves like `ffmpeg` as far as speech goes, on recordings that are JSON: `{ durationMs, silences: [[startMs, endMs], …], soundless, meanVolume }`.
 * A piece that it cuts is JSON too: `{ startMs, endMs }`. Anything else has no sound. With `hang` in a recording it never ends, with `areOpposite` its
 * channels cancel each other out, and with `endsAtMs` its sound is shorter than it says.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const args = process.argv.slice(2);
const valueOf = (option) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
const output = args.at(-1);

if (args[0] === '-version' || args.includes('-version')) {
  process.stdout.write('ffmpeg version 5.1 (fake)\n');
  process.exit(0);
}

let recording;
try {
  recording = JSON.parse(readFileSync(valueOf('-i').replace(/^file:/, ''), 'utf8'));
} catch {
  process.stderr.write('Output file #0 does not contain any stream\n');
  process.exit(1);
}
const { durationMs, silences = [], soundless = [], meanVolume = -20 } = recording;
const tell = (stretches) => {
  for (const [start, end] of stretches) {
    process.stderr.write(`[silencedetect @ 0x5578b0] silence_start: ${start / 1000}\n`);
    process.stderr.write(`[silencedetect @ 0x5578b0] silence_end: ${end / 1000} | silence_duration: 1\n`);
  }
};
if (recording.hang) setInterval(() => undefined, 1000);
else if (valueOf('-af')?.startsWith('volumedetect,')) {
  const kept = Math.min(durationMs, Number(valueOf('-t')) * 1000);
  writeFileSync(output, JSON.stringify({ ...recording, durationMs: kept }));
  process.stdout.write(`out_time_us=1000\nprogress=continue\nout_time_us=${kept * 1000}\nprogress=end\n`);
  const isMixed = !valueOf('-af').includes('pan=mono');
  const mixed = recording.areOpposite && isMixed ? -91 : meanVolume;
  process.stderr.write(`[Parsed_volumedetect_0 @ 0x5578b0] mean_volume: ${meanVolume}.0 dB\n`);
  process.stderr.write(`[Parsed_volumedetect_3 @ 0x5578b0] mean_volume: ${mixed}.0 dB\n`);
  tell(soundless);
} else if (valueOf('-af')?.startsWith('silencedetect=')) {
  tell(silences);
} else {
  const startMs = Number(valueOf('-ss')) * 1000;
  const endMs = startMs + Number(valueOf('-t')) * 1000;
  writeFileSync(output, JSON.stringify({ startMs, endMs }), { flag: 'wx' });
  // Behind the end of a file the program writes a header without sound, and ends with 0.
  const heldMs = Math.max(0, Math.min(endMs, recording.endsAtMs ?? endMs) - startMs);
  process.stdout.write(`out_time_us=${heldMs * 1000}\nprogress=end\n`);
}
