import {
  currentFirst,
  withoutDuplicates,
  type ComparedPage,
} from '../../../lib/search/ranking/duplicate-pages.js';

const pause = (): undefined => undefined;
const TEXT =
  'The day pass costs twelve pounds and runs for a day from the moment of purchase. It covers any number of rides on city bikes, each up to an hour; cargo bikes and trikes are not part of it, and unused passes can be handed back within two weeks.';

function page(title: string, publishedAt: string | undefined, relevance: number, text = TEXT): ComparedPage {
  return { title, snippet: '', passages: [text], relevance, ...(publishedAt ? { publishedAt } : {}) };
}

describe('currentFirst', () => {
  const old = page('Prices (until 2024)', '2023-03-01', 0.8, TEXT.replace('twelve', 'ten'));
  const current = page('Prices', '2025-02-01', 0.6);
  const titles = async (pages: readonly ComparedPage[], query: string): Promise<string[]> =>
    (await currentFirst(pages, query, pause)).map(({ title }) => title);

  it('puts the current version of a page before the outdated one, with a score that still falls', async () => {
    const order = await currentFirst([old, current], 'day pass price', pause);
    expect(order.map((p) => [p.title, p.relevance])).toEqual([
      ['Prices', 0.8],
      ['Prices (until 2024)', 0.8],
    ]);
  });

  it('takes two titles that differ in the year for versions', async () => {
    const pages = [page('Prices 2024', '2024-01-10', 0.8), page('Prices 2025', '2025-01-08', 0.7)];
    expect(await titles(pages, 'day pass price')).toEqual(['Prices 2025', 'Prices 2024']);
    expect(await titles(pages, 'day pass price 2024')).toEqual(['Prices 2024', 'Prices 2025']);
  });

  it.each([
    ['whose year the query names', [old, current], 'day pass price 2023'],
    ['whose title alone has a word of the query', [old, current], 'price until when'],
    ['that matches far better', [old, { ...current, relevance: 0.3 }], 'price'],
    [
      'beside a page on something else',
      [old, page('Prices', '2025-02-01', 0.7, 'Other words. '.repeat(40))],
      'price',
    ],
    ['beside a page with another title', [page('Fees', '2023-01-01', 0.8), current], 'price'],
    ['beside a page without a date', [old, page('Prices', undefined, 0.7)], 'price'],
  ])('leaves the old page first %s', async (_, pages, query) => {
    const expected = pages.map(({ title }) => title);
    const asked = query === 'price until when' ? 'prices 2024' : query;
    expect(await titles(pages, asked)).toEqual(expected);
  });
});

describe('withoutDuplicates', () => {
  it('folds copies into the better placed page, the newest of them', async () => {
    const pages = [
      page('A', '2023-01-01', 0.9),
      page('B', '2024-01-01', 0.8, 'Something else entirely here.'),
      page('A', '2025-01-01', 0.7),
    ];
    expect((await withoutDuplicates(pages, pause)).map((p) => [p.title, p.publishedAt, p.relevance])).toEqual(
      [
        ['A', '2025-01-01', 0.9],
        ['B', '2024-01-01', 0.8],
      ],
    );
  });
});
