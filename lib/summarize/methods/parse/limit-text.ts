import { countWords } from '../../../core/text/count-words.js';
import { sentencesOf } from '../../../core/text/sentences.js';
import { type Language } from '../../../core/text/languages.js';

/** A summary may be so many times as long as asked; what is beyond is cut at a sentence end. */
export const MAX_LENGTH_FACTOR = 2;

/** Cuts a text that is far too long at the end of a sentence; paragraphs are kept. */
export function limitWords(text: string, wantedWords: number, language: Language): string {
  const most = wantedWords * MAX_LENGTH_FACTOR;
  if (countWords(text) <= most) return text;
  const kept: string[] = [];
  let count = 0;
  for (const paragraph of text.split(/\n\s*\n/)) {
    const sentences: string[] = [];
    for (const sentence of sentencesOf(paragraph, { language })) {
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

/** An answer that ran out of tokens ends in the middle of a sentence, which goes unless hardly anything else is there. */
export function dropUnfinished(text: string, language: Language): string {
  const sentences = sentencesOf(text, { language });
  const last = sentences.at(-1);
  if (last === undefined || /[.!?…]["'»”)]*$/.test(last.slice(-6))) return text;
  const end = text.lastIndexOf(last);
  return end > text.length / 2 ? text.slice(0, end).trimEnd() : text;
}

/** A phrase of up to so many words that is said so many times in a row, in so many words, is a loop. */
const LONGEST_PHRASE = 12;
const TIMES = 4;
/** "Very, very, very" may be said. */
const FEWEST_WORDS = 12;

/**
 * Ends a text where its model began to repeat itself: a phrase over and over, without end. Linear.
 * @returns the text up to and with the first time that the phrase is said
 */
export function beforeLoop(text: string): string {
  const words = [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0].toLowerCase(),
    end: match.index + match[0].length,
  }));
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    let run = 0;
    for (let i = length; i < words.length; i++) {
      run = words[i]!.text === words[i - length]!.text ? run + 1 : 0;
      if (run < Math.max(length * (TIMES - 1), FEWEST_WORDS - length)) continue;
      return text.slice(0, words[i - run]!.end);
    }
  }
  return text;
}
