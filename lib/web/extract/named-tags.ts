import type { Pause } from '../../core/async.js';
import { BLOCK_ELEMENTS, IMPLIED_ENDS, SKIPPED_ELEMENTS, VOID_ELEMENTS } from './html-elements.js';

/** Elements that hide what is in them up to their end tag. */
const HIDING = new Set(
  [...SKIPPED_ELEMENTS, 'title'].filter((name) => !VOID_ELEMENTS.has(name) && !/^r[pt]$/.test(name)),
);
/** The same, and those that hold it. */
const HOLDING = [...HIDING, ...BLOCK_ELEMENTS].filter((name) => name !== 'p' && !IMPLIED_ENDS[name]);
const TAG = new RegExp(`<(/?)(${HOLDING.join('|')})(?![a-z\\d])`, 'gi');
/** What stands before the first tag of HTML. */
const BEFORE_HTML = /(?:^|\n|-->)[ \t>*+\d.)-]*$/;
const PARAGRAPHS = /(?<=\n)(?=[ \t>]*(?:\n|[-*+#|]|\d{1,9}[.)]))/;

/**
 * Markdown as HTML in which the tags that prose names are text, as GitHub shows them: those in a line of words that do not end in their
 * paragraph, and those that would hide the rest of the text.
 */
export async function withNamedTags(html: string, pause: Pause): Promise<string> {
  const ended = lastEnds(html);
  const open = new Map<string, number>();
  let done = '';
  for (const paragraph of html.split(PARAGRAPHS)) {
    await pause();
    const ends = lastEnds(paragraph);
    let isHtml = false;
    done += paragraph.replace(TAG, (tag, slash: string, written: string, at: number) => {
      const name = written.toLowerCase();
      const depth = open.get(name) ?? 0;
      isHtml ||= BEFORE_HTML.test(paragraph.slice(Math.max(0, at - 200), at));
      const isBegin = isHtml ? !HIDING.has(name) || ended.has(name) : (ends.get(name) ?? 0) > at;
      if (slash ? !isHtml && depth === 0 : !isBegin) return tag.replace('<', '&lt;');
      open.set(name, Math.max(0, depth + (slash ? -1 : 1)));
      return tag;
    });
  }
  return done;
}

/** Where elements end the last time, by name. */
const lastEnds = (html: string): ReadonlyMap<string, number> =>
  new Map(
    [...html.matchAll(TAG)].flatMap(({ 1: slash, 2: name, index }) =>
      slash ? [[name!.toLowerCase(), index]] : [],
    ),
  );
