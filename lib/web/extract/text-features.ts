import type { Pause } from '../../core/async.js';
import type { Container } from './html-outline.js';
import type { HtmlText } from './html-text.js';
import { runningOf } from './page-sources.js';

/** Texts before and after one that are looked at. */
const NEAR = 4;
/** Words of an address that is not known: the middle of the labelled pages. */
const UNKNOWN_ADDRESS = 4;
/** Texts between two pauses. */
const BATCH = 1024;
/** Elements that are told apart. */
const ELEMENTS = ['td', 'th', 'figcaption', 'dt', 'dd', 'section', 'div', 'li', 'blockquote', 'p'];
/** Names say no more than this, either way. */
const MOST_NAMES = 4;

/** What a tag, role or word of a class, id or `itemprop` says of the text inside: above 0 main text. Most say nothing. */
export type NameWeights = Pick<ReadonlyMap<string, number>, 'get'>;

/** Words of the names of an element. */
export const nameWords = (names: string): Set<string> =>
  new Set(names.toLowerCase().match(/[a-z]{2,19}(?![a-z])/g) ?? []);

/** A text, and what is known of its surroundings. */
interface Surroundings {
  text: HtmlText;
  node: Node;
  page: Page;
  /** Words of the page before it. */
  before: number;
  nearLink: number;
  isCopy: boolean;
}

/** The numbers that describe a text. */
const NUMBERS: Readonly<Record<string, (of: Surroundings) => number>> = {
  words: ({ text }) => text.words,
  link: ({ text }) => linkShare(text),
  ends: ({ text }) => text.ends,
  wordLength: ({ text }) => text.chars / (text.words || 1),
  isSentence: ({ text }) => +text.endsSentence,
  element: ({ text }) => ELEMENTS.indexOf(text.container.tag) + 1,
  heading: ({ text }) => text.container.place.heading ?? 0,
  // Whether a text of the same characters stands before it.
  copy: ({ isCopy }) => +isCopy,

  landmark: ({ text }) => +text.container.isInLandmark,
  main: ({ node }) => +node.isInMain,
  footer: ({ node }) => +node.isInFooter,
  // Words from the beginning of the page, from its title, and from its first running text.
  wordsBefore: ({ before, page }) => before / page.words,
  fromTitle: ({ before, page }) => (page.title === undefined ? -1 : Math.abs(before - page.title)),
  titleSide: ({ before, page }) => (page.title === undefined ? 0 : Math.sign(before - page.title)),
  fromRunning: ({ before, page }) => before - (page.firstRunning ?? before),

  // Share of links in elements around it, and in texts before and after it; words of its list; elements like its own in the same parent.
  link0: ({ node }) => linkShare(node),
  link1: ({ node }) => linkShare(node.up),
  link2: ({ node }) => linkShare(node.up.up),
  nearLink: ({ nearLink }) => nearLink,
  listWords: ({ text, page }) => page.lists.get(text.container.place.outerList) ?? 0,
  twins: ({ node }) => node.family.size,
  // Steps from the elements that hold most of the page up to the one that holds the text as well.
  from35: ({ node, page }) => page.steps.from35[node.container.index]!,
  from60: ({ node, page }) => page.steps.from60[node.container.index]!,
  fromWords: ({ node, page }) => page.steps.fromWords[node.container.index]!,
  fromHeadline: ({ node, page }) => page.steps.fromHeadline[node.container.index]!,
  // Texts at the same path of tags.
  pathTexts: ({ node: { path } }) => path.texts,
  pathLength: ({ node: { path } }) => path.words / path.texts,
  pathRunning: ({ node: { path }, page }) => path.running / page.running,
  kin: ({ node: { path } }) => path.size,

  pageRunning: ({ page }) => page.running,
  pageLink: ({ page }) => page.link,
  pageTexts: ({ page }) => page.texts,
  pageLongest: ({ page }) => page.longest,
  articles: ({ page }) => page.articles,
  addressWords: ({ page }) => page.addressWords,

  // Names of elements, by the weights of their data: of its element, of the one around it, of all around it.
  names: ({ node }) => node.names,
  namesAround: ({ node }) => (node.parent ?? node).names,
  namesMost: ({ node }) => node.namesMost,
  namesSum: ({ node }) => node.namesSum,
  namesLeast: ({ node }) => node.namesLeast,
};
/** Names of the numbers that describe a text. */
export const COLUMNS: readonly string[] = Object.keys(NUMBERS);
const NUMBER_OF = Object.values(NUMBERS);

