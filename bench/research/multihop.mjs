/** Questions in several steps: are all supporting pages found, by a planner that knows the steps, by a careless one, and with a page taken out? */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { passagesIn } from '../../test/support/fake-llm/played-research.mjs';
import { folded, linesOf, mean, researchHost, share } from './host.mjs';

const withBlanks = (question) => question.replace(/\s*>>\s*/g, ' ').replace(/#(\d)/g, '{$1}');

/** The steps of a question, and the page that each needs. HotpotQA names pages only: the second is looked up by the title in the first. */
function stepsOf({ steps, supporting, question, shape }, pageOf) {
  if (steps?.length)
    return steps.map((step) => ({ need: withBlanks(step.question), url: step.url, value: step.answer }));
  // First the page whose name stands in the question, else the one that names the other.
  const bare = (page) => folded(page.title.replace(/\(.*\)/, ''));
  const isIn = (text, page) => ` ${folded(text)} `.includes(` ${bare(page)} `);
  const [one, other] = supporting.map((url) => pageOf.get(url));
  const isReversed = isIn(question, other)
    ? !isIn(question, one)
    : !isIn(question, one) && isIn(other.text, one);
  const [first, second] = isReversed ? [other, one] : [one, other];
  if (shape === 'comparison' || shape === 'yesno')
    return [first, second].map(({ url, title }) => ({
      need: `what is asked of ${title}`,
      query: title,
      url,
      value: title,
    }));
  return [
    {
      need: question,
      query: isIn(question, first) ? first.title : question,
      url: first.url,
      value: second.title,
    },
    { need: 'what is asked of {1}', query: '{1}', url: second.url, value: second.title },
  ];
}

/** The sentence of a page that holds a value, else its first one. */
function quoteOf({ text }, value) {
  const sentences = text.split(/(?<=[.!?])\s+(?=\p{Lu})/u).filter((one) => one.split(/\s+/).length >= 5);
  return sentences.find((one) => folded(one).includes(folded(value))) ?? sentences[0] ?? text;
}

/** A model that knows the steps. It finds a step where its page is shown and what the step refers to was found. */
function reader(steps, pageOf, plan) {
  const found = new Map();
  const filled = (text) => text.replace(/\{(\d)\}/g, (blank, n) => found.get(n - 1) ?? blank);
  const isKnown = (text) => [...text.matchAll(/\{(\d)\}/g)].every(([, n]) => found.has(n - 1));
  const look = (prompt) => {
    const passages = passagesIn(prompt);
    const entries = [];
    for (let again = true; again;) {
      again = false;
      steps.forEach((step, i) => {
        if (found.has(i) || !isKnown(step.need)) return;
        const page = pageOf.get(step.url);
        const quote = page && quoteOf(page, step.value);
        const passage = page && passages.find(({ text }) => folded(text).includes(folded(quote)));
        if (!passage) return;
        found.set(i, step.value);
        entries.push({ step: i, n: passage.n, quote, value: step.value });
        again = true;
      });
    }
    return entries;
  };
  const open = () => steps.findIndex((step, i) => !found.has(i) && isKnown(step.need));
  const asked = new Map();
  // The first search for a step is in the plan, where its blanks can be filled; then the names of the step with those that were found, then these with other words.
  const queryFor = (i) => {
    if (i < 0) return '';
    const step = steps[i];
    const times = (asked.get(i) ?? (plan.isOne || plan.isBlind ? -1 : 0)) + 1;
    asked.set(i, times);
    const query = filled(step.query ?? step.need);
    const names = query.match(/(?<=.)\p{Lu}[\p{L}\p{N}.-]*|\d+/gu) ?? query.split(' ').slice(0, 3);
    const known = [...found.values()];
    return [query, [...names, ...known].join(' '), [query, ...known].join(' ')][times] ?? '';
  };
  return (stage, prompt) => {
    if (stage === 'plan') return { question: '', needs: plan.needs };
    if (stage === 'read') {
      const entries = look(prompt);
      const tell = ({ n, quote, value }) => ({ text: `${quote} [${n}]`, quotes: [{ n, quote }], value });
      if (plan.isOne) {
        const told = entries.map(tell);
        return {
          needs: [
            {
              n: 1,
              state: found.size === steps.length ? 'found' : found.size > 0 ? 'partly' : 'missing',
              text: told.map(({ text }) => text).join(' '),
              quotes: told.flatMap(({ quotes }) => quotes),
              value: told.at(-1)?.value ?? '',
              query: queryFor(open()),
            },
          ],
        };
      }
      return {
        needs: steps.flatMap((step, i) => {
          const entry = entries.find((one) => one.step === i);
          if (entry) return [{ n: i + 1, state: 'found', ...tell(entry), query: '' }];
          if (found.has(i)) return [];
          return [
            {
              n: i + 1,
              state: 'missing',
              text: '',
              quotes: [],
              value: '',
              query: isKnown(step.need) ? queryFor(i) : plan.isBlind ? '' : (step.query ?? step.need),
            },
          ];
        }),
      };
    }
    if (stage === 'answer') {
      const entries = look(prompt);
      if (found.size < steps.length) {
        found.clear();
        return { answerable: false, answer: 'The sources do not say it.', quotes: [], calculations: [] };
      }
      return {
        answerable: true,
        answer: entries.map(({ quote, n }) => `${quote} [${n}]`).join(' '),
        quotes: entries.map(({ n, quote }) => ({ n, quote })),
        calculations: [],
      };
    }
    const lines = prompt.split('\n').filter((line) => /^- .*\[\d+\]$/.test(line));
    return { answer: lines.map((line) => line.slice(2)).join(' ') || 'Nothing.', calculations: [] };
  };
}

const planOf = (steps) => ({ needs: steps.map(({ need, query }) => ({ need, query: query ?? need })) });
/** Three of four plans have no blanks: half of them say "that", half search for everything at once. */
function carelessPlan(steps, question, i) {
  if (i % 4 === 0) return planOf(steps);
  if (i % 2 === 0) return { isOne: true, needs: [{ need: question, query: question }] };
  const blind = (text) => text.replace(/\{\d\}/g, 'that');
  return {
    isBlind: true,
    needs: steps.map(({ need, query }) => ({ need: blind(need), query: blind(query ?? need) })),
  };
}

async function runAll(questions, pages, planner, effort, without = () => undefined) {
  const rows = [];
  const pageOf = new Map(pages.map((page) => [page.url, page]));
  const host = await researchHost({ pages });
  for (const [i, question] of questions.entries()) {
    const steps = stepsOf(question, pageOf);
    const removed = without(question, steps);
    const own =
      removed === undefined
        ? host
        : await researchHost({ pages: pages.filter(({ url }) => url !== steps[removed].url) });
    const plan = planner(steps, question.question, i);
    const { result, calls } = await own.ask(question.question, reader(steps, pageOf, plan), { effort });
    if (own !== host) await own.close();
    const shown = new Set(result.sources.map(({ url }) => url));
    const seen = new Set();
    let last = 0;
    const readings = calls.filter(({ stage }) => stage === 'read');
    readings.forEach(({ prompt }, round) => {
      for (const { text } of passagesIn(prompt)) {
        const title = text.split('\n')[0];
        if (!seen.has(title)) last = round + 1;
        seen.add(title);
      }
    });
    rows.push({
      question,
      removed,
      result,
      all: question.supporting.every((url) => shown.has(url)),
      found: question.supporting.filter((url) => shown.has(url)).length / question.supporting.length,
      calls: calls.length,
      tokens: calls.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
      after: readings.length - last,
      isSaid:
        removed === undefined ||
        result.openQuestions.some(({ need }) => result.sections[removed]?.need === need),
    });
  }
  await host.close();
  return rows;
}

function line(name, rows) {
  const most = (numbers) => Math.max(...numbers);
  const searches = rows.map(({ result }) => result.research.searches);
  return {
    run: name,
    questions: rows.length,
    'all pages': share(rows, ({ all }) => all),
    'supporting pages': `${Math.round(100 * mean(rows.map(({ found }) => found)))} %`,
    rounds: mean(rows.map(({ result }) => result.research.rounds)).toFixed(1),
    searches: `${mean(searches).toFixed(1)}, ${most(searches)} at most`,
    calls: `${mean(rows.map(({ calls }) => calls)).toFixed(1)}, ${most(rows.map(({ calls }) => calls))} at most`,
    'input tokens': Math.round(mean(rows.map(({ tokens }) => tokens))),
  };
}

export async function multihop(folder) {
  const read = async (name) => linesOf(await readFile(join(folder, name), 'utf8'));
  const questions = await read('questions.jsonl');
  const pages = [
    ...(await read('pages.jsonl')),
    ...(process.argv.includes('--more') ? await read('more-pages.jsonl') : []),
  ];
  const musique = questions.filter(({ set }) => set === 'musique');
  const hotpot = questions.filter(({ set }) => set !== 'musique');
  const table = [];
  for (const effort of ['quick', 'thorough'])
    table.push(line(`MuSiQue, ${effort}`, await runAll(musique, pages, planOf, effort)));
  const standard = await runAll(musique, pages, planOf, 'standard');
  table.splice(1, 0, line('MuSiQue, standard', standard));
  const careless = await runAll(musique, pages, carelessPlan, 'standard');
  table.push(line('MuSiQue, careless planner', careless));
  const hotpots = await runAll(hotpot, pages, planOf, 'standard');
  table.push(line('HotpotQA', hotpots));
  const out = (_question, steps) => steps.length - 1;
  const taken = await runAll(questions, pages, planOf, 'standard', out);
  table.push(line('a page taken out', taken));
  console.table(table);
  console.log(
    'a page taken out: the need is in open_questions',
    share(taken, ({ isSaid }) => isSaid),
    '· rounds after the last new page, at most',
    Math.max(...taken.map(({ after }) => after)),
    '· outcomes',
    taken.map(({ result }) => result.outcome).filter((one) => one === 'answered').length,
    'answered',
  );
  if (process.argv.includes('--misses'))
    for (const { question, result, all } of [...standard, ...careless, ...hotpots].filter(
      (one) => !one.all,
    )) {
      console.log(question.id, question.question, result.research, all);
      for (const { need, state } of result.sections) console.log('  ', state, need);
      for (const { queries } of result.openQuestions) console.log('   tried', queries);
    }
}
