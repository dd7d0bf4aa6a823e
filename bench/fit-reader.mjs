/**
 * Fits the trees that choose the main text of a page, and prints lib/web/extract/reader-model.ts.
 *
 *   npm run bench -- fit-reader <folder of labelled pages> [--folds]     the file, to standard output; with --folds, how well it does on
 *                                                                      sites that it has not seen
 *
 * The folder is laid out as bench/lib/labelled-pages.mjs says. A text of a page counts as main text as far as its words are in the longest
 * common subsequence with the labelled text; of a set with pieces, the texts that hold one are known. Each page weighs the same, but for
 * the small set of whole articles; of a page, half of the weight goes by words, half by words of the main text.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { binned, bordersOf, fitTrees } from './lib/boosted-trees.mjs';
import { commonWords } from './lib/common-words.mjs';
import { addressOf, metricOf, pagesOf, setsIn, siteOf, wordsOf } from './lib/labelled-pages.mjs';

const load = createRequire(import.meta.url);
const { outlineHtml } = load('../dist/web/extract/html-outline.js');
const { decodeText } = load('../dist/web/extract/decode-text.js');
const { readableTexts } = load('../dist/web/extract/page-sources.js');
const { COLUMNS, describeTexts, nameWords } = load('../dist/web/extract/text-features.js');
const { chooseTexts, namesOf, probabilitiesOf, treesOf } = load('../dist/web/extract/main-text.js');

const FOLDS = 5;
const SHAPE = { trees: 240, leaves: 8, rate: 0.1 };
/** The small set of whole articles counts more, but not in parts of pages. */
const WEIGHTS = { aeb: 6 };
/** Weights of a main part by itself and of a small page, of that of their page. */
const [PART, SMALL] = [0.2, 0.3];
/** Texts of a small page: main ones, and others before and after these, at most. */
const [MOST_MAIN, MOST_OTHERS] = [20, 12];
/** Sites that a word of a name must be seen on; words inside of such elements from which a page counts wholly; share of main text. */
const [RARE, SURE, PRIOR] = [10, 30, 0.55];
const pause = () => undefined;

const [folder, option] = process.argv.slice(2);
if (!folder) {
  console.error('usage: npm run bench -- fit-reader <folder of labelled pages> [--folds]');
  process.exit(2);
}
async function read(folder) {
  const pages = [];
  const random = seeded(99);
  for (const set of setsIn(folder))
    for (const page of pagesOf(folder, set)) {
      const html = decodeText(page.bytes(), `text/html; charset=${page.charset}`, true);
      const { texts: all, containers } = await outlineHtml(html, pause);
      const { texts } = readableTexts({ texts: all });
      const strings = texts.map(({ text }) => text);
      const words = strings.map((text) => wordsOf(text.toLowerCase()));
      const known = page.text === undefined ? byPieces(page, strings) : byWords(page, words, texts);
      const site = siteOf(page);
      const fold = createHash('sha256').update(site).digest()[0] % FOLDS;
      const url = addressOf(page);
      pages.push({ ...page, url, texts, containers, strings, site, fold, ...known });
      if (page.text !== undefined) pages.push(...partsOf(pages.at(-1), random));
    }
  // A small document may have any address.
  const addresses = pages.filter(({ isPart }) => !isPart).map(({ url }) => url);
  let from = 0;
  for (const page of pages) {
    if (page.isPart) page.url = addresses[Math.floor(random() * addresses.length)];
    page.from = from;
    from += page.texts.length;
  }
  return { pages, size: from, targets: joined(pages, 'targets', 1), weights: joined(pages, 'weights', 1) };
}

function joined(pages, key, width) {
  const all = new Float32Array((pages.at(-1).from + pages.at(-1).texts.length) * width);
  for (const page of pages) all.set(page[key], page.from * width);
  return all;
}

/**
 * Describes the texts of all pages, with the names as the pages to learn from have them. What a word of a class says of a page counts no
 * pages of the page's own site: the trees would learn to trust it too much.
 */
async function describe(pages) {
  const names = new Names(pages);
  const known = new Map();
  for (const page of data.pages) {
    if (!known.has(page.site)) known.set(page.site, names.without(page.site));
    page.rows = await describeTexts(page.texts, page.containers, known.get(page.site), pause, page.url);
  }
  const rows = joined(data.pages, 'rows', COLUMNS.length);
  const borders = bordersOf(rows, COLUMNS.length, seeded(7));
  return { names, borders, bins: binned(rows, COLUMNS.length, borders) };
}

/** How much of the text inside of elements with a word in their names is main text, by site. */
class Names {
  words = new Map();

  constructor(pages) {
    for (const page of pages) if (!page.isPart) this.add(page);
  }

