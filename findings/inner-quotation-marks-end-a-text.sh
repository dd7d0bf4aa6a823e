#!/usr/bin/env bash
# Behaviour  A model's JSON whose inner quotation marks are not escaped is read as a shorter text, and looks complete.
# Package    ai 7.0.173 (parsePartialJson), partial-json 0.1.7, best-effort-json-parser 1.5.1; whole or an error: jsonrepair 3.15.0, dirty-json 0.9.2
# Source     Parsers for streams take what stands before the second quotation mark for the whole value and leave out the rest. ai names the state `repaired-parse`,
#            as for a reply that is not finished yet.
# Met by     Replies of small models that quote a title or give inches, read by a parser for partial JSON after the stream has ended.
# Do         After the end of a stream use a strict parser first; compare the words of what was repaired with those of the reply.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install ai@7.0.173 zod@4.6.7 partial-json@0.1.7 best-effort-json-parser@1.5.1 jsonrepair@3.15.0 dirty-json@0.9.2
check <<'JS'
import { parsePartialJson } from 'ai';
import bestEffort from 'best-effort-json-parser';
import dirty from 'dirty-json';
import { jsonrepair } from 'jsonrepair';
import partial from 'partial-json';
import { finding } from './finding.mjs';

const title = '{"answer":"The title is "Reefs", by Ann Miller."}';
const inches = `{"answer":"He is 5'11" tall, and 6" wider."}`;
console.error = () => undefined; // best-effort-json-parser prints what is left over
const both = async (parse) => {
  const read = async (reply) => {
    try {
      return (await parse(reply)).answer;
    } catch {
      return 'an error';
    }
  };
  return [await read(title), await read(inches)];
};
const whole = ['The title is "Reefs", by Ann Miller.', `He is 5'11" tall, and 6" wider.`];

finding({
  input: [title, inches],
  expected: { jsonrepair: whole, 'dirty-json': whole, 'partial-json': ['an error', 'an error'], 'best-effort-json-parser': ['an error', 'an error'], ai: ['an error', 'an error'] },
  seen: {
    jsonrepair: await both((reply) => JSON.parse(jsonrepair(reply))),
    'dirty-json': await both((reply) => dirty.parse(reply)),
    'partial-json': await both((reply) => partial.parse(reply)),
    'best-effort-json-parser': await both((reply) => bestEffort.parse(reply)),
    ai: await both(async (reply) => (await parsePartialJson(reply)).value),
  },
  recorded: {"jsonrepair":["an error","He is 5'11\" tall, and 6\" wider."],"dirty-json":["The title is \"Reefs\", by Ann Miller.","an error"],"partial-json":["The title is ","He is 5'11"],"best-effort-json-parser":["The title is ","He is 5'11"],"ai":["The title is ","He is 5'11"]},
});
JS
