import type { Pause } from '../../core/async.js';
import type { Container } from './html-outline.js';
import type { HtmlText } from './html-text.js';
import { runningOf } from './page-sources.js';

/** Texts before and after one that are looked at; set by hand. */
const NEAR = 4;
/** Words of an address that is not known: the middle of the labelled pages (`bench/fit-reader.mjs`). */
const UNKNOWN_ADDRESS = 4;
/** Texts or elements between two pauses; set by hand. */
const BATCH = 1024;

/** Names of the numbers that describe a text, in the order in which {@link describeTexts} writes them. */
export const COLUMNS: readonly string[] = [
  // The text: words, share of its characters within links, ends of sentences, characters a word.
  ...['words', 'link', 'ends', 'wordLength', 'isSentence', 'element', 'heading'],
  // Where it stands: landmarks, words from the ends of the page, from its title, and from its first running text.
  ...['landmark', 'main', 'footer', 'articles', 'wordsBefore', 'fromTitle', 'titleSide', 'fromRunning'],
  // Of elements around it the share of links; of its list the words.
  ...['link0', 'link1', 'link2', 'listWords', 'twins', 'flat'],
  // Steps from the elements that hold most of the page up to the one that holds the text as well.
  ...['from35', 'from60', 'fromWords', 'fromHeadline'],
  // Texts at the same path of tags, and of tags with classes.
  ...['pathTexts', 'pathLength', 'pathRunning', 'classTexts', 'classLength', 'classRunning', 'kin'],
  // The element with the most paragraphs of its own.
  ...['bodySide', 'bodyShare', 'nearLink'],
  ...['sectionRunning', 'sectionTexts', 'fromHeading'],
  ...['pageRunning', 'pageLink', 'pageTexts', 'pageLongest', 'addressWords'],
  // Names of elements, by the weights of their data: of its element, of the one around it, of all around it.
  ...['names', 'namesAround', 'namesMost', 'namesSum', 'namesLeast'],
  // Whether a text of the same characters stands before it.
  'copy',
];
/** Elements that are told apart. */
const ELEMENTS = ['td', 'th', 'figcaption', 'dt', 'dd', 'section', 'div', 'li', 'blockquote', 'p'];

/** What a tag, role or word of a class, id or `itemprop` says of the text inside: above 0 main text. Most say nothing. */
export type NameWeights = Pick<ReadonlyMap<string, number>, 'get'>;

/** Tag, role and words of the names of an element. */
export function nameWords({ classes, id, tag, role }: Container): Set<string> {
  return new Set(`${tag} ${role} ${classes} ${id}`.toLowerCase().match(/[a-z]{2,19}(?![a-z])/g) ?? []);
}

