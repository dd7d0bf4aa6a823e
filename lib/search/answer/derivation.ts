import type { Language } from '../../core/text/index.js';
import { CLAIM_WORDS } from './claim-words.js';
import { activeOrder, claimOf, voiceOf, type Claim, type ClaimWord } from './claim.js';
import { denialsIn } from './denials.js';
import { sharesRoot } from './evidence.js';
import { oppositionOf } from './opposites.js';
import { areParaphrases } from './paraphrases.js';
import type { Token } from './tokens.js';

/** A sentence of a source and what it speaks of without naming it. */
export interface SourceSentence {
  text: string;
  /** Of the page's title. */
  title: readonly Token[];
  /** What a pronoun at its beginning stands for, the head first. */
  subject: readonly Token[];
}

interface Source extends SourceSentence {
  claim: Claim;
  words: readonly ClaimWord[];
  /** For each word that is said, by its place: where the source has it. */
  places: Map<number, number[]>;
  language: Language;
  /** True where nobody needs to be named who acts, since the sentence was turned into the passive. */
  agentless: boolean;
}

/** A word of the sentence in the order that is tried; `moved` stands at the beginning of what was moved, `nth` is its place before. */
type SaidWord = ClaimWord & { moved?: boolean; nth: number };

/** Endings by which a name becomes that of its people, a plural or a possessive. */
const NAME_ENDINGS =
  /^(?:s|n|an|ian|ean|ese|i|ish|es|er|en|isch|ische|ischen|o|a|os|as|e|y|ien|ienne|ais|aise|ois|oise)?$/;
/** Work on one sentence: beyond it the answer is no. */
const MOST_STEPS = 3000;
const MOST_ORDERS = 200;
/** Longest adjunct that is moved, in words. */
const MOST_MOVED = 8;
/** Say whence and whither, in all languages; the others are often exchanged for one another. */
const DIRECTED = new Set(
  'from to into until till para até desde hasta hacia verso fino nach bis aus vers jusqu jusque'.split(' '),
);
const PARTICLE = /^(?:de|da|di|du|del|della|van|von|der|den|le|la|el|al|bin|ibn)$/;
/** Open a clause that stands on its own feet: what is said in front of it does not bear on it. */
const RELATIVE = new Set(['which', 'who', 'whose', 'where']);
/** Where a clause with a subject of its own may begin. */
const CLAUSE_END = /[;:.]|,(?=\s+(?:and|but|e|y|ed|ma|mas|pero|und|aber|et|mais)\s)/g;
/** A number that can be a year: alone among numbers it is no quantity and has no unit. */
const YEAR = /^(?:1\d{3}|20\d\d|21\d\d)$/;
const ADVERB =
  /(?:ly|mente|ment)$|^(?:alone|almost|mostly|today|now|still|again|together|later|once|twice|half|ever|away|back|AD|BC)$/;

/**
 * Whether a sentence says nothing but what a source sentence says. It must be what is left of the source sentence when whole phrases
 * are dropped, one adjunct is moved to the other end, the voice is turned, a pronoun is replaced by what it stands for, or a word by a
 * synonym. Nothing may be added, no party, number or unit be joined with a word that it does not stand with, no denial or reservation
 * be lost. Deliberately strict: what cannot be shown in code is not shown to the caller.
 */
export function isDerived(sentence: string, source: SourceSentence, language: Language): boolean {
  if (source.text.trimEnd().endsWith('?')) return false;
  const bare = (text: string): string => text.trim().replace(/[.!…]+$/, '');
  if (bare(sentence) === bare(source.text)) return true;
  const said = claimOf(sentence, language);
  const claim = claimOf(source.text, language);
  if (said.words.length === 0 || claim.words.length === 0) return false;
  const read: Source = {
    ...source,
    claim,
    words: claim.words,
    places: new Map(),
    language,
    agentless: false,
  };
  // Whatever the order: a word that the source has nowhere is one too many.
  const elsewhere = [...source.subject, ...source.title];
  const { framing } = CLAIM_WORDS[language];
  const isThere = (word: ClaimWord): boolean =>
    framing.has(word.lower) || isKnown(word, claim.words, language) || isKnown(word, elsewhere, language);
  if (!said.words.every(isThere)) return false;
  const effort = { left: MOST_STEPS };
  const asSaid = moves(said.words, language);
  const active = activeOrder(said.words, language);
  const asActive = active ? moves(active.words, language) : [];
  const turned = activeOrder(claim.words, language);
  const holds = (order: SaidWord[], of: Source, all = false): boolean => {
    const path = aligned(order, of, effort);
    return !!path && keepsReservations(said, of, all ? [] : path);
  };
  return (
    asSaid.some((order) => holds(order, read)) ||
    asActive.some((order) => holds(order, { ...read, agentless: !active!.agent })) ||
    // Where the source is turned, places say nothing: each of its reservations counts.
    (!!turned?.agent &&
      asSaid.some((order) => holds(order, { ...read, words: turned.words, places: new Map() }, true)))
  );
}

