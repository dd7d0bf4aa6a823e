import fc from 'fast-check';
import { InvalidOptionError } from '../../lib/core/errors.js';
import {
  array,
  boolean,
  cutString,
  faultOf,
  func,
  integer,
  map,
  nullable,
  number,
  numberAbove,
  object,
  oneOf,
  optional,
  options,
  orElse,
  parseOption,
  port,
  record,
  refine,
  secret,
  string,
  union,
  valid,
  validJson,
  withDefault,
  type Infer,
  type Schema,
} from '../../lib/core/schema.js';

const messageOf = (schema: Schema<unknown>, value: unknown, option = 'search'): string => {
  try {
    parseOption(option, schema, value);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOptionError);
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
};

describe('what a message says', () => {
  const SEARCH = options({
    maxTopN: withDefault(integer(1, 50), 20),
    combine: withDefault(oneOf('first', 'all'), 'first'),
    pages: optional(options({ timeoutMs: optional(integer(1, 1000)) })),
    providers: optional(array(port<{ name: string; search(): void }>('SearchProvider', 'name', 'search'))),
  });

  it.each<[string, unknown, string]>([
    [
      'the path and what came',
      { maxTopN: 51 },
      'option `search.maxTopN` must be an integer from 1 to 50, received the number 51',
    ],
    [
      'the whole path',
      { pages: { timeoutMs: 0.5 } },
      'option `search.pages.timeoutMs` must be an integer from 1 to 1000, received the number 0.5',
    ],
    [
      'the place in a list',
      { providers: [{ name: 'a', search: (): void => undefined }, { name: 'b' }] },
      'option `search.providers[1]` must be a SearchProvider (missing: search), received an object with name',
    ],
    [
      'the choices',
      { combine: 'both' },
      'option `search.combine` must be one of first, all, received the string "both"',
    ],
    ['the outermost value itself', [], 'option `search` must be an object, received an array of 0'],
  ])('%s', (_case, value, expected) => {
    expect(messageOf(SEARCH, value)).toBe(`nestjs-tools: ${expected}`);
  });

  it('the name that was probably meant, and never the value of an unknown one', () => {
    const message = messageOf(SEARCH, { maxTopn: 'secret' });
    expect(message).toBe(
      'nestjs-tools: unknown option `search.maxTopn`. Did you mean `maxTopN`? Known options: maxTopN, combine, pages, providers',
    );
    expect(messageOf(SEARCH, { pages: { timeout: 1 } })).toContain(
      '`search.pages.timeout`. Did you mean `timeoutMs`?',
    );
  });

  it('no path prefix for the options of the module', () => {
    expect(messageOf(options({ search: optional(SEARCH) }), { search: { maxTopN: 0 } }, '')).toContain(
      '`search.maxTopN`',
    );
    expect(messageOf(options({}), 7, '')).toContain('`options` must be an object');
  });

  it('never a secret, nor text in place of an object', () => {
    const KEYS = object({ apiKey: secret(string({ pattern: /^nt_/, expected: 'a key' })) });
    expect(messageOf(KEYS, { apiKey: 'hunter2' })).not.toContain('hunter2');
    expect(messageOf(KEYS, { apiKey: '' })).toContain('must be a key, received an empty string');
    expect(messageOf(KEYS, {})).toContain('must be a key, received nothing');
    for (const schema of [KEYS, array(KEYS), record(KEYS), port('CacheStore'), union(KEYS, array(KEYS))])
      expect(messageOf(schema, 'redis://user:hunter2@host')).not.toContain('hunter2');
  });

  it('the fault inside the alternative that is nearly right', () => {
    const KEY = union(
      string({ min: 1 }),
      object({ hash: string(), tools: optional(array(oneOf('a', 'b'))) }),
    );
    expect(messageOf(KEY, { hash: 'x', tools: ['a', 'c'] }, 'apiKeys[0]')).toContain(
      '`apiKeys[0].tools[1]` must be one of a, b',
    );
    expect(messageOf(KEY, 7, 'apiKeys[0]')).toContain(
      'must be a non-empty string, or an object, received the number 7',
    );
  });

  it('for data what is wrong with it, from the outermost value on', () => {
    const HITS = object({ hits: array(object({ url: string({ min: 1 }) })) });
    expect(faultOf(HITS, { hits: [{ url: 'u' }, { url: null }] })).toBe(
      'hits[1].url must be a non-empty string, received null',
    );
    expect(faultOf(HITS, undefined)).toBe('it must be an object, received nothing');
    expect(faultOf(HITS, { hits: [] })).toBeUndefined();
  });

  it('without a length where none is too long', () => {
    expect(faultOf(cutString(300), 5)).toBe('it must be a string, received the number 5');
  });
});

