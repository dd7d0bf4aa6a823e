import type { Language } from '../../../core/text/index.js';
import { sharesRoot } from '../evidence.js';
import { oppositionOf } from '../opposites.js';
import { areParaphrases } from '../paraphrases.js';
import type { Token } from '../tokens.js';

/** Endings by which a name becomes that of its people, a plural or a possessive. */
const NAME_ENDINGS =
  /^(?:s|n|an|ian|ean|ese|i|ish|es|er|en|isch|ische|ischen|o|a|os|as|e|y|ien|ienne|ais|aise|ois|oise)?$/;

export function isKnown(word: Token, tokens: readonly Token[], language: Language): boolean {
  return tokens.some((t) => isSame(word, t, language));
}

/** One stem, two synonyms, or a name and the word made of it; never two that contradict each other. */
export function isSame(a: Token, b: Token, language: Language): boolean {
  if (a.number || b.number) return a.number && b.number && a.term === b.term;
  if (a.term === b.term) return true;
  if (/^\p{Lu}/u.test(a.text) && /^\p{Lu}/u.test(b.text) && (a.name || b.name) && language !== 'de')
    return sameName(a.lower, b.lower);
  if (oppositionOf(a, b, language)) return false;
  return areParaphrases(a.term, b.term, language) || sharesRoot(a.lower, b.lower);
}

function sameName(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const root = short.length > 4 ? short.replace(/[aeoy]$/, '') : short;
  return (
    root.length > 3 &&
    long.startsWith(root) &&
    NAME_ENDINGS.test(long.slice(root.length)) &&
    NAME_ENDINGS.test(short.slice(root.length))
  );
}
