import { countWords, sentencesOf } from '../../../core/text/index.js';
import { DELIMITER_TAG } from '../../../model/prompt-delimiter.js';

/** A summary may be so many times as long as asked; what is beyond is cut at a sentence end. */
const MAX_LENGTH_FACTOR = 2;
const URL_LIKE =
  /^[("'«<[]*(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:)\S+$|^[("'«<[]*[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|ly|me|tv|gg|co|info|biz|xyz|app|dev|link|shop|online|site|ru|cn|uk|de|fr|it|es|pt|br|eu)(?:\/\S*)?[)\]"'».,;:!?>]*$/i;

/**
 * Text of a model as it may reach the caller: without fence tags, time marks, Markdown, control characters, and without any
 * address that is not in the source, because a transcript may have talked the model into advertising one.
 *
 * @param source everything that the content itself says, for the addresses
 */
export function cleanOutput(text: string, source: (address: string) => boolean): string {
  return text
    .split('\n')
    .map((line) => cleanLine(line, source))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function cleanLine(line: string, source: (address: string) => boolean): string {
  const words = line
    .replace(DELIMITER_TAG, '')
    .replace(/\[(\d{1,6}|\d{1,3}:\d{2}(?::\d{2})?)\]/g, '')
    .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu, ' ')
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, '$1 $2')
    .split(/\s+/)
    .filter((word) => !URL_LIKE.test(word) || source(bare(word)));
  return words
    .join(' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .trim();
}

/** The address without the marks around it, in lower case. */
function bare(word: string): string {
  return word
    .toLowerCase()
    .replace(/^[("'«<[]+|[)\]"'».,;:!?>]+$/g, '')
    .replace(/^https?:\/\/(?:www\.)?|\/$/g, '');
}

/** Cuts a text that is far too long at the end of a sentence; paragraphs are kept. */
export function limitWords(text: string, wantedWords: number): string {
  const most = wantedWords * MAX_LENGTH_FACTOR;
  if (countWords(text) <= most) return text;
  const kept: string[] = [];
  let count = 0;
  for (const paragraph of text.split(/\n\s*\n/)) {
    const sentences: string[] = [];
    for (const sentence of sentencesOf(paragraph)) {
      count += countWords(sentence);
      if (count > most && kept.length + sentences.length > 0) break;
      sentences.push(sentence);
    }
    if (sentences.length > 0) kept.push(sentences.join(' '));
    if (count > most) break;
  }
  const cut = kept.join('\n\n');
  // One endless sentence.
  return countWords(cut) > most ? `${cut.split(/\s+/).slice(0, most).join(' ')}…` : cut;
}

/** An answer that ran out of tokens ends in the middle of a sentence, which goes. */
export function dropUnfinished(text: string): string {
  const end = Math.max(...['.', '!', '?', '…'].map((mark) => text.lastIndexOf(mark)));
  return end > text.length / 2 ? text.slice(0, end + 1) : text;
}
