import fc from 'fast-check';
import type { InvalidRequestError } from '../../lib/core/errors.js';
import { faultOf as faultIn } from '../../lib/core/schema.js';
import {
  DOMAINS,
  filterWarnings,
  resolveFilters,
  type HostFilters,
  type RequestFilters,
} from '../../lib/search/filters.js';
import type { SearchFilter, SearchProvider } from '../../lib/search/search-provider.js';

const ANYTHING: HostFilters = { includeDomains: [], excludeDomains: [] };
/** The fields that are refused; undefined where none is. */
function faultOf(given: RequestFilters, own: HostFilters): unknown {
  try {
    resolveFilters(given, own);
    return undefined;
  } catch (error) {
    return (error as InvalidRequestError).details;
  }
}

const host = (more: Partial<HostFilters>): HostFilters => ({ ...ANYTHING, ...more });

describe('the filters of a request', () => {
  it('is nothing where neither the request nor the host filters', () => {
    expect(resolveFilters({}, ANYTHING)).toEqual({ query: {}, asked: {}, warnings: [] });
  });

  it('is what the request asks for where the host does not filter', () => {
    const asked: RequestFilters = {
      language: 'de',
      freshness: 'week',
      includeDomains: ['example.com'],
      excludeDomains: ['example.org'],
    };
    expect(resolveFilters(asked, ANYTHING)).toEqual({ query: asked, asked, warnings: [] });
  });

  it("is the host's where the request asks for nothing", () => {
    const own = {
      language: 'fr' as const,
      freshness: 'month' as const,
      includeDomains: ['a.example'],
      excludeDomains: ['b.a.example'],
    };
    expect(resolveFilters({}, own)).toEqual({ query: own, asked: {}, warnings: [] });
  });

  it("keeps the host's language and says so", () => {
    const { query, warnings } = resolveFilters({ language: 'en' }, host({ language: 'de' }));
    expect(query.language).toBe('de');
    expect(warnings).toEqual([
      {
        code: 'narrowing_limited',
        message: 'This server searches in "de" only; language "en" was not applied.',
      },
    ]);
  });

  it.each([
    ['day', 'week', 'day', 0],
    ['week', 'week', 'week', 0],
    ['year', 'week', 'week', 1],
  ] as const)('takes the shorter of %s and the host’s %s', (asked, own, expected, warned) => {
    const { query, warnings } = resolveFilters({ freshness: asked }, host({ freshness: own }));
    expect(query.freshness).toBe(expected);
    expect(warnings).toHaveLength(warned);
  });

  it('takes what a period and a range of the host have in common', () => {
    const { query } = resolveFilters({ freshness: 'week' }, host({ freshness: { from: '2020-01-01' } }));
    const from = (query.freshness as { from: string }).from;
    expect(Date.now() - Date.parse(from)).toBeGreaterThanOrEqual(7 * 86_400_000);
    expect(Date.now() - Date.parse(from)).toBeLessThan(9 * 86_400_000);
  });

  it('refuses a period outside the range of the host', () => {
    const own = host({ freshness: { from: '2020-01-01', to: '2020-12-31' } });
    expect(faultOf({ freshness: 'week' }, own)).toEqual([
      {
        field: 'freshness',
        message: 'freshness "week" is outside what this server searches: pages until 2020-12-31',
      },
    ]);
  });

  it('includes domains within those of the host only', () => {
    const own = host({ includeDomains: ['example.com', 'docs.example.org'] });
    expect(resolveFilters({ includeDomains: ['blog.example.com'] }, own).query.includeDomains).toEqual([
      'blog.example.com',
    ]);
    // Wider than the host's: what the host has of it.
    expect(resolveFilters({ includeDomains: ['example.org'] }, own).query.includeDomains).toEqual([
      'docs.example.org',
    ]);
    const partly = resolveFilters({ includeDomains: ['example.com', 'elsewhere.example'] }, own);
    expect(partly.query.includeDomains).toEqual(['example.com']);
    expect(partly.warnings.map(({ message }) => message)).toEqual([
      'This server does not search elsewhere.example.',
    ]);
    expect(faultOf({ includeDomains: ['notexample.com'] }, own)).toEqual([
      {
        field: 'includeDomains',
        message: 'includeDomains must name domains that this server searches: example.com, docs.example.org',
      },
    ]);
  });

  it('excludes what either excludes', () => {
    const own = host({ excludeDomains: ['a.example'] });
    expect(resolveFilters({ excludeDomains: ['b.example'] }, own).query.excludeDomains).toEqual([
      'a.example',
      'b.example',
    ]);
  });

  it('reads one domain in every spelling alike', () => {
    const spellings = [
      'Example.COM',
      ' example.com ',
      'www.example.com',
      '*.example.com',
      '.example.com',
      'example.com.',
    ];
    expect(resolveFilters({ includeDomains: spellings }, ANYTHING).asked.includeDomains).toEqual([
      'example.com',
    ]);
    expect(resolveFilters({ includeDomains: ['bücher.example'] }, ANYTHING).asked.includeDomains).toEqual([
      'xn--bcher-kva.example',
    ]);
  });

  it.each([
    [''],
    [' '],
    ['example.com/path'],
    ['https://example.com'],
    ['user@example.com'],
    ['example.com OR site:evil.example'],
    ['a"b.example'],
    ['exa mple.com'],
    ['example.com:80'],
    ['a'.repeat(254)],
    [7],
    [null],
    [{}],
  ])('refuses %j as a domain', (domain) => {
    expect(faultIn(DOMAINS, ['fine.example', domain])).toMatch(
      /^\[1\] must be a domain such as example.com, without https:\/\/ and path, received /,
    );
  });

  it('refuses what is no list, and more than twenty domains', () => {
    const many = Array.from({ length: 21 }, (_, i) => `site${i}.example`);
    const refusals = [{}, null, many].map((given) => faultIn(DOMAINS, given));
    expect(refusals).toEqual(
      ['an object with no keys', 'null', 'an array of 21'].map(
        (came) => `it must be an array of at most 20 domains, received ${came}`,
      ),
    );
    expect(faultIn(DOMAINS, many.slice(1))).toBeUndefined();
  });

  it('lets no text out that could be an operator of a search engine', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 20 }), (domains) => {
        const { includeDomains = [] } = resolveFilters({ includeDomains: domains }, ANYTHING).query;
        for (const domain of includeDomains) expect(domain).toMatch(/^[a-z0-9_.-]+$/);
      }),
    );
  });

  it('never leaves what the host includes', () => {
    const domain = fc.constantFrom(
      'a.example',
      'b.a.example',
      'c.example',
      'example',
      'd.c.example',
      'x.test',
    );
    fc.assert(
      fc.property(fc.array(domain), fc.array(domain, { minLength: 1 }), (asked, own) => {
        if (faultOf({ includeDomains: asked }, host({ includeDomains: own }))) return;
        const { query } = resolveFilters({ includeDomains: asked }, host({ includeDomains: own }));
        expect(query.includeDomains!.length).toBeGreaterThan(0);
        for (const found of query.includeDomains!)
          expect(own.some((allowed) => found === allowed || found.endsWith(`.${allowed}`))).toBe(true);
      }),
    );
  });
});

describe('warnings about providers', () => {
  const provider = (filters?: readonly SearchFilter[]): SearchProvider => ({
    name: 'p',
    filters,
    search: () => Promise.resolve({ hits: [] }),
  });
  const query = {
    text: 'x',
    count: 5,
    language: 'de',
    freshness: 'week',
    includeDomains: ['a.example'],
  } as const;
  const full = { ...query, includeDomains: ['a.example'] };

  it('name what a provider cannot filter by', () => {
    const asked: RequestFilters = { language: 'de', freshness: 'week', includeDomains: ['a.example'] };
    expect(filterWarnings([provider(['freshness'])], full, asked).map(({ message }) => message)).toEqual([
      'The search provider p cannot filter by language. Its results may be in other languages.',
      'The search provider p cannot filter by domains. Its results of other domains are dropped, so there may be few.',
    ]);
  });

  it('do not speak of what only the host filters by, nor of providers that say nothing', () => {
    expect(filterWarnings([provider([])], full, {})).toEqual([]);
    expect(filterWarnings([provider()], full, { language: 'de' })).toEqual([]);
  });
});
