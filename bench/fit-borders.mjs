/**
 * Fits the model that finds clauses in captions without punctuation, and prints lib/embedded/summary/border-weights.ts.
 *
 *   npm run bench -- fit-borders <texts.jsonl> [--without <group>]      the file, to standard output; with --without, how well it does there
 *
 * A line of the file: {language, group, text}: punctuated text, a sentence or a paragraph a line. The texts become captions (lower case, no
 * marks), and the model learns where a clause begins that can stand alone: behind a full stop, and behind a comma, colon or dash between two
 * stretches of four words or more of which neither begins with a conjunction or a relative pronoun. Logistic regression by AdaGrad; each
 * language weighs the same.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { asSpoken, seeded, sentencesOf, spaceWords } from './lib/texts.mjs';

const load = createRequire(import.meta.url);
const { Lexicon, CLASS_COUNT, OPEN_CLASS, WORD } = load('../dist/embedded/summary/lexicon.js');
const { borderModel } = load('../dist/embedded/summary/border-model.js');
const { TOGETHER } = load('../dist/embedded/summary/border-weights.js');
const EPOCHS = 5;
const RATE = 0.2;
const DECAY = 0.002;
const BATCH = 128;
/** How often a word must occur to have weights of its own, and the least that one of them must be worth. */
const RARE = 15;
const IDLE = 0.35;
/** Words on either side of a comma between two clauses, at least. */
const CLAUSE = 4;
/** Relative pronouns that are articles as well. */
const RELATIVES = {
  de: new Set(['der', 'die', 'das', 'den', 'dem', 'deren', 'dessen', 'denen', 'wo', 'wie']),
};

/** Words of a language that weigh as much as they are. */
const SHARE = 60_000;

const [file, option, withheld] = process.argv.slice(2);
if (!file) {
  console.error('usage: npm run bench -- fit-borders <texts.jsonl> [--without <group>]');
  process.exit(2);
}
const documents = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => read(JSON.parse(line)));
const isHeld = ({ group }) => option === '--without' && group === withheld;
const names = new Map([['none', 0]]);
const model = await fit(documents.filter((d) => !isHeld(d)));
if (option === '--without') await report(documents.filter(isHeld));
else print();

/** The words of a text as captions have them, and which of them begin a clause that can stand alone. */
function read({ language, group, text }) {
  const words = [];
  const isBorder = [];
  const lexicon = new Lexicon(language);
  const depends = (word, isInside) =>
    (lexicon.add(word).bits & (WORD.dependent | WORD.interrogative)) > 0 ||
    (isInside && RELATIVES[language]?.has(word));
  for (const sentence of sentencesOf(text)) {
    const parts = sentence
      .split(/(?<=[,;:–—])\s+|\s+[–—-]\s+/)
      .map((part) => spaceWords(asSpoken(part)))
      .filter((part) => part.length > 0);
    let [length, dependent] = [0, false];
    for (const [k, part] of parts.entries()) {
      const isDependent = depends(part[0], k > 0);
      const isLong = length >= CLAUSE && part.length >= CLAUSE;
      const begins = k === 0 || (isLong && !dependent && !isDependent);
      if (begins) [length, dependent] = [0, isDependent];
      length += part.length;
      words.push(...part);
      isBorder.push(begins ? 1 : 0, ...part.slice(1).fill(0));
    }
  }
  const counted = new Lexicon(language);
  return { language, group, isBorder, tokens: words.map((word) => ({ word: counted.add(word) })) };
}

/** The features of each place but the first, as numbers; unknown ones are 0. */
async function featuresOf({ language, tokens }, id) {
  const model = await borderModel({ tokens }, () => undefined);
  const classAt = (i) => tokens[i]?.word.class ?? OPEN_CLASS;
  const wordAt = (side, i) =>
    classAt(i) < OPEN_CLASS ? id(`${side} ${language} ${tokens[i].word.form}`) : 0;
  return Array.from({ length: tokens.length - 1 }, (_, k) => {
    const i = k + 1;
    const [a, b, x] = [classAt(i - 2), classAt(i - 1), classAt(i)];
    return [
      id(`END ${a} ${b}`),
      id(`JOIN ${b} ${x}`),
      id(`TOGETHER ${model.bin(i)}`),
      wordAt('last', i - 1),
      wordAt('first', i),
    ];
  });
}

