import type { Language } from '../../../core/text/index.js';
import { CLAIM_WORDS } from '../claim-words.js';
import { voiceOf, type ClaimWord } from '../claim.js';
import { hasPronoun } from './named-elsewhere.js';
import { isKnown } from './same-word.js';
import type { Source } from './source.js';

const PARTICLE = /^(?:de|da|di|du|del|della|van|von|der|den|le|la|el|al|bin|ibn)$/;

/** A number that can be a year: alone among numbers it is no quantity and has no unit. */
export const YEAR = /^(?:1\d{3}|20\d\d|21\d\d)$/;

/** Words that may be left out anywhere: they modify, and neither name nor count. */
export const ADVERB =
  /(?:ly|mente|ment)$|^(?:alone|almost|mostly|today|now|still|again|together|later|once|twice|half|ever|away|back|AD|BC)$/;

/** Whether the source leads from one of its words to a later one when what stands between is dropped. */
export function reaches(
  said: readonly ClaimWord[],
  source: Source,
  from: number,
  to: number,
  i: number,
): boolean {
  const { words, language } = source;
  if (from < 0) return startsWell(source, to);
  if (to === from + 1) return !opensEllipsis(source, to) || isWhole(said, source, to, i);
  let run = to;
  while (run > from + 1 && isNameRun(words, run)) run--;
  // The day and month of a year.
  if (YEAR.test(words[to]!.term)) while (run > from + 1 && to - run < 2 && words[run]!.adjacent) run--;
  const dropped = words.slice(from + 1, run);
  if (dropped.every((w) => ADVERB.test(w.text))) return true;
  const first = dropped[0]!;
  if (words.slice(from + 1, run + 1).some((w) => w.border)) return crosses(said, source, from, run, to, i);
  const landing = words[run]!;
  // Modifiers: "a (simple) microscope".
  if (
    landing.adjacent &&
    dropped.every((w, k) => !w.number && !w.name && (k === 0 || w.adjacent)) &&
    !first.adjacent
  )
    return true;
  // "From ten to twenty" is not ten.
  if (words[from]!.number && first.number) return false;
  const { prepositions } = CLAIM_WORDS[language];
  const isAdjunct = (w: ClaimWord): boolean => w.lead.some((l) => prepositions.has(l));
  if (!isAdjunct(first) && !ADVERB.test(first.text)) return false;
  if (dropped.some((w) => !w.adjacent && !isAdjunct(w) && !ADVERB.test(w.text))) return false;
  return (
    !(words[to]!.number && dropped.some((w) => w.number)) && !(words[to]!.name && dropped.some((w) => w.name))
  );
}

/** What is dropped at the end is a phrase, no head of one. */
export function endsWell(said: readonly ClaimWord[], { words }: Source, last: number): boolean {
  const next = words[last + 1];
  if (!next?.adjacent || said.at(-1)!.number || words[last]!.number) return true;
  return ADVERB.test(next.text) || /ing$/.test(next.lower);
}

/** A sentence begins where a clause of the source does, or after the pronoun that it puts a name for. */
function startsWell({ words, agentless, language }: Source, at: number): boolean {
  let first = at;
  while (first > 0 && isNameRun(words, first)) first--;
  const begin = words[first]!;
  if (first === 0 || begin.border || agentless || hasPronoun(begin, language)) return true;
  // "By July 1932 the index …": an adjunct in front that nothing marks off but the article behind it.
  let clause = first;
  while (!words[clause]!.border) clause--;
  const opensAdjunct = (w: ClaimWord): boolean =>
    w.lead.some((l) => CLAIM_WORDS[language].prepositions.has(l));
  return opensAdjunct(words[clause]!) && begin.lead.length > 0 && !opensAdjunct(begin);
}

/** What is dropped ends a clause or a member of a list: only what opens another may follow. */
function crosses(
  said: readonly ClaimWord[],
  source: Source,
  from: number,
  run: number,
  to: number,
  i: number,
): boolean {
  const { words, language } = source;
  const landing = words[run]!;
  const { prepositions } = CLAIM_WORDS[language];
  if (!landing.border) {
    // "The laws of motion (and of gravity) in the Principia": members behind the same preposition share what follows.
    const next = words[from + 1]!;
    const shared = next.lead.filter((l) => prepositions.has(l));
    return (
      next.border &&
      shared.some((l) => words[from]!.lead.includes(l)) &&
      landing.lead.some((l) => prepositions.has(l)) &&
      !words.slice(from + 2, run + 1).some((w) => w.border)
    );
  }
  // "… lost nine tenths, and did not recover until 1954": the adjunct belongs to what is dropped.
  const isAdjunct = landing.lead.some((l) => prepositions.has(l));
  if (isAdjunct && words.slice(from + 1, run).some((w) => w.border)) return false;
  const voice = voiceOf(words, to, language);
  if (isVerb(words[to]!, language) || voice === 'passive' || voice === 'unknown') return true;
  return isWhole(said, source, to, i);
}

/** "At 343 metres per second, in water four times as fast": an adjunct behind a comma may open a clause whose verb is left out. */
function opensEllipsis({ words, language }: Source, at: number): boolean {
  const { prepositions, joints } = CLAIM_WORDS[language];
  const { lead, border } = words[at]!;
  return (
    border && lead.some((l) => prepositions.has(l)) && !lead.some((l) => prepositions.has(l) && joints.has(l))
  );
}

/** Whether all up to the end of the clause or member of a list is said. */
function isWhole(said: readonly ClaimWord[], { words, language }: Source, from: number, i: number): boolean {
  let end = from + 1;
  while (end < words.length && !words[end]!.border) end++;
  return words.slice(from + 1, end).every((word) => isKnown(word, said.slice(i), language));
}

/** "Robert" `Hooke`, "de" `Klerk`: the word goes on a name that began before it. */
function isNameRun(words: readonly ClaimWord[], at: number): boolean {
  const isPart = (w: ClaimWord): boolean => /^\p{Lu}/u.test(w.text) || PARTICLE.test(w.text);
  return words[at]!.adjacent && !words[at]!.number && isPart(words[at]!) && isPart(words[at - 1]!);
}

function isVerb(word: ClaimWord, language: Language): boolean {
  return language === 'en' && !word.name && !word.number && /(?:[^e]ed|[^su]s)$/.test(word.lower);
}
