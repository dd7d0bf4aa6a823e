import { Ajv } from 'ajv';
import fc from 'fast-check';
import { checkFields, coverageOf } from '../../lib/data/check-fields.js';
import { readOutputSchema, type OutputSchema } from '../../lib/data/output-schema.js';
import { Evidence } from '../../lib/grounding/evidence.js';

const TEXT =
  'The tower is 324 m tall and was opened on 12/09/2021 by Rosa Lind. A kit costs 37.50 €. It has three lifts. Visitors must not smoke. The doors open at 8.15 a.m. every day. A year costs £5.5 m in all. A ticket is 12 pounds, or 90 pounds a month. The margin is 12.5 %. It has 3,200 staff. An adult takes 10 mg once a day.';
let evidence: Evidence;
beforeAll(async () => {
  evidence = await Evidence.of([{ text: TEXT, language: 'en' }], 'en');
});

const check = (field: object, value: unknown, quote: string, name: string) => {
  const schema = readOutputSchema({ type: 'object', properties: { [name]: field } }) as OutputSchema;
  return checkFields({ [name]: { value, source: 1, quote } }, schema, evidence);
};
const NUMBER = { type: 'number' };
const STRING = { type: 'string' };
const TALL = 'The tower is 324 m tall';
const OPENED = 'was opened on 12/09/2021 by Rosa Lind';

describe('a value', () => {
  it.each<[string, object, unknown, string, string]>([
    ['number', NUMBER, 324, TALL, 'field'],
    ['number as text', NUMBER, '324', TALL, 'field'],
    ['number as text with its unit', NUMBER, '324 m', TALL, 'field'],
    ['number as text in words', NUMBER, 'three', 'It has three lifts', 'field'],
    ['price as text', NUMBER, '£12.00', 'A ticket is 12 pounds', 'price_gbp'],
    ['price in pounds', NUMBER, 12, 'A ticket is 12 pounds', 'fare_pounds'],
    ['price for a time', NUMBER, 90, 'or 90 pounds a month', 'price_per_month'],
    ['dose for a day', NUMBER, 10, 'An adult takes 10 mg once a day', 'adult_mg_per_day'],
    ['number in words', { type: 'integer' }, 3, 'It has three lifts', 'field'],
    [
      'number in the unit of its description',
      { ...NUMBER, description: 'Height in metres' },
      324,
      TALL,
      'field',
    ],
    ['number in the unit of its name', NUMBER, 37.5, 'A kit costs 37.50 €', 'price_eur'],
    ['number in the millions of its name', NUMBER, 5.5, 'A year costs £5.5 m in all', 'cost_million_gbp'],
    ['share as a fraction', NUMBER, 0.125, 'The margin is 12.5 %', 'margin'],
    ['number in the thousands of its name', NUMBER, 3.2, 'It has 3,200 staff', 'staff_thousand'],
    ['name', STRING, 'Rosa Lind', OPENED, 'field'],
    ['date in another form', STRING, '12.9.2021', OPENED, 'field'],
    [
      'choice in other case',
      { enum: ['allowed', 'Forbidden'] },
      'forbidden',
      'Visitors must not smoke',
      'field',
    ],
    ['time in another form', STRING, '08:15', 'The doors open at 8.15 a.m. every day', 'field'],
    ['height in another unit', STRING, '32,400 cm', TALL, 'field'],
    ['sum in other words', STRING, '£5.5 million', 'A year costs £5.5 m in all', 'field'],
    ['quotation with one word of six in other letters', NUMBER, 324, 'The tówer is 324 m tall', 'field'],
    ['quotation in other case and signs', NUMBER, 324, 'the tower is “324 m” tall!', 'field'],
  ])('is kept: a %s', async (_what, field, value, quote, name) => {
    const { output, refused } = await check(field, value, quote, name);
    expect(refused).toEqual([]);
    const read = { '324 m': 324, three: 3, '£12.00': 12 }[String(value)] ?? value;
    expect(String(output[name]).toLowerCase()).toBe(String(read).toLowerCase());
  });

  it.each<[string, object, unknown, string, string, string]>([
    ['an object with a member `toString`', NUMBER, { toString: 'x' }, TALL, 'field', 'not of type number'],
    ['another number', NUMBER, 325, TALL, 'field', 'does not state this number, unit or date: "325"'],
    ['another unit', { ...NUMBER, description: 'Height in feet' }, 324, TALL, 'field', 'does not state'],
    ['another unit in its name', NUMBER, 324, TALL, 'height_km', 'does not state'],
    ['millions under a name without them', NUMBER, 5.5, 'A year costs £5.5 m in all', 'cost_gbp', '5.5'],
    ['another currency in its name', NUMBER, 37.5, 'A kit costs 37.50 €', 'price_usd', 'does not state'],
    ['a fraction of a percentage', NUMBER, 0.125, 'The margin is 12.5 %', 'margin_percent', 'does not state'],
    [
      'a count under a name of thousands',
      NUMBER,
      3200,
      'It has 3,200 staff',
      'staff_thousand',
      'does not state',
    ],
    ['another day', STRING, '15/09/2021', OPENED, 'field', '"15'],
    [
      'another number in a quotation that is changed to fit',
      NUMBER,
      325,
      'The tower is 325 m tall',
      'field',
      '"325"',
    ],
    ['another sum', STRING, '£5.5 billion', 'A year costs £5.5 m in all', 'field', 'does not state'],
    ['a word that is none of the quotation', STRING, 'MIT', OPENED, 'field', 'name'],
    [
      'a choice whose quotation is changed',
      { type: 'boolean' },
      true,
      'Visitors must now smoke here',
      'field',
      'no source has the words',
    ],
    ['another name', STRING, 'Max Mallory', OPENED, 'field', 'name'],
    ['a list with a name of no source', STRING, 'Maria, Rosa Lind', OPENED, 'field', '"Maria"'],
    ['a name alone of no source', STRING, 'Maria', OPENED, 'field', 'no source has this name'],
    ['other words', STRING, 'a green cottage', OPENED, 'field', 'few of its words'],
    ['another type', { type: 'integer' }, 37.5, 'A kit costs 37.50 €', 'field', 'not of type integer'],
    [
      'no accepted value',
      { enum: ['allowed'] },
      'forbidden',
      'Visitors must not smoke',
      'field',
      'accepted values',
    ],
    ['an invented quotation', NUMBER, 324, 'the height is 324 metres', 'field', 'no source has the words'],
    ['no quotation', NUMBER, 324, '', 'field', 'no quotation'],
  ])('is refused: %s', async (_what, field, value, quote, name, reason) => {
    const { output, refused } = await check(field, value, quote, name);
    expect(output).toEqual({});
    expect(refused[0]!.reason).toContain(reason);
  });
});

