import type { Pause } from '../../core/async.js';
import type { Container } from './html-outline.js';
import type { HtmlText } from './html-text.js';
import { runningOf } from './page-sources.js';

/** Elements around a text that are described, from its own. */
const LEVELS = 4;
/** Texts before and after one that are looked at. */
const NEAR = 4;
/** Texts or elements between two pauses. */
const BATCH = 1024;

/** Names of the numbers that describe a text, in the order in which {@link describeTexts} writes them. */
export const COLUMNS: readonly string[] = [
  // The text: words, share of its characters within links, commas, ends of sentences, characters a word.
  ...['words', 'link', 'commas', 'ends', 'wordLength', 'isSentence', 'element', 'heading'],
  // Where it stands: landmarks, words from the ends of the page, from its title, and from its first and last running text.
  ...['landmark', 'main', 'footer', 'articles', 'wordsBefore', 'wordsAfter', 'fromTitle', 'titleSide'],
  ...['fromRunning', 'toRunning'],
  // Each element around it: share of the page's running text, of links, of running text in its text, texts, words a text.
  ...Array.from({ length: LEVELS }, (_, level) =>
    ['running', 'link', 'density', 'texts', 'length'].map((name) => `${name}${level}`),
  ).flat(),
  ...['twins', 'flat'],
  // Steps from the elements that hold most of the page up to the one that holds the text as well.
  ...['from35', 'from60', 'from85', 'fromWords', 'fromHeadline'],
  // Texts at the same path of tags, and of tags with classes.
  ...['pathTexts', 'pathLength', 'pathRunning', 'classTexts', 'classLength', 'classRunning', 'kin', 'same'],
  // The element with the most paragraphs of its own.
  ...['bodySide', 'bodyFar', 'bodyShare'],
  ...['wordsPrevious', 'linkPrevious', 'wordsNext', 'linkNext', 'nearLink', 'nearRunning'],
  ...['sectionRunning', 'sectionTexts', 'fromHeading'],
  ...['pageWords', 'pageRunning', 'pageLink', 'pageTexts', 'pageLongest'],
  // Words of classes and ids, by the weights of their data: of its element, of the one around it, of all around it.
  ...['names', 'namesAround', 'namesLeast', 'namesMost', 'namesSum'],
];

/** What a word of a class, id or `itemprop` says of the text inside: above 0 main text. Most say nothing. */
export type NameWeights = Pick<ReadonlyMap<string, number>, 'get'>;

/** Words of the names of an element. */
export function nameWords({ classes, id }: Pick<Container, 'classes' | 'id'>): Set<string> {
  return new Set(`${classes} ${id}`.toLowerCase().match(/[a-z]{2,19}(?![a-z])/g) ?? []);
}

/** Names say no more than this, either way. */
const MOST_NAMES = 4;

/**
 * Describes each text of a page, and its surroundings, in numbers. Linear in the page, no recursion. Classes count only as the same or
 * another one.
 *
 * @returns a row of {@link COLUMNS} for each text
 */