  add({ texts, containers, site, targets, weights }) {
    const inside = containers.map(() => [0, 0]);
    texts.forEach(({ container, words }, i) => {
      if (weights[i] === 0) return;
      inside[container.index][0] += words * targets[i];
      inside[container.index][1] += words;
    });
    for (let c = containers.length - 1; c > 0; c--)
      inside[c].forEach((sum, i) => (inside[containers[c].parent.index][i] += sum));
    const seen = [new Set()];
    const ofPage = new Map();
    for (const [c, container] of containers.entries()) {
      const around = container.parent ? seen[container.parent.index] : new Set();
      const own = inside[c][1] === 0 ? [] : [...nameWords(container)].filter((word) => !around.has(word));
      seen[c] = own.length === 0 ? around : new Set([...around, ...own]);
      for (const word of own) {
        const sums = ofPage.get(word) ?? [0, 0];
        ofPage.set(word, [sums[0] + inside[c][0], sums[1] + inside[c][1]]);
      }
    }
    for (const [word, [main, all]] of ofPage) {
      if (!this.words.has(word)) this.words.set(word, new Map());
      const sites = this.words.get(word);
      const [sum, count] = sites.get(site) ?? [0, 0];
      const sureness = Math.min(1, all / SURE);
      sites.set(site, [sum + (sureness * main) / all, count + sureness]);
    }
  }

  /** Weights by all sites but one: the log odds of main text over those of any text, with two doubtful pages added. */
  without(site) {
    const weights = new Map();
    const share = ([sum, count]) => [sum / Math.max(1, count), count / Math.max(1, count)];
    for (const [word, sites] of this.words) {
      if (sites.size - +sites.has(site) < RARE) continue;
      sites.total ??= [...sites.values()].map(share).reduce(([a, b], [c, d]) => [a + c, b + d]);
      const own = share(sites.get(site) ?? [0, 0]);
      const [main, all] = [2 * PRIOR + sites.total[0] - own[0], 2 + sites.total[1] - own[1]];
      const weight = Math.log(main / (all - main)) - Math.log(PRIOR / (1 - PRIOR));
      weights.set(word, Math.round(weight * 4) / 4);
    }
    return weights;
  }
}

/**
 * Pages as they would be with nothing around their main text but its title, and small ones of a few texts of the page, half of them with some of
 * what is around: many documents are so, and no page of the sets.
 */
function partsOf(page, random) {
  const all = [...page.texts.keys()];
  const few = (most) => Math.floor(random() * random() * most);
  const isMain = (i) => page.targets[i] >= 0.5;
  const headline = all.filter((i) => page.texts[i].container.place.heading === 1).slice(0, 1);
  const main = all.filter(isMain);
  const parts = [partOf(page, [...headline, ...main], PART)];
  if (main.length < 4) return parts;
  const start = random() < 0.5 ? 0 : few(main.length);
  const window = main.slice(start, start + 1 + few(MOST_MAIN));
  const [from, to] = [window[0], window.at(-1)];
  const hasOthers = random() < 0.5;
  const before = all.filter((i) => i < from && !isMain(i)).reverse();
  const after = all.filter((i) => i > to && !isMain(i));
  const others = [before, after].flatMap((texts) => texts.slice(0, hasOthers ? few(MOST_OTHERS) : 0));
  const small = all.filter((i) => (i >= from && i <= to) || others.includes(i));
  return [...parts, partOf(page, [...headline, ...small], SMALL)];
}

function partOf({ set, site, fold, texts, containers, targets }, given, weight) {
  const indexes = [...new Set(given)].sort((a, b) => a - b);
  const isTitle = (i) => texts[i].container.place.heading === 1;
  const part = {
    fold,
    isPart: true,
    site,
    texts: indexes.map((i) => texts[i]),
    containers,
    targets: Float32Array.from(indexes, (i) => (isTitle(i) ? 1 : targets[i])),
  };
  const words = part.texts.map((text) => text.words);
  const all = words.reduce((sum, count) => sum + count, 0);
  const main = words.reduce((sum, count, i) => sum + (part.targets[i] >= 0.5 ? count : 0), 0);
  const weights = Float32Array.from(words, (count) => (main === 0 ? 0 : (count + 1) * (1 / all + 1 / main)));
  return { ...part, weights: scaled(weights, set).map((value) => (value * weight) / (WEIGHTS[set] ?? 1)) };
}

/** What each text is, by the words of the labelled text. */
function byWords({ set, text }, words, texts) {
  const label = wordsOf(text.toLowerCase());
  const common = commonWords(words.flat(), label);
  const [targets, weights] = [new Float32Array(words.length), new Float32Array(words.length)];
  let at = 0;
  words.forEach(({ length }, i) => {
    const found = common.subarray(at, (at += length)).reduce((sum, bit) => sum + bit, 0);
    targets[i] = length === 0 ? 0 : found / length;
  });
  const main = words.reduce((sum, { length }, i) => sum + length * targets[i], 0);
  if (main > 0) words.forEach(({ length }, i) => (weights[i] = length * (1 / at + targets[i] / main)));
  // The small set leaves the title out of each article. A reader wants it.
  if (set === 'aeb') texts.forEach(({ container: { place } }, i) => place.heading === 1 && (weights[i] = 0));
  return { targets, weights: scaled(weights, set) };
}