/**
 * Describes each text of a page, and its surroundings, in numbers. Linear in the page, no recursion.
 *
 * @returns a row of {@link COLUMNS} for each text
 */
export async function describeTexts(
  texts: readonly HtmlText[],
  containers: readonly Container[],
  weights: NameWeights,
  pause: Pause,
  url?: URL,
): Promise<Float32Array> {
  const nodes = nodesOf(containers, weights);
  await pause();
  fill(nodes, texts);
  await pause();
  const page = pageOf(nodes, texts, url);
  const seen = new Set<number>();
  const rows = new Float32Array(texts.length * COLUMNS.length);
  let [at, before] = [0, 0];
  for (const [i, text] of texts.entries()) {
    if (i % BATCH === 0) await pause();
    const near = { linkChars: 0, chars: 0 };
    for (let j = Math.max(0, i - NEAR); j < Math.min(texts.length, i + NEAR + 1); j++) {
      near.linkChars += texts[j]!.linkChars;
      near.chars += texts[j]!.chars;
    }
    const node = nodes[text.container.index]!;
    const isCopy = seen.has(text.hash);
    const surroundings = { text, node, page, before, nearLink: linkShare(near), isCopy };
    for (const number of NUMBER_OF) rows[at++] = number(surroundings);
    seen.add(text.hash);
    before += text.words;
  }
  return rows;
}

const linkShare = ({ linkChars, chars }: { linkChars: number; chars: number }): number =>
  linkChars / (chars || 1);

type Page = ReturnType<typeof pageOf>;

/** What is known of a page as a whole. */
function pageOf(nodes: readonly Node[], texts: readonly HtmlText[], url: URL | undefined) {
  const root = nodes[0]!;
  const lists = new Map<object | undefined, number>();
  let [before, longest] = [0, 0];
  // Words before the title, and before the first running text.
  let [title, firstRunning]: [number?, number?] = [];
  let headline = root;
  for (const text of texts) {
    const { container, words } = text;
    const { heading, outerList } = container.place;
    if (heading === 1 && title === undefined) [title, headline] = [before, nodes[container.index]!];
    if (runningOf(text) > 0) firstRunning ??= before;
    if (outerList) lists.set(outerList, (lists.get(outerList) ?? 0) + words);
    longest = Math.max(longest, words);
    before += words;
  }
  return {
    title,
    firstRunning,
    lists,
    longest,
    words: root.words || 1,
    running: root.running || 1,
    link: linkShare(root),
    texts: texts.length,
    articles: nodes.filter(({ container }) => container.tag === 'article').length,
    addressWords: url ? wordsOfAddress(url) : UNKNOWN_ADDRESS,
    steps: {
      from35: stepsFrom(dominant(nodes, 0.35, 'running'), nodes),
      from60: stepsFrom(dominant(nodes, 0.6, 'running'), nodes),
      fromWords: stepsFrom(dominant(nodes, 0.5, 'words'), nodes),
      fromHeadline: stepsFrom(headline, nodes),
    },
  };
}

/** Words in the last part of an address: an article mostly has its title there. */
function wordsOfAddress({ pathname }: URL): number {
  const part = pathname.split('/').filter(Boolean).at(-1) ?? '';
  return part.split(/[-_]/).length;
}

/** The deepest element, by the way from the page, that holds a share of all words or of all running text. */
function dominant(nodes: readonly Node[], share: number, of: 'running' | 'words'): Node {
  let top = nodes[0]!;
  const least = top[of] * share;
  for (const node of nodes) if (node[of] > 0 && node[of] >= least && node.parent === top) top = node;
  return top;
}

