#!/usr/bin/env bash
# Behaviour  The first letter of every cue of an ASS or SSA file is lost. SAMI that the package wrote itself comes back without any cue.
# Package    subsrt-ts 2.1.2; ass-compiler 0.1.16 reads the same file in full
# Source     dist/format/ssa.js counts the characters before the text and adds two: one for the comma, one for a blank that files of this
#            format do not have (its own writer puts none either). dist/format/smi.js asks for a match that its own output does not give.
# Met by     Hosts that convert captions of video files or of fan translations, which are mostly ASS.
# Do         Read ASS with ass-compiler. Convert SAMI with ffmpeg.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install subsrt-ts@2.1.2 ass-compiler@0.1.16
check <<'JS'
import { compile } from 'ass-compiler';
import subsrt from 'subsrt-ts';
import { finding } from './finding.mjs';

const { convert, parse } = subsrt.default ?? subsrt;
const ass = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,2,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.50,0:00:03.00,Default,,0,0,0,,Well, yes.
Dialogue: 0,0:00:04.00,0:00:05.00,Default,,0,0,0,,16 of them.
`;
const srt = '1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo.\n';
const texts = (captions) => captions.filter(({ type }) => type === 'caption').map(({ text }) => text.trim());
const compiled = compile(ass, {}).dialogues.map(({ slices }) =>
  slices.flatMap(({ fragments }) => fragments.map(({ text }) => text)).join(''),
);

finding({
  expected: { 'ass-compiler': ['Well, yes.', '16 of them.'], 'subsrt-ts': ['Well, yes.', '16 of them.'], 'SAMI and back': ['One.', 'Two.'] },
  seen: {
    'ass-compiler': compiled,
    'subsrt-ts': texts(parse(ass)),
    'SAMI and back': texts(parse(convert(srt, { format: 'smi' }), { format: 'smi' })),
  },
  recorded: { 'ass-compiler': ['Well, yes.', '16 of them.'], 'subsrt-ts': ['ell, yes.', '6 of them.'], 'SAMI and back': [] },
});
JS
