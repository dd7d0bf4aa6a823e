/** Whether the passages of one long page hold the answer: all everyday pages of a site as one, and the paragraphs of an article of XQuAD as one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rankPages } from '../../dist/search/select-passages.js';
import { contentOf } from '../../dist/search/ranking/passages.js';
import { everydayRows, holdsAnswer } from '../answers/sets.mjs';

/** @param folder of XQuAD, see bench/answers/README.md; without it its rows are missing */
export async function measurePassages(folder) {
  console.log(
    'answers held, %'.padEnd(20) +
      ['', 'content', 'passage', 'two passages'].map((t) => t.padStart(14)).join(''),
  );
  const rows = everydayRows().filter(({ answerable }) => answerable);
  const asPage = (pages) => pages.map(({ title, text }) => `# ${title}\n\n${text}`).join('\n\n');
  await printRow(
    'everyday',
    rows.map(({ question, answers, documents }) => ({
      question,
      answers,
      title: 'Help',
      text: asPage(documents),
    })),
  );
  for (const language of folder ? ['en', 'de', 'es', 'it'] : [])
    await printRow(`XQuAD ${language}`, articles(folder, language));
}

function articles(folder, language) {
  const read = (kind) =>
    readFileSync(join(folder, `xquad.${language}.${kind}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const pages = read('pages');
  return read('questions').map(({ question, answers, url }) => {
    const { title } = pages.find((page) => page.url === url);
    const paragraphs = pages.filter((page) => page.title === title).map(({ text }) => text);
    return { question, answers, title, text: paragraphs.join('\n\n') };
  });
}

async function printRow(name, items) {
  const held = [0, 0, 0];
  for (const { question, answers, title, text } of items) {
    const hit = { url: 'https://page.example/', title, snippet: '', passages: [text], provider: 'bench' };
    const [{ passages }] = await rankPages(question, [hit], new Map(), () => undefined);
    const texts = passages.map((passage) => passage.text);
    [contentOf(passages[0], title), texts[0], texts.join('\n')].forEach((shown, i) => {
      if (holdsAnswer(shown, answers)) held[i]++;
    });
  }
  const shares = held.map((count) => ((100 * count) / items.length).toFixed(1).padStart(14));
  console.log(name.padEnd(20) + String(items.length).padStart(14) + shares.join(''));
}
