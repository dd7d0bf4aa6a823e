import type { Container, HtmlOutline } from './html-outline.js';
import type { HtmlText } from './html-text.js';

/** A text of this many characters, most of them outside of links, is running text; set by hand. */
const RUNNING = 80;
/**
 * A page that shows less running text than this may hide its text until a script runs, characters. Of the 1,564 pages that `bench/fit-reader.mjs`
 * reads, 11 show less and hide more, and in 8 of these it is their text; of those that show 250 to 1,000, in none.
 */
const NEXT_TO_NOTHING = 250;

/** The texts of a page that can be read, in order. */
interface ReadableTexts {
  texts: HtmlText[];
  /** A part that the page hides is among them. */
  isUncovered: boolean;
}

/**
 * What a reader sees; without scripts, where that is more; and, of a page that shows next to nothing, the largest part that a script would
 * uncover. Hidden text is where instructions to machines are put, so nothing else of it is taken.
 */
export function readableTexts({ texts }: Pick<HtmlOutline, 'texts'>): ReadableTexts {
  let shown = shownTexts(texts);
  const withoutScripts = texts.filter(({ hiddenIn }) => !hiddenIn);
  if (withoutScripts.length > shown.length && runningIn(withoutScripts) > 2 * runningIn(shown))
    shown = withoutScripts;
  const running = runningIn(shown);
  const cover = running < NEXT_TO_NOTHING ? largestCover(texts) : undefined;
  if (!cover || cover.running <= running) return { texts: shown, isUncovered: false };
  const seen = new Set(shown);
  return {
    texts: texts.filter((text) => seen.has(text) || text.hiddenIn === cover.container),
    isUncovered: true,
  };
}

/** The texts that a reader sees in a browser with scripts. */
export function shownTexts(texts: readonly HtmlText[]): HtmlText[] {
  return texts.filter(({ hiddenIn, isNoscript }) => !hiddenIn && !isNoscript);
}

/** The hidden element with the most running text. */
function largestCover(texts: readonly HtmlText[]): { container: Container; running: number } | undefined {
  const covers = new Map<Container, number>();
  for (const text of texts)
    if (text.hiddenIn && !text.isNoscript)
      covers.set(text.hiddenIn, (covers.get(text.hiddenIn) ?? 0) + runningOf(text));
  let largest: { container: Container; running: number } | undefined;
  for (const [container, running] of covers)
    if (running > (largest?.running ?? 0)) largest = { container, running };
  return largest;
}

export const runningOf = ({ chars, linkChars }: HtmlText): number =>
  chars >= RUNNING && linkChars * 2 < chars ? chars - linkChars : 0;

const runningIn = (texts: readonly HtmlText[]): number =>
  texts.reduce((sum, text) => sum + runningOf(text), 0);