it('reads a number as text in the language of its source', async () => {
  const german = await Evidence.of([{ text: 'Das Rad kostet 12.300 Euro.', language: 'de' }], 'de');
  const schema = readOutputSchema({ type: 'object', properties: { price: NUMBER } }) as OutputSchema;
  const outputOf = async (value: string) => {
    const leaf = { value, source: 1, quote: 'Das Rad kostet 12.300 Euro' };
    return (await checkFields({ price: leaf }, schema, german)).output;
  };
  expect(await outputOf('12.300 Euro')).toEqual({ price: 12300 });
  expect(await outputOf('12.300')).toEqual({ price: 12300 });
  expect(await outputOf('12,3')).toEqual({});
});

it('keeps an item of a list without a number that could not be proven', async () => {
  const item = { type: 'object', properties: { name: STRING, more: NUMBER }, required: ['name', 'more'] };
  const schema = readOutputSchema({
    type: 'object',
    properties: { list: { type: 'array', items: item } },
  }) as OutputSchema;
  const name = { value: 'Rosa Lind', source: 1, quote: OPENED };
  const { output, isComplete, refused } = await checkFields(
    { list: [{ name, more: { value: 77, source: 1, quote: TALL } }] },
    schema,
    evidence,
  );
  expect(output).toEqual({ list: [{ name: 'Rosa Lind' }] });
  expect([isComplete, refused.length]).toEqual([false, 1]);
});

it('keeps an item of a list whose own list has no supported item', async () => {
  const names = { type: 'array', items: STRING };
  const item = { type: 'object', properties: { name: STRING, names }, required: ['name', 'names'] };
  const schema = readOutputSchema({
    type: 'object',
    properties: { list: { type: 'array', items: item } },
  }) as OutputSchema;
  const said = { value: 'Rosa Lind', source: 1, quote: OPENED };
  const wrong = { value: 'Max Mallory', source: 1, quote: OPENED };
  const fill = async (list: object[]) => checkFields({ list }, schema, evidence);
  const { output, isComplete, refused } = await fill([{ name: said, names: [wrong] }]);
  expect(output).toEqual({ list: [{ name: 'Rosa Lind' }] });
  expect([isComplete, refused.map(({ pointer }) => pointer)]).toEqual([false, ['/list/0/names/0']]);
  expect((await fill([{ name: wrong, names: [said] }])).output).toEqual({});
});

it('keeps a share in percent that a calculation proves', async () => {
  const schema = readOutputSchema({
    type: 'object',
    properties: { loss_percent: NUMBER },
  }) as OutputSchema;
  const lost = await Evidence.of([{ text: 'She lost 17 of her 38 hives.' }], 'en');
  const field = { value: 44.7, source: 1, quote: 'She lost 17 of her 38 hives' };
  const calculations = [{ expression: '17 / 38', result: '44.7 %' }];
  const { output } = await checkFields({ loss_percent: field }, schema, lost, { calculations });
  expect(output).toEqual({ loss_percent: 44.7 });
});

