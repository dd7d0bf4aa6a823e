/**
 * Questions that want a report, made from the questions of the everyday set: two aspects that one page each answers, one of which a second page says something else, and one
 * that no page answers.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { passagesIn } from '../../test/support/fake-llm/played-research.mjs';
import { folded, linesOf, researchHost } from './host.mjs';

const REPORTS = 15;
const plainText = (text) => text.replace(/[*_`|#>]/g, ' ');

/** Another number for each of a text. */
const changed = (text) => text.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10));

function reportsOf(questions, pages) {
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const usable = ({ answerable, evidence, language, sentence }) =>
    answerable && evidence !== 'table' && language === 'en' && sentence.split(/\s+/).length >= 6;
  const collections = [...new Set(questions.map(({ collection }) => collection))];
  const reports = [];
  for (let round = 0; reports.length < REPORTS && round < 20; round++)
    for (const collection of collections) {
      const own = questions.filter((one) => one.collection === collection);
      const plain = own.filter(usable).filter(({ sentence }) => !/\d/.test(sentence));
      const numbered = own
        .filter(usable)
        .filter(
          ({ sentence, answers }) => /\d/.test(sentence) && answers.some((answer) => /\d/.test(answer)),
        );
      const missing = own.filter(({ answerable, language }) => !answerable && language === 'en');
      const aspects = [plain[2 * round], plain[2 * round + 1], numbered[round], missing[round]];
      if (aspects.some((one) => !one) || reports.length === REPORTS) continue;
      reports.push({
        collection,
        aspects: aspects.map((one, i) => ({
          ...one,
          title: byUrl.get(one.pages?.[0])?.title,
          isDisputed: i === 2,
        })),
      });
    }
  return reports;
}

export async function everyday(folder) {
  const read = async (name) => linesOf(await readFile(join(folder, name), 'utf8'));
  const [questions, pages] = [await read('questions.jsonl'), await read('pages.jsonl')];
  const counts = { 'found and cited': 0, disputed: 0, 'said to be missing': 0, 'said of nothing else': 0 };
  const reports = reportsOf(questions, pages);
  let calls = 0;
  for (const { collection, aspects } of reports) {
    const other = aspects[2];
    const against = {
      url: `https://elsewhere.example/${other.id}`,
      title: `Notes on ${other.title}`,
      text: `Somebody who was there last week reports this. ${changed(other.sentence)} That is what the desk said when asked.`,
    };
    const host = await researchHost({
      pages: [...pages.filter((one) => one.collection === collection), against].map(
        ({ url, title, text }) => ({ url, title, text }),
      ),
    });
    const sentences = (aspect) =>
      aspect.answerable ? [aspect.sentence, ...(aspect.isDisputed ? [changed(aspect.sentence)] : [])] : [];
    const known = aspects.map(() => new Map());
    const play = (stage, prompt) => {
      if (stage === 'plan')
        return { question: '', needs: aspects.map(({ question }) => ({ need: question, query: question })) };
      if (stage === 'read') {
        const passages = passagesIn(prompt);
        return {
          needs: aspects.map((aspect, i) => {
            const met = sentences(aspect).flatMap((quote) => {
              const passage = passages.find(({ text }) =>
                folded(plainText(text)).includes(folded(plainText(quote))),
              );
              if (passage) known[i].set(quote, passage.n);
              return passage ? [{ quote: plainText(quote).trim(), n: passage.n }] : [];
            });
            const state = known[i].size > 1 ? 'disputed' : met.length > 0 ? 'found' : 'missing';
            return {
              n: i + 1,
              state,
              text: met.map(({ quote, n }) => `${quote} [${n}]`).join(' '),
              quotes: met,
              value: '',
              query: met.length > 0 ? '' : (aspect.title ?? `${aspect.question} ${collection}`),
            };
          }),
        };
      }
      const lines = prompt.split('\n').filter((line) => /^- .*\[\d+\]$/.test(line));
      return { answer: lines.map((line) => line.slice(2)).join(' '), calculations: [] };
    };
    const asked = await host.ask(aspects.map(({ question }) => question).join(' '), play);
    const { result } = asked;
    calls += asked.calls.length;
    await host.close();
    const citing = (text) =>
      [...text.matchAll(/\[(\d+)\]/g)].map(
        ([, n]) => result.citations.find(({ index }) => index === Number(n)).url,
      );
    for (const [i, aspect] of aspects.entries()) {
      const section = result.sections[i];
      const isCited = citing(section.text).some((url) => aspect.pages?.includes(url));
      if (i < 2 && section.state === 'found' && isCited) counts['found and cited']++;
      if (i === 2 && section.state === 'disputed' && isCited && citing(section.text).includes(against.url))
        counts.disputed++;
      if (i === 3 && result.openQuestions.some(({ need }) => need === section.need))
        counts['said to be missing']++;
      if (
        process.argv.includes('--misses') &&
        ((i < 2 && !(section.state === 'found' && isCited)) ||
          (i === 2 && section.state !== 'disputed') ||
          (i === 3 && section.text !== ''))
      )
        console.log(
          aspect.id,
          i,
          JSON.stringify(section),
          JSON.stringify(result.research),
          '\n   wanted:',
          sentences(aspect),
        );
    }
    if (result.openQuestions.every(({ need }) => need === result.sections[3].need))
      counts['said of nothing else']++;
    if (process.argv.includes('--show'))
      console.log(`\n${result.report}\n`, JSON.stringify({ ...result, report: undefined }, null, 1));
  }
  console.table({
    'found and cited': `${counts['found and cited']} of ${2 * reports.length}`,
    'disputed, with both pages': `${counts.disputed} of ${reports.length}`,
    'said to be missing': `${counts['said to be missing']} of ${reports.length}`,
    'nothing else said to be missing': `${counts['said of nothing else']} of ${reports.length}`,
    'model calls': (calls / reports.length).toFixed(1),
  });
}
