/** What fails: each search in turn, each model call in turn, and budgets of every size. */
import { createRequire } from 'node:module';
import { playedResearch } from '../../test/support/fake-llm/played-research.mjs';
import { researchHost } from './host.mjs';

const { documents, UpstreamUnavailableError } = createRequire(import.meta.url)('../../dist/index.js');
const page = (name, text) => ({ url: `https://${name}.example/`, title: name, text });
/** Three needs that can be searched at once, and three that wait for one of them. */
const FACTS = [
  [
    'the inventor of the Lumen lantern',
    'Lumen lantern inventor',
    'The Lumen lantern was invented by Ada Quist in the spring of 1911',
    'Ada Quist',
  ],
  [
    'the architect of Harrow mill',
    'Harrow mill architect',
    'Harrow mill was drawn by the architect Ove Brandt for two brothers',
    'Ove Brandt',
  ],
  [
    'the ship that reached Cape Sorrow',
    'ship reached Cape Sorrow',
    'Cape Sorrow was first reached by the ship Petrel under full sail',
    'Petrel',
  ],
  [
    'the birthplace of {1}',
    '{1} birthplace',
    'Ada Quist was born on the island of Sonderholm in a lighthouse',
    'Sonderholm',
  ],
  [
    'the birthplace of {2}',
    '{2} birthplace',
    'Ove Brandt was born in the village of Tunstad near the border',
    'Tunstad',
  ],
  [
    'the shipyard of the {3}',
    '{3} shipyard',
    'The Petrel was built in the shipyard of Vessby within two years',
    'Vessby',
  ],
];
const PAGES = FACTS.map(([, , sentence], i) =>
  page(`page${i}`, `${sentence}. Other things happened there too.`),
);
const NEEDS = FACTS.map(([need, query, quote, value]) => ({
  need,
  query,
  facts: [{ quote, text: `${quote}.`, value }],
}));
const QUESTION =
  'Where do the inventor of the lantern, the architect of the mill and the ship of the cape come from?';
const play = (overrides) => {
  const reply = playedResearch(NEEDS, overrides);
  return { reply, settings: (_prompt, _settings, call) => reply(_prompt, _settings, call) };
};

/** One page a search, so that each need costs its own. */
function provider(fails) {
  const own = documents(PAGES);
  let n = 0;
  return {
    name: 'failing',
    reset: () => (n = 0),
    count: () => n,
    search: async (query, context) => {
      if (fails(++n)) throw new UpstreamUnavailableError('Too many requests.');
      const { hits } = await own.search(query, context);
      return { hits: hits.slice(0, 1) };
    },
  };
}

async function run(options, fails = () => false) {
  const search = provider(fails);
  const host = await researchHost({ providers: [search], ...options });
  const { reply } = play();
  try {
    const { result, events, calls } = await host.ask(
      QUESTION,
      (stage, prompt) => reply(prompt, {}, { system: SYSTEMS[stage] }),
      { effort: 'thorough' },
    );
    const found = events.filter(({ stage }) => stage === 'finding').map(({ finding }) => finding);
    return {
      result,
      found,
      calls,
      searches: search.count(),
      lost: found.filter((one) => !result.report.includes(one)).length,
    };
  } catch (error) {
    return { error, found: [], calls: host.fake.calls, searches: search.count(), lost: 0 };
  } finally {
    await host.close();
  }
}
const SYSTEMS = {
  plan: 'You plan the research',
  read: 'You look up in numbered passages',
  report: 'You write a report',
  repair: 'You repair sentences',
  answer: '',
};

const row = (name, { result, error, found, calls, searches, lost }) => ({
  run: name,
  searches,
  calls: calls.length,
  found: found.length,
  'lost in the report': lost,
  outcome: result?.outcome ?? error.code,
  stopped: result?.research.stopped ?? '',
  failed: result?.openQuestions.filter(({ reason }) => reason === 'search_failed').length ?? '',
  warnings: result?.warnings.map(({ code }) => code).join(' ') ?? '',
});

export async function failures() {
  const whole = await run({});
  const rows = [row('nothing fails', whole)];
  for (let k = 1; k <= whole.searches; k++)
    rows.push(row(`search ${k} fails`, await run({}, (n) => n === k)));
  for (let k = 0; k < whole.searches; k++)
    rows.push(row(`searches fail after ${k}`, await run({}, (n) => n > k)));
  const stages = whole.calls.map(({ stage }) => stage);
  for (const [k, stage] of stages.entries())
    rows.push(
      row(
        `call ${k + 1} (${stage}) fails`,
        await run({
          model: { fault: (index) => (index >= k && index < k + 3 ? 'server_error' : undefined) },
          modelOptions: { backOffMs: 1 },
        }),
      ),
    );
  console.table(rows);
  const sizes = whole.calls.map(({ promptTokens, completionTokens }) => promptTokens + completionTokens);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const budgets = [];
  for (let tokens = 500; tokens <= total + 6000; tokens += 500) {
    const one = await run({ budget: { tokens } });
    const used = one.calls.reduce(
      (sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens,
      0,
    );
    budgets.push({
      tokens,
      ...row('', one),
      used,
      'over budget': used > tokens,
      report: one.result?.report !== '',
    });
  }
  console.table(budgets);
  console.log(
    'runs with a finding and without a report:',
    budgets.filter(({ found, report }) => found > 0 && !report).length,
    '· over budget:',
    budgets.filter((one) => one['over budget']).length,
  );
}
