import * as fc from 'fast-check';
import { postgresDocuments, type PostgresDocumentsOptions } from '../../lib/postgres/index.js';
import { wantedBy } from '../../lib/postgres/queries.js';
import { isIdentifier, isTableName, quoted } from '../../lib/postgres/table.js';

const pool = { connect: () => Promise.reject(new Error('not asked')) };

describe('the options of postgresDocuments()', () => {
  it.each([
    ['pool', {}, 'a pg Pool (missing: connect)'],
    ['pool', { pool: 'postgres://user:secret@host/db' }, 'a pg Pool (missing: connect)'],
    ['table', { pool, table: 'a-b' }, 'letters, digits and _'],
    ['columns.url', { pool, columns: { url: 'a"b', text: 'text' } }, 'the name of a column'],
    ['columns.header', { pool, columns: { header: 'x' } }, 'Known options: url, text, title'],
    ['columns.text', { pool, columns: { url: 'url' } }, 'the name of a column'],
    ['language', { pool, language: 'nl' }, 'one of en, pt, es, it, de, fr'],
    ['timeoutMs', { pool, timeoutMs: 0 }, 'an integer from 1 to 120000'],
    ['name', { pool, name: '' }, 'a non-empty string'],
    ['tabel', { pool, tabel: 'x' }, 'Did you mean `table`?'],
  ])('names what is wrong with %s', (path, given, expected) => {
    const make = (): unknown => postgresDocuments(given as unknown as PostgresDocumentsOptions);
    expect(make).toThrow(`\`postgresDocuments.${path}\``);
    expect(make).toThrow(expected);
    expect(make).not.toThrow('secret');
  });

  it('share a cache with equal ones only', () => {
    const versionOf = (options: object): string => postgresDocuments({ pool, ...options }).version;
    expect(versionOf({})).toBe(versionOf({ table: 'documents', timeoutMs: 100 }));
    expect(versionOf({ table: 'other' })).not.toBe(versionOf({}));
    expect(versionOf({ columns: { url: 'url', text: 'body' } })).not.toBe(versionOf({}));
  });
});

describe('names in SQL', () => {
  it('are letters, digits and _, of at most 63 bytes', () => {
    for (const name of ['a', '_a1', 'Ärzte', 'x'.repeat(63)]) expect(isIdentifier(name)).toBe(true);
    for (const name of ['', '1a', 'a b', 'a.b', 'a"', "a'", 'a;', 'a\0', 'a$', 'ä'.repeat(32), 3, undefined])
      expect(isIdentifier(name)).toBe(false);
    for (const name of ['a', 'public.a']) expect(isTableName(name)).toBe(true);
    for (const name of ['a.b.c', '.a', 'a.', 'a..b']) expect(isTableName(name)).toBe(false);
  });

  it('never end their quotation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const inner = quoted(name).slice(1, -1);
        expect(inner.replaceAll('""', '')).not.toContain('"');
        if (isIdentifier(name)) expect(inner).toBe(name);
      }),
    );
  });

  it('appear in the schema in no other form than quoted', () => {
    const sql = postgresDocuments({
      pool,
      table: 'Blog.Posts',
      columns: {
        url: 'Link',
        title: 'Head',
        text: 'Body',
        language: 'Lang',
        publishedAt: 'Day',
        search: 'Words',
      },
    }).createSchema();
    expect(sql).toContain('CREATE TABLE IF NOT EXISTS "Blog"."Posts"');
    for (const name of ['Blog', 'Posts"', 'Link', 'Head', 'Body', 'Lang', 'Day', 'Words'])
      expect(sql.match(new RegExp(`(?<!")\\b${name}`, 'g'))).toBeNull();
  });
});

describe('the words of a query', () => {
  it('are no function words, and may be written together with the next one', () => {
    expect(wantedBy('Where is the power bank of 60 W?', 'en')).toEqual({
      inTitles: new Map(),
      words: new Map([
        ['power', ['power', 'powerbank']],
        ['bank', ['bank', 'bankof']],
        ['60', ['60', '60w']],
        ['w', ['w']],
      ]),
    });
  });

  it('are function words in titles where there are no others, or in capitals', () => {
    const inTitles = (query: string) => [...wantedBy(query, 'en').inTitles.keys()];
    expect(inTitles('who is who')).toEqual(['who', 'is']);
    expect(inTitles('Who founded the WHO?')).toEqual(['who']);
  });

  it('are at most 40, of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        expect(wantedBy(text, undefined).words.size).toBeLessThanOrEqual(40);
      }),
    );
  });
});
