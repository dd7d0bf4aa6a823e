import * as fc from 'fast-check';
import { withContext } from '../../lib/core/context.js';
import type { SearchDocument } from '../../lib/search/ranking/document-index.js';
import type { SearchHit, SearchProvider, SearchQuery } from '../../lib/search/search-provider.js';
import { PAGES, serviceWith } from './search.fixtures.js';

/** Asks a provider of the host's own documents within a deadline that no test reaches. */
export async function askDocuments(
  provider: SearchProvider,
  query: Partial<SearchQuery>,
): Promise<SearchHit[]> {
  const { hits } = await withContext(60_000, {}, (context) =>
    provider.search({ text: 'cells', count: 5, ...query }, context),
  );
  return hits;
}

/**
 * What every provider of the host's own documents does, wherever they are kept.
 *
 * @param providerOf makes one over these documents alone
 * @param runs of the property test
 */
export function describeDocuments(
  providerOf: (documents: SearchDocument[]) => Promise<SearchProvider> | SearchProvider,
  runs: number,
): void {
  const urlsOf = (hits: readonly SearchHit[]): string[] => hits.map((hit) => hit.url);

  it('takes documents without words, which are never found', async () => {
    const provider = await providerOf([{ url: 'https://a.example', title: '', text: '' }, ...PAGES]);
    expect(urlsOf(await askDocuments(provider, {}))).toEqual(['https://school.example/cell']);
  });

  it('gives the title, the passages, the date and a score from 0 to 1', async () => {
    const [hit] = await askDocuments(await providerOf(PAGES), { text: 'Vesuvius' });
    expect(hit).toEqual({
      url: 'https://school.example/vesuvius',
      title: 'Mount Vesuvius',
      passages: [expect.stringContaining('erupted in AD 79')],
      publishedAt: '2020-05-04',
      score: expect.any(Number),
    });
    expect(hit!.score).toBeGreaterThan(0);
    expect(hit!.score).toBeLessThanOrEqual(1);
  });

  it('finds nothing where no document has a word of the query', async () => {
    expect(await askDocuments(await providerOf(PAGES), { text: 'xylophone' })).toEqual([]);
  });

  it('finds other forms of a word, in the language of the document', async () => {
    const provider = await providerOf(PAGES);
    const first = async (text: string): Promise<string> => (await askDocuments(provider, { text }))[0]!.url;
    expect(await first('eruptions')).toBe('https://school.example/vesuvius');
    expect(await first('höchste Berge')).toBe('https://berge.example/zugspitze');
    expect(await first('quilometros extensos')).toBe('https://rios.example/tejo');
  });

  it.each([
    ['a misspelt word', 'marmtos', 'Marmots whistle at eagles.'],
    ['a compound', 'Papiertonne', 'Papier kommt in die blaue Tonne und nicht in den Restmüll.'],
    ['a word written as two', 'powerbank', 'A power-bank charges a phone twice.'],
    ['two words written as one', 'wi-fi', 'The wifi of the guests has no password.'],
    ['a word with soft hyphens', 'Garten', 'Der Gar\u00adten hinter dem Haus blüht.'],
    ['an accent left out', 'crème brulee recipe', 'The recipe of a crème brûlée has cream and sugar in it.'],
  ])('finds %s', async (_, text, content) => {
    const provider = await providerOf([...PAGES, { url: 'https://found.example/', text: content }]);
    expect(urlsOf(await askDocuments(provider, { text }))).toEqual(['https://found.example/']);
  });

  it.each([
    ['What is the WHO?', 'WHO'],
    ['WHO', 'WHO'],
    ['Who founded the WHO?', 'WHO'],
    ['who is who', 'Who is who'],
    ['Where is the US?', 'The US'],
    ['What is IT?', 'IT'],
    ['Which songs are by "The Who"?', 'The Who'],
    ["Quand est l'été ?", "L'été"],
    ['Quand est l’été ?', "L'été"],
    ['¿Qué es el Es?', 'El Es'],
  ])('finds for %s the page of that title', async (text, title) => {
    const titles: [string, string][] = [
      ['Contact us', 'Write to us, and we write to you. It is what we do for who asks.'],
      ['What is it like to live at sea?', 'It is what it is: who lives at sea is where the wind is.'],
      ['Where is the station?', 'The station is where it was. Who asks us finds it.'],
      ['WHO', 'The WHO is a health agency in Geneva. It was founded in 1948.'],
      ['Who is who', 'Everybody who works for us is in this list.'],
      ['The US', 'The US is a country in North America. It has fifty states.'],
      ['IT', 'The department for IT looks after the computers.'],
      ['The Who', 'The Who are a band from London with many songs.'],
      ["L'été", "L'été est la saison la plus chaude. Les jours sont longs."],
      ['Où est la gare ?', "La gare est au centre de la ville. Quand est-ce qu'elle ouvre ?"],
      ['El Es', 'El Es es una parte de la mente en la obra de Freud.'],
    ];
    const provider = await providerOf(
      titles.map(([title, text], i) => ({ url: `https://titles.example/${i}`, title, text })),
    );
    const [hit] = await askDocuments(provider, { text });
    expect(hit?.title).toBe(title);
  });

  it('finds no title by a function word of a query that has other words', async () => {
    const provider = await providerOf([
      { url: 'https://a.example', title: 'What is the sea?', text: 'Water.' },
    ]);
    for (const text of ['What is the xylophone?', 'what is the XYLOPHONE', '"the xylophone is what"'])
      expect(await askDocuments(provider, { text })).toEqual([]);
  });

  it('keeps to domains and dates', async () => {
    const provider = await providerOf(PAGES);
    const found = await askDocuments(provider, {
      text: 'world cup cells',
      includeDomains: ['sport.example'],
    });
    expect(urlsOf(found)).toEqual(['https://sport.example/world-cup']);
    const others = await askDocuments(provider, {
      text: 'world cup cells',
      excludeDomains: ['sport.example'],
    });
    expect(urlsOf(others)).toEqual(['https://school.example/cell']);
    expect(await askDocuments(provider, { text: 'vesuvius', freshness: 'day' })).toEqual([]);
    const within = async (from: string, to: string): Promise<number> =>
      (await askDocuments(provider, { text: 'vesuvius', freshness: { from, to } })).length;
    expect(await within('2020-05-04', '2020-05-04')).toBe(1);
    expect(await within('2020-05-05', '2020-12-31')).toBe(0);
  });

  it('keeps to a language that pages declare or show, and leaves pages whose language is not known', async () => {
    const german = 'Das Murmeltier pfeift, wenn es einen Adler am Himmel sieht.';
    const english = 'The Murmeltier whistles when it sees an eagle in the sky.';
    const provider = await providerOf([
      { url: 'https://a.example/de', text: german },
      { url: 'https://a.example/de-at', text: 'Murmeltier XJ-12', language: 'de-AT' },
      { url: 'https://a.example/en', text: english },
      { url: 'https://a.example/nl', text: 'Murmeltier XJ-13', language: 'nl' },
      { url: 'https://a.example/unknown', text: 'Murmeltier XJ-14' },
    ]);
    const found = async (query: Partial<SearchQuery>): Promise<string[]> =>
      urlsOf(await askDocuments(provider, { text: 'Murmeltier', ...query }))
        .map((url) => url.slice('https://a.example/'.length))
        .sort();
    expect(await found({})).toHaveLength(5);
    expect(await found({ language: 'de' })).toEqual(['de', 'de-at', 'unknown']);
    expect(await found({ language: 'en' })).toEqual(['en', 'unknown']);
    expect(provider.filters).toEqual([
      'language',
      'freshness',
      'dateRange',
      'includeDomains',
      'excludeDomains',
    ]);
  });

  it('finds the pages of a domain or language behind any number of better matches elsewhere', async () => {
    const others = Array.from({ length: 300 }, (_, i) => ({
      url: `https://other.example/${i}`,
      title: 'Marmots',
      text: `Marmots whistle at eagles, report ${i}.`,
      language: 'en',
    }));
    const own = {
      url: 'https://own.example/',
      title: 'Animals',
      text: 'Foxes bark, and now and then marmots whistle.',
      language: 'it',
    };
    const provider = await providerOf([...others, own]);
    for (const text of [
      'marmots whistle',
      'at which eagles do the marmots whistle in report 7 of the animals',
    ])
      for (const filters of [{ includeDomains: ['own.example'] }, { language: 'it' as const }])
        expect(urlsOf(await askDocuments(provider, { text, ...filters }))).toEqual([own.url]);
  });

  it('gives as many documents as are asked for, with scores that do not depend on their number', async () => {
    const many = Array.from({ length: 80 }, (_, i) => ({
      url: `https://many.example/${i}`,
      title: `Report ${i}`,
      text: `Marmots whistle at eagles near place ${i}.`,
    }));
    const provider = await providerOf(many);
    const fifty = await askDocuments(provider, { text: 'marmots whistle', count: 50 });
    expect(fifty).toHaveLength(50);
    const scores = fifty.map((hit) => hit.score!);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const three = await askDocuments(provider, { text: 'marmots whistle', count: 3 });
    expect(three).toEqual(fifty.slice(0, 3));
  });

  it('gives of a long document the parts that fit the query', async () => {
    const filler = Array.from(
      { length: 300 },
      (_, i) => `Sentence ${i} speaks of gardens, paths and hedges in the rain.`,
    );
    filler[211] = 'A marmot whistles when an eagle comes near.';
    const provider = await providerOf([
      { url: 'https://a.example', title: 'Garden', text: filler.join(' ') },
    ]);
    const [hit] = await askDocuments(provider, { text: 'Why does a marmot whistle?' });
    expect(hit!.passages!.length).toBeLessThanOrEqual(2);
    expect(hit!.passages![0]).toContain('marmot whistles');
    expect(hit!.passages![0]!.split(' ').length).toBeLessThanOrEqual(420);
  });

  it('puts the document that holds a rare word of the query first, however many share its common words', async () => {
    const collection: SearchDocument[] = Array.from({ length: 80 }, (_, i) => ({
      url: `https://papers.example/${i}`,
      title: `Paper ${i}`,
      text: 'Heat conduction in a plate, measured in the tunnel and compared with the heat of the slab.',
      language: 'en',
    }));
    collection[41] = { ...collection[41]!, text: 'Heat in a plate. The method was named after Galerkin.' };
    const provider = await providerOf(collection);
    const [hit] = await askDocuments(provider, { text: 'Galerkin heat conduction of a plate' });
    expect(hit!.url).toBe('https://papers.example/41');
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
      "'); DROP TABLE pages; --",
      ' & ! | :* <-> ',
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
            const response = await serviceWith([await providerOf(pages)]).search({
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
        { numRuns: runs },
      );
    });
  });
}
