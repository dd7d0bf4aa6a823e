import { InvalidOptionError, UpstreamUnavailableError } from '../../lib/core/errors.js';
import { documents } from '../../lib/search/providers/documents.provider.js';
import type { SearchDocument } from '../../lib/search/ranking/document-index.js';
import { askDocuments, describeDocuments } from './documents-contract.js';
import { PAGES } from './search.fixtures.js';

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

  describeDocuments((pages) => documents(pages), 150);

  // lunr 2.3.9, elasticlunr 0.9.5 and Orama 3.1.18 find none of these alphabets: findings/search-other-alphabets.sh
  it.each([
    ['Москва', 'Это Москва сегодня'],
    ['Αθήνα', 'Η Αθήνα σήμερα'],
    ['한국어', '나는 한국어 공부'],
    ['résumé', 'Send the résumé today'],
    ['Übung', 'Das ist eine gute Übung'],
  ])('finds words of any alphabet and normal form: %s', async (word, text) => {
    const pages = ['NFC', 'NFD'].map((form) => ({
      url: `https://a.example/${form}`,
      text: text.normalize(form),
    }));
    for (const form of ['NFC', 'NFD'])
      expect(await askDocuments(documents(pages), { text: word.normalize(form) })).toHaveLength(2);
  });

  // okapibm25 1.4.1 finds `art` in `start`, Intl.Segmenter of ICU 78.2 makes one word of `name:Ann`: findings/bm25-finds-words-inside-words.sh,
  // findings/colon-joins-words.sh
  it('finds no word inside another, and both sides of a colon', async () => {
    const provider = documents([
      { url: 'https://a.example/start', text: 'This is the start of it, and name:Ann stands at the end.' },
      { url: 'https://a.example/art', text: 'This is the art of it, and nothing else.' },
    ]);
    const urlsOf = async (text: string) => (await askDocuments(provider, { text })).map(({ url }) => url);
    expect(await urlsOf('art')).toEqual(['https://a.example/art']);
    expect([await urlsOf('name'), await urlsOf('Ann')]).toEqual(Array(2).fill(['https://a.example/start']));
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
    await askDocuments(provider, {});
    await askDocuments(provider, {});
    expect(calls).toBe(1);
  });

  it('loads documents from an async generator', async () => {
    const provider = documents(async function* () {
      yield* PAGES;
    });
    expect(await askDocuments(provider, {})).toHaveLength(1);
  });

  it('reports a loader that fails and tries it again', async () => {
    let calls = 0;
    const provider = documents(async () => {
      if (calls++ === 0) throw new Error('no database');
      return PAGES;
    });
    await expect(askDocuments(provider, {})).rejects.toThrow(UpstreamUnavailableError);
    expect(await askDocuments(provider, {})).toHaveLength(1);
  });

  it('answers a long query where a document has a title of very many words', async () => {
    const words = 'alpha beta gamma delta epsilon zeta eta theta iota';
    const collection = Array.from({ length: 510 }, (_, i) => ({
      url: `https://many.example/${i}`,
      text: `${words} n${i}`,
    }));
    const title = Array.from({ length: 200_000 }, (_, i) => `w${i}`).join(' ');
    const provider = documents([
      { url: 'https://long.example', title, text: `${words} kappa` },
      ...collection,
    ]);
    const [first] = await askDocuments(provider, { text: `${words} kappa n7` });
    expect(first?.url).toBe('https://many.example/7');
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
