import type { Pause } from '../../core/async.js';
import type { Container, HtmlOutline } from './html-outline.js';
import type { HtmlText } from './html-text.js';

/** Elements and roles that surround a page's own text. */
const AROUND_TAGS = new Set(['nav', 'aside', 'footer', 'menu', 'search', 'form', 'fieldset']);
const AROUND_ROLES =
  /(?:^|\s)(?:navigation|banner|contentinfo|complementary|search|dialog|alertdialog|menu|menubar|toolbar|tablist)(?:\s|$)/;

/** Words of classes and ids around a page's text; whole words between separators. */
const AROUND_HINT =
  /(?:^|[\s_-])(?:ads?|advert\w*|author-?bio|banner|breadcrumbs?|byline|carousel|combx|comments?|consent|contact|cookies?|disqus|embed|extra|footer|footnav|gdpr|header|hnav|infolinks|legends|login|masthead|media|menu|meta|modal|nav\w*|newsletter|outbrain|overlay|pager|pagination|popup|postprofile|promo\w*|recirc|recommend\w*|related|remark|rss|share\w*|sharing|shoutbox|sidebar\w*|signature|signup|skip|skyscraper|social|sponsor\w*|subscribe|supplemental|tags?|taboola|teaser|toc|toolbar|tooltip|trending|widget)(?:[\s_-]|\d|$)/;

/** The same word about a part of an article is its head, and an `aside` of these kinds belongs to the text around it. */
const HEADER_HINT = /(?:^|[\s_-])header(?:[\s_-]|\d|$)/g;
const NOTE_HINT =
  /(?:^|[\s_-])(?:admonition|callout|caution|danger|hint|important|info|note|notice|quote|tip|warning)(?:[\s_-]|$)/;

const MIN_SCORED = 25;
/** A text counts as running text from this many characters. */
const PROSE = 80;
/** How many ancestors a text's points reach, each with a smaller share. */
const REACH = 5;
const MOST_STEPS = 12;
/** A container that holds this share of all running text is the page itself, also if its name says otherwise. */
const WHOLE_PAGE = 0.6;
/** A step up the tree must add this share of running text. */
const STEP_UP = 0.2;
/** Shorter than this, the choice has failed and everything that is not around counts. */
const MIN_TEXT = 200;

/**
 * The texts of a page that are its main text, in order.
 *
 * The choice follows what has proved itself in Readability and its kin (running text give points to the
 * elements around them, less the share that is links; the best element, with those of its siblings that are alike, is
 * the article), worked out on a list in document order instead of on a tree: linear in the page, no recursion.
 */
export async function mainTexts(
  { texts, containers: parts }: HtmlOutline,
  pause: Pause,
): Promise<HtmlText[]> {
  sumUp(texts, parts);
  await pause();
  markAround(parts);
  await pause();
  score(texts, parts);
  await pause();
  choose(parts);
  keepTitle(texts);
  await pause();
  let main = texts.filter(({ container }) => container.isKept);
  if (lengthOf(main) < MIN_TEXT) {
    const rest = texts.filter((text) => !text.container.isAround && !isMostlyLinks(text));
    if (lengthOf(rest) > lengthOf(main)) main = rest;
  }
  return main.length === 0 ? texts : main;
}

const lengthOf = (texts: readonly HtmlText[]): number => texts.reduce((sum, { chars }) => sum + chars, 0);

function sumUp(texts: readonly HtmlText[], parts: readonly Container[]): void {
  for (const { container: part, chars, linkChars, commas } of texts) {
    part.chars += chars;
    part.linkChars += linkChars;
    part.commas += commas;
  }
  // A child always comes after its parent: from the end, each is complete before it is added.
  for (const { parent, chars, linkChars, commas } of [...parts].reverse()) {
    if (!parent) continue;
    parent.chars += chars;
    parent.linkChars += linkChars;
    parent.commas += commas;
  }
}

const linkDensity = ({ chars, linkChars }: Container): number => (chars === 0 ? 0 : linkChars / chars);
const isMostlyLinks = ({ chars, linkChars }: HtmlText): boolean => linkChars >= chars * 0.5;

/** Marks each container that surrounds the main text, and all that are inside such a container. */
function markAround(parts: readonly Container[]): void {
  const insideArticle = new Set<Container>();
  const whole = runningText(parts[0]!) * WHOLE_PAGE;
  for (const part of parts) {
    const { parent, tag } = part;
    if (tag === 'article' || tag === 'main' || (parent && insideArticle.has(parent))) insideArticle.add(part);
    part.isAround =
      parent?.isAround === true ||
      (standsAround(part, insideArticle.has(part)) && runningText(part) <= whole);
  }
}

const runningText = ({ chars, linkChars }: Container): number => chars - linkChars;

