import { cover, coverageOf, evenParts, type Evidence, gainOf, wordsIn } from './selection.js';
import { type Pause, TOKEN } from './token-table.js';
import { contentOf, UNIT } from './units.js';
import { WORD } from './lexicon.js';

/** Fewest words of a text for each of its points: a short clip has few claims. */
const WORDS_PER_POINT = 50;
/** Fewest and most words of a point. */
const SHORTEST = 8;
const LONGEST = 40;
/** What a sentence of the summary is worth as a point, and one that names somebody or gives a number. */
const IN_SUMMARY = 0.4;
const FACT = 1.3;
/** A point says one thing in full: exponent of its words by which its gain is divided, lower than a summary's. */
const COST = 0.5;

/**
 * The claims that are worth a link: from each part of the text the sentence that says most, is understood alone and, where there is
 * another as good, is not in the summary.
 *
 * @param summary units of the summary
 * @param most number of points at most
 * @returns units in order of the text
 */
export async function keyPointsOf(
  evidence: Evidence,
  summary: ReadonlySet<number>,
  most: number,
  pause: Pause,
): Promise<number[]> {
  const { units, needs, priors } = evidence;
  const whole = { from: 0, to: units.count };
  const words = wordsIn(evidence, whole);
  const shortest = words < WORDS_PER_POINT ? 1 : SHORTEST;
  const unfit = UNIT.housekeeping | UNIT.question | UNIT.verbless | UNIT.announcement;
  const covered = coverageOf(evidence);
  const points: number[] = [];
  for (const part of evenParts(
    evidence,
    whole,
    Math.max(1, Math.min(most, Math.round(words / WORDS_PER_POINT))),
  )) {
    let best = -1;
    let top = 0;
    for (let u = part.from; u < part.to; u++) {
      if ((u & 15) === 0) await pause();
      const isLong = units.words[u]! >= shortest && contentOf(units, u) >= 2;
      if (needs[u] !== u || units.flags[u]! & unfit || !isLong || units.words[u]! > LONGEST) continue;
      const worth =
        ((gainOf(evidence, u, covered) * priors[u]!) / units.words[u]! ** COST) *
        (summary.has(u) ? IN_SUMMARY : 1) *
        (hasFact(evidence, u) ? FACT : 1);
      if (worth > top) [best, top] = [u, worth];
    }
    if (best < 0) continue;
    points.push(best);
    cover(evidence, best, covered);
  }
  return points;
}

/** Whether a unit has a number, or a name inside. */
function hasFact({ table, units }: Evidence, u: number): boolean {
  for (let i = units.from[u]!; i < units.to[u]!; i++) {
    if (table.lexicon.bits[table.form[i]!]! & WORD.number) return true;
    if (i > units.from[u]! && table.mark[i]! & TOKEN.capital && table.lexicon.language !== 'de') return true;
  }
  return false;
}
