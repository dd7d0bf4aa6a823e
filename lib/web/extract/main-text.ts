import type { Pause } from '../../core/async.js';
import { dataCell } from './html-blocks.js';
import type { Container, HtmlOutline } from './html-outline.js';
import type { HtmlText } from './html-text.js';
import { runningOf } from './page-sources.js';
import { READER_MODEL } from './reader-model.js';
import { COLUMNS, describeTexts, type NameWeights } from './text-features.js';

/** Recall counts so much less than precision in the measure that the choice makes greatest; set by hand. */
const BETA = 0.5;
/** This probability is enough, and on a page of fewer words this one: less stands around its text. */
const [SURE, SMALL, SURE_OF_SMALL] = [0.7, 250, 0.54];
/**
 * This share of the probability from which on texts are taken is enough for what stands together with them, and this for a heading above
 * them, and for a table or definitions between them.
 */
const [NEARLY, DOUBTFUL] = [0.8, 0.7];
/** Steps of a probability; set by hand. */
const STEPS = 200;
/** A text of this many characters that ends like a sentence is one; set by hand. */
const SENTENCE = 60;
/** Characters of a text that no paragraph has; half of where the outline cuts one; set by hand. */
const LONG = 16_384;
/** Texts that are scored between two pauses; set by hand. */
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
  const isMain = texts.map(({ words }, i) => words > 0 && probabilities[i]! >= least);
  const isNearly = (i: number): boolean => probabilities[i]! >= least * NEARLY;
  takeTogether(texts, isMain, isNearly);
  // An image or another text without words belongs to the main text if it stands between texts of it or behind the last text of all.
  // Code belongs to the text before it.
  let before = false;
  for (const [i, { words, container }] of texts.entries()) {
    if (words > 0 && container.place.pre) isMain[i] ||= before;
    if (words > 0) before = isMain[i]!;
    else isMain[i] = before;
  }
  const lastMain = mainBefore(texts, isMain);
  let after = true;
  for (let i = texts.length - 1; i >= 0; i--) {
    const { words, chars, container } = texts[i]!;
    if (words === 0) isMain[i] &&= after && (isBesideRunningText(texts, i) || chars > 0);
    else if (!isMain[i]) {
      const next = isMain[i + 1] === true;
      const isDoubtful = probabilities[i]! >= least * DOUBTFUL;
      // A heading belongs to the text below it, and code to the text beside it. A sentence or table belongs to the text around it, and a doubtful
      // table to the text before it.
      if (container.place.heading) isMain[i] = next && isDoubtful;
      else if (container.place.pre) isMain[i] = next;
      else if (isEnclosable(texts[i]!) && (next || (isOfTable(texts[i]!) && isDoubtful)))
        isMain[i] = isWithin(texts[lastMain[i]!]?.container.parent?.parent, texts[i]!);
    }
    if (words > 0) after = isMain[i]!;
  }
  return isMain;
}

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

/** Takes what is nearly main text and stands together with it: all texts between two of it, and a list right behind one. */
function takeTogether(texts: readonly HtmlText[], isMain: boolean[], isNearly: (i: number) => boolean): void {
  let [last, isWhole] = [-1, true];
  for (const [i, text] of texts.entries()) {
    const before = texts[last];
    const areTogether =
      before && (isWithin(before.container.parent, text) || isWithin(text.container.parent, before));
    const isBelow = areTogether || before?.container.place.heading;
    if (isBelow && last === i - 1 && text.container.place.outerList) isMain[i] ||= isNearly(i);
    if (isMain[i]) {
      if (areTogether && isWhole) isMain.fill(true, last, i);
      [last, isWhole] = [i, true];
    } else isWhole &&= text.words === 0 || isNearly(i);
  }
}

/** For each text the main text before it, where nothing but sentences and tables stands between; -1 for none. */
function mainBefore(texts: readonly HtmlText[], isMain: readonly boolean[]): number[] {
  let last = -1;
  return texts.map((text, i) => {
    const before = last;
    if (isMain[i]) last = i;
    else if (!isEnclosable(text)) last = -1;
    return before;
  });
}

/** Between main text it is main text, whatever its elements are called. */
const isEnclosable = (text: HtmlText): boolean =>
  (text.endsSentence && text.chars >= SENTENCE) || isOfTable(text);

const isOfTable = ({ container: { place } }: HtmlText): boolean =>
  (dataCell(place.cell) ?? place.definition) !== undefined;

const isWithin = (outer: Container | undefined, { container: { index } }: HtmlText): boolean =>
  outer !== undefined && index > outer.index && index < outer.end;

/** An image in an article has running text before or after it; those of a list of cards repeat its titles. */
const isBesideRunningText = (texts: readonly HtmlText[], i: number): boolean =>
  [texts[i - 1], texts[i + 1]].some((text) => text !== undefined && runningOf(text) > 0);

/** Whether a text is a part of one that was too long to be kept in one piece. */
const isCut = (texts: readonly HtmlText[], i: number): boolean =>
  [i - 1, i + 1].some((next) => {
    const [text, other] = [texts[i]!, texts[next]];
    return other?.container === text.container && Math.max(text.chars, other.chars) > LONG;
  });

/**
 * The probability of each text that it is main text. A table, a list and a text that was cut are main text as a whole, or not at all.
 */
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
  const wholeOfText = texts.map(({ container, words }, i) => {
    const { place } = container;
    const key =
      dataCell(place.cell)?.row.table ?? place.outerList ?? (isCut(texts, i) ? container : undefined);
    if (!key) return undefined;
    let whole = wholes.get(key);
    if (!whole) wholes.set(key, (whole = { sum: 0, words: 0 }));
    whole.sum += probabilities[i]! * words;
    whole.words += words;
    return whole;
  });
  for (const [i, whole] of wholeOfText.entries())
    if (whole && whole.words > 0) probabilities[i] = whole.sum / whole.words;
  return probabilities;
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
