import fc from 'fast-check';
import { readLenientJson } from '../../lib/model/lenient-json.js';
import { expectLinear } from '../support/cpu-time.js';

const POINT = { t: 754, claim: 'It rains, they say.', quote: 'it rains a lot' };

describe('readLenientJson', () => {
  it.each([
    ['plain', '{"t":754,"claim":"It rains, they say.","quote":"it rains a lot"}'],
    [
      'in a fence, with talk',
      'Sure! Here {it} is:\n```json\n{"t": 754, "claim": "It rains, they say.", "quote": "it rains a lot",}\n```\nDone.',
    ],
    ['with single quotes', "{'t': 754, 'claim': 'It rains, they say.', 'quote': 'it rains a lot'}"],
    ['with curly quotes', '{“t”: 754, “claim”: “It rains, they say.”, “quote”: “it rains a lot”}'],
    ['with keys without quotes', '{t: 754, claim: "It rains, they say.", quote: "it rains a lot"}'],
    [
      'with comments',
      '{ // the first\n"t": 754, /* said */ "claim": "It rains, they say.",\n"quote": "it rains a lot" }',
    ],
    [
      'with comments behind strings',
      '{"t": 754, "claim": "It rains, they say.", // said {twice}\nquote: "it rains a lot" /* "copied" */, // the end\n}',
    ],
    ['without commas', '{\n"t": 754\n"claim": "It rains, they say."\n"quote": "it rains a lot"\n}'],
    [
      'with line breaks before values',
      '{"t":\n754,\n"claim":\n"It rains, they say.",\n"quote":\n"it rains a lot"}',
    ],
    ['without its last brace', '{"t":754,"claim":"It rains, they say.","quote":"it rains a lot"'],
  ])('reads an object %s', (_what, text) => {
    expect(readLenientJson(text)).toContainEqual(POINT);
  });

  it.each([
    [
      '{"claim": "The "Nova" model, "X", won", "quote": "he said "yes""}',
      { claim: 'The "Nova" model, "X", won', quote: 'he said "yes"' },
    ],
    [
      "{'claim': 'It's the dogs' owner', 'quote': 'isn't it'}",
      { claim: "It's the dogs' owner", quote: "isn't it" },
    ],
    ['{"claim": "a\nb", "quote": "\\u00e9t\\u00e9 \\"x\\""}', { claim: 'a\nb', quote: 'été "x"' }],
    ['{"t": 12:34, "done": True, "note": None}', { t: '12:34', done: true, note: null }],
    ['{"quotes": ["He said "no" to it", "b"], "n": 1}', { quotes: ['He said "no" to it', 'b'], n: 1 }],
  ])('reads %s', (text, value) => {
    expect(readLenientJson(text)).toEqual([value]);
  });

  it('leaves out a string that the end cuts off, and keeps what stands before', () => {
    expect(readLenientJson('{"points":[{"t":1,"claim":"A b c."},{"t":2,"claim":"It st')).toEqual([
      { points: [{ t: 1, claim: 'A b c.' }, { t: 2 }] },
    ]);
  });

  it('finds several values, and none in prose', () => {
    expect(readLenientJson('{"t":1}\n{"t":2}\n[3, {"t":4}]')).toEqual([{ t: 1 }, { t: 2 }, [3, { t: 4 }]]);
    expect(readLenientJson('The set {a, b} and [Music] and [see note] hold {nothing}.')).toEqual([]);
  });

  it('reads all that JSON can say', () => {
    const key = fc
      .string({ minLength: 1, maxLength: 20 })
      .filter((k) => !/["'“”‘’\\\n]|__proto__/.test(k) && k.trim() === k);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string().filter((text) => !/["“”]/.test(text)),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, value, { minKeys: 1 }), (object) => {
        expect(readLenientJson(JSON.stringify(object))).toEqual([object]);
      }),
    );
  });

  it('takes anything', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '“',
      ':',
      ',',
      '\\',
      '\n',
      'a',
      '1',
      ' ',
      '//',
      '/*',
      '"t"',
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => void readLenientJson(pieces.join(''))));
  });

  it.each([
    '{',
    '[',
    '"',
    '{"a',
    '{"a":',
    '["',
    '[1] "',
    "{'",
    '{"a":1,',
    '\\',
    '{"a":"',
    '//',
    '{/*',
    '"},',
    '{"a":[',
    '[{',
    '}{',
    ', ',
  ])('takes time in proportion to the length of %j repeated', (sign) =>
    expectLinear(200_000, (size) => readLenientJson(sign.repeat(size / sign.length))),
  );

  it('finds a value behind more brackets than are read', () => {
    expect(readLenientJson(`${'['.repeat(30)} nothing. {"a": [1]}`)).toEqual([{ a: [1] }]);
    expect(readLenientJson(`${'['.repeat(5)}"x"`)).toEqual([[[[[['x']]]]]]);
  });
});
