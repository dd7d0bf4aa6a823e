import * as fc from 'fast-check';
import { isOnDomain } from '../../../lib/core/domains.js';
import { canonicalUrl } from '../../../lib/search/ranking/canonical-url.js';

describe('canonicalUrl', () => {
  it.each([
    'http://www.example.org/a/',
    'https://example.org:443/a',
    'https://m.example.org/a#part',
    'https://EXAMPLE.org/a?utm_source=x&fbclid=1',
    'https://example.org/a/index.html',
    'https://www.example.org./a/amp',
  ])('takes %s for the same page', (url) => {
    expect(canonicalUrl(url)).toBe('https://example.org/a');
  });

  it.each([
    ['https://example.org/caf%c3%a9', 'https://example.org/café'],
    ['https://example.org/Rome%2C_Italy', 'https://example.org/Rome,_Italy'],
    ['https://example.org/AC%28DC%29', 'https://example.org/AC(DC)'],
    ['https://example.org/%7Eann/in%64ex.html', 'https://example.org/~ann'],
    ['https://example.org/?q=caf%c3%a9', 'https://example.org/?q=café'],
    ['https://example.org/caf%e9', 'https://example.org/caf%E9'],
  ])('takes %s and %s for the same page', (one, other) => {
    expect(canonicalUrl(one)).toBe(canonicalUrl(other));
  });

  it('keeps what tells pages apart', () => {
    expect(canonicalUrl('https://example.org/a%2Fb')).not.toBe(canonicalUrl('https://example.org/a/b'));
    expect(canonicalUrl('https://example.org/a%2525')).not.toBe(canonicalUrl('https://example.org/a%25'));
    expect(canonicalUrl('https://example.org/a%3Fb=1')).not.toBe(canonicalUrl('https://example.org/a?b=1'));
    expect(canonicalUrl('https://example.org/a?b=2&a=1')).toBe('https://example.org/a?a=1&b=2');
    expect(canonicalUrl('https://example.org:8080/A')).toBe('https://example.org:8080/A');
    expect(canonicalUrl('ftp://example.org/')).toBe('ftp://example.org/');
    expect(canonicalUrl(' no url ')).toBe('no url');
  });

  it('is idempotent', () => {
    const url = fc.oneof(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string(),
      fc.string().map((s) => `http://www.m.a.b/${s}`),
      fc.string({ unit: fc.constantFrom(...'%25eEcC39aA/.~,+') }).map((s) => `http://a.b/${s}`),
    );
    fc.assert(fc.property(url, (address) => canonicalUrl(canonicalUrl(address)) === canonicalUrl(address)));
  });
});

describe('isOnDomain', () => {
  it('matches the domain and what lies below it, not what merely ends alike', () => {
    expect(isOnDomain('https://a.example.org/x', ['example.org'])).toBe(true);
    expect(isOnDomain('https://www.example.org/x', ['https://www.example.org/'])).toBe(true);
    expect(isOnDomain('https://badexample.org/', ['example.org'])).toBe(false);
    expect(isOnDomain('https://example.org/', ['', ' '])).toBe(false);
  });
});