/** For each element, the steps from `top` up to the innermost one that holds both. */
function stepsFrom({ container: { index: top }, level: topLevel }: Node, nodes: readonly Node[]): Int32Array {
  const steps = new Int32Array(nodes.length);
  for (const { container, level, parent } of nodes) {
    const { index, end } = container;
    const holdsTop = !parent || (index <= top && end > top);
    steps[index] = holdsTop ? topLevel - level : steps[parent.container.index]!;
  }
  return steps;
}

/** Elements with the same tags on the way from the root of the page. */
class Path {
  /** Elements. */
  size = 0;
  /** Texts that stand directly at its end, with their words and running characters. */
  texts = 0;
  words = 0;
  running = 0;
  private readonly paths = new Map<string, Path>();

  step(tag: string): Path {
    let path = this.paths.get(tag);
    if (!path) this.paths.set(tag, (path = new Path()));
    path.size++;
    return path;
  }
}

/** An element, with what is inside of it. */
class Node {
  running = 0;
  words = 0;
  linkChars = 0;
  chars = 0;
  texts = 0;
  /** The next element around that holds more texts; the page is its own. How many such steps lead to the page. */
  up: Node = this;
  level = 0;
  /** Elements with text of the same parent, tag and classes. */
  family = { size: 0 };
  readonly families = new Map<string, { size: number }>();
  readonly isInMain: boolean;
  readonly isInFooter: boolean;
  readonly path: Path;
  readonly namesMost: number;
  readonly namesSum: number;
  readonly namesLeast: number;

  constructor(
    readonly container: Container,
    readonly parent: Node | undefined,
    readonly names: number,
  ) {
    const { tag, role } = container;
    this.isInMain = tag === 'main' || role === 'main' || parent?.isInMain === true;
    this.isInFooter = tag === 'footer' || role === 'contentinfo' || parent?.isInFooter === true;
    this.path = parent?.path.step(tag) ?? new Path();
    this.namesMost = Math.max(parent?.namesMost ?? 0, names);
    this.namesLeast = Math.min(parent?.namesLeast ?? 0, names);
    this.namesSum = (parent?.namesSum ?? 0) + names;
  }

  add({ words, chars, linkChars }: HtmlText | Node, running: number, texts: number): void {
    this.running += running;
    this.words += words;
    this.linkChars += linkChars;
    this.chars += chars;
    this.texts += texts;
  }
}

/** The elements of a page by their index. */
function nodesOf(containers: readonly Container[], weights: NameWeights): Node[] {
  const known = new Map<string, number>();
  const weightOf = (names: string): number => {
    let weight = known.get(names);
    if (weight === undefined) {
      weight = 0;
      for (const word of nameWords(names)) weight += weights.get(word) ?? 0;
      known.set(names, weight);
    }
    return weight;
  };
  const nodes: Node[] = [];
  for (const container of containers) {
    const { tag, role, classes, id, parent } = container;
    const weight = weightOf(tag) + weightOf(role) + weightOf(classes) + weightOf(id);
    const names = Math.max(-MOST_NAMES, Math.min(MOST_NAMES, weight));
    nodes.push(new Node(container, parent && nodes[parent.index], names));
  }
  return nodes;
}

function fill(nodes: readonly Node[], texts: readonly HtmlText[]): void {
  for (const text of texts) {
    const node = nodes[text.container.index]!;
    const running = runningOf(text);
    node.add(text, running, 1);
    node.path.texts++;
    node.path.words += text.words;
    node.path.running += running;
  }
  // A child always comes after its parent: from the end, each is complete before it is added.
  for (const node of [...nodes].reverse()) node.parent?.add(node, node.running, node.texts);
  for (const node of nodes) {
    const { parent, container } = node;
    if (!parent) continue;
    const holdsMore = parent.texts > node.texts;
    node.up = holdsMore ? parent : parent.up;
    node.level = parent.level + +holdsMore;
    if (node.texts === 0) continue;
    const name = `${container.tag} ${container.classes}`;
    node.family = parent.families.get(name) ?? node.family;
    parent.families.set(name, node.family);
    node.family.size++;
  }
}
