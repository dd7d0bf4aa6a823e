import {
  dateSpan,
  googleTimeFilter,
  oneDomainList,
  withSiteOperators,
} from '../../../lib/search/providers/query-filters.js';
import { SEARCH_SCHEMA } from '../../../lib/search/search.options.js';
import { parseOption } from '../../../lib/core/schema.js';
import { isWithin } from '../../../lib/core/domains.js';

describe('domains', () => {
  it('of the host are cleaned, without empty and repeated ones', () => {
    const includeDomains = ['', ' Example.COM ', 'https://www.example.com/path?x', 'b.example:8080', ' '];
    expect(parseOption('search', SEARCH_SCHEMA, { includeDomains }).includeDomains).toEqual([
      'example.com',
      'b.example',
    ]);
  });

  it('include a domain and its subdomains', () => {
    expect(isWithin('en.wikipedia.org', ['wikipedia.org'])).toBe(true);
    expect(isWithin('wikipedia.org', ['wikipedia.org'])).toBe(true);
    expect(isWithin('notwikipedia.org', ['wikipedia.org'])).toBe(false);
  });

  it('go as one list to a provider that refuses both', () => {
    const query = { text: 'x', count: 1, includeDomains: ['a.example'], excludeDomains: ['b.example'] };
    expect(oneDomainList(query)).toEqual({ include: ['a.example'] });
    expect(oneDomainList({ ...query, includeDomains: [] })).toEqual({ exclude: ['b.example'] });
    expect(oneDomainList({ ...query, includeDomains: ['a.example', 'c.example'] }, 1)).toEqual({
      include: ['a.example'],
    });
  });

  it('become operators unless the query would be too long', () => {
    const query = { text: 'x'.repeat(10), count: 1, includeDomains: ['a.example'] };
    expect(withSiteOperators(query, 25)).toBe('xxxxxxxxxx site:a.example');
    expect(withSiteOperators(query, 24)).toBe('xxxxxxxxxx');
  });
});

describe('a freshness in a provider’s words', () => {
  it('is a span of two days', () => {
    expect(dateSpan({ from: '2026-01-02', to: '2026-02-03' })).toBe('2026-01-02to2026-02-03');
    expect(dateSpan({ to: '2026-02-03' })).toBe('1970-01-01to2026-02-03');
    expect(dateSpan({ from: '2026-01-02' })).toMatch(/^2026-01-02to20\d\d-\d\d-\d\d$/);
  });

  it('is Google’s parameter', () => {
    expect(googleTimeFilter('week')).toBe('qdr:w');
    expect(googleTimeFilter({ from: '2026-01-02', to: '2026-02-03' })).toBe(
      'cdr:1,cd_min:01/02/2026,cd_max:02/03/2026',
    );
    expect(googleTimeFilter({ to: '2026-02-03' })).toBe('cdr:1,cd_max:02/03/2026');
  });
});
