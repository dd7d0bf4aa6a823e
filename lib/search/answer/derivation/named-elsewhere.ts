import type { Language } from '../../../core/text/index.js';
import { CLAIM_WORDS } from '../claim-words.js';
import { voiceOf, type ClaimWord } from '../claim.js';
import { isKnown, isSame } from './same-word.js';
import type { SaidWord, Source } from './source.js';

/** What the source means without saying it there: the subject of the page or of the sentence before. */
export function isNamedElsewhere(
  said: readonly SaidWord[],
  i: number,
  path: readonly number[],
  source: Source,
): boolean {
  const { words, language, title, subject } = source;
  const word = said[i]!;
  if (word.number) return false;
  // "The Eiffel Tower" for "the tower", on a page of that title.
  const expands = (other: ClaimWord | undefined): boolean =>
    !!other && isKnown(other, title, language) && isKnown(other, words, language);
  if (isKnown(word, title, language) && !isKnown(word, words, language)) {
    if ((said[i + 1]?.adjacent && expands(said[i + 1])) || (word.adjacent && expands(said[i - 1])))
      return true;
  }
  const previous = path.at(-1) ?? -1;
  // "Four tonnes of krill" for "krill, of which … four tonnes".
  const which = words.findIndex(
    (w, at) => at > 0 && at <= (path[0] ?? -1) && w.border && w.lead.includes('which'),
  );
  if (which > 0 && word.lead.includes('of') && isSame(word, words[which - 1]!, language)) return true;
  if (isKnown(word, words, language) || !isKnown(word, subject, language)) return false;
  // It stands where it was said: with what was moved beside it, it would seem to take that one's place.
  const { nth } = said[i]!;
  const follows = i === 0 ? nth === 0 : nth === 0 || said[i - 1]!.nth === nth - 1;
  const precedes = nth === said.length - 1 || said[i + 1]?.nth === nth + 1;
  if (!follows || !precedes || said[i]!.moved || (i > 0 && nth > 0 && word.border)) return false;
  if (i > 0 && word.adjacent && isKnown(said[i - 1]!, subject, language)) return true;
  if (previous < 0) {
    // The subject, before a clause whose own subject is a pronoun.
    if (i > 0) return true;
    const next = said.find((w, at) => at > i && !isKnown(w, subject, language));
    const begin = next ? words.findIndex((w) => isSame(w, next, language)) : -1;
    if (!next || begin < 0 || keepsPronoun(next, words[begin]!, language)) return false;
    return (
      hasPronoun(words[begin], language) ||
      (words[begin]!.border && hasPronoun(words[0], language)) ||
      (begin === 0 && voiceOf(words, 0, language) !== 'none')
    );
  }
  const before = words[previous]!;
  let own = i - 1;
  while (own >= 0 && !isSame(said[own]!, before, language)) own--;
  if (before.number) return word.adjacent || !!said[i - 1]?.number;
  // "Found Neptune in Berlin" for "found it in Berlin".
  const after = words[previous + 1];
  if (after?.lead.some((l) => CLAIM_WORDS[language].pronouns.has(l))) {
    const follows = said.find((w, at) => at > i && isSame(w, after, language));
    return !(follows && keepsPronoun(follows, after, language));
  }
  // "The calls of the whale" for "its calls".
  let begin = previous;
  let first = own;
  for (; begin > 0 && words[begin]!.adjacent; begin--) first--;
  const lead = said[first];
  return (
    hasPronoun(words[begin], language) &&
    !(lead && keepsPronoun(lead, words[begin]!, language)) &&
    (word.lead.length > 0 || word.adjacent)
  );
}

/** Not behind a preposition: "sonnets of his have come" has "sonnets" for its subject. */
export function hasPronoun(word: ClaimWord | undefined, language: Language): boolean {
  const { pronouns, prepositions, joints } = CLAIM_WORDS[language];
  return !!word?.lead.some((l, k) => {
    const before = word.lead[k - 1] ?? '';
    return pronouns.has(l) && (!prepositions.has(before) || joints.has(before) || before === 'which');
  });
}

/** What still has its pronoun has not been put for it. */
function keepsPronoun(said: ClaimWord, source: ClaimWord, language: Language): boolean {
  const { pronouns } = CLAIM_WORDS[language];
  return source.lead.some((l) => pronouns.has(l) && said.lead.includes(l));
}
