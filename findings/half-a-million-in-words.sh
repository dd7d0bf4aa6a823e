#!/usr/bin/env bash
# Behaviour  "half a million" is 0.000002, "two and a half million" 2.0000005; in French, Spanish and Portuguese a million and a half is 500,000.
# Package    @microsoft/recognizers-text-number 1.3.1
# Source     A fraction that begins a number is divided by all that follows it. In the other languages the half is multiplied by the million, and what stands
#            before it is lost. The text of the result is the whole phrase, so nothing shows that a part is missing.
# Met by     Checks of figures in texts of people or models, and forms that take amounts in words.
# Do         Take figures as digits ("2.5 million" and "2,5 millions" are right), or refuse a result whose text holds a word for a fraction and one for a multiple.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install @microsoft/recognizers-text-number@1.3.1
check <<'JS'
import numbers from '@microsoft/recognizers-text-number';
import { finding } from './finding.mjs';

const phrases = [
  ['en-us', 'half a million', 500_000],
  ['en-us', 'two and a half million', 2_500_000],
  ['fr-fr', 'deux millions et demi', 2_500_000],
  ['es-es', 'un millón y medio', 1_500_000],
  ['es-es', 'mil millones', 1_000_000_000],
  ['pt-br', 'dois milhões e meio', 2_500_000],
  ['en-us', '2.5 million', 2_500_000],
  ['fr-fr', '2,5 millions', 2_500_000],
];
const table = (value) => Object.fromEntries(phrases.map((phrase) => [phrase[1], value(phrase)]));

finding({
  expected: table(([, , right]) => right),
  seen: table(([culture, phrase]) => Number(numbers.recognizeNumber(phrase, culture)[0]?.resolution.value)),
  recorded: {"half a million":0.000002,"two and a half million":2.0000005,"deux millions et demi":1000000,"un millón y medio":500000,"mil millones":1000,"dois milhões e meio":1000000,"2.5 million":2500000,"2,5 millions":2500000},
});
JS
