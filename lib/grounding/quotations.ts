import { eachWordSpan } from '../text/each-word.js';
import { firstFrom, lowerCase, type Evidence, type Place } from './evidence.js';

/** Words of the evidence that a quotation stands for. */
export interface FoundQuotation {
  place: Place;
  /** Share of the quotation's words that stand there in this order, 0..1. */
  share: number;
  /** All of them do, with nothing between them; gaps that are marked by an ellipsis aside. */
  isVerbatim: boolean;
  /** Words that the quotation has in place of others, in lower case. */
  changed: ReadonlySet<string>;
  /** A "not" was added or lost. */
  isNegated: boolean;
}

/** Share of the words of a quotation that must stand in order; of speech less, because nobody quotes each "um"; set by hand. */
export const QUOTED = 0.95;
export const QUOTED_SPEECH = 0.8;
/** Longer quotations are compared as far as this, words; a plain bound. */
const MOST_WORDS = 120;
/** Fewer words stand in any text, unless a number is among them; set by hand. */
const LEAST_WORDS = 2;
/** The rarest words of a quotation, and the most places of each, by which it is looked for; plain bounds. */
const ANCHORS = 4;
const MOST_PLACES = 400;
/** Places at which a quotation is compared word by word; a plain bound. */
const MOST_COMPARED = 10;
/** How far words may be shifted against each other; a plain bound. */
const SHIFT = 6;
/** A gap in a quotation. */
const ELLIPSIS = /\s{0,9}(?:[[(]\s{0,9})?(?:\.{3,200}|…)(?:\s{0,9}[\])])?\s{0,9}/;
/** Negations of the six languages; `t` is what is left of "don't". */
export const NEGATIONS = new Set(
  (
    'not no never none neither nor without cannot t nicht kein keine keinen keinem keiner keines nie niemals ohne weder ne n pas jamais aucun ' +
    'aucune sans ni nunca sin ningún ninguna non mai nessun nessuno nessuna senza né não nem sem nenhum nenhuma'
  ).split(' '),
);

/** Words of a text in lower case, as evidence has them. */
export function comparedWords(text: string): string[] {
  const lower = lowerCase(text);
  const words: string[] = [];
  eachWordSpan(lower, (from, to) => words.push(lower.slice(from, to)));
  return words;
}

/**
 * Looks for the words of a quotation: case, punctuation and white space aside. In scripts without blanks characters are compared.
 *
 * @param within where the words must lie; default: anywhere
 * @param near of equal matches the one that is nearest to this place is taken; default: the first
 * @returns the best match, however small; undefined where no word stands anywhere, and for less than two words without a number
 */
export function findQuotation(
  quotation: string,
  evidence: Evidence,
  within?: Place,
  near?: Place,
): FoundQuotation | undefined {
  const parts = quotation
    .split(ELLIPSIS)
    .map(comparedWords)
    .filter((words) => words.length > 0);
  const count = parts.reduce((sum, words) => sum + words.length, 0);
  if (count === 0 || (count < LEAST_WORDS && !/\d/.test(quotation))) return undefined;
  const reach = within ? evidence.wordsAt(within) : { from: 0, to: evidence.words.length };
  const target = near && evidence.wordsAt(near).from;
  let found = findWords(parts[0]!, evidence, reach, target);
  for (const part of parts.slice(1)) {
    if (!found) return undefined;
    const next = findWords(part, evidence, { ...reach, from: found.to }, found.to);
    const isSame =
      next && evidence.placeOf(found.from, found.to).source === evidence.placeOf(next.from, next.to).source;
    if (isSame) found = { ...joined(found, next), to: next.to };
    else found = { ...found, wanted: found.wanted + part.length, isVerbatim: false };
  }
  if (!found) return undefined;
  const { from, to, matched, wanted, isVerbatim, changed, isNegated } = found;
  const place = withSigns(evidence.placeOf(from, to), evidence);
  return { place, share: matched / wanted, isVerbatim, changed, isNegated };
}

const SIGN_AFTER = /^[^\S\n]?[€$£¥%‰]/;

/** With the signs that belong to the first and last word: `€24`, `37,50 €`, `(1894)`. */
function withSigns({ source, start, end }: Place, evidence: Evidence): Place {
  const { text } = evidence.sources[source]!;
  const begin = /[€$£¥]/.test(text[start - 1] ?? '') ? start - 1 : start;
  const quoted = text.slice(begin, end);
  const isOpen = text[end] === ')' && quoted.lastIndexOf('(') > quoted.lastIndexOf(')');
  const sign = SIGN_AFTER.exec(text.slice(end, end + 2))?.[0] ?? '';
  return { source, start: begin, end: end + (isOpen ? 1 : sign.length) };
}

