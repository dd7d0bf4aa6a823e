#!/usr/bin/env bash
# Behaviour  An exponent breaks all of a cut reply that follows it: 1.5e9 becomes 1.5, and the rest of the number becomes part of the name of the
#            next key. No error. (Whole JSON is right: it is tried with JSON.parse first.)
# Package    best-effort-json-parser 1.5.1; right: partial-json 0.1.7, jsonrepair 3.15.0, untruncate-json 0.0.1, ai 7.0.173
# Source     dist/parse.js, parseNumber: the characters of a number are the digits, point and minus; neither e nor plus.
# Met by     Hosts that show a model's object while it streams: models write 1e-6, 6.02e23, 2.5E6. The picture jumps when the reply is whole.
# Do         Read cut replies with partial-json or the AI SDK's parsePartialJson.
# Date       2026-11-27
source "$(dirname "$0")/lib/setup.sh"
install best-effort-json-parser@1.5.1 partial-json@0.1.7 jsonrepair@3.15.0 untruncate-json@0.0.1 ai@7.0.173
check <<'JS'
import { parsePartialJson } from 'ai';
import { parse as bestEffort } from 'best-effort-json-parser';
import { jsonrepair } from 'jsonrepair';
import { parse as partial } from 'partial-json';
import untruncate from 'untruncate-json';
import { finding } from './finding.mjs';

console.error = () => {}; // the parser writes its doubts there
const text = '{"population":1.5e9,"country":"Ind';
const right = { population: 1.5e9, country: 'Ind' };

finding({
  input: text,
  expected: { 'best-effort-json-parser': right, 'partial-json': right, jsonrepair: right, 'untruncate-json': right, 'ai sdk': right },
  seen: {
    'best-effort-json-parser': bestEffort(text),
    'partial-json': partial(text),
    jsonrepair: JSON.parse(jsonrepair(text)),
    'untruncate-json': JSON.parse((untruncate.default ?? untruncate)(text)),
    'ai sdk': (await parsePartialJson(text)).value,
  },
  recorded: {"best-effort-json-parser":{"population":1.5,"e9,\"country\"":"Ind"},"partial-json":{"population":1500000000,"country":"Ind"},"jsonrepair":{"population":1500000000,"country":"Ind"},"untruncate-json":{"population":1500000000,"country":"Ind"},"ai sdk":{"population":1500000000,"country":"Ind"}},
});
JS