export async function describeTexts(
  texts: readonly HtmlText[],
  containers: readonly Container[],
  weights: NameWeights,
  pause: Pause,
): Promise<Float32Array> {
  const runs = texts.map(runningOf);
  const tree = new Tree(texts, runs, containers);
  await tree.read(weights, pause);
  await tree.sumUp(pause);
  const { running, words, link, chars, count, flat, up, level, body } = tree;
  const page = {
    words: words[0]! || 1,
    running: running[0]! || 1,
    link: link[0]! / (chars[0]! || 1),
    longest: 0,
  };
  const headline = texts.findIndex(({ container }) => container.place.heading === 1);
  const tops = [
    ...[0.35, 0.6, 0.85].map((share) => tree.dominant(running, share)),
    tree.dominant(words, 0.5),
    texts[headline]?.container.index ?? 0,
  ];
  const meetings: ReturnType<Tree['meetings']>[] = [];
  for (const top of tops) {
    await pause();
    meetings.push(tree.meetings(top));
  }
  const before = new Float64Array(texts.length + 1);
  const same = new Map<number, number>();
  let [firstRun, lastRun, bodyFirst, bodyLast] = [-1, -1, -1, -1];
  for (const [i, text] of texts.entries()) {
    if (i % BATCH === 0) await pause();
    const { index } = text.container;
    before[i + 1] = before[i]! + text.words;
    page.longest = Math.max(page.longest, text.words);
    same.set(shapeOf(text), (same.get(shapeOf(text)) ?? 0) + 1);
    if (runs[i]! > 0) lastRun = i;
    if (firstRun < 0) firstRun = lastRun;
    if (index >= body && index < containers[body]!.end) bodyLast = i;
    if (bodyFirst < 0) bodyFirst = bodyLast;
  }
  const sections = sectionsOf(texts, runs);
  await pause();

  const rows = new Float32Array(texts.length * COLUMNS.length);
  let at = 0;
  const put = (value: number): void => {
    rows[at++] = value;
  };
  for (const [i, text] of texts.entries()) {
    if (i % BATCH === 0) await pause();
    const { container } = text;
    const c = container.index;
    put(text.words);
    put(linkShare(text));
    put(text.commas);
    put(text.ends);
    put(text.chars / (text.words || 1));
    put(+text.endsSentence);
    put(container.tag === 'p' ? 1 : container.tag === 'div' ? 2 : 0);
    put(container.place.heading ?? 0);

    put(+container.isInLandmark);
    put(tree.isInMain[c]!);
    put(tree.isInFooter[c]!);
    put(tree.articles);
    put(before[i]! / page.words);
    put(page.words - before[i + 1]!);
    put(headline < 0 ? -1 : Math.abs(before[i]! - before[headline]!));
    put(headline < 0 ? 0 : i < headline ? -1 : 1);
    put(firstRun < 0 ? 0 : before[i]! - before[firstRun]!);
    put(lastRun < 0 ? 0 : before[lastRun + 1]! - before[i + 1]!);

    for (let step = 0, around = c; step < LEVELS; step++, around = up[around]!) {
      put(running[around]! / page.running);
      put(link[around]! / (chars[around]! || 1));
      put(running[around]! / (chars[around]! || 1));
      put(count[around]!);
      put(words[around]! / (count[around]! || 1));
    }
    put(tree.twins[c]!);
    put(flat[up[c]!]! / (flat[body]! || 1));

    for (const { top, meets } of meetings) put(level[top]! - level[meets[c]!]!);
    const [path, named] = [tree.paths.of[c]!, tree.named.of[c]!];
    put(tree.paths.texts[path]!);
    put(tree.paths.words[path]! / tree.paths.texts[path]!);
    put(tree.paths.running[path]! / page.running);
    put(tree.named.texts[named]!);
    put(tree.named.words[named]! / tree.named.texts[named]!);
    put(tree.named.running[named]! / page.running);
    put(tree.paths.size[path]!);
    put(same.get(shapeOf(text))!);

    put(i < bodyFirst ? -1 : i > bodyLast ? 1 : 0);
    put(i < bodyFirst ? before[bodyFirst]! - before[i]! : i > bodyLast ? before[i]! - before[bodyLast]! : 0);
    put(flat[body]! / page.running);

    for (const other of [texts[i - 1], texts[i + 1]]) {
      put(other ? other.words : -1);
      put(other ? linkShare(other) : -1);
    }
    let [nearRunning, nearLink, nearChars] = [0, 0, 0];
    for (let j = Math.max(0, i - NEAR); j < Math.min(texts.length, i + NEAR + 1); j++) {
      nearRunning += runs[j]!;
      nearLink += texts[j]!.linkChars;
      nearChars += texts[j]!.chars;
    }
    put(nearLink / (nearChars || 1));
    put(nearRunning / (nearChars || 1));
    const section = sections.of[i]!;
    put(sections.running[section]!);
    put(sections.texts[section]!);
    put(i - sections.start[section]!);

    put(page.words);
    put(page.running);
    put(page.link);
    put(texts.length);
    put(page.longest);

    const parent = container.parent?.index ?? 0;
    put(tree.names[c]!);
    put(tree.names[parent]!);
    put(tree.namesLeast[c]!);
    put(tree.namesMost[c]!);
    put(tree.namesSum[c]!);
  }
  return rows;
}

