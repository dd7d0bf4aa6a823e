/** What searching a conversational query by its keywords too is worth: the same queries bare, in talk, and in talk with rewriting. */
import { documents } from '../../dist/search/providers/documents.provider.js';
import { resolveSearch } from '../../dist/search/search.options.js';
import { ndcg } from './quality.mjs';
import { testCollection } from './sets.mjs';
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
 * Prints nDCG@10 over the embedded index and over MiniSearch, which stands for an engine that takes every word as it comes.
 *
 * @param folder a test collection in the BEIR layout
 */
export async function measureRewriting(folder) {
  const { documents: corpus, questions } = testCollection(folder);
  console.log('\nconversational queries                    nDCG@10  queries');
  const own = documents(corpus);
  await own.ready();
  await measureWith('documents()', own, questions);
  const find = await miniSearch.build(corpus);
  const byUrl = new Map(corpus.map((document) => [document.url, document]));
  const other = {
    name: 'minisearch',
    search: async ({ text, count }) => ({
      hits: (await find(text, count)).map((url) => {
        const { title, text: passage } = byUrl.get(url);
        return { url, title, passages: [passage] };
      }),
    }),
  };
  await measureWith('MiniSearch', other, questions);
}

async function measureWith(label, provider, questions) {
  const service = (rewrite) =>
    new SearchService({
      providers: [provider],
      answers: { engine: 'none' },
      options: resolveSearch({ rewrite, cacheTtlMs: 0, deadlineMs: 60_000 }).service,
    });
  const talk = (query, i) => {
    const text = TALK[i % TALK.length].replace('%', `${query.trim().replace(/\s*\.$/, '')}?`);
    return text.length <= 400 ? text : undefined;
  };
  const asked = questions
    .map((question, i) => ({ ...question, talk: talk(question.question, i) }))
    .filter((question) => question.talk && question.question.length <= 400);
  for (const [name, rewrite, textOf] of [
    ['as it is', false, (q) => q.question],
    ['in talk', false, (q) => q.talk],
    ['in talk, rewritten beside', true, (q) => q.talk],
  ]) {
    const engine = service(rewrite);
    let gain = 0;
    for (const question of asked) {
      const { results } = await engine.search({ query: textOf(question), topN: 10 });
      gain += ndcg(
        results.map((result) => result.sourceUrl),
        question.grades,
      );
    }
    console.log(`${`${label}, ${name}`.padEnd(40)}  ${(gain / asked.length).toFixed(4)}   ${asked.length}`);
  }
}
