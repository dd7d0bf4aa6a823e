#!/usr/bin/env bash
# Behaviour  Three hours of sound, cut into 360 pieces of 30 s and joined without encoding again: MP3 is 17 s too long; AAC says 10,800 s and plays
#            28.8 s more; Opus plays 7 s more; the header of FLAC says 30 s. Only WAV is exact.
# Package    ffmpeg 5.1.9 (Debian): libmp3lame, aac, libopus, flac; concat demuxer with -c copy
# Source     Each piece carries the encoder's delay and padding. The tags that say how much to drop stand in each file, and joining keeps those of
#            the first. FLAC's length is in the header of the first piece. (ffmpeg's documents on the concat demuxer ask for equal streams only.)
# Met by     Recorders and transcribers that send pieces and join them later: the words of the third hour are up to 29 s late.
# Do         Add up the lengths that were cut, not those of the files. Join WAV, or decode and encode once (concat filter).
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
if ! command -v ffmpeg >/dev/null; then echo 'skipped: needs ffmpeg'; exit 0; fi
ffmpeg -version | head -1 | cut -d' ' -f1-3
encode() { ffmpeg -v error -f lavfi -i "sine=frequency=300:sample_rate=$2:duration=30" "${@:3}" "piece.$1"; }
encode mp3 24000 -c:a libmp3lame -b:a 64k
encode m4a 24000 -c:a aac -b:a 48k
encode ogg 48000 -c:a libopus -b:a 32k
encode flac 16000 -c:a flac
encode wav 16000 -c:a pcm_s16le
for kind in mp3 m4a ogg flac wav; do
  yes "file 'piece.$kind'" | head -360 > list.txt || true
  ffmpeg -v quiet -f concat -i list.txt -c copy "joined.$kind"
  said=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "joined.$kind")
  bytes=$(ffmpeg -v quiet -i "joined.$kind" -f s16le -ac 1 -ar 8000 - | wc -c)
  echo "$kind $said $((bytes / 16000))" >> lengths.txt
  rm "joined.$kind"
done
check <<'JS'
import { readFileSync } from 'node:fs';
import { finding } from './finding.mjs';

const rows = readFileSync('lengths.txt', 'utf8').trim().split('\n').map((line) => line.split(' '));
const seen = Object.fromEntries(rows.map(([kind, said, played]) => [kind, `says ${Math.round(said)} s, plays ${played} s`]));

finding({
  input: '360 pieces of 30 s',
  expected: Object.fromEntries(rows.map(([kind]) => [kind, 'says 10800 s, plays 10800 s'])),
  seen,
  recorded: {"mp3":"says 10817 s, plays 10817 s","m4a":"says 10800 s, plays 10828 s","ogg":"says 10802 s, plays 10807 s","flac":"says 30 s, plays 10800 s","wav":"says 10800 s, plays 10800 s"},
});
JS