async function fit(texts) {
  const size = {};
  const seen = new Map();
  for (const { language, tokens } of texts) {
    size[language] = (size[language] ?? 0) + tokens.length;
    for (const { word } of tokens) {
      const key = `${language} ${word.form}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  }
  const id = (name) => {
    const word = /^(?:last|first) (.*)$/.exec(name)?.[1];
    if (word !== undefined && !(seen.get(word) >= RARE)) return 0;
    if (!names.has(name)) names.set(name, names.size);
    return names.get(name);
  };
  const rows = [];
  for (const text of texts)
    for (const [k, features] of (await featuresOf(text, id)).entries())
      rows.push({ features, y: text.isBorder[k + 1], weight: SHARE / size[text.language] });
  const weights = new Float64Array(names.size);
  const squares = new Float64Array(names.size).fill(1e-3);
  let [bias, biasSquares] = [-1.5, 1];
  const random = seeded('borders');
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = rows.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [rows[i], rows[j]] = [rows[j], rows[i]];
    }
    for (let from = 0; from < rows.length; from += BATCH) {
      const slopes = new Map();
      let slope = 0;
      for (const { features, y, weight } of rows.slice(from, from + BATCH)) {
        const odds = features.reduce((sum, f) => sum + weights[f], bias);
        const error = (1 / (1 + Math.exp(-odds)) - y) * weight;
        slope += error;
        for (const f of features) slopes.set(f, (slopes.get(f) ?? 0) + error);
      }
      for (const [f, sum] of slopes) {
        if (f === 0) continue;
        const step = sum + DECAY * weights[f];
        squares[f] += step * step;
        weights[f] -= (RATE * step) / Math.sqrt(squares[f]);
      }
      biasSquares += slope * slope;
      bias -= (RATE * slope) / Math.sqrt(biasSquares);
    }
  }
  return { weights, bias };
}

async function report(texts) {
  const scored = [];
  for (const text of texts)
    for (const [k, features] of (await featuresOf(text, (name) => names.get(name) ?? 0)).entries())
      scored.push({
        odds: features.reduce((sum, f) => sum + model.weights[f], model.bias),
        y: text.isBorder[k + 1],
      });
  scored.sort((a, b) => b.odds - a.odds);
  const all = scored.filter(({ y }) => y).length;
  let [found, precision] = [0, 0];
  scored.forEach(({ y }, k) => {
    if (y) precision += ++found / (k + 1);
  });
  console.log(
    `${texts.length} texts, ${all} borders, average precision ${((100 * precision) / all).toFixed(1)}`,
  );
}

function print() {
  const tenths = (name) => Math.round(10 * (model.weights[names.get(name) ?? 0] ?? 0)) || 0;
  const range = Array.from({ length: CLASS_COUNT }, (_, k) => k);
  const table = (name) =>
    range.map((a) => `  '${range.map((b) => tenths(`${name} ${a} ${b}`)).join(' ')}',`).join('\n');
  const together = Array.from({ length: TOGETHER.length }, (_, k) => tenths(`TOGETHER ${k}`));
  const words = {};
  for (const name of names.keys()) {
    const [, language, word] = /^(?:last|first) (\w\w) (.*)$/.exec(name) ?? [];
    if (!word) continue;
    const pair = [tenths(`last ${language} ${word}`), tenths(`first ${language} ${word}`)];
    if (pair.some((n) => Math.abs(n) >= 10 * IDLE)) (words[language] ??= {})[word] = pair;
  }
  const lists = Object.entries(words).map(([language, list]) => {
    const cells = Object.entries(list)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([word, pair]) => `${word} ${pair.join(' ')}`);
    const lines = [];
    for (const cell of cells)
      if (lines.length > 0 && lines.at(-1).length + cell.length < 140) lines.push(`${lines.pop()} ${cell}`);
      else lines.push(cell);
    return `  ${language}: [\n${lines.map((line) => `    ${JSON.stringify(line)},`).join('\n')}\n  ],`;
  });
  console.log(`import type { Language } from '../../text/languages.js';

/**
 * Weights of the model in border-model.ts, in tenths of log-odds. Written by bench/fit-borders.mjs; README.md says from which texts. Rows and
 * columns are the word classes of \`borderClass\`, then other words, other words with a verb's ending, and numbers.
 */
export const BIAS = ${Math.round(10 * model.bias)};

/** By how much more often two words stand together in a text than chance would have it, in bins of 2/3 of a natural logarithm. */
export const TOGETHER = [${together.join(', ')}];

/** Last word but one and last word before a border. */
export const END_PAIR = [
${table('END')}
];

/** Last word before and first word after it. */
export const JOIN_PAIR = [
${table('JOIN')}
];

/** Function words that end or open clauses more or less often than their class: the word, its weight as the last and as the first word. */
// prettier-ignore
export const BORDER_WORDS: Readonly<Record<Language, readonly string[]>> = {
${lists.join('\n')}
};`);
}
