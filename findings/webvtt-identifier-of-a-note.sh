#!/usr/bin/env bash
# Behaviour  A WebVTT cue whose identifier begins with NOTE ("NOTES") is dropped as a comment by four of five readers, and no error is raised. One of them refuses
#            every other identifier that is no number.
# Package    subtitle 4.2.2, node-webvtt 2.0.0, media-captions 1.0.4, @plussub/srt-vtt-parser 2.0.5; right: subsrt-ts 2.1.2
# Source     They look at the first four letters. In WebVTT (section 4.1) a comment is NOTE alone, or NOTE and a blank, a tab or a line end. An identifier is any
#            line without "-->". subtitle's isIndex takes digits only.
# Met by     Captions of lectures and music whose cues are named by their editor: NOTE1, NOTES, NOTE-2. The words are missing at that time.
# Do         Replace identifiers by numbers before parsing.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install subtitle@4.2.2 node-webvtt@2.0.0 subsrt-ts@2.1.2 media-captions@1.0.4 @plussub/srt-vtt-parser@2.0.5
check <<'JS'
import { parse } from '@plussub/srt-vtt-parser';
import { parseText } from 'media-captions';
import nodeWebvtt from 'node-webvtt';
import subsrt from 'subsrt-ts';
import { parseSync } from 'subtitle';
import { finding } from './finding.mjs';

const file = (identifier) => `WEBVTT\n\n${identifier}\n00:01.000 --> 00:02.000\nOne\n\n00:03.000 --> 00:04.000\nTwo\n`;
const readers = {
  subtitle: (text) => parseSync(text).filter(({ type }) => type === 'cue').map(({ data }) => data.text),
  'node-webvtt': (text) => nodeWebvtt.parse(text).cues.map(({ text: words }) => words),
  'subsrt-ts': (text) => subsrt.parse(text, { format: 'vtt' }).filter(({ type }) => type === 'caption').map(({ text: words }) => words.trim()),
  'media-captions': async (text) => (await parseText(text, { type: 'vtt' })).cues.map(({ text: words }) => words),
  '@plussub/srt-vtt-parser': (text) => parse(text).entries.map(({ text: words }) => words),
};
const seen = {};
for (const [name, read] of Object.entries(readers)) {
  seen[name] = {};
  for (const identifier of ['intro', 'NOTE1', 'NOTES']) {
    try {
      seen[name][identifier] = (await read(file(identifier))).join(' ');
    } catch {
      seen[name][identifier] = 'error';
    }
  }
}

finding({ input: 'two cues, the first with an identifier', expected: '"One Two" each time', seen, recorded: {"subtitle":{"intro":"error","NOTE1":"Two","NOTES":"Two"},"node-webvtt":{"intro":"One Two","NOTE1":"Two","NOTES":"Two"},"subsrt-ts":{"intro":"One Two","NOTE1":"One Two","NOTES":"One Two"},"media-captions":{"intro":"One Two","NOTE1":"Two","NOTES":"Two"},"@plussub/srt-vtt-parser":{"intro":"One Two","NOTE1":"Two","NOTES":"Two"}} });
JS
