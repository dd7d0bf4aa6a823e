import { isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { type Pause, type TokenTable } from './token-table.js';
import { UNIT, type Units } from './units.js';

/**
 * Log-odds that a sentence is about the video itself and not about its subject: greetings, thanks, calls to subscribe, sponsors, links.
 * Rounded and simplified from a logistic regression on sentences in six languages.
 */
const WEIGHTS = {
  bias: -2.7,
  /** A greeting, and one in a sentence of at most seven words. */
  greeting: 2.7,
  shortGreeting: 1.8,
  /** Each word of video platforms and of advertising, two of each kind at most. */
  media: 2,
  promotion: 1.8,
  /** It addresses the audience besides. */
  addressed: 2,
  /** Each other word with content, ten at most. */
  content: -0.3,
};

/** Log-odds that a sentence is housekeeping, by its words alone. */
function housekeepingOdds(e: ReturnType<typeof evidenceOfHousekeeping>): number {
  const w = WEIGHTS;
  return (
    w.bias +
    (e.greetings > 0 ? w.greeting + (e.words <= 7 ? w.shortGreeting : 0) : 0) +
    w.media * Math.min(2, e.media) +
    w.promotion * Math.min(2, e.promotion) +
    (e.addressed && e.greetings + e.media + e.promotion > 0 ? w.addressed : 0) +
    w.content * Math.min(10, e.content)
  );
}

/** Gathers the evidence of a span of tokens. `isSubject` has the stems that the whole text is about: they are no evidence. */
function evidenceOfHousekeeping(table: TokenTable, from: number, to: number, isSubject: ReadonlySet<number>) {
  const { lexicon, form } = table;
  const e = {
    words: 0,
    /** Words with content that belong to no group below. */
    content: 0,
    greetings: 0,
    media: 0,
    promotion: 0,
    /** A phrase of an advertisement. */
    hasOffer: false,
    addressed: false,
  };
  for (let i = from; i < to; i++) {
    if (!isKept(table, i) || !form[i]) continue;
    e.words++;
    const bits = lexicon.bits[form[i]!]!;
    if (bits & WORD.addressee) e.addressed = true;
    if (bits & WORD.phrase) {
      if (lexicon.phraseAt('formulas', form, i, to) > 0) e.greetings++;
      if (lexicon.phraseAt('offers', form, i, to) > 0) e.hasOffer = true;
    }
    const evidence = WORD.greeting | WORD.media | WORD.promotion;
    if (!(bits & evidence) && lexicon.stems[form[i]!]! >= 0) e.content++;
    if (isSubject.has(lexicon.stems[form[i]!]!)) continue;
    if (bits & WORD.greeting) e.greetings++;
    if (bits & WORD.media) e.media++;
    if (bits & WORD.promotion) e.promotion++;
  }
  return e;
}

/** A word counts as the subject of a text when it occurs at least so often and in so many tenths of it. */
const SUBJECT = { count: 4, tenths: 4 };

/** Stems of media and promotion words that occur all over a text: a talk on video channels is about channels. */
function subjectStems({ lexicon, form, count }: TokenTable): ReadonlySet<number> {
  const places = new Map<number, { count: number; tenths: Set<number> }>();
  for (let i = 0; i < count; i++) {
    if (!(lexicon.bits[form[i]!]! & (WORD.media | WORD.promotion))) continue;
    const stem = lexicon.stems[form[i]!]!;
    const place = places.get(stem) ?? { count: 0, tenths: new Set() };
    place.count++;
    place.tenths.add(Math.floor((10 * i) / count));
    places.set(stem, place);
  }
  const isSubject = (p: { count: number; tenths: Set<number> }): boolean =>
    p.count >= SUBJECT.count && p.tenths.size >= SUBJECT.tenths;
  return new Set([...places].filter(([stem, place]) => stem >= 0 && isSubject(place)).map(([stem]) => stem));
}

/** Log-odds that a sentence with any such word has in addition at either end of a text, and between two that are housekeeping. */
const AT_THE_EDGE = 1.2;
const IN_BETWEEN = 1.8;
/** Log-odds of a sentence that announces the subject or draws a conclusion. */
const SUBSTANCE = -3.5;
/** Sentences at either end that count as the edge; sentences that may stand between two of housekeeping; words of an advertisement, and of one up to other housekeeping. */
const EDGE = 4;
const GAP = 2;
const ADVERTISEMENT = 90;
const LAST_WORDS = 30;

/**
 * Marks the units that are housekeeping, `UNIT.housekeeping`: by their words, their place and their neighbours. What stands between one that
 * promotes and another sentence that promotes is the same advertisement; so are a few sentences between one and any other housekeeping.
 */
export async function markHousekeeping(table: TokenTable, units: Units, pause: Pause): Promise<void> {
  const { flags, count } = units;
  if (!table.lexicon.language) return;
  const subjects = subjectStems(table);
  const substantial = UNIT.announcement | UNIT.conclusion;
  const odds = new Float64Array(count);
  const promotes = new Uint8Array(count);
  for (let u = 0; u < count; u++) {
    const e = evidenceOfHousekeeping(table, units.begin[u]!, units.to[u]!, subjects);
    odds[u] = e.hasOffer ? Infinity : housekeepingOdds(e);
    if (flags[u]! & substantial) odds[u]! += SUBSTANCE;
    if (e.greetings + e.media + e.promotion > 0 && (u < EDGE || u >= count - EDGE)) odds[u]! += AT_THE_EDGE;
    if (e.promotion > 0 || e.hasOffer) promotes[u] = 1;
    if (odds[u]! > 0) flags[u]! |= UNIT.housekeeping;
    if ((u & 127) === 0) await pause();
  }
  /** Words from the beginning of one unit to the beginning of another. */
  const between = (from: number, to: number): number =>
    from < 0 ? Infinity : units.from[to]! - units.from[from]!;
  let [last, promoting, advert] = [-1, -1, -1];
  for (let u = 0; u < count; u++) {
    if (promotes[u]) {
      if (between(promoting, u) <= ADVERTISEMENT && (flags[u]! | flags[promoting]!) & UNIT.housekeeping)
        for (let k = promoting; k <= u; k++) flags[k]! |= UNIT.housekeeping;
      promoting = u;
    }
    if (flags[u]! & substantial) advert = -1;
    if (!(flags[u]! & UNIT.housekeeping)) continue;
    const isAdvert = between(advert, u) <= LAST_WORDS;
    if (last >= 0 && (isAdvert || u - last <= GAP + 1))
      for (let k = last + 1; k < u; k++)
        if (isAdvert || odds[k]! + IN_BETWEEN > 0) flags[k]! |= UNIT.housekeeping;
    last = u;
    if (promotes[u]) advert = u;
  }
}
