import { z } from 'zod';
import { readOutputSchema, type OutputSchema } from '../../lib/data/output-schema.js';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const STRING = { type: 'string' };
const nested = (depth: number): object => (depth === 0 ? STRING : object({ a: nested(depth - 1) }));
const named = (name: string) => object(JSON.parse(`{${JSON.stringify(name)}:{"type":"string"}}`));

describe('a schema of a caller', () => {
  it.each<[string, object]>([
    [
      'every type',
      object({ a: STRING, b: { type: 'number' }, c: { type: 'integer' }, d: { type: 'boolean' } }),
    ],
    [
      'lists and objects',
      object({ list: { type: 'array', items: object({ tags: { type: 'array', items: STRING } }) } }),
    ],
    [
      'enum, with and without a type',
      object({ a: { enum: ['x', 'y'] }, b: { type: 'integer', enum: [1, 2] } }),
    ],
    [
      'null',
      object({
        a: { anyOf: [STRING, { type: 'null' }] },
        d: { type: ['number', 'null'] },
        b: { anyOf: [{ type: 'null' }, object({ c: STRING })] },
      }),
    ],
    [
      'descriptions and closed objects',
      object({ a: { ...STRING, description: 'What' } }, { additionalProperties: false, required: ['a'] }),
    ],
    ['names in any language', object({ größe_m: STRING, 'due date': STRING })],
    ['four levels', nested(4)],
  ])('is accepted with %s', (_what, schema) => {
    expect(readOutputSchema(schema)).toMatchObject({ json: JSON.stringify(schema) });
  });

  it.each<[string, unknown, RegExp]>([
    ['a reference', object({ a: { $ref: '#' } }), /^at \/properties\/a\/\$ref is not accepted/],
    [
      'a pattern',
      object({ a: { ...STRING, pattern: '(a+)+$' } }),
      /^at \/properties\/a\/pattern is not accepted/,
    ],
    ['a bound', object({ a: { type: 'integer', minimum: 1 } }), /^at \/properties\/a\/minimum /],
    [
      'a list of types',
      object({ a: { type: ['string', 'number'] } }),
      /^at \/properties\/a\/type .* a list of one of them and null/,
    ],
    ['no type', object({ a: {} }), /^at \/properties\/a\/type /],
    [
      'a list without items',
      object({ a: { type: 'array' } }),
      /^at \/properties\/a\/items must be a JSON Schema/,
    ],
    ['no properties', { type: 'object' }, /^at \/properties must be/],
    ['an unknown required field', object({ a: STRING }, { required: ['b'] }), /^at \/required /],
    ['a name twice', object({ a: STRING }, { required: ['a', 'a'] }), /^at \/required /],
    [
      'a description that is no text',
      object({ a: { ...STRING, description: 5 } }),
      /description must be a string$/,
    ],
    ['another root', { type: 'array', items: STRING }, /^must be of type object$/],
    [
      'a root that may be null',
      { anyOf: [object({ a: STRING }), { type: 'null' }] },
      /^must be of type object$/,
    ],
    [
      'two alternatives',
      object({ a: { anyOf: [STRING, { type: 'number' }] } }),
      /^at \/properties\/a\/anyOf /,
    ],
    ['five levels', nested(5), /^at (?:\/properties\/a){4} is nested too deeply/],
    [
      '61 properties',
      object(Object.fromEntries(Array.from({ length: 61 }, (_, i) => [`p${i}`, STRING]))),
      /no more than 60/,
    ],
    [
      'a huge enum',
      object({ a: { enum: Array.from({ length: 1e4 }, (_, i) => `v${i}`) } }),
      /at most 8192 bytes/,
    ],
    [
      'an enum with null',
      object({ a: { type: 'string', enum: ['x', null] } }),
      /enum must be a list of 1 to 100 values of type string/,
    ],
    [
      'more than 8 kB',
      object({ a: { ...STRING, description: 'x'.repeat(9000) } }),
      /^must have at most 8192 bytes$/,
    ],
    ['a list in place of it', [], /^must be a JSON Schema/],
    ['its JSON in place of it', '{}', /^must be a JSON Schema/],
    ...['__proto__', 'constructor', 'prototype', '', 'a/b', 'a~b', 'x'.repeat(65), '</material>'].map(
      (name): [string, unknown, RegExp] => [
        `the name ${JSON.stringify(name)}`,
        named(name),
        /has a name that is not accepted/,
      ],
    ),
  ])('is refused with %s', (_what, schema, message) => {
    expect(readOutputSchema(schema)).toMatch(message);
  });

  // A request body has about 100 kB: enough for depth 10,000.
  const deep = (wrap: (inner: unknown) => unknown): unknown =>
    Array.from({ length: 10_000 }).reduce<unknown>((inner) => wrap(inner), STRING);
  it.each<[string, () => unknown]>([
    ['objects 10,000 deep', () => deep((a) => object({ a }))],
    ['null in null 10,000 deep', () => object({ a: deep((a) => ({ anyOf: [a, { type: 'null' }] })) })],
    ['types 10,000 deep', () => object({ a: { type: deep((a) => [a, 'null']) } })],
    ['10,000 alternatives', () => object({ a: { anyOf: Array.from({ length: 1e4 }, () => STRING) } })],
    [
      '10,000 required names',
      () => object({ a: STRING }, { required: Array.from({ length: 1e4 }, () => 'a') }),
    ],
    ['10,000 units', () => object({ a: { type: 'number', description: '(m '.repeat(1e4) } })],
  ])('is refused before it is looked into: %s', (_what, schema) => {
    expect(readOutputSchema(schema())).toMatch(/at most 8192 bytes|nested too deeply/);
  });

  it('is refused where it contains itself', () => {
    const schema: Record<string, unknown> = object({});
    schema.properties = { a: schema };
    expect(readOutputSchema(schema)).toMatch(/nested too deeply/);
  });

  it('may be one of zod', () => {
    const schema = z.object({
      ceo: z.string(),
      founded: z.int().nullable(),
      kind: z.enum(['a', 'b']).optional(),
      note: z.string().nullable(),
    });
    const { root } = readOutputSchema(schema) as OutputSchema;
    expect(root.fields).toMatchObject([
      { name: 'ceo', required: true, node: { type: 'string' } },
      { name: 'founded', required: true, node: { type: 'integer', nullable: true } },
      { name: 'kind', required: false, node: { values: ['a', 'b'] } },
      { name: 'note', required: true, node: { type: 'string', nullable: true } },
    ]);
    expect(readOutputSchema(z.object({ a: z.string().regex(/x/) }))).toMatch(/pattern is not accepted/);
    expect(readOutputSchema(z.object({ a: z.bigint() }))).toMatch(/cannot be written as JSON Schema/);
  });

  it('may give a value of an enum twice, and the model gets it once', () => {
    const { shadow } = readOutputSchema(object({ a: { enum: ['x', 'y', 'x'] } })) as OutputSchema;
    expect(shadow).toMatchObject({ properties: { a: { properties: { value: { enum: ['x', 'y'] } } } } });
  });

  it('asks the model for a value, its source and its words', () => {
    const { shadow } = readOutputSchema(object({ a: { type: 'array', items: STRING } })) as OutputSchema;
    expect(shadow).toMatchObject({
      properties: {
        a: { items: { properties: { value: STRING, source: { type: 'integer' }, quote: STRING } } },
      },
    });
  });
});
