import { isoDate } from '../../../lib/search/providers/iso-date.js';
import {
  domainList,
  freshSince,
  isWithin,
  withSiteOperators,
} from '../../../lib/search/providers/query-filters.js';
import { hitsOf, type RawHit } from '../../../lib/search/providers/search-hits.js';

const read = (item: Record<string, unknown>): RawHit => ({
  title: item.title,
  url: item.url,
  score: item.score,
});

describe('hitsOf', () => {
  it('leaves out items without a web address and keeps the order', () => {
    const items = [
      { url: 'https://a.example/' },
      null,
      'x',
      { url: 'javascript:alert(1)' },
      { url: 'ftp://b.example' },
      { url: ' http://c.example/x ' },
    ];
    expect(hitsOf(items, 10, read)).toEqual([
      { url: 'https://a.example/', title: 'a.example' },
      { url: 'http://c.example/x', title: 'c.example' },
    ]);
  });

  it('is undefined when no item of a list can be read, and empty for an empty list', () => {
    expect(hitsOf([{ link: 'https://a.example/' }], 10, read)).toBeUndefined();
    expect(hitsOf([], 10, read)).toEqual([]);
  });

  it('keeps an address as the provider wrote it unless it holds what does not belong there', () => {
    const urls = hitsOf(
      [{ url: 'https://A.example?q=%7e' }, { url: 'https://b.example/\u200bx y' }],
      10,
      read,
    )?.map((hit) => hit.url);
    expect(urls).toEqual(['https://A.example?q=%7e', 'https://b.example/%E2%80%8Bx%20y']);
  });

  it('keeps a score within 0..1 and no other', () => {
    const scores = [0, 1, 0.5, -0.1, 1.1, NaN, '0.5', null].map(
      (score) => hitsOf([{ url: 'https://a.example', score }], 1, read)?.[0]?.score,
    );
    expect(scores).toEqual([0, 1, 0.5, undefined, undefined, undefined, undefined, undefined]);
  });

  it('cuts a passage of a whole page without leaving half a character', () => {
    const passages = hitsOf([{ url: 'https://a.example' }], 1, (item) => ({
      ...read(item),
      passages: ['', `${'x'.repeat(19_999)}😀`],
    }))?.[0]?.passages;
    expect(passages).toEqual(['x'.repeat(19_999)]);
  });
});

describe('isoDate', () => {
  it.each([
    ['2024-03-05', '2024-03-05'],
    ['2024-03-05T10:30:00', '2024-03-05'],
    ['2024-03-05 10:30:00', '2024-03-05'],
    ['2024-03-05T10:30:00Z', '2024-03-05T10:30:00.000Z'],
    ['2024-03-05T10:30:00.123+02:00', '2024-03-05T08:30:00.123Z'],
    ['Tue, 05 Mar 2024 10:30:00 GMT', '2024-03-05T10:30:00.000Z'],
    ['Mar 5, 2024', '2024-03-05'],
    ['5 March 2024', '2024-03-05'],
    ['3 days ago', undefined],
    ['yesterday', undefined],
    ['2024-13-45', undefined],
    ['0024-03-05', undefined],
    ['', undefined],
    [null, undefined],
    [1709632800, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(isoDate(value)).toBe(expected);
  });
});

describe('query filters', () => {
  it('normalises domains and drops empty and repeated ones', () => {
    expect(
      domainList(['', ' Example.COM ', 'https://www.example.com/path?x', 'b.example:8080', ' ']),
    ).toEqual(['example.com', 'b.example']);
    expect(domainList(['', ' '])).toBeUndefined();
    expect(domainList(undefined)).toBeUndefined();
    expect(domainList(['a.example', 'b.example'], 1)).toEqual(['a.example']);
  });

  it('knows a domain and what lies below it', () => {
    expect(isWithin('en.wikipedia.org', ['wikipedia.org'])).toBe(true);
    expect(isWithin('wikipedia.org', ['wikipedia.org'])).toBe(true);
    expect(isWithin('notwikipedia.org', ['wikipedia.org'])).toBe(false);
  });

  it('leaves operators out where they would not fit', () => {
    const query = { text: 'x'.repeat(10), count: 1, includeDomains: ['a.example'] };
    expect(withSiteOperators(query, 25)).toBe('xxxxxxxxxx site:a.example');
    expect(withSiteOperators(query, 24)).toBe('xxxxxxxxxx');
  });

  it('counts a freshness back from now', () => {
    const now = Date.parse('2025-03-31T12:00:00Z');
    expect(
      ['day', 'week', 'month', 'year'].map((f) =>
        freshSince(f as 'day', now)
          .toISOString()
          .slice(0, 10),
      ),
    ).toEqual(['2025-03-30', '2025-03-24', '2025-03-01', '2024-03-31']);
  });
});
