import { DELIMITER_TAG } from '../../model/prompt-delimiter.js';
import { sentencesOf } from '../ranking/sentences.js';

/** A sentence of a model's answer, without its marks. */
export interface WrittenSentence {
  text: string;
  /** The numbers in its brackets, each once, whether there is such a source or not. */
  cited: number[];
}

const MAX_SENTENCES = 12;
const MARK = /\[(\d{1,3})\]/g;
const LEADING_MARK = /^\[\d{1,3}\]\s*/;
const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|mailto:)\S+$|^(?:[\w-]+\.)+[a-z]{2,24}(?:[/?#:]\S*)?$|^\S+@\S+\.\S+$/i;

/**
 * Takes an answer apart: marks in the usual spellings (`[1, 2]`, `[1-3]`, `【1】`, `[^1]`), before or after the full stop. Markup,
 * tags of the prompt and every address that is in no source are removed.
 *
 * @param isInSources whether an address (lower case, without scheme, `www.` and slash at its end) stands in one of the sources
 */
export function writtenSentences(
  answer: string,
  isInSources: (address: string) => boolean,
): WrittenSentence[] {
  const pieces = sentencesOf(tidy(answer, isInSources));
  const sentences: WrittenSentence[] = [];
  for (const piece of pieces) {
    let rest = piece;
    // "One. [1] Two. [2]": marks after a full stop belong to what stands before, unless that has its own.
    const last = sentences.at(-1);
    if (last && last.cited.length === 0) {
      for (let mark = LEADING_MARK.exec(rest); mark; mark = LEADING_MARK.exec(rest)) {
        last.cited.push(...marksIn(mark[0]));
        rest = rest.slice(mark[0].length);
      }
    }
    const cited = [...new Set(marksIn(rest))];
    const text = rest
      .replace(MARK, '')
      .replace(/\s+/g, ' ')
      .replace(/ ([.,;:!?…])/g, '$1')
      .trim();
    if (/[\p{L}\p{N}]/u.test(text)) sentences.push({ text, cited });
    else if (last) last.cited = [...new Set([...last.cited, ...cited])];
  }
  return sentences.slice(0, MAX_SENTENCES);
}

function marksIn(text: string): number[] {
  return [...text.matchAll(MARK)].map((m) => Number(m[1]));
}

function tidy(answer: string, isInSources: (address: string) => boolean): string {
  return answer
    .replace(DELIMITER_TAG, '')
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
    .replace(/<[^<>]{0,500}>/g, ' ')
    .replace(/\*\*|__|`/g, '')
    .replace(/!?\[([^[\]]{0,300})\]\(([^()]{0,500})\)/g, '$1 $2')
    .replace(/【\^?(\d{1,3})[^【】]{0,20}】/g, '[$1]')
    .replace(/\[\^?(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,12})\]/g, (_, list: string) => marks(list))
    .replace(/([.!?…])\[/g, '$1 [')
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*(?:#{1,6}|[-*•])\s+/, '')
        .split(/\s+/)
        .filter((word) => !isForeignAddress(word, isInSources))
        .join(' '),
    )
    .join('\n');
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
