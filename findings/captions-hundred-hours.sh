#!/usr/bin/env bash
# Behaviour  Cues from hour 100 on vanish without an error, or the whole file is refused.
# Package    media-captions 1.0.4, srt-parser-2 1.2.3, subsrt-ts 2.1.2, subtitles-parser 0.0.2; right: subtitle 4.2.2,
#            @plussub/srt-vtt-parser 2.0.5, node-webvtt 2.0.0
# Source     Each has a regular expression with two digits for the hours. WebVTT allows two or more digits, SRT does not say.
# Met by     Captions of streams that run for days: watch cameras, radio, long meetings that were joined.
# Do         Cut such recordings, or read them with one of the three that are right.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install media-captions@1.0.4 srt-parser-2@1.2.3 subsrt-ts@2.1.2 subtitles-parser@0.0.2 subtitle@4.2.2 @plussub/srt-vtt-parser@2.0.5 node-webvtt@2.0.0
check <<'JS'
import { parse as plussub } from '@plussub/srt-vtt-parser';
import { parseText } from 'media-captions';
import webvtt from 'node-webvtt';
import SrtParser from 'srt-parser-2';
import subsrt from 'subsrt-ts';
import { parseSync } from 'subtitle';
import subtitlesParser from 'subtitles-parser';
import { finding } from './finding.mjs';

const srt = '1\n99:59:58,000 --> 99:59:59,000\nBefore\n\n2\n100:00:01,000 --> 100:00:02,000\nAfter\n';
const vtt = 'WEBVTT\n\n99:59:58.000 --> 99:59:59.000\nBefore\n\n100:00:01.000 --> 100:00:02.000\nAfter\n';
const mediaCaptions = async (text, type) => {
  const { cues, errors } = await parseText(text, { type });
  return `${cues.map((cue) => cue.text.split('\n')[0])}${errors.length ? ', errors' : ''}`;
};
const seen = {
  'media-captions, SRT': await mediaCaptions(srt, 'srt'),
  'media-captions, WebVTT': await mediaCaptions(vtt, 'vtt'),
  'srt-parser-2': new (SrtParser.default ?? SrtParser)().fromSrt(srt).length,
  'subsrt-ts': (subsrt.default ?? subsrt).parse(srt).filter(({ type }) => type === 'caption').length,
  'subtitles-parser': subtitlesParser.fromSrt(srt).length,
  subtitle: parseSync(srt).length,
  plussub: plussub(srt).entries.length,
  'node-webvtt': webvtt.parse(vtt).cues.length,
};

finding({
  expected: Object.fromEntries(Object.keys(seen).map((name) => [name, name.startsWith('media') ? 'Before,After' : 2])),
  seen,
  recorded: {"media-captions, SRT":"Before","media-captions, WebVTT":"Before","srt-parser-2":1,"subsrt-ts":1,"subtitles-parser":1,"subtitle":2,"plussub":2,"node-webvtt":2},
});
JS
