#!/usr/bin/env bash
# Behaviour  A pattern with a class of Unicode refuses every word: ^\p{L}+$ takes neither "é" nor "Ann". No error when the schema is read.
# Package    zod 4.6.7, z.fromJSONSchema; right: ajv 8.20.0, @cfworker/json-schema 4.1.6
# Source     v4/classic/from-json-schema.js makes the regular expression without the flag u. JSON Schema asks for ECMA-262 with Unicode support.
# Met by     Hosts that turn the output schema of a tool or a caller into Zod: valid names are refused, a model is asked again and again.
# Do         Check with ajv, or write the letters out.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install zod@4.6.7 ajv@8.20.0 @cfworker/json-schema@4.1.6
check <<'JS'
import { Validator } from '@cfworker/json-schema';
import Ajv from 'ajv';
import { z } from 'zod';
import { finding } from './finding.mjs';

const schema = { type: 'string', pattern: '^\\p{L}+$' };
const texts = ['é', 'Ann'];
const zod = z.fromJSONSchema(schema);
const ajv = new Ajv();
const cfworker = new Validator(schema);

finding({
  input: { schema, texts },
  expected: { zod: texts, ajv: texts, cfworker: texts },
  seen: {
    zod: texts.filter((text) => zod.safeParse(text).success),
    ajv: texts.filter((text) => ajv.validate(schema, text)),
    cfworker: texts.filter((text) => cfworker.validate(text).valid),
  },
  recorded: { zod: [], ajv: ["é", "Ann"], cfworker: ["é", "Ann"] },
});
JS
