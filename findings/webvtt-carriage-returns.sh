#!/usr/bin/env bash
# Behaviour  WebVTT whose lines end with a carriage return alone is read as a file without any cue, and no error is raised.
# Package    subtitle 4.2.2 (parseSync), subsrt-ts 2.1.2; an error: transcriptator 1.1.4; right: media-captions 1.0.4, node-webvtt 2.0.0
# Source     WebVTT, section 4.1: a line terminator is a line feed, a carriage return, or both. subtitle replaces pairs and splits at line feeds, so the file is
#            one line that begins with WEBVTT: a header. subsrt-ts parts blocks at line feeds only.
# Met by     Uploads of captions from older editors: the video counts as one in which nobody speaks.
# Do         Replace every carriage return (with or without a line feed) by a line feed before parsing.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install subtitle@4.2.2 subsrt-ts@2.1.2 transcriptator@1.1.4 media-captions@1.0.4 node-webvtt@2.0.0
check <<'JS'
import { parseText } from 'media-captions';
import nodeWebvtt from 'node-webvtt';
import subsrt from 'subsrt-ts';
import { parseSync } from 'subtitle';
import { convertFile } from 'transcriptator';
import { finding } from './finding.mjs';

const file = ['WEBVTT', '', '00:01.000 --> 00:02.000', 'One', '', '00:03.000 --> 00:04.000', 'Two', ''];
const readers = {
  subtitle: (text) => parseSync(text).filter(({ type }) => type === 'cue').map(({ data }) => data.text),
  'subsrt-ts': (text) => subsrt.parse(text, { format: 'vtt' }).filter(({ type }) => type === 'caption').map(({ text: words }) => words.trim()),
  transcriptator: (text) => convertFile(text).map(({ body }) => body),
  'media-captions': async (text) => (await parseText(text, { type: 'vtt' })).cues.map(({ text: words }) => words),
  'node-webvtt': (text) => nodeWebvtt.parse(text).cues.map(({ text: words }) => words),
};
const { error } = console;
console.error = () => undefined; // transcriptator writes its attempts
const seen = {};
for (const [name, read] of Object.entries(readers)) {
  seen[name] = {};
  for (const [ends, end] of Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' })) {
    try {
      seen[name][ends] = (await read(file.join(end))).join(' ');
    } catch {
      seen[name][ends] = 'error';
    }
  }
}
console.error = error;

finding({ input: 'two cues, three ends of lines', expected: '"One Two" each time', seen, recorded: {"subtitle":{"LF":"One Two","CRLF":"One Two","CR":""},"subsrt-ts":{"LF":"One Two","CRLF":"One Two","CR":""},"transcriptator":{"LF":"One Two","CRLF":"One Two","CR":"error"},"media-captions":{"LF":"One Two","CRLF":"One Two","CR":"One Two"},"node-webvtt":{"LF":"One Two","CRLF":"One Two","CR":"One Two"}} });
JS