function standsAround({ tag, hint }: Container, insideArticle: boolean): boolean {
  if (['', 'html', 'body', 'main', 'article'].includes(tag)) return false;
  if (tag === 'aside' && insideArticle && NOTE_HINT.test(hint)) return false;
  if (AROUND_TAGS.has(tag) || (tag === 'header' && !insideArticle)) return true;
  const own = insideArticle ? hint.replace(HEADER_HINT, ' ') : hint;
  return own !== '' && (AROUND_HINT.test(own) || AROUND_ROLES.test(own));
}

function score(texts: readonly HtmlText[], parts: readonly Container[]): void {
  for (const one of texts) {
    const { container: part, chars, linkChars, commas } = one;
    if (part.isAround) continue;
    if (chars >= PROSE && !isMostlyLinks(one)) part.prose += chars - linkChars;
    if (part.place.heading !== undefined || chars < MIN_SCORED) continue;
    const points = (1 + commas + Math.min(3, Math.floor(chars / 100))) * (1 - linkChars / chars);
    // A paragraph is not a candidate itself; text directly in a div makes the div one.
    let at = isLeaf(part) ? part.parent : part;
    for (let level = 0; level < REACH && at?.parent; level++, at = at.parent)
      at.score += points / (level === 0 ? 1 : level === 1 ? 2 : level * 3);
  }
  for (const { parent, isAround, prose } of [...parts].reverse())
    if (parent && !isAround) parent.prose += prose;
  for (const part of parts) part.score *= 1 - linkDensity(part);
}

function isLeaf({ tag }: Container): boolean {
  return /^(?:p|pre|li|dt|dd|td|th|blockquote|figcaption|caption|summary)$/.test(tag);
}

/** Marks each container whose own text is part of the main text. */
function choose(parts: readonly Container[]): void {
  const best = parts.reduce((top, part) => (part.score > top.score ? part : top));
  const top = climb(best);
  keepTree(parts, parts.indexOf(top));
  if (!top.parent) return;
  const threshold = Math.max(10, top.score * 0.2);
  const end = top.parent.end;
  for (let i = parts.indexOf(top.parent) + 1; i < end; i = parts[i]!.end) {
    const part = parts[i]!;
    if (part === top || part.isAround) continue;
    const isProse = isLeaf(part) && part.chars > PROSE && linkDensity(part) < 0.25;
    if (part.score >= threshold || isProse || isHead(part)) keepTree(parts, i);
  }
  keepHeads(parts, top.parent);
}

const isHead = ({ tag }: Container): boolean => /^(?:h[1-6]|header)$/.test(tag);

/** The headings and headers before the text, up to the article around it, are part of it. */
function keepHeads(parts: readonly Container[], from: Container): void {
  const path: Container[] = [];
  let at: Container | undefined = from;
  for (; at && !/^(?:article|main)$/.test(at.tag) && path.length < MOST_STEPS; at = at.parent) path.push(at);
  if (!at || path.length === MOST_STEPS) return;
  for (const inner of path) {
    const end = parts.indexOf(inner);
    for (let i = parts.indexOf(inner.parent!) + 1; i < end; i = parts[i]!.end)
      if (isHead(parts[i]!) && !parts[i]!.isAround) keepTree(parts, i);
  }
}

/** The main heading of the page belongs to the text, whatever is around it. */
function keepTitle(texts: readonly HtmlText[]): void {
  const headings = texts.filter(({ container }) => container.place.heading === 1);
  const [first] = headings;
  if (first && !headings.some(({ container }) => container.isKept)) first.container.isKept = true;
}

function keepTree(parts: readonly Container[], root: number): void {
  const { end } = parts[root]!;
  for (let i = root; i < end; i++) {
    const part = parts[i]!;
    // A whole subtree is stepped over at once: its numbers are one stretch.
    if (part.isAround || (i !== root && isClutter(part))) i = part.end - 1;
    else part.isKept = true;
  }
}

/** From the best candidate up to the element that holds the rest of the article: each step adds a good part of running text. */
function climb(best: Container): Container {
  let top = best;
  for (let outer = best.parent; outer?.parent; outer = outer.parent)
    if (outer.prose > top.prose * (1 + STEP_UP)) top = outer;
  return top;
}

/** A list of links, a menu, a box of related things inside the text. */
function isClutter(part: Container): boolean {
  const { tag, hint, commas } = part;
  if (!/^(?:div|section|ul|ol|dl|table|form|fieldset|aside)$/.test(tag)) return false;
  if (AROUND_HINT.test(hint)) return true;
  return commas < 10 && linkDensity(part) > (/^(?:ul|ol|dl|table)$/.test(tag) ? 0.6 : 0.33);
}
