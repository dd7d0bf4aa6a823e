#!/usr/bin/env bash
# Behaviour  Zod does not ask for keys of `required` that are not under `properties`: {} is valid for a record that must have "total". A constant that is an object
#            refuses every value. No error when the schema is read.
# Package    zod 4.6.7, z.fromJSONSchema; right: ajv 8.20.0, @cfworker/json-schema 4.1.6
# Source     JSON Schema 2020-12, Validation, 6.5.3: every name in `required` is a property of the instance, whatever `properties` says; 6.1.3: a constant may have
#            any type, and equal objects are equal. Zod makes keys optional or not from `properties` alone, and compares constants as z.literal does.
# Met by     Hosts that turn the input or output schema of a tool into Zod: amounts by name with some names required, and `anyOf` of two `required`.
# Do         List each required key under `properties`, as {} if need be. For what others wrote, check with ajv.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install zod@4.6.7 ajv@8.20.0 @cfworker/json-schema@4.1.6
check <<'JS'
import { Validator } from '@cfworker/json-schema';
import Ajv from 'ajv/dist/2020.js';
import { z } from 'zod';
import { finding } from './finding.mjs';

const CASES = {
  'a record': [{ type: 'object', additionalProperties: { type: 'number' }, required: ['total'] }, {}, { total: 1 }],
  'beside properties': [{ type: 'object', properties: { a: {} }, required: ['total'] }, { a: 1 }, { total: 1 }],
  'one of two': [{ type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, { a: 1 }],
  'under properties': [{ type: 'object', properties: { total: {} }, required: ['total'] }, {}, { total: 1 }],
  'a constant': [{ const: { a: 1 } }, { a: 2 }, { a: 1 }],
};
const readers = {
  zod: (schema) => (value) => z.fromJSONSchema(schema).safeParse(value).success,
  ajv: (schema) => new Ajv.default({ strict: false }).compile(schema),
  cfworker: (schema) => (value) => new Validator(schema, '2020-12').validate(value).valid,
};
const seen = {};
for (const [name, reader] of Object.entries(readers)) {
  seen[name] = Object.fromEntries(Object.entries(CASES).map(([title, [schema, ...values]]) => [title, values.map(reader(schema))]));
}

finding({ input: 'for each schema a value that it refuses, and one that it accepts', expected: '[false,true] each time', seen, recorded: {"zod":{"a record":[true,true],"beside properties":[true,true],"one of two":[true,true],"under properties":[false,true],"a constant":[false,false]},"ajv":{"a record":[false,true],"beside properties":[false,true],"one of two":[false,true],"under properties":[false,true],"a constant":[false,true]},"cfworker":{"a record":[false,true],"beside properties":[false,true],"one of two":[false,true],"under properties":[false,true],"a constant":[false,true]}} });
JS
