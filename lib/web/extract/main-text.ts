import type { Block, Container, HtmlOutline } from './html-outline.js';

/** Elements and roles that surround a page's own text. */
const AROUND_TAGS = new Set(['nav', 'aside', 'footer', 'menu', 'search', 'form', 'fieldset']);
const AROUND_ROLES =
  /(?:^|\s)(?:navigation|banner|contentinfo|complementary|search|dialog|alertdialog|menu|menubar|toolbar|tablist)(?:\s|$)/;

/** Words of classes and ids around a page's text, and those of the text itself; whole words between separators. */
const AROUND_HINT =
  /(?:^|[\s_-])(?:ads?|advert\w*|author-?bio|banner|breadcrumbs?|byline|carousel|combx|comments?|consent|contact|cookies?|disqus|embed|extra|footer|footnav|gdpr|header|hnav|infolinks|legends|login|masthead|media|menu|meta|modal|nav\w*|newsletter|outbrain|overlay|pager|pagination|popup|promo\w*|recirc|recommend\w*|related|remark|rss|share\w*|sharing|shoutbox|sidebar\w*|signup|skip|skyscraper|social|sponsor\w*|subscribe|supplemental|tags?|taboola|teaser|toc|toolbar|tooltip|trending|widget)(?:[\s_-]|\d|$)/;
const OWN_HINT =
  /(?:^|[\s_-])(?:answers?|articles?|article-?body|blog|body|column|content|entry|hentry|h-entry|main|markdown|page|post\w*|prose|story\w*|text)(?:[\s_-]|\d|$)/;
/** `has-sidebar`, `no-nav`: about the layout, not about the element. */
const LAYOUT_HINT = /(?:^|[\s_-])(?:has|with|without|no|hide|show)-[\w-]+/g;

/** A block that is to earn points has at least this many characters. */
const MIN_SCORED = 25;
/** A block counts as running text from this many characters. */
const PROSE = 80;
/** How many ancestors a block's points reach, each with a smaller share. */
const REACH = 5;
/** A container that holds this share of all running text is the page itself, whatever it is called. */
const WHOLE_PAGE = 0.6;
/** A step up the tree is taken when it adds this share of what is held already. */
const STEP_UP = 0.2;
/** Shorter than this, the choice has failed and everything that is not around counts. */
const MIN_TEXT = 200;

interface Sums {
  chars: number;
  linkChars: number;
  commas: number;
  score: number;
  /** Characters of running text, and of links, that are not in a part around the text. */
  prose: number;
  ownLinks: number;
}

/**
 * The main text of a page: blocks one below the other, headings among them, cells of a row on a line.
 *
 * The choice follows what has proved itself in Readability and its kin (blocks of running text give points to the
 * elements around them, less the share that is links; the best element, with those of its siblings that are alike, is
 * the article), worked out on flat arrays in document order instead of on a tree: linear in the page, no recursion.
 */
export async function mainText(
  outline: HtmlOutline,
  pause: () => Promise<void> | undefined = () => undefined,
): Promise<string> {
  const { blocks, containers } = outline;
  const sums = sumUp(outline);
  await pause();
  const weights = Int8Array.from(containers, ({ hint }) => hintWeight(hint));
  const around = findAround(containers, sums, weights);
  await pause();
  score(outline, sums, around, weights);
  await pause();
  const kept = choose(containers, sums, around, weights);
  await pause();
  let text = render(blocks.filter(({ container }) => kept[container] === 1));
  if (text.length < MIN_TEXT) {
    const rest = render(
      blocks.filter((block) => !around[block.container] && block.linkChars < block.text.length * 0.5),
    );
    if (rest.length > text.length) text = rest;
  }
  return text === '' ? render(blocks) : text;
}

