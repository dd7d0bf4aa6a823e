#!/usr/bin/env bash
# Behaviour  The length of a recording of three hours is given as more than four, also by the option that asks for a full count.
# Package    music-metadata 12.1.0 (with and without { duration: true }); the MP3 by ffmpeg 5.1.9 (Debian), which says the same
# Source     An MP3 of variable rate that was written into a pipe has no count of its frames. Both work the length out from the file's size and
#            the rate of the first frames. The option's documents say that it reads the whole file if needed.
# Met by     Whoever bills, limits or splits uploads by their length; recordings that begin with silence are the worst.
# Do         Decode and count (ffmpeg -i FILE -f null -), or read the time of the last packet.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
if ! command -v ffmpeg >/dev/null; then echo 'skipped: needs ffmpeg'; exit 0; fi
ffmpeg -version | head -1 | cut -d' ' -f1-3
install music-metadata@12.1.0
# An hour and a half of silence, then as long of noise.
ffmpeg -v error -f lavfi -i 'aevalsrc=if(lt(t\,5400)\,0\,random(0)*0.5-0.25):s=8000:d=10800' -c:a libmp3lame -q:a 5 -f mp3 pipe:1 | cat > talk.mp3
ffprobe -v error -show_entries format=duration -of csv=p=0 talk.mp3 > probed.txt
ffmpeg -v error -i talk.mp3 -f s16le - | wc -c > decoded.txt
check <<'JS'
import { readFileSync } from 'node:fs';
import { parseFile } from 'music-metadata';
import { finding } from './finding.mjs';

const length = async (options) => Math.round((await parseFile('talk.mp3', options)).format.duration);

finding({
  expected: { 'music-metadata': 'undefined', 'duration: true': 10800, ffprobe: 10800, decoded: 10800 },
  seen: {
    'music-metadata': await length({}),
    'duration: true': await length({ duration: true }),
    ffprobe: Math.round(Number(readFileSync('probed.txt', 'utf8'))),
    decoded: Math.round(Number(readFileSync('decoded.txt', 'utf8')) / 16000),
  },
  recorded: {"music-metadata":14640,"duration: true":14640,"ffprobe":14640,"decoded":10800},
});
JS
