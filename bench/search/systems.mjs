/** The systems that are compared: each builds from a corpus and gives a function (query, count) → identifiers, best first. */
import { stem, words } from '../../dist/core/text/index.js';
import { functionWords } from '../../dist/core/text/function-words.js';
import { documents } from '../../dist/search/providers/documents.provider.js';

const BASE = 'https://corpus.example/';

/** This package's `documents()` provider, as a host gets it. */
export const ours = {
  name: 'documents()',
  async build(corpus) {
    const provider = documents(
      corpus.map(({ _id, title, text }) => ({
        url: BASE + encodeURIComponent(_id),
        title,
        text,
        language: 'en',
      })),
    );
    await provider.ready();
    const context = {
      signal: new AbortController().signal,
      remainingMs: () => 1e6,
      progress() {},
      noCache: true,
    };
    return async (text, count) => {
      const { hits } = await provider.search({ text, count }, context);
      return hits.map((hit) => decodeURIComponent(hit.url.slice(BASE.length)));
    };
  },
};

/** MiniSearch with its defaults over title and text. */
export const miniSearch = {
  name: 'MiniSearch, defaults',
  async build(corpus) {
    let MiniSearch;
    try {
      ({ default: MiniSearch } = await import('minisearch'));
    } catch {
      return undefined;
    }
    const index = new MiniSearch({ fields: ['title', 'text'], idField: '_id' });
    index.addAll(corpus);
    return async (query, count) =>
      index
        .search(query)
        .slice(0, count)
        .map((r) => r.id);
  },
};

/** Textbook BM25 (k1 1.2, b 0.75) over Porter stems without function words, title and text as one field. */
export const plainBm25 = {
  name: 'BM25, stems, stop list',
  async build(corpus) {
    const stopped = functionWords('en');
    const termsOf = (text) =>
      words(text)
        .filter((w) => !stopped.has(w))
        .map((w) => stem(w, 'en'));
    const postings = new Map();
    const lengths = corpus.map(({ title, text }, d) => {
      const terms = termsOf(`${title} ${text}`);
      for (const term of terms) {
        if (!postings.has(term)) postings.set(term, new Map());
        const row = postings.get(term);
        row.set(d, (row.get(d) ?? 0) + 1);
      }
      return terms.length;
    });
    const average = lengths.reduce((a, b) => a + b, 0) / lengths.length;
    return async (query, count) => {
      const scores = new Map();
      for (const term of new Set(termsOf(query))) {
        const row = postings.get(term);
        if (!row) continue;
        const idf = Math.log(1 + (corpus.length - row.size + 0.5) / (row.size + 0.5));
        for (const [d, n] of row) {
          const gain = (idf * n * 2.2) / (n + 1.2 * (0.25 + (0.75 * lengths[d]) / average));
          scores.set(d, (scores.get(d) ?? 0) + gain);
        }
      }
      return [...scores]
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, count)
        .map(([d]) => corpus[d]._id);
    };
  },
};
