#!/usr/bin/env bash
# Behaviour  A WebVTT cue with settings vanishes without an error, `</v>` stays in the text, and the words of a speaker with two names are said by the one before.
# Package    transcriptator 1.1.4 (convertFile); right: media-captions 1.0.4
# Source     WebVTT is read by the SRT reader with another mark for decimals: the time line may hold nothing behind the second time. A cue that does not parse is
#            logged and left out. A voice is one word without an end tag. WebVTT allows settings, names of several words and `</v>`.
# Met by     Transcripts of podcasts, which the package is made for, from editors that place captions or name speakers.
# Do         Read WebVTT with media-captions, and compare the number of time lines with that of the segments.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install transcriptator@1.1.4 media-captions@1.0.4
check <<'JS'
import { parseText } from 'media-captions';
import transcriptator from 'transcriptator';
import { finding } from './finding.mjs';

const file = `WEBVTT

00:00:01.000 --> 00:00:03.000
<v Ann>The boat leaves at six.</v>

00:00:03.500 --> 00:00:05.000 line:85% align:start
We come with you.

00:00:05.500 --> 00:00:07.000
<v Bob Roy>Bring warm clothes.
`;
const log = console.error;
console.error = () => undefined;
const segments = transcriptator.convertFile(file);
console.error = log;
const { cues } = await parseText(file, { type: 'vtt' });

finding({
  input: 'three cues: a voice with an end tag, settings, a voice of two words',
  expected: {
    transcriptator: [['Ann', 'The boat leaves at six.'], ['', 'We come with you.'], ['Bob Roy', 'Bring warm clothes.']],
    'media-captions': 3,
  },
  seen: { transcriptator: segments.map(({ speaker, body }) => [speaker, body]), 'media-captions': cues.length },
  recorded: {"transcriptator":[["Ann","The boat leaves at six.</v>"],["Ann","<v Bob Roy>Bring warm clothes."]],"media-captions":3},
});
JS
