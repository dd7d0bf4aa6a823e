/** Careless reports: the weak replies of bench/replies, whose sentences are labelled, as the model's reports; each also names an address that nobody has. */
import { readFileSync } from 'node:fs';
import { passagesIn } from '../../test/support/fake-llm/played-research.mjs';
import { seeded } from '../soak/random.mjs';
import { folded, linesOf, researchHost } from './host.mjs';

const VERIFIER = { passesWrong: 0.15, refusesRight: 0.03 };
const items = linesOf(readFileSync(new URL('../replies/items.jsonl', import.meta.url), 'utf8')).filter(
  ({ answerable }) => answerable,
);

/** How the good replies worked out their numbers: they were written before a prompt asked for it. */
const CALCULATIONS = {
  a001: [{ expression: '2 / 0.4', result: '5' }],
  a008: [{ expression: '14 / 2.7', result: '5' }],
  a012: [{ expression: '7000 / 550', result: '10' }],
  a061: [{ expression: '2.25 + 0.60', result: '€2.85' }],
  a083: [{ expression: '14.60 - 13.90', result: '70 Cent' }],
};

let current;
const provider = {
  name: 'played',
  search: async () => ({
    hits: current.sources.map(({ url, title, text, published_at: publishedAt }) => ({
      url,
      title,
      passages: [text],
      publishedAt,
    })),
  }),
};
/** Says what the labels say, but for its errors, which depend on the sentence alone. */
const verifier = (kind) => ({
  name: 'played',
  verify: async (_question, claims) =>
    claims.map(({ text }) => {
      const label = current[kind].sentences.find((one) => folded(one.text).includes(folded(text)));
      const chance = seeded([...text].reduce((sum, c) => (31 * sum + c.charCodeAt(0)) % 2 ** 31, 7))();
      const isPassed = label?.right ? chance >= VERIFIER.refusesRight : chance < VERIFIER.passesWrong;
      return isPassed ? 'supported' : 'not_said';
    }),
});

/** The numbers of the sources in a prompt. */
function numbersIn(prompt) {
  const passages = passagesIn(prompt);
  return new Map(
    current.sources.map(({ n, text }) => [
      n,
      passages.find((one) => folded(one.text).includes(folded(text).slice(0, 60)))?.n,
    ]),
  );
}
/** The first sentence; a question states nothing. */
const beginning = (text) =>
  /(?<=^|[.!?]\s)[^.!?][^?!]{29,}?[.!](?=\s|$)/.exec(text)?.[0] ?? text.slice(0, 80);

function model(kind) {
  return (stage, prompt) => {
    if (stage === 'plan')
      return {
        question: '',
        needs: [
          { need: current.question, query: current.question },
          { need: 'what else is known', query: 'more' },
        ],
      };
    if (stage === 'read') {
      const numbers = numbersIn(prompt);
      // Every source is quoted, so that the report sees all of them.
      const all = current.sources
        .map(({ n, text }) => ({ n: numbers.get(n), quote: beginning(text) }))
        .filter(({ n }) => n);
      return {
        // Three sentences of a need count.
        needs: [all.slice(0, 3), all.slice(3)].map((own, i) => ({
          n: i + 1,
          state: 'found',
          text: (own.length > 0 ? own : all).map((one) => `${one.quote} [${one.n}]`).join(' '),
          quotes: own.length > 0 ? own : all,
          value: '',
          query: '',
        })),
      };
    }
    if (stage === 'report') {
      const numbers = numbersIn(prompt);
      const marks = (sources) =>
        [...new Set(sources)].flatMap((n) => (numbers.get(n) ? `[${numbers.get(n)}]` : [])).join('');
      const said = current[kind].sentences.map(({ text, sources }) => `${text} ${marks(sources)}`.trim());
      const quotes = current[kind].sentences.flatMap((one) =>
        one.quotes.flatMap(({ n, text }) => (numbers.get(n) ? [{ n: numbers.get(n), quote: text }] : [])),
      );
      return {
        answer: [...said, 'More is told at https://invented.example/page. [1]'].join(' '),
        quotes,
        calculations: (kind === 'good' && CALCULATIONS[current.id]) || [],
      };
    }
    return { sentences: [] };
  };
}

const percent = (list, test) =>
  `${((100 * list.filter(test).length) / (list.length || 1)).toFixed(1)} % of ${list.length}`;

export async function careless() {
  const table = [];
  for (const [name, verify] of [
    ['checks in code', undefined],
    ['with a verifier', verifier],
  ])
    for (const kind of ['good', 'weak']) {
      const host = await researchHost({
        providers: [provider],
        research: verify ? { verify: verify(kind) } : true,
      });
      const sentences = [];
      let invented = 0;
      let quotes = 0;
      let falseQuotes = 0;
      for (const item of items) {
        current = item;
        const { result } = await host.ask(item.question, model(kind));
        if (/invented\.example/.test(JSON.stringify(result))) invented++;
        quotes += result.citations.length;
        falseQuotes += result.citations.filter(
          ({ url, quote }) => !item.sources.some((one) => one.url === url && one.text.includes(quote)),
        ).length;
        for (const sentence of item[kind].sentences) {
          const own = folded(sentence.text);
          const listed = (result.unsupported ?? []).find(
            ({ text }) => own.includes(folded(text)) || folded(text).includes(own),
          );
          sentences.push({
            ...sentence,
            isShown: folded(result.report).includes(own),
            isAnswer: result.outcome === 'answered',
            isMarked: listed !== undefined && listed.reason !== 'few_words_in_common',
            isListed: listed !== undefined,
          });
        }
      }
      await host.close();
      const [right, wrong] = [sentences.filter((one) => one.right), sentences.filter((one) => !one.right)];
      table.push({
        run: `${name}, ${kind} reports`,
        'right marked': percent(right, (one) => one.isMarked),
        'right shown': percent(right, (one) => one.isShown),
        'wrong shown unmarked': percent(wrong, (one) => one.isShown && !one.isListed),
        'of them in an answered report': percent(
          wrong,
          (one) => one.isShown && !one.isListed && one.isAnswer,
        ),
        'reports with the invented address': invented,
        'false quotations': `${falseQuotes} of ${quotes}`,
      });
    }
  console.table(table);
}
