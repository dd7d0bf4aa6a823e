#!/usr/bin/env bash
# Behaviour  The word error rate is the same both ways round and never above 1: words that a recognizer invented make it look better.
# Package    word-error-rate 0.0.7
# Source     dist/app.js divides the errors by the length of the longer text. The measure divides by the words that were said, the reference.
# Met by     Whoever compares recognizers: on silence or music, where models invent words, ten invented words for one said are 0.9 instead of 9.
# Do         Divide calculateEditDistance() by the number of words of the reference.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install word-error-rate@0.0.7
check <<'JS'
import wer from 'word-error-rate';
import { finding } from './finding.mjs';

const said = 'thank you';
const heard = 'thank you for watching and see you next time';

finding({
  input: { said, heard },
  expected: { 'heard, said': 3.5, 'said, heard': '7 of 9 words: 0.78' },
  seen: { 'heard, said': wer.wordErrorRate(heard, said).toFixed(2), 'said, heard': wer.wordErrorRate(said, heard).toFixed(2), errors: wer.calculateEditDistance(said, heard) },
  recorded: {"heard, said":"0.78","said, heard":"0.78","errors":7},
});
JS
