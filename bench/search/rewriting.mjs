/** What searching a conversational query by its keywords too is worth: the same queries bare, in talk, and in talk with rewriting. */
import { documents } from '../../dist/search/providers/documents.provider.js';
import { ExtractiveAnswer } from '../../dist/search/answer/extractive/extractive-answer.js';
import { resolveSearchOptions } from '../../dist/search/search.options.js';
import { miniSearch } from './systems.mjs';
import { SearchService } from '../../dist/tools/search-web.js';

/** What people write around a question; `%` is the question. None of it comes from the list of what is left out. */
const TALK = [
  'Hi there! My teacher asked me to prepare a small presentation for the other students of my group next week. I was wondering if you could please tell me: % Thanks a lot in advance for your help!',
  'Sorry to bother you with this, but I have been reading old papers all afternoon and cannot find an answer anywhere. Do you happen to know % It would make my day.',
  'Hello everybody, this is my first message here. I am writing a report for my company about a problem that came up in a meeting. Could anyone explain to me, in simple words, % I would be very grateful.',
  'My colleague and I had a long discussion at lunch today, and we did not agree in the end. So the question is: % What do you think?',
];

/**
 * Over the embedded index and over MiniSearch, which stands for an engine that takes every word as it comes.
 *
 * @param measure takes the queries and `search(query, count)` and gives what is to be printed
 */
export async function measureRewriting(corpus, queries, measure) {
  const own = documents(corpus.map((d) => ({ url: addressOf(d._id), title: d.title, text: d.text })));
  await own.ready();
  await measureWith('documents()', own, queries, measure);
  const find = await miniSearch.build(corpus);
  if (!find) return;
  const byId = new Map(corpus.map((d) => [d._id, d]));
  const other = {
    name: 'minisearch',
    search: async ({ text, count }) => ({
      hits: (await find(text, count)).map((id) => {
        const { title, text: passage } = byId.get(id);
        return { url: addressOf(id), title, passages: [passage] };
      }),
    }),
  };
  await measureWith('MiniSearch', other, queries, measure);
}

function addressOf(id) {
  return `https://bench.example/${encodeURIComponent(id)}`;
}

async function measureWith(label, provider, queries, measure) {
  const service = (rewrite) =>
    new SearchService({
      providers: [provider],
      answers: new ExtractiveAnswer(),
      options: resolveSearchOptions({ rewrite, cacheTtlMs: 0, deadlineMs: 60_000 }),
    });
  const talk = (query, i) => {
    const text = TALK[i % TALK.length].replace('%', `${query.trim().replace(/\s*\.$/, '')}?`);
    return text.length <= 400 ? text : undefined;
  };
  const asked = queries
    .map((q, i) => ({ ...q, talk: talk(q.text, i) }))
    .filter((q) => q.talk && q.text.length <= 400);
  for (const [name, rewrite, textOf] of [
    ['as it is', false, (q) => q.text],
    ['in talk', false, (q) => q.talk],
    ['in talk, rewritten beside', true, (q) => q.talk],
  ]) {
    const engine = service(rewrite);
    const search = async (query, count) => {
      const { results } = await engine.search({ query: textOf(query), topN: count });
      return results.map((r) => decodeURIComponent(r.sourceUrl.split('/').pop()));
    };
    console.log(`${`${label}, ${name}`.padEnd(40)}  ${await measure(asked, search)}`);
  }
}
