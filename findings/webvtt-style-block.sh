#!/usr/bin/env bash
# Behaviour  WebVTT with a STYLE block before its cues is refused as a whole.
# Package    subtitle 4.2.2, node-webvtt 2.0.0; right: subsrt-ts 2.1.2, media-captions 1.0.4, @plussub/srt-vtt-parser 2.0.5
# Source     Their parsers know NOTE and cues: any other first line of a block is taken for a cue's identifier, whose time line is then missing.
#            The standard has STYLE and REGION blocks before the first cue.
# Met by     Captions that editors, broadcasters or ffmpeg wrote with colours for speakers.
# Do         Read WebVTT with media-captions, or node-webvtt with { strict: false }.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install subtitle@4.2.2 node-webvtt@2.0.0 subsrt-ts@2.1.2 media-captions@1.0.4 @plussub/srt-vtt-parser@2.0.5
check <<'JS'
import { parse as plussub } from '@plussub/srt-vtt-parser';
import { parseText } from 'media-captions';
import webvtt from 'node-webvtt';
import subsrt from 'subsrt-ts';
import { parseSync } from 'subtitle';
import { finding } from './finding.mjs';

const vtt = 'WEBVTT\n\nSTYLE\n::cue { color: yellow }\n\n00:00:01.000 --> 00:00:02.000\nOne\n\n00:00:03.000 --> 00:00:04.000\nTwo\n';
const attempt = async (read) => {
  try {
    return await read();
  } catch {
    return 'error';
  }
};
const seen = {
  subtitle: await attempt(() => parseSync(vtt).filter(({ type }) => type === 'cue').length),
  'node-webvtt': await attempt(() => webvtt.parse(vtt).cues.length),
  'subsrt-ts': await attempt(() => (subsrt.default ?? subsrt).parse(vtt).filter(({ type }) => type === 'caption').length),
  'media-captions': await attempt(async () => (await parseText(vtt, { type: 'vtt' })).cues.length),
  plussub: await attempt(() => plussub(vtt).entries.length),
};

finding({ expected: { subtitle: 2, 'node-webvtt': 2, 'subsrt-ts': 2, 'media-captions': 2, plussub: 2 }, seen, recorded: {"subtitle":"error","node-webvtt":"error","subsrt-ts":2,"media-captions":2,"plussub":2} });
JS
