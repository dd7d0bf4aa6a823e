import { isKept } from './cleaning.js';
import { WORD } from './lexicon.js';
import { type Pause, type TokenTable } from './token-table.js';
import { UNIT, type Unit } from './units.js';

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
  /** It has any such word, and is one of the first or last four sentences. */
  edge: 1.2,
  announcement: -3.5,
};
const EDGE = 4;

/** Words from the beginning of one part of an advertisement to the beginning of the next, at most. */
const ADVERTISEMENT = 60;

/**
 * Marks the units that are housekeeping, `UNIT.housekeeping`, by their words. What stands between two of them, of which one promotes, is the
 * same advertisement.
 *
 * @param topic stems of the title: they are no evidence, since a talk on video channels is about channels
 */
export async function markHousekeeping(
  table: TokenTable,
  units: readonly Unit[],
  topic: ReadonlySet<number>,
  pause: Pause,
): Promise<void> {
  if (!table.lexicon.language) return;
  let [last, lastPromotes] = [-1, false];
  for (const [u, unit] of units.entries()) {
    if ((u & 127) === 0) await pause();
    const isEdge = u < EDGE || u >= units.length - EDGE;
    const { odds, promotes } = oddsOf(table, unit, topic, isEdge);
    if (odds > 0) unit.flags |= UNIT.housekeeping;
    else if (!promotes) {
      if (unit.flags & UNIT.announcement) last = -1;
      continue;
    }
    const before = units[last];
    const isSameAdvert =
      before !== undefined &&
      (promotes || lastPromotes) &&
      ((unit.flags | before.flags) & UNIT.housekeeping) > 0 &&
      unit.from - before.from <= ADVERTISEMENT;
    if (isSameAdvert) for (const one of units.slice(last, u + 1)) one.flags |= UNIT.housekeeping;
    [last, lastPromotes] = [u, promotes];
  }
}

/** The log-odds by the words of a unit, and whether it promotes something. */
function oddsOf(
  { lexicon, tokens }: TokenTable,
  { from, to, flags }: Unit,
  topic: ReadonlySet<number>,
  isEdge: boolean,
): { odds: number; promotes: boolean } {
  let [words, content, greetings, media, promotion] = [0, 0, 0, 0, 0];
  let [isAddressed, isOffer] = [false, false];
  for (let i = from; i < to; i++) {
    const { word } = tokens[i]!;
    if (!word || !isKept(tokens[i]!)) continue;
    words++;
    if (word.bits & WORD.addressee) isAddressed = true;
    if (lexicon.phraseAt('offers', tokens, i, to) > 0) isOffer = true;
    const isKnown = !topic.has(word.stem) && word.bits & (WORD.greeting | WORD.media | WORD.promotion);
    if (!isKnown && word.stem >= 0) content++;
    if (word.bits & WORD.greeting || lexicon.phraseAt('formulas', tokens, i, to) > 0) greetings++;
    if (isKnown && word.bits & WORD.media) media++;
    if (isKnown && word.bits & WORD.promotion) promotion++;
  }
  const w = WEIGHTS;
  const hasAny = greetings + media + promotion > 0;
  const odds =
    w.bias +
    (greetings > 0 ? w.greeting + (words <= 7 ? w.shortGreeting : 0) : 0) +
    w.media * Math.min(2, media) +
    w.promotion * Math.min(2, promotion) +
    (hasAny && isAddressed ? w.addressed : 0) +
    (hasAny && isEdge ? w.edge : 0) +
    (flags & UNIT.announcement ? w.announcement : 0) +
    w.content * Math.min(10, content);
  return { odds: isOffer ? Infinity : odds, promotes: promotion > 0 || isOffer };
}
