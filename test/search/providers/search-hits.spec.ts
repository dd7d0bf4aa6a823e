import fc from 'fast-check';
import { faultOf, object, string, valid } from '../../../lib/core/schema.js';
import { hit, hitsOf, hitList } from '../../../lib/search/providers/search-hits.js';
import type { SearchHit } from '../../../lib/search/search-provider.js';
import { isoDate } from '../../../lib/web/iso-date.js';

const raw = (url: string, more: Partial<SearchHit> = {}): SearchHit => ({ url, title: '', ...more });

describe('hitsOf', () => {
  it('leaves out results without a web address and keeps the order', () => {
    const results = [
      'https://a.example/',
      '',
      'javascript:alert(1)',
      'ftp://b.example',
      ' http://c.example/x ',
    ];
    expect(
      hitsOf(
        results.map((url) => raw(url)),
        10,
      ),
    ).toEqual([
      { url: 'https://a.example/', title: 'a.example' },
      { url: 'http://c.example/x', title: 'c.example' },
    ]);
  });

  it('is undefined when no result of a list has an address, and empty for an empty list', () => {
    expect(hitsOf([raw(''), raw(' ')], 10)).toBeUndefined();
    expect(hitsOf([], 10)).toEqual([]);
  });

  it('keeps an address as the provider wrote it unless it has characters that do not belong there', () => {
    const urls = ['https://A.example?q=%7e', 'https://b.example/\u200bx y'];
    expect(
      hitsOf(
        urls.map((url) => raw(url)),
        10,
      )?.map(({ url }) => url),
    ).toEqual(['https://A.example?q=%7e', 'https://b.example/%E2%80%8Bx%20y']);
  });

  it('keeps what a source demands: licence and attribution', () => {
    const credit = { license: 'CC-BY-SA-4.0', attribution: 'Wikipedia contributors' };
    expect(hitsOf([raw('https://a.example', credit)], 1)).toEqual([
      { url: 'https://a.example', title: 'a.example', ...credit },
    ]);
  });

  it('leaves passages as they are, without empty ones', () => {
    const passages = ['', '- **a** &amp; b', ' '];
    expect(hitsOf([raw('https://a.example', { passages })], 1)?.[0]?.passages).toEqual(['- **a** &amp; b']);
  });
});

describe('the fields of a result', () => {
  const LIST = hitList(
    hit({
      snippet: 'about',
      passages: ['tags', 'page.text'],
      score: 'rank',
      publishedAt: ['day', 'time'],
    }),
  );
  const EMPTY = { url: '', title: '', snippet: '', passages: [] };

  it('are found by name and path, and read as empty or absent when they have another type', () => {
    const items = [
      { url: 7, tags: ['a', 1, null], about: ['x'], rank: 1.1, time: 'May' },
      { url: 'u', title: 't', about: 's', tags: 'a', page: { text: 'b' }, rank: 0.5, day: '', time: 'May' },
      null,
      'x',
    ];
    expect(valid(LIST, items)).toMatchObject([
      { ...EMPTY, passages: ['', 'a', ''], publishedAt: 'May' },
      { url: 'u', title: 't', snippet: 's', passages: ['a', 'b'], score: 0.5, publishedAt: 'May' },
    ]);
  });

  it('are named where no result of a list has them', () => {
    const urls = hitList(object({ url: string() }));
    expect(faultOf(urls, [{ url: null }, 5])).toBe('[0].url must be a string, received null');
    expect(faultOf(urls, [{ url: null }, { url: 'u' }])).toBeUndefined();
  });

  it('keep a score from 0 to 1 and no other', () => {
    const scores = [0, 1, 0.5, -0.1, 1.1, NaN, '0.5', null];
    expect(
      valid(
        LIST,
        scores.map((rank) => ({ rank })),
      )?.map(({ score }) => score),
    ).toEqual([0, 1, 0.5, ...Array<undefined>(5).fill(undefined)]);
  });

  it('make a list without any object unreadable, and an empty one empty', () => {
    expect(valid(LIST, ['x', null])).toBeUndefined();
    expect(valid(LIST, {})).toBeUndefined();
    expect(valid(LIST, [])).toEqual([]);
  });

  it('never throw, whatever comes', () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => void valid(LIST, json)));
  });
});

describe('isoDate', () => {
  it.each([
    ['2024-03-05', '2024-03-05'],
    ['2024-03-05T10:30:00', '2024-03-05'],
    ['2024-03-05 10:30:00', '2024-03-05'],
    ['2024-03-05T10:30:00Z', '2024-03-05T10:30:00.000Z'],
    ['2024-03-05T23:30:00.123-0800', '2024-03-05T23:30:00.123-08:00'],
    ['Tue, 5 Mar 2024 23:30 -0800', '2024-03-05T23:30:00-08:00'],
    ['2024-03-05T23:30:00-00:00', '2024-03-05T23:30:00.000Z'],
    ['2024-03-05T25:30:00-08:00', '2024-03-05'],
    ['Tue, 05 Mar 2024 10:30:00 GMT', '2024-03-05T10:30:00.000Z'],
    ['Mar 5, 2024', '2024-03-05'],
    ['2024/3/5', '2024-03-05'],
    ['5 March 2024', '2024-03-05'],
    ['the 5th of March 2024', '2024-03-05'],
    ['20240305', '2024-03-05'],
    ['vom 12.05.2026', '2026-05-12'],
    ['10.12.2025', '2025-12-10'],
    ['3. 10. 2020', '2020-10-03'],
    ['31/12/2025', '2025-12-31'],
    ['12/31/2025', '2025-12-31'],
    ['3. März 2024', '2024-03-03'],
    ['lunes, 3 de marzo de 2025', '2025-03-03'],
    ['1er mars 2024', '2024-03-01'],
    ['May 2026', undefined],
    ['05/03/2024', undefined],
    ['2026-02-30', undefined],
    ['30 February 2026', undefined],
    ['31.04.2026', undefined],
    ['5', undefined],
    ['3 days ago', undefined],
    ['yesterday', undefined],
    ['2024-13-45', undefined],
    ['0024-03-05', undefined],
    ['', undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(isoDate(value)).toBe(expected);
  });
});
