import * as fc from 'fast-check';
import { InvalidOptionError, UpstreamUnavailableError } from '../../lib/core/errors.js';
import { withContext } from '../../lib/core/context.js';
import { documents, type DocumentsProvider } from '../../lib/search/providers/documents.provider.js';
import type { SearchDocument } from '../../lib/search/ranking/document-index.js';
import type { SearchQuery } from '../../lib/search/search-provider.js';
import { PAGES, serviceWith } from './search.fixtures.js';

function ask(provider: DocumentsProvider, query: Partial<SearchQuery>) {
  return withContext(60_000, {}, (context) =>
    provider.search({ text: 'cells', count: 5, ...query }, context),
  );
}

describe('documents()', () => {
  it.each([
    ['documents[1]', [PAGES[0], null]],
    ['documents[0].url', [{ url: 'not a url', text: 'x' }]],
    ['documents[0].text', [{ url: 'https://a.example', text: 3 }]],
    ['documents[0].title', [{ url: 'https://a.example', text: 'x', title: 3 }]],
    ['documents[0].publishedAt', [{ url: 'https://a.example', text: 'x', publishedAt: 'yesterday' }]],
    ['documents[0].language', [{ url: 'https://a.example', text: 'x', language: 1 }]],
    ['documents', 'text'],
  ])('names what is wrong with %s', (path, given) => {
    expect(() => documents(given as never)).toThrow(InvalidOptionError);
    expect(() => documents(given as never)).toThrow(`\`${path}\``);
  });

  it('takes documents without words, which are never found', async () => {
    const provider = documents([{ url: 'https://a.example', title: '', text: '' }, ...PAGES]);
    const { hits } = await ask(provider, {});
    expect(hits.map((h) => h.url)).toEqual(['https://school.example/cell']);
  });

  it('has a version that any difference between two lists changes', () => {
    const many = (change: (documents: SearchDocument[]) => void = () => undefined): string | undefined => {
      const list = Array.from({ length: 6000 }, (_, i) => ({
        url: `https://many.example/${i}`,
        title: `Page ${i}`,
        text: `${'Some words. '.repeat(30)}${i}`,
      }));
      change(list);
      return documents(list).version;
    };
    const versions = [
      many(),
      many((list) => (list[5500]!.text = list[5500]!.text.replace(/.$/, 'x'))),
      many((list) => (list[5999] = { ...list[5999]!, publishedAt: '2026-01-01' })),
      many((list) => (list[0]!.title = 'Other')),
      many((list) => list.pop()),
      many((list) => ([list[0], list[1]] = [list[1]!, list[0]!])),
    ];
    expect(new Set(versions).size).toBe(versions.length);
    expect(many()).toBe(versions[0]);
    expect(documents([PAGES[0]!, { ...PAGES[1]!, language: 'en' }]).version).not.toBe(
      documents([PAGES[0]!, PAGES[1]!]).version,
    );
  });

  it('loads documents with an async function, once', async () => {
    let calls = 0;
    const provider = documents(async () => (calls++, PAGES));
    await ask(provider, {});
    await ask(provider, {});
    expect(calls).toBe(1);
  });

  it('loads documents from an async generator', async () => {
    const provider = documents(async function* () {
      yield* PAGES;
    });
    expect((await ask(provider, {})).hits).toHaveLength(1);
  });

  it('reports a loader that fails and tries it again', async () => {
    let calls = 0;
    const provider = documents(async () => {
      if (calls++ === 0) throw new Error('no database');
      return PAGES;
    });
    await expect(ask(provider, {})).rejects.toThrow(UpstreamUnavailableError);
    expect((await ask(provider, {})).hits).toHaveLength(1);
  });

  it('finds other forms of a word, in the language of the document', async () => {
    expect((await ask(documents(PAGES), { text: 'eruptions' })).hits[0]!.url).toBe(
      'https://school.example/vesuvius',
    );
    expect((await ask(documents(PAGES), { text: 'höchste Berge' })).hits[0]!.url).toBe(
      'https://berge.example/zugspitze',
    );
    expect((await ask(documents(PAGES), { text: 'quilometros extensos' })).hits[0]!.url).toBe(
      'https://rios.example/tejo',
    );
  });

  it('keeps to domains and dates', async () => {
    const provider = documents(PAGES);
    expect(
      (await ask(provider, { text: 'world cup cells', includeDomains: ['sport.example'] })).hits.map(
        (h) => h.url,
      ),
    ).toEqual(['https://sport.example/world-cup']);
    expect((await ask(provider, { text: 'vesuvius', freshness: 'day' })).hits).toEqual([]);
    const within = async (from: string, to: string): Promise<number> =>
      (await ask(provider, { text: 'vesuvius', freshness: { from, to } })).hits.length;
    expect(await within('2020-05-04', '2020-05-04')).toBe(1);
    expect(await within('2020-05-05', '2020-12-31')).toBe(0);
    expect(provider.narrows).toEqual(['freshness', 'dateRange', 'includeDomains', 'excludeDomains']);
  });

  it('finds the pages of a domain behind any number of better matches elsewhere', async () => {
    const others = Array.from({ length: 300 }, (_, i) => ({
      url: `https://other.example/${i}`,
      title: 'Marmots',
      text: `Marmots whistle at eagles, report ${i}.`,
    }));
    const own = {
      url: 'https://own.example/',
      title: 'Animals',
      text: 'Foxes bark, and now and then marmots whistle.',
    };
    for (const text of [
      'marmots whistle',
      'at which eagles do the marmots whistle in report 7 of the animals',
    ]) {
      const { hits } = await ask(documents([...others, own]), { text, includeDomains: ['own.example'] });
      expect(hits.map((hit) => hit.url)).toEqual(['https://own.example/']);
    }
  });

  it('gives as many documents as are asked for', async () => {
    const many = Array.from({ length: 80 }, (_, i) => ({
      url: `https://many.example/${i}`,
      title: `Report ${i}`,
      text: `Marmots whistle at eagles near place ${i}.`,
    }));
    expect((await ask(documents(many), { text: 'marmots whistle', count: 50 })).hits).toHaveLength(50);
  });

  it('gives of a long document the parts that fit the query', async () => {
    const filler = Array.from(
      { length: 300 },
      (_, i) => `Sentence ${i} speaks of gardens, paths and hedges in the rain.`,
    );
    filler[211] = 'A marmot whistles when an eagle comes near.';
    const { hits } = await ask(
      documents([{ url: 'https://a.example', title: 'Garden', text: filler.join(' ') }]),
      {
        text: 'Why does a marmot whistle?',
      },
    );
    expect(hits[0]!.passages!.length).toBeLessThanOrEqual(2);
    expect(hits[0]!.passages![0]).toContain('marmot whistles');
    expect(hits[0]!.passages![0]!.split(' ').length).toBeLessThanOrEqual(420);
  });

  it('puts the document that holds a rare word of the query first, however many share its common words', async () => {
    const collection: SearchDocument[] = Array.from({ length: 80 }, (_, i) => ({
      url: `https://papers.example/${i}`,
      title: `Paper ${i}`,
      text: 'Heat conduction in a plate, measured in the tunnel and compared with the heat of the slab.',
      language: 'en',
    }));
    collection[41] = { ...collection[41]!, text: 'Heat in a plate. The method was named after Galerkin.' };
    const { hits } = await ask(documents(collection), { text: 'Galerkin heat conduction of a plate' });
    expect(hits[0]!.url).toBe('https://papers.example/41');
  });

  it('lets other work run while it builds', async () => {
    const collection = Array.from({ length: 3000 }, (_, i) => ({
      url: `https://many.example/${i}`,
      title: `Number ${i}`,
      text: `Word${i % 97} meets word${i % 89} and word${i % 83} near place${i % 11} in year ${i}. `.repeat(
        4,
      ),
    }));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await documents(collection).ready();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});

describe('any text', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 200 });
  const pieces = fc.constantFrom(
    'river',
    'Who ',
    'sank ',
    '. ',
    '? ',
    '<b>',
    '\u200b',
    '\ud800',
    '漢字',
    '\n\n',
    '1,200 ',
    'não ',
    '&lt;',
    'X',
  );
  const mixed = fc.array(fc.oneof(pieces, anyText), { maxLength: 30 }).map((p) => p.join(''));

  it('never makes a search or an answer throw, and results keep their promises', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(mixed, { maxLength: 6 }),
        mixed,
        fc.boolean(),
        async (texts, query, llmAnswer) => {
          // Any other is refused before it is searched for.
          fc.pre(/[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(query.slice(0, 400)));
          const pages = texts.map((text, i) => ({
            url: `https://p${i}.example/`,
            title: text.slice(0, 20),
            text,
          }));
          const response = await serviceWith([documents(pages)]).search({
            query: query.slice(0, 400),
            llmAnswer,
          });
          let last = 1;
          for (const { score, content } of response.results ?? []) {
            expect(score >= 0 && score <= last).toBe(true);
            expect(content.trim()).not.toBe('');
            expect(content).not.toMatch(/[\u200b\u0000-\u001f]/);
            last = score;
          }
          if (response.llm) {
            expect(response.llm.answerableProbability).toBeGreaterThanOrEqual(0.02);
            expect(response.llm.answerableProbability).toBeLessThanOrEqual(0.98);
            expect(response.llm.answer).not.toBe('');
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