/** Content of each container, with everything inside it. */
function sumUp({ blocks, containers }: HtmlOutline): Sums[] {
  const sums = containers.map((): Sums => ({
    chars: 0,
    linkChars: 0,
    commas: 0,
    score: 0,
    prose: 0,
    ownLinks: 0,
  }));
  for (const { container, text, linkChars, commas } of blocks) {
    const sum = sums[container];
    if (!sum) continue;
    sum.chars += text.length;
    sum.linkChars += linkChars;
    sum.commas += commas;
  }
  // A child always comes after its parent: from the end, each is complete before it is added.
  for (let i = containers.length - 1; i > 0; i--) {
    const own = sums[i];
    const parent = sums[containers[i]?.parent ?? 0];
    if (!own || !parent) continue;
    parent.chars += own.chars;
    parent.linkChars += own.linkChars;
    parent.commas += own.commas;
  }
  return sums;
}

const linkDensity = ({ chars, linkChars }: Sums): number => (chars === 0 ? 0 : linkChars / chars);

/** 1 for each container that surrounds the main text, and for each one inside such a container. */
function findAround(containers: Container[], sums: Sums[], weights: Int8Array): Uint8Array {
  const around = new Uint8Array(containers.length);
  const insideArticle = new Uint8Array(containers.length);
  const running = (i: number): number => (sums[i]?.chars ?? 0) - (sums[i]?.linkChars ?? 0);
  containers.forEach((container, i) => {
    const { parent, tag } = container;
    insideArticle[i] = tag === 'article' || tag === 'main' || insideArticle[parent] ? 1 : 0;
    if (parent >= 0 && around[parent]) around[i] = 1;
    else if (standsAround(container, insideArticle[i] === 1, weights[i] ?? 0))
      around[i] = running(i) > running(0) * WHOLE_PAGE ? 0 : 1;
  });
  return around;
}

function standsAround({ tag, hint }: Container, insideArticle: boolean, weight: number): boolean {
  if (tag === 'html' || tag === 'body' || tag === 'main' || tag === 'article' || tag === '') return false;
  if (AROUND_TAGS.has(tag) || (tag === 'header' && !insideArticle)) return true;
  return weight < 0 || (hint !== '' && AROUND_ROLES.test(hint));
}

/** -1, 0 or 1 for what class and id say. */
function hintWeight(hint: string): number {
  if (hint === '') return 0;
  const own = hint.replace(LAYOUT_HINT, ' ');
  if (OWN_HINT.test(own)) return AROUND_HINT.test(own) ? 0 : 1;
  return AROUND_HINT.test(own) ? -1 : 0;
}

function score(
  { blocks, containers }: HtmlOutline,
  sums: Sums[],
  around: Uint8Array,
  weights: Int8Array,
): void {
  for (const { container, text, commas, linkChars, kind } of blocks) {
    const sum = sums[container];
    if (sum && !around[container]) {
      sum.ownLinks += linkChars;
      if (text.length >= PROSE && linkChars < text.length * 0.5) sum.prose += text.length - linkChars;
    }
    if (around[container] || kind === 'heading' || text.length < MIN_SCORED) continue;
    const points = (1 + commas + Math.min(3, Math.floor(text.length / 100))) * (1 - linkChars / text.length);
    // A paragraph is not a candidate itself; text directly in a div makes the div one.
    let at = isLeaf(containers[container]) ? (containers[container]?.parent ?? 0) : container;
    for (let level = 0; level < REACH && at > 0; level++, at = containers[at]?.parent ?? 0) {
      const reached = sums[at];
      if (reached) reached.score += points / (level === 0 ? 1 : level === 1 ? 2 : level * 3);
    }
  }
  for (let i = containers.length - 1; i > 0; i--) {
    const own = sums[i];
    const parent = sums[containers[i]?.parent ?? 0];
    if (!own || !parent || around[i]) continue;
    parent.prose += own.prose;
    parent.ownLinks += own.ownLinks;
  }
  containers.forEach(({ tag }, i) => {
    const sum = sums[i];
    if (!sum || sum.score === 0) return;
    const byTag =
      tag === 'article' || tag === 'main'
        ? 25
        : tag === 'div' || tag === 'section'
          ? 5
          : /^(?:ul|ol|dl)$/.test(tag)
            ? -3
            : 0;
    sum.score = (sum.score + byTag + (weights[i] ?? 0) * 25) * (1 - linkDensity(sum));
  });
}

