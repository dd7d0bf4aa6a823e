/** What the embedded summarizer is compared with: the first sentences, and the npm packages where they are installed. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sentencesOf, spaceWords } from './texts.mjs';

/** The beginning of the text; where it has no punctuation, in lines of 15 words. */
function lead(text) {
  if (/[.!?]/.test(text)) return sentencesOf(text).join('\n');
  const words = spaceWords(text);
  const lines = [];
  for (let i = 0; i < words.length; i += 15) lines.push(words.slice(i, i + 15).join(' '));
  return lines.join('\n');
}

/** Some packages glue their sentences together; without the space the budget would not count them. */
const unglue = (text) => String(text ?? '').replace(/([.!?])(?=[\p{L}\p{N}])/gu, '$1\n');

function packages(root) {
  const load = createRequire(join(root, 'index.js'));
  return {
    'node-summarizer (frequency)': () => {
      const { SummarizerManager } = load('node-summarizer');
      return async (text, { sentences }) =>
        unglue(new SummarizerManager(text, sentences).getSummaryByFrequency().summary);
    },
    'node-summarizer (textrank)': () => {
      const { SummarizerManager } = load('node-summarizer');
      return async (text, { sentences }) =>
        unglue((await new SummarizerManager(text, sentences).getSummaryByRank()).summary);
    },
    'node-summary': () => {
      const { summarize } = load('node-summary');
      return (text) =>
        new Promise((done, fail) => {
          summarize('', text.replace(/\n/g, '\n\n'), (error, summary) =>
            error ? fail(error) : done(summary),
          );
        });
    },
    'lexrank.js': async () => {
      const { default: lexrank } = await import(
        pathToFileURL(join(root, 'node_modules/lexrank.js/src/lexrank.js')).href
      );
      return async (text, { words }) => {
        const ranked = lexrank(text)
          .flat()
          .sort((a, b) => b.weight - a.weight);
        const taken = [];
        for (let n = 0; ranked.length && n < words; n += spaceWords(taken.at(-1).text).length)
          taken.push(ranked.shift());
        return taken
          .sort((a, b) => a.index - b.index)
          .map((sentence) => sentence.text)
          .join('\n');
      };
    },
  };
}

/** @returns `{ name, summarize(text, { words, sentences }) }`, Lead first; packages that do not load are named */
export async function rivals(benchDir) {
  const list = [{ name: 'Lead', summarize: async (text) => lead(text) }];
  if (!benchDir) return list;
  for (const [name, load] of Object.entries(packages(resolve(benchDir, 'peers')))) {
    try {
      list.push({ name, summarize: await load() });
    } catch (error) {
      console.log(`${name}: cannot be loaded (${String(error.message).split('\n')[0]})`);
    }
  }
  return list;
}
