import { detectLanguage } from '../../core/text/detect-language.js';
import { functionWords } from '../../core/text/word-lists.js';
import { sentencesOf } from '../../core/text/sentences.js';
import { fillersOf } from './fillers.js';

/** A query of more words is written to a person, not to a search engine. */
const LONG = 12;
/** With several sentences, or a phrase that only leads to the question, fewer words are long already. */
const LONG_WITH_FILLER = 8;
/** Words of a rewritten query; what a page about the matter may well hold together. */
const MOST_WORDS = 12;
const LEAST_WORDS = 2;
/** Stands where a filler was left out. */
const GAP = ' ; ';
/** A filler that a sentence began with. */
const OPENING_GAP = /(?<=[.!?…]\s+); /;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[.,'’-][\p{L}\p{M}\p{N}]+)*/gu;

/**
 * The words that a search engine needs of a query that was written to a person: without greetings, politeness, the asker's situation
 * and function words; names, numbers and what is asked stay in their order. Undefined for a query that is short, or that says no less
 * when it is rewritten.
 *
 * @param text one query, 1..400 characters
 */
export function keywordQuery(text: string): string | undefined {
  const language = detectLanguage(text) ?? 'en';
  const count = wordsOf(text).length;
  if (count <= LONG_WITH_FILLER) return undefined;
  const plain = text.replace(/[‘’]/g, "'");
  const stripped = plain.replace(fillersOf(language), GAP);
  const sentences = sentencesOf(plain).filter((s) => wordsOf(s).length > 0);
  if (count <= LONG && sentences.length < 2 && stripped === plain) return undefined;
  const functional = functionWords(language);
  const kept = new Map<string, string>();
  for (const sentence of weightiest(stripped)) {
    for (const word of wordsOf(sentence)) {
      const lower = word.toLowerCase();
      const bare = lower.replace(/^(?:l|d|dell|nell|all|dall|sull|un|qu|j|s|n|c)['’]|['’]s$/u, '');
      if (functional.has(lower) || functional.has(bare) || (bare.length < 2 && !/\p{N}/u.test(bare)))
        continue;
      if (kept.size < MOST_WORDS && !kept.has(bare)) kept.set(bare, word.replace(/['’]s$/u, ''));
    }
  }
  if (kept.size < LEAST_WORDS || kept.size >= count) return undefined;
  return [...kept.values()].join(' ');
}

function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** The questions first, then the other sentences: what stands around a question is its context. */
function weightiest(text: string): string[] {
  const sentences = text.split(OPENING_GAP).flatMap((part) => sentencesOf(part));
  const asks = sentences.filter((s) => s.trimEnd().endsWith('?'));
  const others = sentences.filter((s) => !asks.includes(s));
  // A question that only points back ("Who made it?") needs what it points to.
  const content = asks.reduce((sum, s) => sum + wordsOf(s).filter((w) => w.length > 3).length, 0);
  return asks.length > 0 && content >= 5 ? asks : [...others, ...asks];
}