describe('what a value becomes', () => {
  it('its defaults filled in, and what is absent stays absent', () => {
    const SCHEMA = object({ a: withDefault(integer(), 1), b: optional(string()), c: nullable(string()) });
    expect(parseOption('x', SCHEMA, {})).toEqual({ a: 1 });
    expect(parseOption('x', SCHEMA, { a: 2, b: 'b', c: null })).toEqual({ a: 2, b: 'b' });
    const typed: Infer<typeof SCHEMA> = { a: 1, b: undefined, c: undefined };
    expect(valid(SCHEMA, typed)).toBe(typed);
  });

  it('the same object where nothing changes, with fields that nobody asked for', () => {
    const SEGMENTS = object({ segments: array(object({ text: string(), startMs: number() })) });
    const value = { segments: [{ text: 'a', startMs: 0, more: true }], other: 1 };
    expect(valid(SEGMENTS, value)).toBe(value);
  });

  it('a copy where something does, and the original stays as it was', () => {
    const SCHEMA = object({ list: array(object({ n: withDefault(integer(), 5) })) });
    const value = Object.freeze({ list: Object.freeze([Object.freeze({}), Object.freeze({ n: 1 })]) });
    const read = valid(SCHEMA, value);
    expect(read).toEqual({ list: [{ n: 5 }, { n: 1 }] });
    expect(read?.list[1]).toBe(value.list[1]);
  });

  it('what an instance of a class inherits included', () => {
    class Settings {
      get size(): number {
        return 3;
      }
      anything = true;
    }
    const SCHEMA = options<{ size: number; name: string }>({
      size: integer(),
      name: withDefault(string(), 'n'),
    });
    expect(parseOption('x', SCHEMA, new Settings())).toMatchObject({ size: 3, name: 'n' });
  });

  it('without the items that do not match, where that is asked for', () => {
    const HITS = array(object({ url: string() }), { skipInvalid: true });
    expect(valid(HITS, [{ url: 'a' }, null, { url: 7 }, { url: 'b' }])).toEqual([{ url: 'a' }, { url: 'b' }]);
    expect(valid(HITS, { url: 'a' })).toBeUndefined();
  });

  it('a substitute, or something else made of it', () => {
    expect(valid(orElse(string(), ''), 7)).toBe('');
    expect(
      valid(
        map(string(), (text) => text.length),
        'four',
      ),
    ).toBe(4);
  });

  it('of JSON text, and undefined for other text', () => {
    const SCHEMA = object({ a: integer() });
    expect(validJson(SCHEMA, '{"a":1}')).toEqual({ a: 1 });
    for (const text of ['', '{', 'null', '{"a":"1"}', '[1]', undefined, 7])
      expect(validJson(SCHEMA, text)).toBeUndefined();
  });
});

it.each<[string, Schema<unknown>, unknown[], unknown[]]>([
  ['string', string(), ['', 'a'], [1, null, undefined, {}]],
  ['non-empty string', string({ min: 1, max: 3 }), ['a', 'abc'], ['', '  ', 'abcd']],
  ['integer', integer(0, 5), [0, 5], [-1, 6, 0.5, NaN, Infinity, '1', true]],
  ['number', number(0, 1), [0, 0.5, 1], [-0.1, 1.1, NaN, '0']],
  ['number above', numberAbove(0), [Number.MIN_VALUE, 1], [0, -1, Infinity]],
  ['boolean', boolean(), [true, false], [0, 'true', null]],
  ['one of', oneOf<string | number>('a', 1), ['a', 1], ['1', 'b', undefined]],
  ['function', func(), [(): void => undefined, class A {}], [{}, 'f']],
  ['refined', refine(integer(), 'an even number', (n) => n % 2 === 0), [2], [1, 'x']],
  ['bounded array', array(integer(), { min: 1, max: 2 }), [[1], [1, 2]], [[], [1, 2, 3], ['1'], {}]],
  ['record', record(integer()), [{}, { a: 1 }], [{ a: 'x' }, [], 'a']],
])('%s accepts and refuses', (_name, schema, accepted, refused) => {
  for (const value of accepted) expect(faultOf(schema, value)).toBeUndefined();
  for (const value of refused) expect(faultOf(schema, value)).toContain(' must be ');
});

describe('whatever comes', () => {
  const SCHEMA = options({
    text: optional(string({ min: 1, max: 20 })),
    count: withDefault(integer(0, 9), 3),
    list: optional(array(union(integer(), object({ deep: nullable(boolean()) })), { skipInvalid: true })),
    any: orElse(number(), 0),
  });
  const values = fc.oneof(
    fc.anything(),
    fc.record(
      { text: fc.anything(), count: fc.anything(), list: fc.anything(), any: fc.anything() },
      { requiredKeys: [] },
    ),
  );

  it('nothing but InvalidOptionError is thrown, and what is accepted matches again', () => {
    fc.assert(
      fc.property(values, (value) => {
        try {
          const read = parseOption('x', SCHEMA, value);
          expect(faultOf(SCHEMA, read)).toBeUndefined();
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidOptionError);
        }
      }),
    );
  });

  it('a path leads to the value that is named', () => {
    const TREE = object({ a: array(object({ b: integer() })) });
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.nat(), (numbers, at) => {
        const items: { b: unknown }[] = numbers.map((b) => ({ b }));
        items.splice(at % (items.length + 1), 0, { b: 'wrong' });
        expect(faultOf(TREE, { a: items })).toContain(`a[${at % items.length}].b must be an integer`);
      }),
    );
  });
});