const linkShare = ({ chars, linkChars }: HtmlText): number => linkChars / (chars || 1);

/** The same number for texts that are most likely the same. */
const shapeOf = ({ words, chars, digits, commas }: HtmlText): number =>
  chars * 1e8 + words * 1e4 + digits * 1e2 + commas;

/** The stretches between headings. */
function sectionsOf(texts: readonly HtmlText[], runs: readonly number[]) {
  const sections = { of: new Int32Array(texts.length), running: [0], texts: [0], start: [0] };
  for (const [i, { container }] of texts.entries()) {
    if (container.place.heading !== undefined) {
      sections.running.push(0);
      sections.texts.push(0);
      sections.start.push(i);
    }
    const section = sections.start.length - 1;
    sections.of[i] = section;
    sections.running[section]! += runs[i]!;
    sections.texts[section]!++;
  }
  return sections;
}

/** Numbers for pairs of numbers, the first 0. */
class Pairs {
  private readonly numbers = new Map<number, number>();

  number(a: number, b: number): number {
    const key = a * 1e6 + b;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.numbers.size);
    return this.numbers.size - 1;
  }
}

/** Elements with the same way from the root of the page, by the number of the way. */
class Ways {
  readonly of: Int32Array;
  /** Elements. */
  readonly size: Int32Array;
  /** Texts that stand directly at its end, with their words and running characters. */
  readonly texts: Float64Array;
  readonly words: Float64Array;
  readonly running: Float64Array;
  private readonly pairs = new Pairs();

  constructor(elements: number) {
    [this.of, this.size] = [new Int32Array(elements), new Int32Array(elements)];
    [this.texts, this.words, this.running] = [sums(elements), sums(elements), sums(elements)];
  }

  add(element: number, parent: number, step: number): void {
    const way = this.pairs.number(element === 0 ? 0 : this.of[parent]! + 1, step);
    this.of[element] = way;
    this.size[way]!++;
  }

  addText(element: number, words: number, running: number): void {
    const way = this.of[element]!;
    this.texts[way]!++;
    this.words[way]! += words;
    this.running[way]! += running;
  }
}

const sums = (length: number): Float64Array => new Float64Array(length);

/** The elements of a page by their index, with what is inside of each. */
class Tree {
  readonly running: Float64Array;
  readonly words: Float64Array;
  readonly link: Float64Array;
  readonly chars: Float64Array;
  /** Texts inside. */
  readonly count: Float64Array;
  /** The next element around that holds more texts; the page is its own. How many such steps lead to the page. */
  readonly up: Int32Array;
  readonly level: Int32Array;
  /** Running text of the texts for which an element is the next one around with more texts. */
  readonly flat: Float64Array;
  /** The element with the most such text. */
  body = 0;
  readonly isInMain: Uint8Array;
  readonly isInFooter: Uint8Array;
  articles = 0;
  /** Elements with text of the same parent, tag and classes. */
  readonly twins: Int32Array;
  /** By tags, and by tags with classes. */
  readonly paths: Ways;
  readonly named: Ways;
  readonly names: Float32Array;
  readonly namesLeast: Float32Array;
  readonly namesMost: Float32Array;
  readonly namesSum: Float32Array;

  constructor(
    private readonly texts: readonly HtmlText[],
    private readonly runs: readonly number[],
    private readonly containers: readonly Container[],
  ) {
    const n = containers.length;
    [this.running, this.words, this.link, this.chars] = [sums(n), sums(n), sums(n), sums(n)];
    [this.count, this.flat] = [sums(n), sums(n)];
    [this.up, this.level, this.twins] = [new Int32Array(n), new Int32Array(n), new Int32Array(n)];
    [this.isInMain, this.isInFooter] = [new Uint8Array(n), new Uint8Array(n)];
    [this.paths, this.named] = [new Ways(n), new Ways(n)];
    const zeros = (): Float32Array => new Float32Array(n);
    [this.names, this.namesLeast, this.namesMost, this.namesSum] = [zeros(), zeros(), zeros(), zeros()];
  }