/** The words as they stand, and with one adjunct at another place. */
function moves(said: readonly ClaimWord[], language: Language): SaidWord[][] {
  const words = said.map((word, nth) => ({ ...word, nth }));
  const { prepositions } = CLAIM_WORDS[language];
  const opensAdjunct = (word: ClaimWord): boolean => word.lead.some((l) => prepositions.has(l));
  const opens = (at: number): boolean =>
    at >= words.length || words[at]!.lead.length > 0 || words[at]!.border;
  const all: SaidWord[][] = [[...words]];
  for (let from = 0; from < words.length; from++) {
    if (!opensAdjunct(words[from]!)) continue;
    for (let to = from + 1; to <= Math.min(words.length, from + MOST_MOVED); to++) {
      // What stands in front of a clause may end anywhere: "In 1665 Hooke …".
      if (from > 0 && !opens(to)) continue;
      const block = words.slice(from, to).map((w, i) => (i === 0 ? { ...w, moved: true } : w));
      const rest = [...words.slice(0, from), ...words.slice(to)];
      const stitched = rest.map((w, i) => (i === from ? { ...w, adjacent: false } : w));
      for (let at = 0; at <= rest.length; at++) {
        if (
          at === from ||
          !(at === 0 || at === rest.length || stitched[at]!.lead.length > 0 || stitched[at]!.border)
        )
          continue;
        all.push([...stitched.slice(0, at), ...block, ...stitched.slice(at)]);
      }
    }
  }
  return all.slice(0, MOST_ORDERS);
}

/** Finds for each word its place in the source; the places in order, or undefined. */
function aligned(said: readonly SaidWord[], source: Source, effort: { left: number }): number[] | undefined {
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

/** Whether the source leads from one of its words to a later one when what stands between is dropped. */
function reaches(said: readonly ClaimWord[], source: Source, from: number, to: number, i: number): boolean {
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

/** Not behind a preposition: "sonnets of his have come" has "sonnets" for its subject. */
function hasPronoun(word: ClaimWord | undefined, language: Language): boolean {
  const { pronouns, prepositions, joints } = CLAIM_WORDS[language];
  return !!word?.lead.some((l, k) => {
    const before = word.lead[k - 1] ?? '';
    return pronouns.has(l) && (!prepositions.has(before) || joints.has(before) || before === 'which');
  });
}

/** What is dropped at the end is a phrase, no head of one. */
function endsWell(said: readonly ClaimWord[], { words }: Source, last: number): boolean {
  const next = words[last + 1];
  if (!next?.adjacent || said.at(-1)!.number || words[last]!.number) return true;
  return ADVERB.test(next.text) || /ing$/.test(next.lower);
}

/** What the source means without saying it there: the subject of the page or of the sentence before. */
function isNamedElsewhere(
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

/** What still has its pronoun has not been put for it. */
function keepsPronoun(said: ClaimWord, source: ClaimWord, language: Language): boolean {
  const { pronouns } = CLAIM_WORDS[language];
  return source.lead.some((l) => pronouns.has(l) && said.lead.includes(l));
}

function isKnown(word: Token, tokens: readonly Token[], language: Language): boolean {
  return tokens.some((t) => isSame(word, t, language));
}

/** One stem, two synonyms, or a name and the word made of it; never two that contradict each other. */
function isSame(a: Token, b: Token, language: Language): boolean {
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

/** The same denials, every reservation of what is used of the source, no limit that it has not. */
function keepsReservations(said: Claim, { claim, language }: Source, path: readonly number[]): boolean {
  const { hedges, limits } = CLAIM_WORDS[language];
  const used = usedText(claim, path);
  if (denialsIn(said.text, language) !== denialsIn(used, language)) return false;
  // A capital May is a month.
  const hedgesOf = (text: string): string[] =>
    text
      .replace(/(?<!^\W*)\bMay\b/g, '')
      .toLowerCase()
      .match(hedges) ?? [];
  const own = new Set(hedgesOf(said.text));
  if (hedgesOf(used).some((h) => !own.has(h))) return false;
  const limitsOf = (text: string): string[] =>
    (text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []).filter((w) => limits.has(w));
  const there = limitsOf(claim.text);
  return limitsOf(said.text).every((limit) => there.includes(limit));
}

/**
 * The source from the beginning of the clause that is used to the end of its last phrase, without other clauses that are dropped in
 * between. All of it for an empty path.
 */
function usedText({ text, words }: Claim, path: readonly number[]): string {
  if (path.length === 0) return text;
  const first = path[0]!;
  const last = path.at(-1)!;
  let end = last + 1;
  while (end < words.length && !words[end]!.border) end++;
  const before = text.slice(0, words[first]!.at);
  const isRelative = first > 0 && words[first]!.lead.some((l) => RELATIVE.has(l));
  const start = isRelative
    ? words[first - 1]!.end
    : Math.max(0, ...[...before.matchAll(CLAUSE_END)].map((m) => m.index + 1));
  let used = '';
  let from = start;
  path.forEach((at, k) => {
    const next = path[k + 1];
    if (next === undefined || next === at + 1 || !words.slice(at + 1, next + 1).some((w) => w.border)) return;
    let opens = next;
    while (opens > at + 1 && !words[opens]!.border) opens--;
    used += text.slice(from, words[at]!.end) + ' ';
    from = words[opens - 1]!.end;
  });
  return used + text.slice(from, end < words.length ? words[end - 1]!.end : text.length);
}
