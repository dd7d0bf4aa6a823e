import { CLAIM_WORDS } from '../claim-words.js';
import { voiceOf, type ClaimWord } from '../claim.js';
import { ADVERB, endsWell, reaches, YEAR } from './dropped-words.js';
import { isNamedElsewhere } from './named-elsewhere.js';
import { isKnown, isSame } from './same-word.js';
import type { SaidWord, Source } from './source.js';

/** Say whence and whither, in all languages; the others are often exchanged for one another. */
const DIRECTED = new Set(
  'from to into until till para até desde hasta hacia verso fino nach bis aus vers jusqu jusque'.split(' '),
);

/** Finds for each word its place in the source; the places in order, or undefined. */
export function aligned(
  said: readonly SaidWord[],
  source: Source,
  effort: { left: number },
): number[] | undefined {
  const { words, language } = source;
  const { framing } = CLAIM_WORDS[language];
  /** `filled`: what was said last stands for a pronoun of the source. */
  const walk = (i: number, path: number[], filled: boolean): number[] | undefined => {
    if (effort.left-- <= 0) return undefined;
    const previous = path.at(-1) ?? -1;
    // Nothing of the source may give way to it: then something else has been put in its place.
    const next = words[previous + 1];
    const isClear = !filled || previous < 0 || !next || next.border;
    if (i === said.length) {
      return previous >= 0 && isClear && endsWell(said, source, previous) ? path : undefined;
    }
    for (const at of placesOf(said[i]!, source)) {
      if (at <= previous) continue;
      if (!isClear && at > previous + 1) break;
      if (!matches(said, i, source, at) || !reaches(said, source, previous, at, i)) continue;
      const found = walk(i + 1, [...path, at], false);
      if (found) return found;
    }
    if (framing.has(said[i]!.lower)) return walk(i + 1, path, filled);
    return isNamedElsewhere(said, i, path, source) ? walk(i + 1, path, true) : undefined;
  };
  return walk(0, [], false);
}

function placesOf(word: ClaimWord, { words, places, language }: Source): number[] {
  let found = places.get(word.at);
  if (!found) {
    found = words.flatMap((own, at) => (isSame(word, own, language) ? [at] : []));
    places.set(word.at, found);
  }
  return found;
}

/** The same word, number with its unit, or name, behind the same preposition where it was moved or says whence or whither. */
function matches(said: readonly SaidWord[], i: number, source: Source, at: number): boolean {
  const { language, words } = source;
  const word = said[i]!;
  const own = words[at]!;
  if (word.number || own.number) {
    return sameUnit(said, i, source, at) && sameWay(word, source, at);
  }
  if (!sameWay(word, source, at)) return false;
  if (source.agentless) return true;
  const voices = [voiceOf(said, i, language), voiceOf(words, at, language)];
  return !voices.includes('passive') || voices.every((v) => v === 'passive' || v === 'unknown');
}

/** Behind the same preposition, where it was moved or says whence or whither. */
function sameWay(word: SaidWord, { words, language }: Source, at: number): boolean {
  const { prepositions } = CLAIM_WORDS[language];
  const ways = word.lead.filter((l) => DIRECTED.has(l) || (word.moved && prepositions.has(l)));
  if (ways.length === 0) return true;
  let begin = at;
  while (begin > 0 && words[begin]!.adjacent) begin--;
  return ways.some((l) => words[begin]!.lead.includes(l) || words[at]!.lead.includes(l));
}

function sameUnit(said: readonly ClaimWord[], i: number, source: Source, at: number): boolean {
  const next = following(said, i);
  const unit = following(source.words, at);
  const isYear = YEAR.test(said[i]!.term);
  if (unit && next) return isSame(next, unit, source.language) || (isYear && (unit.name || next.name));
  if (unit) return isYear || unit.name || ADVERB.test(unit.lower);
  if (!next) return true;
  return isYear || isKnown(next, [...source.subject, ...source.title], source.language);
}

function following(words: readonly ClaimWord[], at: number): ClaimWord | undefined {
  const next = words[at + 1];
  return next?.adjacent && !next.number ? next : undefined;
}