  async read(weights: NameWeights, pause: Pause): Promise<void> {
    const { containers, texts, runs } = this;
    const known = new Map<string, number>();
    const weightOf = (container: Container): number => {
      if (container.classes === '' && container.id === ' ') return 0;
      const key = `${container.classes}\n${container.id}`;
      let weight = known.get(key);
      if (weight === undefined) {
        weight = 0;
        for (const word of nameWords(container)) weight += weights.get(word) ?? 0;
        known.set(key, (weight = Math.max(-MOST_NAMES, Math.min(MOST_NAMES, weight))));
      }
      return weight;
    };
    const names = new Map<string, number>();
    const nameOf = (name: string): number => {
      const known = names.get(name);
      if (known === undefined) names.set(name, names.size);
      return known ?? names.size - 1;
    };
    for (const [c, container] of containers.entries()) {
      if (c % BATCH === 0) await pause();
      const { parent, tag, role, classes } = container;
      const p = parent?.index ?? 0;
      const weight = weightOf(container);
      this.names[c] = weight;
      this.namesLeast[c] = Math.min(this.namesLeast[p]!, weight);
      this.namesMost[c] = Math.max(this.namesMost[p]!, weight);
      this.namesSum[c] = this.namesSum[p]! + weight;
      this.isInMain[c] = +(tag === 'main' || role === 'main' || this.isInMain[p] === 1);
      this.isInFooter[c] = +(tag === 'footer' || role === 'contentinfo' || this.isInFooter[p] === 1);
      if (tag === 'article') this.articles++;
      this.paths.add(c, p, nameOf(tag));
      this.named.add(c, p, nameOf(classes === '' ? tag : `${tag} ${classes}`));
    }
    for (const [i, { container, words, chars, linkChars }] of texts.entries()) {
      if (i % BATCH === 0) await pause();
      const { index } = container;
      this.running[index]! += runs[i]!;
      this.words[index]! += words;
      this.link[index]! += linkChars;
      this.chars[index]! += chars;
      this.count[index]!++;
      this.paths.addText(index, words, runs[i]!);
      this.named.addText(index, words, runs[i]!);
    }
  }

  async sumUp(pause: Pause): Promise<void> {
    const { containers, running, words, link, chars, count, up, level, flat } = this;
    // A child always comes after its parent: from the end, each is complete before it is added.
    for (let c = containers.length - 1; c > 0; c--) {
      const p = containers[c]!.parent!.index;
      running[p]! += running[c]!;
      words[p]! += words[c]!;
      link[p]! += link[c]!;
      chars[p]! += chars[c]!;
      count[p]! += count[c]!;
    }
    await pause();
    const families = new Pairs();
    const family = new Int32Array(containers.length);
    const sizes = new Int32Array(containers.length);
    for (let c = 1; c < containers.length; c++) {
      if (c % BATCH === 0) await pause();
      const p = containers[c]!.parent!.index;
      const holdsMore = count[p]! > count[c]!;
      up[c] = holdsMore ? p : up[p]!;
      level[c] = level[p]! + +holdsMore;
      family[c] = families.number(p, this.named.of[c]!);
      if (count[c]! > 0) sizes[family[c]!]!++;
    }
    for (let c = 1; c < containers.length; c++) this.twins[c] = sizes[family[c]!]!;
    for (const [i, { container }] of this.texts.entries()) {
      const { index } = container;
      flat[count[index]! > 1 ? index : up[index]!]! += this.runs[i]!;
    }
    for (let c = 1; c < flat.length; c++) if (flat[c]! > flat[this.body]!) this.body = c;
  }

  /** The deepest element, by the way from the page, that holds a share of a sum. */
  dominant(sum: Float64Array, share: number): number {
    let top = 0;
    for (let c = 1; c < sum.length; c++)
      if (sum[c]! > 0 && sum[c]! >= sum[0]! * share && this.containers[c]!.parent!.index === top) top = c;
    return top;
  }

  /** For each element, the innermost one that holds both it and `top`. */
  meetings(top: number): { top: number; meets: Int32Array } {
    const { containers } = this;
    const meets = new Int32Array(containers.length);
    for (let c = 1; c < meets.length; c++)
      meets[c] = c <= top && containers[c]!.end > top ? c : meets[containers[c]!.parent!.index]!;
    return { top, meets };
  }
}
