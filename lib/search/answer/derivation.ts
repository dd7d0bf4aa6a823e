import type { Language } from '../../core/text/index.js';
import { CLAIM_WORDS } from './claim-words.js';
import { activeOrder, claimWords, voiceOf, type ClaimWord } from './claim.js';
import { denialsIn } from './denials.js';
import { sharesRoot } from './evidence.js';
import { areParaphrases, oppositesOfTerm } from './paraphrases.js';
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
  words: readonly ClaimWord[];
  language: Language;
  /** True where nobody needs to be named who acts, since the sentence was turned into the passive. */
  agentless: boolean;
}

/** Endings by which a name becomes that of its people, a plural or a possessive. */
const NAME_ENDINGS =
  /^(?:s|n|an|ian|ean|ese|i|ish|es|er|en|isch|ische|ischen|o|a|os|as|e|y|ien|ienne|ais|aise|ois|oise)?$/;
const MOST_STEPS = 4000;
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
  const said = claimWords(sentence, language);
  const words = claimWords(source.text, language);
  if (said.length === 0 || words.length === 0) return false;
  const read: Source = { ...source, words, language, agentless: false };
  return (
    orders(said, language).some((order) => {
      const window = aligned(order.words, order.passive ? { ...read, agentless: order.agentless } : read);
      return window !== undefined && keepsReservations(sentence, source.text, words, window, language);
    }) || fromPassive(sentence, said, read)
  );
}

/** A source in the passive, a sentence in the active. */
function fromPassive(sentence: string, said: readonly ClaimWord[], source: Source): boolean {
  const { language } = source;
  const active = activeOrder(source.words, language);
  if (!active?.agent) return false;
  const turned: Source = { ...source, words: active.words };
  return rotations(said, language).some((order) => {
    const window = aligned(order, turned);
    return (
      !!window &&
      keepsReservations(
        sentence,
        source.text,
        source.words,
        { from: 0, to: source.words.length - 1 },
        language,
      )
    );
  });
}

interface Order {
  words: ClaimWord[];
  passive: boolean;
  agentless: boolean;
}

function orders(said: readonly ClaimWord[], language: Language): Order[] {
  const active = activeOrder(said, language);
  return [
    ...rotations(said, language).map((words) => ({ words, passive: false, agentless: false })),
    ...(active
      ? rotations(active.words, language).map((words) => ({ words, passive: true, agentless: !active.agent }))
      : []),
  ];
}

/** The words as they stand, and with an adjunct from one end at the other. */
function rotations(words: readonly ClaimWord[], language: Language): ClaimWord[][] {
  const { prepositions } = CLAIM_WORDS[language];
  const opensAdjunct = (word: ClaimWord): boolean => word.lead.some((l) => prepositions.has(l));
  const all = [[...words]];
  for (let cut = 1; cut < words.length; cut++) {
    const front = opensAdjunct(words[0]!) || words[cut]!.border;
    if (!front && !opensAdjunct(words[cut]!)) continue;
    const turned = [...words.slice(cut), ...words.slice(0, cut)].map((w, i) =>
      i === words.length - cut ? { ...w, adjacent: false } : w,
    );
    all.push(turned);
  }
  return all;
}

/** Finds for each word its place in the source; the first and the last of them, or undefined. */
function aligned(said: readonly ClaimWord[], source: Source): { from: number; to: number } | undefined {
  let steps = 0;
  const walk = (i: number, previous: number, first: number): { from: number; to: number } | undefined => {
    if (++steps > MOST_STEPS) return undefined;
    if (i === said.length) {
      return previous >= 0 && endsWell(said, source, previous) ? { from: first, to: previous } : undefined;
    }
    const word = said[i]!;
    for (let at = previous + 1; at < source.words.length; at++) {
      if (!matches(said, i, source, at) || !reaches(said, source, previous, at, i)) continue;
      const window = walk(i + 1, at, first < 0 ? at : first);
      if (window) return window;
    }
    if (CLAIM_WORDS[source.language].framing.has(word.lower) || isNamedElsewhere(said, i, previous, source))
      return walk(i + 1, previous, first);
    return undefined;
  };
  return walk(0, -1, -1);
}

/** The same word, number with its unit, or name. */
function matches(said: readonly ClaimWord[], i: number, source: Source, at: number): boolean {
  const word = said[i]!;
  const own = source.words[at]!;
  if (word.number || own.number) {
    return word.number && own.number && word.term === own.term && sameUnit(said, i, source, at);
  }
  if (!isSame(word, own, source.language)) return false;
  const voices = [voiceOf(said, i, source.language), voiceOf(source.words, at, source.language)];
  return !(voices.includes('active') && voices.includes('passive')) || source.agentless;
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
  const between = words.slice(from + 1, to);
  if (between.length === 0) return true;
  let run = to;
  while (run > from + 1 && words[run]!.adjacent && words[run]!.name && words[run - 1]!.name) run--;
  const dropped = words.slice(from + 1, run);
  if (dropped.length === 0) return true;
  if (dropped.every((w) => ADVERB.test(w.text))) return true;
  if (dropped[0]!.adjacent && !words[from]!.number && !ADVERB.test(dropped[0]!.text) && !words[run]!.border)
    return false;
  // "From ten to twenty" is not ten.
  if (words[from]!.number && dropped[0]!.number) return false;
  if (words.slice(from + 1, run + 1).some((w) => w.border)) {
    if (!words[run]!.border) return false;
    const voice = voiceOf(words, to, language);
    if (isVerb(words[to]!, language) || voice === 'passive' || voice === 'unknown') return true;
    // Another member of a list: only whole.
    for (let at = to + 1; at < words.length && !words[at]!.border; at++) {
      if (!said.slice(i).some((w) => isSame(w, words[at]!, language))) return false;
    }
    return true;
  }
  return (
    !(words[to]!.number && dropped.some((w) => w.number)) && !(words[to]!.name && dropped.some((w) => w.name))
  );
}

