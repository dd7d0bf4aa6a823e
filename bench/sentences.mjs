/**
 * Sentence borders: texts of one sentence with abbreviations that must stay whole, and, with a folder, the marked sentences of Universal
 * Dependencies treebanks (`<language>*.conllu`, their `# text` lines), eight joined by blanks: which borders are found, which are invented.
 * `Intl.Segmenter` reads the same texts.
 *
 *     npm run build && node bench/sentences.mjs [FOLDER]
 *
 * Sentences that end without an end mark, or begin with a small letter, are left out: nobody could tell their borders.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { sentenceSpans } = createRequire(import.meta.url)('../dist/text/sentences.js');
const ONE = JSON.parse(readFileSync(new URL('../test/fixtures/one-sentence.json', import.meta.url), 'utf8'));
const JOINED = 8;
const folder = process.argv[2];

const SPLITTERS = {
  ours: (text, language) => sentenceSpans(text, { language }).map(({ end }) => end),
  'Intl.Segmenter': (text, language) =>
    [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)].map(
      ({ segment, index }) => index + segment.trimEnd().length,
    ),
};

function markedSentences(language) {
  const files = folder ? readdirSync(folder).filter((name) => name.startsWith(language)) : [];
  return files
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.startsWith('# text = '))
    .map((line) => line.slice('# text = '.length).trim())
    .filter((text) => /[.!?…]["'”’»)\]]*$/.test(text) && !/^\p{Ll}/u.test(text));
}

function bordersOf(sentences, split) {
  let found = 0;
  let all = 0;
  let invented = 0;
  for (let i = 0; i < sentences.length; i += JOINED) {
    const group = sentences.slice(i, i + JOINED);
    const text = group.join(' ');
    const ends = new Set(split(text).filter((end) => end < text.length));
    let at = -1;
    for (const sentence of group.slice(0, -1)) {
      at += sentence.length + 1;
      all++;
      if (ends.delete(at)) found++;
    }
    invented += ends.size;
  }
  return { recall: found / all, precision: found / (found + invented), borders: all };
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
for (const [name, split] of Object.entries(SPLITTERS)) {
  const rows = {};
  for (const [language, texts] of Object.entries(ONE)) {
    const whole = texts.filter((text) => split(text, language).length === 1).length;
    rows[language] = { 'stay whole': `${whole} of ${texts.length}` };
    const marked = markedSentences(language);
    if (marked.length === 0) continue;
    const { recall, precision, borders } = bordersOf(marked, (text) => split(text, language));
    Object.assign(rows[language], { borders, found: percent(recall), right: percent(precision) });
  }
  console.log(name);
  console.table(rows);
}