/** Names say no more than this, either way; a plain bound. */
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
  url?: URL,
): Promise<Float32Array> {
  const addressWords = url ? wordsOfAddress(url) : UNKNOWN_ADDRESS;
  const runs = texts.map(runningOf);
  const nodes = await nodesOf(containers, weights, pause);
  await fill(nodes, texts, runs, pause);
  const page = nodes[0]!;
  const body = nodes.reduce((most, node) => (node.flat > most.flat ? node : most), page);
  const headline = texts.findIndex(({ container }) => container.place.heading === 1);
  const tops = [
    dominant(nodes, 0.35, ({ running }) => running),
    dominant(nodes, 0.6, ({ running }) => running),
    dominant(nodes, 0.5, ({ words }) => words),
    nodes[texts[headline]?.container.index ?? 0]!,
  ];
  const meetings: Int32Array[] = [];
  for (const { container } of tops) {
    await pause();
    meetings.push(levelsOfMeetings(nodes, container));
  }
  const before = [0];
  let [firstRun, longest, bodyFirst, bodyLast] = [-1, 0, -1, -1];
  for (const [i, { container, words }] of texts.entries()) {
    before.push(before[i]! + words);
    longest = Math.max(longest, words);
    if (firstRun < 0 && runs[i]! > 0) firstRun = i;
    if (container.index >= body.container.index && container.index < body.container.end) bodyLast = i;
    if (bodyFirst < 0) bodyFirst = bodyLast;
  }
  await pause();
  const sections = sectionsOf(texts, runs);
  const lists = wordsOfLists(texts);
  const seen = new Set<number>();
  const [allWords, allRunning] = [page.words || 1, page.running || 1];
  const rows = new Float32Array(texts.length * COLUMNS.length);
  let at = 0;
  for (const [i, text] of texts.entries()) {
    if (i % BATCH === 0) await pause();
    const { container } = text;
    const node = nodes[container.index]!;
    const { path, named } = node;
    let [nearLink, nearChars] = [0, 0];
    for (let j = Math.max(0, i - NEAR); j < Math.min(texts.length, i + NEAR + 1); j++) {
      nearLink += texts[j]!.linkChars;
      nearChars += texts[j]!.chars;
    }
    const section = sections[i]!;
    rows[at++] = text.words;
    rows[at++] = linkShare(text);
    rows[at++] = text.ends;
    rows[at++] = text.chars / (text.words || 1);
    rows[at++] = +text.endsSentence;
    rows[at++] = ELEMENTS.indexOf(container.tag) + 1;
    rows[at++] = container.place.heading ?? 0;

    rows[at++] = +container.isInLandmark;
    rows[at++] = +node.isInMain;
    rows[at++] = +node.isInFooter;
    rows[at++] = page.articles;
    rows[at++] = before[i]! / allWords;
    rows[at++] = headline < 0 ? -1 : Math.abs(before[i]! - before[headline]!);
    rows[at++] = headline < 0 ? 0 : i < headline ? -1 : 1;
    rows[at++] = firstRun < 0 ? 0 : before[i]! - before[firstRun]!;

    rows[at++] = linkShare(node);
    rows[at++] = linkShare(node.up);
    rows[at++] = linkShare(node.up.up);
    rows[at++] = lists.get(container.place.outerList) ?? 0;
    rows[at++] = node.family.size;
    rows[at++] = node.up.flat / (body.flat || 1);

    rows[at++] = tops[0]!.level - meetings[0]![container.index]!;
    rows[at++] = tops[1]!.level - meetings[1]![container.index]!;
    rows[at++] = tops[2]!.level - meetings[2]![container.index]!;
    rows[at++] = tops[3]!.level - meetings[3]![container.index]!;
    rows[at++] = path.texts;
    rows[at++] = path.words / path.texts;
    rows[at++] = path.running / allRunning;
    rows[at++] = named.texts;
    rows[at++] = named.words / named.texts;
    rows[at++] = named.running / allRunning;
    rows[at++] = path.size;

    rows[at++] = i < bodyFirst ? -1 : i > bodyLast ? 1 : 0;
    rows[at++] = body.flat / allRunning;
    rows[at++] = nearLink / (nearChars || 1);
    rows[at++] = section.running;
    rows[at++] = section.texts;
    rows[at++] = i - section.start;

    rows[at++] = allRunning;
    rows[at++] = page.linkChars / (page.chars || 1);
    rows[at++] = texts.length;
    rows[at++] = longest;
    rows[at++] = addressWords;

    rows[at++] = node.names;
    rows[at++] = nodes[container.parent?.index ?? 0]!.names;
    rows[at++] = node.namesMost;
    rows[at++] = node.namesSum;
    rows[at++] = node.namesLeast;

    rows[at++] = +seen.has(text.hash);
    seen.add(text.hash);
  }
  return rows;
}

const linkShare = ({ linkChars, chars }: { linkChars: number; chars: number }): number =>
  linkChars / (chars || 1);

/** Words in the last part of an address: an article mostly has its title there. */
function wordsOfAddress({ pathname }: URL): number {
  const part = pathname.split('/').filter(Boolean).at(-1) ?? '';
  return part.split(/[-_]/).length;
}

/** The words of the outermost lists. */
function wordsOfLists(texts: readonly HtmlText[]): Map<object | undefined, number> {
  const lists = new Map<object | undefined, number>();
  for (const { container, words } of texts) {
    const { outerList } = container.place;
    if (outerList) lists.set(outerList, (lists.get(outerList) ?? 0) + words);
  }
  return lists;
}

/** The stretch between two headings that each text stands in. */
function sectionsOf(texts: readonly HtmlText[], runs: readonly number[]) {
  let section = { running: 0, texts: 0, start: 0 };
  return texts.map(({ container }, i) => {
    if (container.place.heading !== undefined) section = { running: 0, texts: 0, start: i };
    section.running += runs[i]!;
    section.texts++;
    return section;
  });
}

/** The elements of a page with the same tag and classes, with what their names say, by their roles and ids. */
interface Kind {
  weights: Map<string, number>;
}

/** Elements with the same tags, or tags and classes, on the way from the root of the page. */
class Way {
  /** Elements. */
  size = 0;
  /** Texts that stand directly at its end, with their words and running characters. */
  texts = 0;
  words = 0;
  running = 0;
  private ways: Map<string | Kind, Way> | undefined;

  step(name: string | Kind): Way {
    this.ways ??= new Map();
    let way = this.ways.get(name);
    if (!way) this.ways.set(name, (way = new Way()));
    way.size++;
    return way;
  }

  add(words: number, running: number): void {
    this.texts++;
    this.words += words;
    this.running += running;
  }
}

