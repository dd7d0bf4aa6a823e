#!/usr/bin/env bash
# Behaviour  A value that a Zod schema accepts is refused by the JSON Schema that Zod writes of it: a duration with a fraction, an address with an accent, an IPv6
#            address that ends as an IPv4 one. Read back by Zod it is accepted again.
# Package    zod 4.6.7 (z.toJSONSchema, z.fromJSONSchema) with ajv 8.20.0 and ajv-formats 3.0.1, @cfworker/json-schema 4.1.6
# Source     Zod writes `format: duration`, `uri` and `ipv6`. JSON Schema 2020-12 (Validation, 7.3) takes them from RFC 3339, appendix A (no fractions), RFC 3986
#            (ASCII) and RFC 4291. Zod's own duration has fractions of seconds, as ISO 8601 has, and its address is that of the URL standard. The pattern beside
#            ipv6 has no mapped addresses.
# Met by     Servers that check their results with Zod and publish the schema (MCP, OpenAPI): clients that check by it refuse what the server has passed.
# Do         Publish z.string() with a description for such fields, or write whole seconds and percent-encoded addresses.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install zod@4.6.7 ajv@8.20.0 ajv-formats@3.0.1 @cfworker/json-schema@4.1.6
check <<'JS'
import { Validator } from '@cfworker/json-schema';
import Ajv from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as z from 'zod';
import { finding } from './finding.mjs';

const values = { 'PT90S': z.iso.duration(), 'PT1.5S': z.iso.duration(), 'https://a.example/caf%C3%A9': z.url(), 'https://a.example/café': z.url(), '::1': z.ipv6(), '::ffff:192.0.2.1': z.ipv6() };
const seen = Object.fromEntries(
  Object.entries(values).map(([value, schema]) => {
    const written = z.toJSONSchema(schema);
    const ajv = new Ajv.default();
    formats.default(ajv);
    return [value, { zod: schema.safeParse(value).success, ajv: ajv.validate(written, value), '@cfworker': new Validator(written, '2020-12').validate(value).valid, 'zod again': z.fromJSONSchema(written).safeParse(value).success }];
  }),
);

finding({ input: Object.keys(values), expected: 'one answer for each value', seen, recorded: {"PT90S":{"zod":true,"ajv":true,"@cfworker":true,"zod again":true},"PT1.5S":{"zod":true,"ajv":false,"@cfworker":false,"zod again":true},"https://a.example/caf%C3%A9":{"zod":true,"ajv":true,"@cfworker":true,"zod again":true},"https://a.example/café":{"zod":true,"ajv":false,"@cfworker":false,"zod again":true},"::1":{"zod":true,"ajv":true,"@cfworker":true,"zod again":true},"::ffff:192.0.2.1":{"zod":true,"ajv":false,"@cfworker":false,"zod again":false}} });
JS
