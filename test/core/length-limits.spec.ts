import { CONTENT, TRANSCRIPT } from '../../lib/content/content.schema.js';
import { LONGEST } from '../../lib/core/length-limits.js';
import { faultOf, string, valid } from '../../lib/core/schema.js';
import { documents } from '../../lib/search/providers/documents.provider.js';
import type { SearchHit } from '../../lib/search/search-provider.js';
import type { SearchResult } from '../../lib/tools/search-web.js';
import { answering, serviceWith } from '../search/search.fixtures.js';

/** The one result that a provider's hit becomes; undefined where it was left out. */
async function found(hit: Partial<SearchHit>): Promise<SearchResult | undefined> {
  const whole = { url: 'https://a.example/', title: 'Reef', snippet: 'The reef.', ...hit };
  const { results } = await serviceWith([answering('own', [whole])]).search({ query: 'reef' });
  return results![0];
}

const transcript = (given: object) =>
  valid(TRANSCRIPT, {
    language: 'en',
    captions: 'manual',
    segments: [{ startMs: 0, endMs: 1, text: 'Reef.' }],
    chapters: [],
    ...given,
  });
const chapter = (title: string) => ({ title, startMs: 0, endMs: 1 });
const reef = (length: number): string => 'reef '.repeat(Math.ceil(length / 5)).slice(0, length);

/** For each limit, the lengths of what comes in where something longer is sent; undefined for what is refused or left out. */
const BORDERS: Record<keyof typeof LONGEST, (given: string) => Promise<(number | undefined)[]>> = {
  title: async (title) => [
    (await found({ title }))?.title?.length,
    transcript({ title })?.title?.length,
    transcript({ chapters: [chapter(title)] })?.chapters[0]?.title.length,
  ],
  name: async (name) => [
    (await found({ attribution: name }))?.attribution?.length,
    (await found({ license: name }))?.license?.length,
    transcript({ channel: name })?.channel?.length,
  ],
  address: async (text) => {
    const url = `https://a.example/${text}`;
    const content = { ...transcript({}), id: 'a', provider: 'own' };
    return [
      (await found({ url }))?.sourceUrl.length,
      valid(CONTENT, { ...content, url })?.url.length,
      valid(CONTENT, { ...content, url: 'https://a.example/', id: text })?.id.length,
    ];
  },
  language: async (language) => [transcript({ language })?.language.length],
  results: async (text) => {
    const hits = [...text].map((_, i) => ({
      url: `https://a.example/${i}`,
      title: `Zebra ${i}`,
      snippet: 'Fish.',
    }));
    const last = { url: 'https://a.example/last', title: 'Zebra', snippet: 'A zebra.' };
    const { results } = await serviceWith([answering('own', [...hits, last])]).search({ query: 'zebra' });
    return [results!.some(({ sourceUrl }) => sourceUrl === last.url) ? hits.length + 1 : LONGEST.results];
  },
  snippet: async (snippet) => [(await found({ snippet }))?.content.length],
  passage: async (passage) => [(await found({ passages: [passage] }))?.content.length],
  passages: async (text) => {
    const passages = [...text].map((_, i) => `The reef ${i}.`);
    const { results } = await serviceWith([
      answering('own', [
        { url: 'https://a.example/', title: 'Reef', passages: [...passages, 'Zebra fish.'] },
      ]),
    ]).search({ query: 'zebra fish' });
    return [results![0]?.content === 'Zebra fish.' ? passages.length + 1 : LONGEST.passages];
  },
  description: async (description) => [transcript({ description })?.description?.length],
  chapters: async (text) => [transcript({ chapters: [...text].map(() => chapter('Reef')) })?.chapters.length],
  document: async (text) => {
    const search = (): Promise<object> =>
      serviceWith([documents([{ url: 'https://a.example/', text }])]).search({ query: 'reef' });
    return [
      await Promise.resolve()
        .then(search)
        .then(
          () => text.length,
          () => undefined,
        ),
    ];
  },
  other: async (text) => [valid(string(), text)?.length],
};

describe('strings that come in from outside', () => {
  it.each(Object.entries(LONGEST))('%s: at most %d', async (name, most) => {
    const border = BORDERS[name as keyof typeof LONGEST];
    for (const length of await border(reef(most + 10))) expect(length ?? 0).toBeLessThanOrEqual(most);
    for (const length of await border(reef(Math.min(Math.ceil(most / 4), 1000))))
      expect(length).toBeGreaterThan(0);
  });

  it('are cut between characters, with an ellipsis', async () => {
    const result = await found({ title: '\u{1f420}'.repeat(1000) });
    expect(result?.title).toMatch(/^(?:\u{1f420})+…$/u);
    expect(result?.title).toHaveLength(LONGEST.title - 1);
  });

  it('are refused in words', () => {
    expect(faultOf(string(), 'x'.repeat(LONGEST.other + 1), 'name')).toEqual(
      expect.stringMatching(
        /^name must be a string of at most 10000 characters, received the string "x{50,100}"$/,
      ),
    );
  });
});
