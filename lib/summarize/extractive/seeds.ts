import { isKept } from './cleaning.js';
import { choose, coverageOf, type Choice, type Evidence } from './selection.js';
import { type Pause } from './token-table.js';
import { UNIT } from './units.js';

/** Where a text says what it is about, and where it concludes: shares of its units, and the fewest units that are looked at. */
const BEGINNING = { share: 0.12, least: 8 };
const END = { share: 0.2, least: 6 };
/** Share of the budget that a seed may take. */
const MOST = 0.35;
/** What an announcement, and a word of the title as the first noun, count against naming one word of the title; what an opening must reach. */
const ANNOUNCEMENT = 1.5;
const THEME = 0.5;
const LEAST = 1.5;

/** Chooses from the whole text, around the sentences that say what it is about and what it concludes. */
export function chooseFromAll(evidence: Evidence, maxWords: number, pause: Pause): Promise<Choice[]> {
  const stretch = { from: 0, to: evidence.units.count, maxWords, ...seedsOf(evidence, maxWords) };
  return choose(evidence, stretch, coverageOf(evidence), pause);
}

/** The sentences that a summary is built around. Either may be missing. */
export interface Seeds {
  /** Says what the text is about; nothing that was said before it is chosen. */
  opening?: number;
  /** Draws the last conclusion. */
  conclusion?: number;
}

/**
 * Finds the sentences that a summary is built around: the one that says what the text is about, by the words of the title and by set phrases, and
 * the last that draws a conclusion.
 */
export function seedsOf(evidence: Evidence, maxWords: number): Seeds {
  const { units } = evidence;
  const begin = Math.min(
    Math.ceil(units.count / 3),
    Math.max(BEGINNING.least, Math.ceil(units.count * BEGINNING.share)),
  );
  let opening = -1;
  let top = 0;
  for (let u = 0; u < begin; u++) {
    if (!isFit(evidence, u, maxWords)) continue;
    // In a conversation, "we're going to" is said of anything.
    const announces = units.flags[u]! & UNIT.announcement && !evidence.voices;
    const named = namedTopics(evidence, u) + (announces ? ANNOUNCEMENT : 0);
    const score = named * units.wholeness[u]! ** 0.5 * (1 - (0.5 * u) / begin);
    if (named >= LEAST && score > top) [opening, top] = [u, score];
  }
  const seeds: Seeds = opening < 0 ? {} : { opening };
  if (evidence.voices) return seeds;
  const end = Math.max(begin, Math.floor(units.count * (1 - END.share)), 0);
  for (let u = units.count - 1; u >= Math.min(end, units.count - END.least) && u > opening; u--)
    if (
      units.flags[u]! & UNIT.conclusion &&
      !(units.flags[u]! & UNIT.question) &&
      isFit(evidence, u, maxWords)
    )
      return { ...seeds, conclusion: u };
  return seeds;
}

function isFit({ units, needs }: Evidence, u: number, maxWords: number): boolean {
  const flags = units.flags[u]!;
  if (flags & (UNIT.housekeeping | UNIT.question | UNIT.verbless) || needs[u]! < 0) return false;
  let words = 0;
  for (let k = needs[u]!; k <= u; k++) if (!(units.flags[k]! & UNIT.alternative)) words += units.words[k]!;
  return words <= maxWords * MOST && units.words[u]! >= 6;
}

/** Different words of the title that a unit has, and more where the first is its first word with content. */
function namedTopics({ table, units, topic }: Evidence, u: number): number {
  const named = new Set<number>();
  let first = -1;
  for (let i = units.from[u]!; i < units.to[u]!; i++) {
    const stem = isKept(table, i) ? table.lexicon.stems[table.form[i]!]! : -1;
    if (first < 0) first = stem;
    if (stem >= 0 && topic.has(stem)) named.add(stem);
  }
  return named.size + (topic.has(first) ? THEME : 0);
}
