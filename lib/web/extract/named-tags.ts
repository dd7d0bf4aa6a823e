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
const PARAGRAPH_END = /\n(?=[ \t>]*(?:\n|[-*+#|]|\d{1,9}[.)]))/g;

/**
 * Markdown as HTML in which the tags that prose names are text, as GitHub shows them: those in a line of words that do not end in their
 * paragraph, and those that would hide the rest of the text.
 */
export async function withNamedTags(html: string, pause: Pause): Promise<string> {
  const lastEnd = endsIn(html);
  const open = new Map<string, number>();
  const written = (paragraph: string): string => {
    const endsAt = endsIn(paragraph);
    let isHtml = false;
    return paragraph.replace(TAG, (tag, slash: string, name: string, at: number) => {
      const key = name.toLowerCase();
      const depth = open.get(key) ?? 0;
      isHtml ||= BEFORE_HTML.test(paragraph.slice(Math.max(0, at - 200), at));
      const isBegin = isHtml ? !HIDING.has(key) || lastEnd(key) >= 0 : endsAt(key) > at;
      if (slash ? !isHtml && depth === 0 : !isBegin) return tag.replace('<', '&lt;');
      open.set(key, Math.max(0, depth + (slash ? -1 : 1)));
      return tag;
    });
  };
  let done = '';
  for (let from = 0; from < html.length;) {
    PARAGRAPH_END.lastIndex = from;
    const to = (PARAGRAPH_END.exec(html)?.index ?? html.length) + 1;
    const paragraph = html.slice(from, to);
    done += paragraph.includes('<') ? written(paragraph) : paragraph;
    from = to;
    const more = pause();
    if (more) await more;
  }
  return done;
}

/** Where an element ends the last time, by its name; -1 for nowhere. */
function endsIn(html: string): (name: string) => number {
  const known = new Map<string, number>();
  let lower: string | undefined;
  return (name) => {
    lower ??= html.toLowerCase();
    if (!known.has(name)) known.set(name, lower.lastIndexOf(`</${name}`));
    return known.get(name)!;
  };
}
