#!/usr/bin/env bash
# Behaviour  Prices that z.number().multipleOf(0.01) accepts are refused by the JSON Schema that it writes: 19.99, 4.35 and 0.07 are no
#            multiples of 0.01, nor are 1,360 more of the 10,000 prices below 100.
# Package    ajv 8.20.0; right: zod 4.6.7, @cfworker/json-schema 4.1.6, and ajv with multipleOfPrecision
# Source     JSON Schema 2020-12, Validation, 6.2.1: the value divided by the keyword is an integer. Ajv divides binary fractions: 0.07 / 0.01 is
#            7.000000000000001. The option `multipleOfPrecision`, which allows for that, is off by default.
# Met by     Hosts whose one side checks with Zod and the other with ajv: amounts of money with two decimals, of which a part fails.
# Do         Set multipleOfPrecision, or give amounts as integers of cents.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install zod@4.6.7 ajv@8.20.0 @cfworker/json-schema@4.1.6
check <<'JS'
import { Validator } from '@cfworker/json-schema';
import Ajv from 'ajv/dist/2020.js';
import { z } from 'zod';
import { finding } from './finding.mjs';

const price = z.number().multipleOf(0.01);
const schema = z.toJSONSchema(price);
const all = Array.from({ length: 10_000 }, (_, cents) => cents / 100);
const readers = {
  zod: (value) => price.safeParse(value).success,
  ajv: new Ajv.default().compile(schema),
  'ajv, multipleOfPrecision: 6': new Ajv.default({ multipleOfPrecision: 6 }).compile(schema),
  cfworker: (value) => new Validator(schema, '2020-12').validate(value).valid,
};
const seen = {};
for (const [name, accepts] of Object.entries(readers)) seen[name] = `${all.filter((value) => accepts(value)).length}; 19.99, 4.35, 0.07: ${[19.99, 4.35, 0.07].map((value) => accepts(value))}`;

finding({ input: 'the prices from 0.00 to 99.99', expected: '10000; true,true,true each time', seen, recorded: {"zod":"10000; 19.99, 4.35, 0.07: true,true,true","ajv":"8637; 19.99, 4.35, 0.07: false,false,false","ajv, multipleOfPrecision: 6":"10000; 19.99, 4.35, 0.07: true,true,true","cfworker":"10000; 19.99, 4.35, 0.07: true,true,true"} });
JS