describe('a number without a quotation', () => {
  const ROWED = 'Orlin won in 5:38.42, ahead of Tessel in 5:40.97.';
  const given = { value: 2.55, source: 0, quote: '' };
  const fill = async (field: unknown, expression: string, type: unknown = 'number') => {
    const rowed = await Evidence.of([{ text: TEXT }, { text: `The sun shone. ${ROWED}` }], 'en');
    const properties = { margin_seconds: { type } };
    const schema = readOutputSchema({ type: 'object', properties }) as OutputSchema;
    const calculations = [{ expression, result: '2.55 s' }];
    const checked = await checkFields({ margin_seconds: field }, schema, rowed, { calculations });
    return { ...checked, quoted: checked.fields.map(({ place }) => rowed.textAt(place)) };
  };

  it.each([
    ['source 0', given, 'number'],
    ['source 0, where null is allowed', given, ['number', 'null']],
    ['text with its unit', { ...given, value: '2.55 s' }, 'number'],
    ['a source', { ...given, source: 2 }, 'number'],
    ['nothing else', 2.55, 'number'],
  ])('is kept where a calculation proves it: %s', async (_what, field, type) => {
    const { output, quoted, nulls } = await fill(field, '5:40.97 - 5:38.42', type);
    expect(output).toEqual({ margin_seconds: 2.55 });
    expect([quoted, nulls]).toEqual([[ROWED], []]);
  });

  it.each([
    ['numbers that stand nowhere', '5:43.97 - 5:41.42'],
    ['another result', '5:40.97 + 5:38.42'],
    ['no numbers of the sources', '7 / 7'],
  ])('is none with a calculation of %s', async (_what, expression) => {
    expect((await fill(given, expression)).output).toEqual({});
    expect((await fill(given, expression, ['number', 'null'])).nulls).toEqual(['/margin_seconds']);
  });
});

it('counts an honest null as an answer, a refused value not', async () => {
  const orNone = { type: ['number', 'null'] };
  const schema = readOutputSchema({
    type: 'object',
    properties: { height: NUMBER, depth: orNone },
    required: ['height', 'depth'],
  }) as OutputSchema;
  const filledWith = async (depth: object) => {
    const height = { value: 324, source: 1, quote: TALL };
    return coverageOf(await checkFields({ height, depth }, schema, evidence), schema).filled;
  };
  expect(await filledWith({ value: null, source: 0, quote: '' })).toBe(1);
  expect(await filledWith({ value: 5, source: 1, quote: TALL })).toBe(0.5);
});

it('says how many items of a list were not taken', async () => {
  const schema = readOutputSchema({
    type: 'object',
    properties: { list: { type: 'array', items: NUMBER } },
  }) as OutputSchema;
  const items = Array.from({ length: 250 }, () => ({ value: 324, source: 1, quote: TALL }));
  const { output, refused } = await checkFields({ list: items }, schema, evidence);
  expect(output.list).toHaveLength(200);
  expect(refused).toMatchObject([{ pointer: '/list/200', reason: expect.stringContaining('200 of 250') }]);
});

describe('an output', () => {
  const leaf = fc.oneof(
    fc.record({
      value: fc.constantFrom<unknown>(324, 325, '324', 'Rosa Lind', true, null, {}, [], 37.5, 'forbidden'),
      source: fc.constantFrom<unknown>(0, 1, 9, '[1]', null),
      quote: fc.constantFrom<unknown>(TALL, OPENED, '', 'invented words here', 7),
    }),
    fc.anything({ maxDepth: 2 }),
  );
  const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
  const item = { type: 'object', properties: { a: STRING, n: NUMBER }, required: ['a'] };
  const SCHEMA = {
    type: 'object',
    properties: {
      height: orNull({ type: 'integer' }),
      name: STRING,
      open: { type: 'boolean' },
      rule: { enum: ['allowed', 'forbidden'] },
      list: { type: 'array', items: { type: 'number' } },
      items: orNull({ type: 'array', items: item }),
      inner: orNull(item),
    },
    required: ['height', 'name', 'items'],
  };
  const data = fc.oneof(
    fc.record({
      height: leaf,
      name: leaf,
      open: leaf,
      rule: leaf,
      list: fc.array(leaf, { maxLength: 3 }),
      items: fc.array(fc.record({ a: leaf, n: leaf }), { maxLength: 3 }),
      inner: fc.record({ a: leaf, n: leaf }),
    }),
    fc.anything({ maxDepth: 3 }),
  );

  it('is valid against its schema, whatever a model writes, apart from what it says is missing', async () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(SCHEMA);
    const schema = readOutputSchema(SCHEMA) as OutputSchema;
    await fc.assert(
      fc.asyncProperty(data, async (written) => {
        const { output, isComplete, fields } = await checkFields(written, schema, evidence);
        const isValid = validate(output);
        if (isComplete) expect(validate.errors).toBeNull();
        else expect(isValid).toBe(false);
        expect((validate.errors ?? []).filter(({ keyword }) => !/required|anyOf|type/.test(keyword))).toEqual(
          [],
        );
        for (const { pointer } of fields) {
          const value = pointer
            .split('/')
            .slice(1)
            .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], output);
          expect(['string', 'number', 'boolean']).toContain(typeof value);
        }
      }),
      { numRuns: 100, endOnFailure: true },
    );
  });
});