function isLeaf(container: Container | undefined): boolean {
  return (
    container !== undefined &&
    /^(?:p|pre|li|dt|dd|td|th|blockquote|figcaption|caption|summary)$/.test(container.tag)
  );
}

/** 1 for each container whose own text is part of the main text. */
function choose(containers: Container[], sums: Sums[], around: Uint8Array, weights: Int8Array): Uint8Array {
  const kept = new Uint8Array(containers.length);
  const top = climb(containers, sums, best(sums));
  const topScore = sums[top]?.score ?? 0;
  const parent = containers[top]?.parent ?? -1;
  const topHint = containers[top]?.hint ?? '';
  const keepTree = (root: number): void => {
    const end = containers[root]?.end ?? root + 1;
    for (let i = root; i < end; i++) {
      const container = containers[i];
      const sum = sums[i];
      if (!container || !sum) continue;
      // A whole subtree is stepped over at once: its numbers are one stretch.
      if (around[i] || (i !== root && isClutter(container, sum, weights[i] ?? 0)))
        i = Math.max(i, container.end - 1);
      else kept[i] = 1;
    }
  };
  keepTree(top);
  if (parent < 0) return kept;
  const threshold = Math.max(10, topScore * 0.2);
  for (let i = parent + 1; i < (containers[parent]?.end ?? 0); i = Math.max(i + 1, containers[i]?.end ?? 0)) {
    const container = containers[i];
    const sum = sums[i];
    if (i === top || around[i] || !container || !sum) continue;
    const bonus = topHint.trim() !== '' && container.hint === topHint ? topScore * 0.2 : 0;
    const isProse = isLeaf(container) && sum.chars > 80 && linkDensity(sum) < 0.25;
    if (sum.score + bonus >= threshold || isProse || /^h[1-6]$/.test(container.tag)) keepTree(i);
  }
  return kept;
}

function best(sums: Sums[]): number {
  let top = 0;
  let topScore = 0;
  sums.forEach(({ score }, i) => {
    if (score > topScore) [top, topScore] = [i, score];
  });
  return top;
}

/**
 * From the best candidate up to the element that holds the rest of the article: as long as the step up adds a good part of
 * running text, and what it adds is not mostly links.
 */
function climb(containers: Container[], sums: Sums[], top: number): number {
  let at = top;
  for (let up = containers[top]?.parent ?? 0; up > 0; up = containers[up]?.parent ?? 0) {
    const [inner, outer] = [sums[at], sums[up]];
    if (!inner || !outer) break;
    const added = outer.prose - inner.prose;
    const addedLinks = outer.ownLinks - inner.ownLinks;
    if (added > inner.prose * STEP_UP && addedLinks < added * 0.5) at = up;
  }
  return at;
}

/** A list of links, a menu, a box of related things inside the text. */
function isClutter({ tag }: Container, sum: Sums, weight: number): boolean {
  if (!/^(?:div|section|ul|ol|dl|table|form|fieldset|aside)$/.test(tag)) return false;
  if (weight < 0) return true;
  if (sum.commas >= 10) return false;
  const density = linkDensity(sum);
  const isList = tag === 'ul' || tag === 'ol' || tag === 'dl' || tag === 'table';
  return density > (isList ? 0.6 : weight > 0 ? 0.5 : 0.33);
}

function render(blocks: Block[]): string {
  const parts: string[] = [];
  let previous: Block | undefined;
  for (const block of blocks) {
    if (previous) {
      const sameRow = previous.kind === 'cell' && block.kind === 'cell' && previous.row === block.row;
      const tight =
        (previous.kind === 'item' && block.kind === 'item') ||
        (previous.kind === 'cell' && block.kind === 'cell');
      parts.push(sameRow ? ' | ' : tight ? '\n' : '\n\n');
    }
    parts.push(block.text);
    previous = block;
  }
  return parts.join('');
}
