import { isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { type Pause, type TokenTable } from './token-table.js';
import { UNIT, type Units } from './units.js';

/**
 * Log-odds that a sentence is about the video itself and not about its subject: greetings, thanks, calls to subscribe, sponsors, links.
 * Fitted by logistic regression on 308 sentences written for it in six languages, half of them counter-examples ("The sponsor of the
 * bill withdrew it"), and 2,400 sentences of meetings, debates and articles. Fitted on five languages and tried on the sixth, it
 * finds 149 of 162 and takes 3 of 146 counter-examples.
 */
const WEIGHTS = {
  bias: -3,
  greeting: 2.7,
  /** One word of video platforms, and more than one. */
  media: 2,
  moreMedia: 2,
  promotion: 1.8,
  morePromotion: 1.1,
  addressed: 0.7,
  /** A greeting in a sentence of at most seven words; one in a sentence that says more than that. */
  shortGreeting: 1.8,
  greetingContent: -0.5,
  greetingAddressed: 1.4,
  mediaAddressed: 1.5,
  promotionAddressed: 0.8,
  /** Share of all these words in the sentence, 0..0.5. */
  density: 2.1,
  /** Each other word with content, ten at most. */
  content: -0.27,
  /** A web address or a handle; a voucher code (`TOM20`). */
  address: 0.4,
  code: 0.5,
};

/** Log-odds that a sentence is housekeeping, by its words alone. */
function housekeepingOdds(e: ReturnType<typeof evidenceOfHousekeeping>): number {
  const w = WEIGHTS;
  const on = (condition: boolean, weight: number): number => (condition ? weight : 0);
  return (
    w.bias +
    on(e.greetings > 0, w.greeting) +
    on(e.media > 0, w.media) +
    on(e.media > 1, w.moreMedia) +
    on(e.promotion > 0, w.promotion) +
    on(e.promotion > 1, w.morePromotion) +
    on(e.addressed, w.addressed) +
    on(e.greetings > 0 && e.words <= 7, w.shortGreeting) +
    on(e.greetings > 0 && e.content > 3, w.greetingContent) +
    on(e.greetings > 0 && e.addressed, w.greetingAddressed) +
    on(e.media > 0 && e.addressed, w.mediaAddressed) +
    on(e.promotion > 0 && e.addressed, w.promotionAddressed) +
    w.density * Math.min(0.5, (e.greetings + e.media + e.promotion) / Math.max(1, e.words)) +
    w.content * Math.min(10, e.content) +
    on(e.hasAddress, w.address) +
    on(e.hasCode, w.code)
  );
}

const ADDRESS = /^(?:https?:|www\.|@\w{3})|\w\.(?:com|net|org|io|tv|co|de|fr|es|it|br|pt)(?:\/|$)/i;
const CODE = /^(?=.*\d)(?=[A-Z\d]*[A-Z]{3})[A-Z\d]{4,12}$/;

/** Gathers the evidence of a span of tokens. `isSubject` has the stems that the whole text is about: they are no evidence. */
function evidenceOfHousekeeping(table: TokenTable, from: number, to: number, isSubject: ReadonlySet<number>) {
  const { lexicon, form, source, start, end } = table;
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
    hasAddress: false,
    hasCode: false,
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
    if (bits & WORD.symbol || source[start[i]!] === '@') {
      const word = source.slice(start[i], Math.min(end[i]!, start[i]! + 60)).replace(/[.,;:!?)]{1,60}$/, '');
      if (ADDRESS.test(word)) e.hasAddress = true;
      else if (CODE.test(word)) e.hasCode = true;
    }
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
    if (e.promotion > 0 || e.hasCode || e.hasOffer) promotes[u] = 1;
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
