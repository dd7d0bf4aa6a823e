import { sentencesOf } from '../../../core/text/sentences.js';

/** A sentence of a model's answer, without its source numbers. */
export interface WrittenSentence {
  text: string;
  /** The numbers in its brackets, each once, whether there is such a source or not. */
  cited: number[];
  /** The text before it: `- ` or `2. ` for the first sentence of a list item, else nothing. */
  lead: string;
  /** Words that the model wrote as code, each as one string; they must stand in a source. */
  code: string[];
}

const MAX_SENTENCES = 20;
const MARK = /\[(\d{1,3})\]/g;
const LEADING_MARK = /^\[\d{1,3}\]\s*/;
const LIST_ITEM = /^\s{0,12}(?:[-*•]|(\d{1,2})[.)])\s+(?=\S)/;
const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|mailto:)\S+$|^(?:[\w-]+\.)+[a-z]{2,24}(?:[/?#:]\S*)?$|^\S+@\S+\.\S+$/i;
/** Source numbers next to a full stop end a sentence, whatever the word before it is. */
const MARKED_END = /(?:[.!?…]["'”»)]{0,2} ?(?:\[\d{1,3}\])+|(?:\[\d{1,3}\])+[.!?…]) (?=[^\p{Ll}[])/gu;
const CODE = /`([^`\n]{1,300})`/g;

/**
 * Takes an answer apart into sentences. Source numbers are read in the usual spellings (`[1, 2]`, `[1-3]`, `【1】`, `[^1]`), before or after
 * the full stop. Markup, tags of the prompt and every address that is in no source are removed; list items keep their mark.
 *
 * @param isInSources whether an address (lower case, without scheme, `www.` and slash at its end) stands in one of the sources
 */
export function writtenSentences(
  answer: string,
  isInSources: (address: string) => boolean,
): WrittenSentence[] {
  const sentences: WrittenSentence[] = [];
  for (const raw of answer.split('\n')) {
    const item = LIST_ITEM.exec(raw);
    let lead = item ? (item[1] ? `${item[1]}. ` : '- ') : '';
    const code = [...raw.matchAll(CODE)].map((match) => match[1]!);
    const line = tidy(raw.slice(item?.[0].length ?? 0), isInSources).replace(MARKED_END, '$&\n');
    for (const piece of sentencesOf(line)) {
      let rest = piece;
      // "One. [1] Two. [2]": marks after a full stop belong to what stands before, unless that has its own.
      const last = sentences.at(-1);
      if (last && last.cited.length === 0 && lead === '') {
        for (let mark = LEADING_MARK.exec(rest); mark; mark = LEADING_MARK.exec(rest)) {
          last.cited.push(...marksIn(mark[0]));
          rest = rest.slice(mark[0].length);
        }
      }
      const cited = [...new Set(marksIn(rest))];
      const text = withoutMarks(rest);
      if (/[\p{L}\p{N}]/u.test(text)) {
        sentences.push({ text, cited, lead, code: code.filter((c) => text.includes(c)) });
        lead = '';
      } else if (last) last.cited = [...new Set([...last.cited, ...cited])];
    }
  }
  return sentences.slice(0, MAX_SENTENCES);
}

/** The blank before a mark goes with it; other spacing stays, as French puts a blank before a colon. */
function withoutMarks(text: string): string {
  return text
    .replace(/ ?\[\d{1,3}\]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,])(?=\s|$)/g, '$1')
    .trim();
}

function marksIn(text: string): number[] {
  return [...text.matchAll(MARK)].map((m) => Number(m[1]));
}

function tidy(line: string, isInSources: (address: string) => boolean): string {
  return line
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/(?<![\p{L}\p{N}`])<\/?[a-z][^<>`]{0,300}>/giu, ' ')
    .replace(/\*\*|`/g, '')
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/!?\[([^[\]]{0,300})\]\(([^()]{0,500})\)/g, '$1 $2')
    .replace(/【\^?(\d{1,3})[^【】]{0,20}】/g, '[$1]')
    .replace(/\[\^?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,12})\]/g, (_, list: string) => marks(list))
    .replace(/([.!?…])\[/g, '$1 [')
    .split(/\s+/)
    .filter((word) => !isForeignAddress(word, isInSources))
    .join(' ');
}

/** `1, 3-5` as `[1][3][4][5]`. */
function marks(list: string): string {
  const numbers = list.split(/[,;]/).flatMap((part) => {
    const [from, to] = part.split(/[–-]/).map(Number);
    if (to === undefined || to < from! || to - from! > 12) return [from!, ...(to === undefined ? [] : [to])];
    return Array.from({ length: to - from! + 1 }, (_, i) => from! + i);
  });
  return numbers.map((n) => `[${n}]`).join('');
}

function isForeignAddress(word: string, isInSources: (address: string) => boolean): boolean {
  const bare = word
    .replace(/^[("'«<[“]+/, '')
    .replace(/(?:\[\d{1,3}\])+$/, '')
    .replace(/[)\]"'»”>.,;:!?…]+$/, '');
  return ADDRESS.test(bare) && !isInSources(addressKey(bare));
}

/** How addresses are compared. */
export function addressKey(address: string): string {
  return address
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .replace(/\/$/, '');
}
