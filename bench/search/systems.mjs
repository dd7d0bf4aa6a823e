/**
 * The systems that are compared. Each takes documents `{ url, title, text, publishedAt? }` and gives a function (query, count) → URLs,
 * best first.
 */
import { detectLanguage } from '../../dist/text/detect-language.js';
import { stem, words } from '../../dist/text/tokens.js';
import { functionWords } from '../../dist/text/word-lists.js';
import { documents } from '../../dist/search/providers/documents.provider.js';
import { SEARCH_WEB, SearchService } from '../../dist/tools/search-web.js';
import { resolveToolOption } from '../../dist/tools/tool-definition.js';

/** Longest query that `search_web` takes, characters. */
const MAX_QUERY = 400;

/** This package's `documents()`, asked through `SearchService` as a request without `llm_answer` does. */
export const ours = {
  name: 'documents()',
  async build(corpus) {
    const provider = documents(corpus);
    await provider.ready();
    return askedThroughService(provider);
  },
};

/** Asks a provider as a request does: a function (query, count) → URLs. */
export function askedThroughService(provider) {
  const service = new SearchService({
    providers: [provider],
    answers: { engine: 'none' },
    options: resolveToolOption(SEARCH_WEB.option, { cacheTtlMs: 0, deadlineMs: 60_000 }),
  });
  return async (query, count) => {
    const { results } = await service.search({ query: query.slice(0, MAX_QUERY), topN: count });
    return results.map((result) => result.sourceUrl);
  };
}

/** MiniSearch with its defaults over title and text. */
export const miniSearch = {
  name: 'MiniSearch, defaults',
  async build(corpus) {
    const { default: MiniSearch } = await import('minisearch');
    const index = new MiniSearch({ fields: ['title', 'text'], idField: 'url' });
    index.addAll(corpus);
    return async (query, count) =>
      index
        .search(query)
        .slice(0, count)
        .map((result) => result.id);
  },
};

/**
 * Textbook BM25 (k1 1.2, b 0.75) over stems without function words, title and text as one field. A query is read in its own language where
 * documents are in it, otherwise in all languages of the documents.
 */
export const plainBm25 = {
  name: 'BM25 with stems',
  async build(corpus) {
    const termsOf = (text, language) => {
      if (!language) return words(text);
      const stopped = functionWords(language);
      return words(text)
        .filter((word) => !stopped.has(word))
        .map((word) => stem(word, language));
    };
    const postings = new Map();
    const languages = new Set();
    const lengths = corpus.map(({ title, text }, d) => {
      const language = detectLanguage(text);
      languages.add(language);
      const terms = termsOf(`${title} ${text}`, language);
      for (const term of terms) {
        if (!postings.has(term)) postings.set(term, new Map());
        const row = postings.get(term);
        row.set(d, (row.get(d) ?? 0) + 1);
      }
      return terms.length;
    });
    const average = lengths.reduce((a, b) => a + b, 0) / lengths.length;
    return async (query, count) => {
      const asked = detectLanguage(query);
      const readAs = languages.has(asked) ? [asked] : [...languages];
      const scores = new Map();
      for (const term of new Set(readAs.flatMap((language) => termsOf(query, language)))) {
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
        .map(([d]) => corpus[d].url);
    };
  },
};
