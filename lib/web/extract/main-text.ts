import type { Pause } from '../../core/async.js';
import { dataCell } from './html-blocks.js';
import type { HtmlOutline } from './html-outline.js';
import type { HtmlPlace } from './html-places.js';
import type { HtmlText } from './html-text.js';
import { runningOf } from './page-sources.js';
import { READER_MODEL } from './reader-model.js';
import { COLUMNS, describeTexts, type NameWeights } from './text-features.js';

/** Recall counts so much less than precision in the measure that the choice makes greatest. */
const BETA = 0.5;
/** This probability is enough, and on a page of fewer words this one: less stands around its text. */
const [SURE, SMALL, SURE_OF_SMALL] = [0.7, 100, 0.54];
/** This share of the least probability is enough for a heading above main text or a list below, and this for a table or definition beside. */
const [NEARLY, DOUBTFUL] = [0.8, 0.5];
/** A text of this many characters that ends like a sentence is one; set by hand. */
const SENTENCE = 60;
/** Steps of a probability. */
const STEPS = 200;
/** Texts that are scored between two pauses. */
const BATCH = 256;

/**
 * The texts of a page that are its main text, by the probability that trees learned from pages that people labelled (`bench/fit-reader.mjs`)
 * give each. All texts where it is of none. Linear in the page.
 */
export async function mainTexts(
  texts: readonly HtmlText[],
  { containers }: Pick<HtmlOutline, 'containers'>,
  pause: Pause,
  url?: URL,
): Promise<HtmlText[]> {
  // Images are not among the texts that the trees learned from.
  const written = texts.filter(({ chars }) => chars > 0);
  const rows = await describeTexts(written, containers, NAMES, pause, url);
  const known = await probabilitiesOf(written, rows, TREES, pause);
  let next = 0;
  const probabilities = Float32Array.from(texts, ({ chars }) => (chars > 0 ? known[next++]! : 0));
  await pause();
  const isMain = chooseTexts(texts, probabilities);
  await pause();
  const main = texts.filter((_text, i) => isMain[i]);
  return main.length === 0 ? [...texts] : main;
}

/**
 * Which texts are main text: those with which the expected F of the words, by the probabilities of their texts, is greatest. Of a page whose
 * texts are all unsure, that is more of them.
 */
export function chooseTexts(texts: readonly HtmlText[], probabilities: Float32Array): boolean[] {
  const least = leastProbability(texts, probabilities);
  let isLastMain = false;
  const isMain = texts.map(({ words, chars, container: { place } }, i) => {
    // What has no words, such as an image, belongs to the text before it.
    if (words === 0) return isLastMain && (chars > 0 || isBesideRunningText(texts, i));
    const share = place.outerList ? NEARLY : shareBeside(place);
    isLastMain = probabilities[i]! >= least * (isLastMain ? share : 1);
    return isLastMain;
  });
  for (let i = texts.length - 2; i >= 0; i--) {
    const { container, endsSentence, chars } = texts[i]!;
    if (!isMain[i + 1]) continue;
    // Between main text, a sentence belongs to it, whatever its elements are called.
    isMain[i] ||= isMain[i - 1] === true && endsSentence && chars >= SENTENCE;
    const share = container.place.heading ? NEARLY : shareBeside(container.place);
    isMain[i] ||= probabilities[i]! >= least * share;
  }
  return isMain;
}

/** The share of the least probability that is enough next to main text: code belongs to it in any case. */
const shareBeside = ({ pre, cell, definition }: HtmlPlace): number =>
  pre ? 0 : (dataCell(cell) ?? definition) ? DOUBTFUL : 1;

/** The probability from which on texts are taken, to a step. */
function leastProbability(texts: readonly HtmlText[], probabilities: Float32Array): number {
  const words = new Float64Array(STEPS + 1);
  const main = new Float64Array(STEPS + 1);
  let expected = 0;
  for (const [i, text] of texts.entries()) {
    const step = Math.floor(probabilities[i]! * STEPS);
    words[step]! += text.words;
    main[step]! += text.words * probabilities[i]!;
    expected += text.words * probabilities[i]!;
  }
  let [most, least, taken, right] = [0, STEPS, 0, 0];
  for (let step = STEPS; step >= 0; step--) {
    taken += words[step]!;
    right += main[step]!;
    const f = right / (taken + BETA ** 2 * expected);
    if (f > most) [most, least] = [f, step];
  }
  return Math.min(least / STEPS, taken < SMALL ? SURE_OF_SMALL : SURE);
}

/** An image in an article has running text before or after it; those of a list of cards repeat its titles. */
const isBesideRunningText = (texts: readonly HtmlText[], i: number): boolean =>
  [texts[i - 1], texts[i + 1]].some((text) => text !== undefined && runningOf(text) > 0);

/**
 * The probability of each text that it is main text. A table, a list and the texts of one element are main text as a whole, or not at all.
 */
export async function probabilitiesOf(
  texts: readonly HtmlText[],
  rows: Float32Array,
  trees: Trees,
  pause: Pause,
): Promise<Float32Array> {
  const probabilities = new Float32Array(texts.length);
  const wholes = new Map<object, { sum: number; words: number }>();
  const wholeOf = ({ container }: HtmlText): object =>
    dataCell(container.place.cell)?.row.table ?? container.place.outerList ?? container;
  for (const [i, text] of texts.entries()) {
    if (i % BATCH === 0) await pause();
    probabilities[i] = 1 / (1 + Math.exp(-scoreOf(trees, rows, i * COLUMNS.length)));
    const { sum, words } = wholes.get(wholeOf(text)) ?? { sum: 0, words: 0 };
    wholes.set(wholeOf(text), { sum: sum + probabilities[i]! * text.words, words: words + text.words });
  }
  return probabilities.map((probability, i) => {
    const { sum, words } = wholes.get(wholeOf(texts[i]!))!;
    return words > 0 ? sum / words : probability;
  });
}

/** Trees in a row, the parts of each behind its inner node: left, then right. */
type Trees = ReturnType<typeof treesOf>;

/** Reads trees as they are written in the file of the model. */
export function treesOf({ base, trees }: { base: number; trees: string }) {
  const numbers = trees.trim().split(/\s+/).map(Number);
  const columns = Int16Array.from({ length: numbers.length / 2 }, (_, node) => numbers[2 * node]!);
  const values = Float32Array.from(columns, (_, node) => numbers[2 * node + 1]!);
  const rights = new Int32Array(columns.length);
  const roots = [0];
  const open: number[] = [];
  columns.forEach((column, node) => {
    if (column >= 0) open.push(node);
    else if (open.length > 0) rights[open.pop()!] = node + 1;
    else if (node + 1 < columns.length) roots.push(node + 1);
  });
  return { base, columns, values, rights, roots };
}

/** Reads the weights of words as they are written in the file of the model. */
export function namesOf({ names }: { names: string }): NameWeights {
  const lines = names.split('\n').map((line) => line.split(' '));
  return new Map(lines.flatMap(([weight, ...words]) => words.map((word) => [word, Number(weight)])));
}

function scoreOf({ base, columns, values, rights, roots }: Trees, rows: Float32Array, from: number): number {
  let score = base;
  for (const root of roots) {
    let node = root;
    for (let column = columns[node]!; column >= 0; column = columns[node]!)
      node = rows[from + column]! <= values[node]! ? node + 1 : rights[node]!;
    score += values[node]!;
  }
  return score;
}

const TREES = treesOf(READER_MODEL);
const NAMES = namesOf(READER_MODEL);