/** What the texts are that hold a wanted or an unwanted piece. */
function byPieces({ set, with: wanted, without }, strings) {
  const [targets, weights] = [new Float32Array(strings.length), new Float32Array(strings.length)];
  const folded = (text) => text.replace(/\s+/g, ' ').trim();
  const holds = (text, pieces) => pieces.some((piece) => text.includes(folded(piece)));
  strings.map(folded).forEach((text, i) => {
    const isMain = holds(text, wanted);
    if (isMain === holds(text, without)) return;
    targets[i] = +isMain;
    weights[i] = 1;
  });
  return { targets, weights: scaled(weights, set) };
}

function scaled(weights, set) {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return sum === 0 ? weights : weights.map((weight) => (weight / sum) * 100 * (WEIGHTS[set] ?? 1));
}

async function fit(pages) {
  const { names, borders, bins } = await describe(pages);
  const rows = [];
  for (const { from, texts } of pages)
    for (let row = from; row < from + texts.length; row++) if (data.weights[row] > 0) rows.push(row);
  const { targets, weights } = data;
  const trees = fitTrees(
    { bins, borders, targets, weights, columns: COLUMNS.length, rows: Int32Array.from(rows) },
    { ...SHAPE, use: [...COLUMNS.keys()], random: seeded(1) },
  );
  return written(trees, names.without());
}

async function report() {
  const results = {};
  for (let fold = 0; fold < FOLDS; fold++) {
    const model = await fit(data.pages.filter((page) => page.fold !== fold));
    const [trees, names] = [treesOf(model), namesOf(model)];
    for (const page of data.pages.filter((one) => one.fold === fold && !one.isPart)) {
      const rows = await describeTexts(page.texts, page.containers, names, pause, page.url);
      const isMain = chooseTexts(page.texts, await probabilitiesOf(page.texts, rows, trees, pause));
      const text = page.strings.filter((_, i) => isMain[i]).join('\n');
      const row = metricOf(page.set).ofPage(text, page);
      for (const name of [page.set.split('-')[0], ...(page.kind ? [`wcxb ${page.kind}`] : [])])
        (results[name] ??= []).push(row);
    }
  }
  console.log('| pages | number | F | precision | recall |\n| --- | --- | --- | --- | --- |');
  for (const [name, rows] of Object.entries(results)) {
    const { f, p, r } = metricOf(name.split(' ')[0]).ofSet(rows);
    console.log(`| ${name} | ${rows.length} | ${[f, p, r].map((value) => value.toFixed(3)).join(' | ')} |`);
  }
}

/** Ten trees a line: their numbers, node by node, to three digits. */
function written({ base, trees }, weights) {
  const short = (value) => String(Number(value.toPrecision(3)));
  const all = trees.map((tree) => {
    const write = ([column, value, left, right]) =>
      value === undefined
        ? `-1 ${short(column)}`
        : `${column} ${short(value)} ${write(tree[left])} ${write(tree[right])}`;
    return write(tree[0]);
  });
  const groups = new Map();
  for (const word of [...weights.keys()].sort()) {
    const weight = weights.get(word);
    if (Math.abs(weight) >= 0.5) groups.set(weight, [...(groups.get(weight) ?? []), word]);
  }
  const names = [...groups].sort(([a], [b]) => a - b).map(([weight, words]) => [weight, ...words].join(' '));
  return {
    base: Number(base.toFixed(3)),
    trees: all
      .map((tree, i) => tree + (i % 10 === 9 ? '\n' : ' '))
      .join('')
      .trim(),
    names: names.join('\n'),
  };
}

function print({ base, trees, names }) {
  console.log(`// Written by \`npm run bench -- fit-reader\`: see bench/fit-reader.mjs.

/**
 * Trees that tell the main text of a page from what stands around it. They were learned from pages that people labelled: of WCXB, the web
 * content extraction benchmark (© 2026 Murrough Foley, CC BY 4.0, https://creativecommons.org/licenses/by/4.0/), of the article extraction
 * benchmark (© 2020 Scrapinghub, MIT), and of the evaluation set of trafilatura (Apache-2.0). No page and no label is in it.
 */
export const READER_MODEL = {
  base: ${base},
  /** Ten trees a line, node by node: an inner node as its column and border, its left part, its right part; a leaf as -1 and its value. */
  trees: \`
${trees}\`,
  /** Tags, roles and words of classes and ids by their weight: above 0 they stand around main text. */
  names: \`${names}\`,
};`);
}

/** Numbers that look random, the same ones each time. */
function seeded(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const data = await read(folder);
if (option === '--folds') await report();
else print(await fit(data.pages));