function isVerb(word: ClaimWord, language: Language): boolean {
  return language === 'en' && !word.name && !word.number && /(?:[^e]ed|[^su]s)$/.test(word.lower);
}

/** A sentence begins where a clause of the source does, or after the pronoun that it puts a name for. */
function startsWell({ words, agentless }: Source, at: number): boolean {
  let first = at;
  while (first > 0 && words[first]!.adjacent && words[first]!.name && words[first - 1]!.name) first--;
  return first === 0 || words[first]!.border || agentless;
}

/** What is dropped at the end is a phrase, no head of one. */
function endsWell(said: readonly ClaimWord[], { words }: Source, last: number): boolean {
  const next = words[last + 1];
  if (!next?.adjacent || said.at(-1)!.number || words[last]!.number) return true;
  return ADVERB.test(next.text) || /ing$/.test(next.lower);
}

/** What the source means without saying it there: the subject of the page or of the sentence before. */
function isNamedElsewhere(said: readonly ClaimWord[], i: number, previous: number, source: Source): boolean {
  const { words, language, title, subject } = source;
  const { pronouns } = CLAIM_WORDS[language];
  const word = said[i]!;
  if (word.number) return false;
  const next = said[i + 1];
  // "The Eiffel Tower" for "the tower", on a page of that title.
  const inTitle = isKnown(word, title, language);
  const expands = (other: ClaimWord | undefined): boolean =>
    !!other && isKnown(other, title, language) && words.some((w) => isSame(w, other, language));
  if (inTitle && ((next?.adjacent && expands(next)) || (word.adjacent && expands(said[i - 1])))) return true;
  if (!isKnown(word, subject, language)) return false;
  if (previous < 0) {
    // The subject alone, from its head on, before a clause whose own subject is a pronoun.
    const head = i === 0 ? isKnown(word, subject.slice(0, 1), language) || subject.length === 0 : true;
    const first = said.findIndex((w, at) => at > i && !isKnown(w, subject, language));
    const own = first < 0 ? -1 : words.findIndex((w) => isSame(w, said[first]!, language));
    const begin = own < 0 ? undefined : words[own]!;
    return (
      head &&
      !!begin &&
      (begin.border || own === 0) &&
      (begin.lead.some((l) => pronouns.has(l)) || (own === 0 && voiceOf(words, 0, language) !== 'none'))
    );
  }
  const before = words[previous]!;
  // "25,000 whales" for "25,000 are left"; "the calls of the whale" for "its calls".
  return (
    (before.number && word.adjacent) ||
    (before.number && !!said[i - 1]?.number) ||
    (before.lead.some((l) => pronouns.has(l)) && (word.lead.length > 0 || word.adjacent)) ||
    (i > 0 && word.adjacent && isKnown(said[i - 1]!, subject, language))
  );
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
  if (oppositesOfTerm(a.term, language).has(b.term)) return false;
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

/** The same denials, every reservation of the source, no limit that it has not. */
function keepsReservations(
  sentence: string,
  source: string,
  words: readonly ClaimWord[],
  window: { from: number; to: number },
  language: Language,
): boolean {
  const { hedges, limits } = CLAIM_WORDS[language];
  const used = upTo(source, words, window.to);
  if (denialsIn(sentence, language) !== denialsIn(used, language)) return false;
  // A capital May is a month.
  const hedgesOf = (text: string): string[] => text.match(hedges) ?? [];
  const own = new Set(hedgesOf(sentence.toLowerCase()));
  if (hedgesOf(used.replace(/May/g, '').replace(/^\p{Lu}/u, (c) => c.toLowerCase())).some((h) => !own.has(h)))
    return false;
  const limitsOf = (text: string): string[] =>
    (text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []).filter((w) => limits.has(w));
  const there = limitsOf(source);
  return limitsOf(sentence).every((limit) => there.includes(limit));
}

/** The source from its beginning to the end of the phrase in which its word of this index stands. */
function upTo(source: string, words: readonly ClaimWord[], last: number): string {
  let end = last + 1;
  while (end < words.length && !words[end]!.border) end++;
  if (end >= words.length) return source;
  // The words know no place in the text: it is found by walking over them.
  let at = 0;
  for (let i = 0; i <= end; i++) {
    const found = source.indexOf(words[i]!.text, at);
    if (found < 0) return source;
    if (i === end) return source.slice(0, at);
    at = found + words[i]!.text.length;
  }
  return source;
}
