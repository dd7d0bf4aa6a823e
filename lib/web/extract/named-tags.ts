import type { Pause } from '../../core/async.js';
import { BLOCK_ELEMENTS, IMPLIED_ENDS, SKIPPED_ELEMENTS, VOID_ELEMENTS } from './html-elements.js';

interface Tag {
  name: string;
  at: number;
  isEnd: boolean;
  paragraph: number;
  /** Of a block of HTML, and not of a line of words. */
  isInBlock: boolean;
  isText?: boolean;
}

/** Elements that hide what is in them. */
const HIDING = new Set(
  [...SKIPPED_ELEMENTS, 'title'].filter((name) => !VOID_ELEMENTS.has(name) && !/^r[pt]$/.test(name)),
);
/** Elements that hide or hold what is in them up to their end tag. */
const HOLDING = new Set([...HIDING, ...BLOCK_ELEMENTS].filter((name) => name !== 'p' && !IMPLIED_ENDS[name]));

/**
 * Markdown as HTML in which the tags that prose names are text, as GitHub shows them: those in a line of words that do not end in their
 * paragraph, and those that would hide the rest of the text.
 */
export async function withNamedTags(html: string, pause: Pause): Promise<string> {
  // Each line stands behind a line end.
  const source = `\n${html}`;
  const tags = await tagsOf(source, pause);
  const ends = new Map<string, Tag[]>();
  for (let i = tags.length - 1; i >= 0; i--) {
    const tag = tags[i]!;
    const { name, paragraph, isEnd, isInBlock } = tag;
    const following = ends.get(name) ?? [];
    if (isEnd) ends.set(name, following);
    if (isEnd) following.push(tag);
    else if (isInBlock) tag.isText = HIDING.has(name) && following.length === 0;
    else if (following.at(-1)?.paragraph === paragraph) following.pop();
    else tag.isText = true;
  }
  const open = new Map<string, number>();
  let [done, from] = ['', 1];
  for (const { name, at, isEnd, isInBlock, isText } of tags) {
    const depth = open.get(name) ?? 0;
    if (isText || (isEnd && depth === 0 && !isInBlock)) {
      done += `${source.slice(from, at)}&lt;`;
      from = at + 1;
    } else open.set(name, Math.max(0, depth + (isEnd ? -1 : 1)));
  }
  return done + source.slice(from);
}

/** The tags of {@link HOLDING} elements, up to a comment that does not end. */
async function tagsOf(html: string, pause: Pause): Promise<Tag[]> {
  const tags: Tag[] = [];
  const lastComment = html.lastIndexOf('-->');
  const token =
    /\n(?:[ \t>]*(?=\n)|[ \t>*+\d.)-]{0,100}(?=<(?:!--|\/?([a-z][a-z\d]*)))|[ \t>]*([-*+#|]|\d{1,9}[.)]))|<(?:!--|(\/?)([a-z][a-z\d]*))/gi;
  let paragraph = 0;
  let isInBlock = false;
  for (let found = token.exec(html), n = 1; found; found = token.exec(html), n++) {
    const [text, first, mark, slash, written] = found;
    const at = found.index;
    const name = written?.toLowerCase();
    if (text === '<!--') {
      // What stands behind is hidden by a browser too.
      if (at >= lastComment) break;
      token.lastIndex = html.indexOf('-->', at) + 3;
    } else if (name !== undefined) {
      if (HOLDING.has(name)) tags.push({ name, at, isEnd: slash !== '', paragraph, isInBlock });
    } else if (mark !== undefined) {
      paragraph++;
    } else if (html.charAt(token.lastIndex) === '<') {
      if (text.trim() !== '') paragraph++;
      const begun = first?.toLowerCase();
      isInBlock ||= begun === undefined || BLOCK_ELEMENTS.has(begun) || HIDING.has(begun);
    } else {
      isInBlock = false;
      paragraph++;
    }
    if ((n & 0x3ff) === 0) await pause();
  }
  return tags;
}