/** An element, with what is inside of it. */
class Node {
  running = 0;
  words = 0;
  linkChars = 0;
  chars = 0;
  /** Texts inside. */
  texts = 0;
  /** Of the page: elements of this name. */
  articles = 0;
  /** The next element around that holds more texts; the page is its own. How many such steps lead to the page. */
  up: Node = this;
  level = 0;
  /** Running text of the texts for which it is the next element around with more texts. */
  flat = 0;
  /** Elements with text of the same parent, tag and classes. */
  family = { size: 0 };
  families: Map<Way, { size: number }> | undefined;
  readonly isInMain: boolean;
  readonly isInFooter: boolean;
  /** By tags, and by tags with classes. */
  readonly path: Way;
  readonly named: Way;
  readonly namesMost: number;
  readonly namesSum: number;
  readonly namesLeast: number;

  constructor(
    readonly container: Container,
    readonly parent: Node | undefined,
    kind: Kind,
    readonly names: number,
  ) {
    const { tag, role } = container;
    this.isInMain = tag === 'main' || role === 'main' || parent?.isInMain === true;
    this.isInFooter = tag === 'footer' || role === 'contentinfo' || parent?.isInFooter === true;
    this.path = parent?.path.step(tag) ?? new Way();
    this.named = parent?.named.step(kind) ?? new Way();
    this.namesMost = Math.max(parent?.namesMost ?? 0, names);
    this.namesLeast = Math.min(parent?.namesLeast ?? 0, names);
    this.namesSum = (parent?.namesSum ?? 0) + names;
  }
}

/** The elements of a page by their index. */
async function nodesOf(
  containers: readonly Container[],
  weights: NameWeights,
  pause: Pause,
): Promise<Node[]> {
  const kinds = new Map<string, Map<string, Kind>>();
  const kindOf = ({ classes, tag }: Container): Kind => {
    let ofClasses = kinds.get(classes);
    if (!ofClasses) kinds.set(classes, (ofClasses = new Map()));
    let kind = ofClasses.get(tag);
    if (!kind) ofClasses.set(tag, (kind = { weights: new Map() }));
    return kind;
  };
  const weightOf = (container: Container, { weights: known }: Kind): number => {
    const { role, id } = container;
    const key = role === '' ? id : `${role}\n${id}`;
    let weight = known.get(key);
    if (weight === undefined) {
      weight = 0;
      for (const word of nameWords(container)) weight += weights.get(word) ?? 0;
      known.set(key, (weight = Math.max(-MOST_NAMES, Math.min(MOST_NAMES, weight))));
    }
    return weight;
  };
  const nodes: Node[] = [];
  for (const [c, container] of containers.entries()) {
    if (c % BATCH === 0) await pause();
    const kind = kindOf(container);
    const parent = container.parent && nodes[container.parent.index];
    nodes.push(new Node(container, parent, kind, weightOf(container, kind)));
    if (container.tag === 'article') nodes[0]!.articles++;
  }
  return nodes;
}

async function fill(
  nodes: readonly Node[],
  texts: readonly HtmlText[],
  runs: readonly number[],
  pause: Pause,
): Promise<void> {
  const add = (
    node: Node,
    { words, chars, linkChars }: HtmlText | Node,
    running: number,
    count: number,
  ): void => {
    node.running += running;
    node.words += words;
    node.linkChars += linkChars;
    node.chars += chars;
    node.texts += count;
  };
  for (const [i, text] of texts.entries()) {
    const node = nodes[text.container.index]!;
    add(node, text, runs[i]!, 1);
    node.path.add(text.words, runs[i]!);
    node.named.add(text.words, runs[i]!);
  }
  await pause();
  // A child always comes after its parent: from the end, each is complete before it is added.
  for (let c = nodes.length - 1; c > 0; c--)
    add(nodes[c]!.parent!, nodes[c]!, nodes[c]!.running, nodes[c]!.texts);
  await pause();
  for (const node of nodes) {
    const { parent, named } = node;
    if (!parent) continue;
    const holdsMore = parent.texts > node.texts;
    node.up = holdsMore ? parent : parent.up;
    node.level = parent.level + +holdsMore;
    if (node.texts === 0) continue;
    parent.families ??= new Map();
    const family = parent.families.get(named);
    if (family) node.family = family;
    else parent.families.set(named, node.family);
    node.family.size++;
  }
  for (const [i, { container }] of texts.entries()) {
    const node = nodes[container.index]!;
    (node.texts > 1 ? node : node.up).flat += runs[i]!;
  }
}

/** The deepest element, by the way from the page, that holds a share of a sum. */
function dominant(nodes: readonly Node[], share: number, of: (node: Node) => number): Node {
  let top = nodes[0]!;
  const least = of(top) * share;
  for (const node of nodes) if (of(node) > 0 && of(node) >= least && node.parent === top) top = node;
  return top;
}

/** For each element, the level of the innermost one that holds both it and `top`. */
function levelsOfMeetings(nodes: readonly Node[], { index: top }: Container): Int32Array {
  const levels = new Int32Array(nodes.length);
  nodes.forEach(({ container: { index, end }, level, parent }) => {
    levels[index] = index <= top && end > top ? level : (levels[parent?.container.index ?? 0] ?? 0);
  });
  return levels;
}
