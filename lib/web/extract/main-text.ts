import type { Pause } from '../../core/async.js';
import { dataCell } from './html-blocks.js';
import type { HtmlOutline } from './html-outline.js';
import type { HtmlText } from './html-text.js';
import { runningOf } from './page-sources.js';
import { READER_MODEL } from './reader-model.js';
import { COLUMNS, describeTexts, type NameWeights } from './text-features.js';

/** Probabilities are told apart in this many steps. */
const STEPS = 40;
/** Texts that are scored between two pauses. */
const BATCH = 256;
/** Share of the expectation in which each text errs by itself; in the rest, texts of one probability are right or wrong together. */
const ALONE = 0.3;

/**
 * The texts of a page that are its main text: those for which the expected F1 of their words is greatest, by the probability that trees
 * learned from pages that people labelled (`bench/fit-reader.mjs`) give each. All texts where it is of none. Linear in the page.
 */
export async function mainTexts(
  texts: readonly HtmlText[],
  { containers }: Pick<HtmlOutline, 'containers'>,
  pause: Pause,
): Promise<HtmlText[]> {
  // Images are not among the texts that the trees learned from.
  const written = texts.filter(({ chars }) => chars > 0);
  const rows = await describeTexts(written, containers, NAMES, pause);
  const known = await probabilitiesOf(written, rows, TREES, pause);
  let next = 0;
  const probabilities = Float32Array.from(texts, ({ chars }) => (chars > 0 ? known[next++]! : 0));
  await pause();
  const isMain = chooseTexts(texts, probabilities);
  await pause();
  const main = texts.filter((_text, i) => isMain[i]);
  return main.length === 0 ? [...texts] : main;
}

/** The texts for which the expected F1 of their words is greatest. */
export function chooseTexts(texts: readonly HtmlText[], probabilities: Float32Array): boolean[] {
  const steps = Uint8Array.from(probabilities, (p) => Math.min(STEPS - 1, Math.floor(p * STEPS)));
  const step = bestStep(texts, steps);
  const isMain = texts.map(({ words }, i) => words > 0 && steps[i]! >= step);
  // What has no words, such as an image, belongs to the main text between texts of it, and behind the last text of all.
  let before = false;
  for (const [i, { words }] of texts.entries()) {
    if (words > 0) before = isMain[i]!;
    else isMain[i] = before;
  }
  let after = true;
  for (let i = texts.length - 1; i >= 0; i--) {
    if (texts[i]!.words > 0) after = isMain[i]!;
    else isMain[i] &&= after && (isBesideRunningText(texts, i) || texts[i]!.chars > 0);
  }
  return isMain;
}

/** An image in an article has running text before or after it; those of a list of cards repeat its titles. */
const isBesideRunningText = (texts: readonly HtmlText[], i: number): boolean =>
  [texts[i - 1], texts[i + 1]].some((text) => text !== undefined && runningOf(text) > 0);

/** The step from which texts are taken, so that the expected F1 of their words is greatest. */
function bestStep(texts: readonly HtmlText[], steps: Uint8Array): number {
  const words = new Float64Array(STEPS + 1);
  const right = new Float64Array(STEPS + 1);
  texts.forEach((text, i) => {
    words[steps[i]!]! += text.words;
    right[steps[i]!]! += (text.words * (steps[i]! + 0.5)) / STEPS;
  });
  for (let step = STEPS - 1; step >= 0; step--) {
    words[step]! += words[step + 1]!;
    right[step]! += right[step + 1]!;
  }
  const best = { step: 0, expected: 0 };
  for (let step = 0; step < STEPS && words[step]! > 0; step++) {
    const taken = words[step]!;
    let together = 0;
    for (let truth = 0; truth < STEPS; truth++)
      together += (2 * Math.min(taken, words[truth]!)) / (taken + words[truth]!) / STEPS;
    const alone = (2 * right[step]!) / (taken + right[0]!);
    const expected = ALONE * alone + (1 - ALONE) * together;
    if (expected > best.expected) Object.assign(best, { step, expected });
  }
  return best.step;
}

/** The probability of each text that it is main text. A table and a list are main text as a whole, or not at all. */
export async function probabilitiesOf(
  texts: readonly HtmlText[],
  rows: Float32Array,
  trees: Trees,
  pause: Pause,
): Promise<Float32Array> {
  const probabilities = new Float32Array(texts.length);
  for (let i = 0; i < texts.length; i++) {
    probabilities[i] = 1 / (1 + Math.exp(-scoreOf(trees, rows, i * COLUMNS.length)));
    if (i % BATCH === 0) await pause();
  }
  const wholes = new Map<object, { sum: number; words: number }>();
  for (const [i, text] of texts.entries()) {
    const key = wholeOf(text);
    if (!key) continue;
    const whole = wholes.get(key) ?? { sum: 0, words: 0 };
    wholes.set(key, { sum: whole.sum + probabilities[i]! * text.words, words: whole.words + text.words });
  }
  for (const [i, text] of texts.entries()) {
    const key = wholeOf(text);
    const whole = key && wholes.get(key);
    if (whole && whole.words > 0) probabilities[i] = whole.sum / whole.words;
  }
  return probabilities;
}

const wholeOf = ({ container: { place } }: HtmlText): object | undefined =>
  dataCell(place.cell)?.row.table ?? place.outerList;

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