interface Match extends Omit<FoundQuotation, 'place' | 'share'> {
  /** The words of the evidence `[from, to)`. */
  from: number;
  to: number;
  matched: number;
  wanted: number;
}

function joined(a: Match, b: Match): Match {
  return {
    from: a.from,
    to: b.to,
    matched: a.matched + b.matched,
    wanted: a.wanted + b.wanted,
    isVerbatim: a.isVerbatim && b.isVerbatim,
    changed: new Set([...a.changed, ...b.changed]),
    isNegated: a.isNegated || b.isNegated,
  };
}

function findWords(
  given: readonly string[],
  evidence: Evidence,
  { from, to }: { from: number; to: number },
  near: number | undefined,
): Match | undefined {
  const words = given.slice(0, MOST_WORDS);
  const anchors = words
    .map((word, offset) => ({ offset, places: evidence.placesOf(word) }))
    .filter(({ places }) => places.length > 0)
    .sort((a, b) => a.places.length - b.places.length)
    .slice(0, ANCHORS);
  const votes = new Map<number, number>();
  for (const { offset, places } of anchors) {
    const at = near ?? from;
    const first = firstFrom((i) => places[i]!, Math.max(from, at), 0, places.length);
    const begin = Math.max(0, Math.min(first, places.length - MOST_PLACES));
    for (const place of places.slice(begin, begin + MOST_PLACES))
      if (place >= from && place < to) votes.set(place - offset, (votes.get(place - offset) ?? 0) + 1);
  }
  const distance = (start: number): number => Math.abs(start - (near ?? from));
  let best: Match | undefined;
  let compared = 0;
  // No other place has more words of the quotation than a verbatim match.
  for (let count = anchors.length; count > 0 && compared < MOST_COMPARED && !best?.isVerbatim; count--) {
    const starts = [...votes.keys()].filter((start) => votes.get(start) === count);
    starts.sort((a, b) => distance(a) - distance(b));
    for (const start of starts.slice(0, MOST_COMPARED - compared)) {
      compared++;
      const match = compare(words, evidence.words, start, from, to);
      if (rankOf(match) > rankOf(best)) best = match;
      if (best?.isVerbatim) break;
    }
  }
  return best;
}

const rankOf = (match: Match | undefined): number =>
  match ? 2 * match.matched + Number(match.isVerbatim) : 0;

/** The longest common subsequence of a quotation and the words around a place. */
function compare(
  wanted: readonly string[],
  words: readonly string[],
  start: number,
  from: number,
  to: number,
): Match | undefined {
  if (start >= from && start + wanted.length <= to && wanted.every((word, i) => words[start + i] === word)) {
    const end = start + wanted.length;
    return {
      from: start,
      to: end,
      matched: wanted.length,
      wanted: wanted.length,
      isVerbatim: true,
      changed: new Set(),
      isNegated: false,
    };
  }
  const [first, last] = [Math.max(from, start - SHIFT), Math.min(to, start + wanted.length + SHIFT)];
  const width = last - first + 1;
  if (width <= 1) return undefined;
  const lengths = new Uint8Array((wanted.length + 1) * width);
  for (let i = wanted.length - 1; i >= 0; i--)
    for (let j = width - 2; j >= 0; j--) {
      const isSame = wanted[i] === words[first + j];
      const [down, right] = [lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!];
      lengths[i * width + j] = isSame ? lengths[(i + 1) * width + j + 1]! + 1 : Math.max(down, right);
    }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < wanted.length && j < width - 1;) {
    // As late as possible for the first word, so that the stretch is short.
    const isLate = pairs.length === 0 && lengths[i * width + j + 1] === lengths[i * width + j];
    if (wanted[i] === words[first + j] && !isLate) pairs.push([i++, first + j++]);
    else if (isLate) j++;
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  if (pairs.length === 0) return undefined;
  const [begin, end] = [pairs[0]![1], pairs.at(-1)![1] + 1];
  const own = new Set(pairs.map(([i]) => i));
  const changed = new Set(wanted.filter((_, i) => !own.has(i)));
  // With what stands where the words before the first and after the last common one should be.
  const [before, after] = [pairs[0]![0], wanted.length - 1 - pairs.at(-1)![0]];
  const said = words.slice(Math.max(from, begin - before), Math.min(to, end + after));
  const isNegated = negationsIn(wanted) !== negationsIn(said);
  const matched = pairs.length;
  return { from: begin, to: end, matched, wanted: wanted.length, isVerbatim: false, changed, isNegated };
}

function negationsIn(words: readonly string[]): number {
  return words.filter((word) => NEGATIONS.has(word)).length;
}
