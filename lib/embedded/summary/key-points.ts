import { cover, coverageOf, evenParts, type Evidence, gainOf, wordsIn } from './selection.js';
import { type Pause } from './token-table.js';
import { contentOf, UNIT } from './units.js';

/** Fewest words of a text for each of its points: a short clip has few claims. */
const WORDS_PER_POINT = 50;
/** Fewest and most words of a point. */
const SHORTEST = 8;
const LONGEST = 40;
/** What a sentence of the summary is worth as a point. */
const IN_SUMMARY = 0.4;
/** A point says one thing in full: exponent of its words by which its gain is divided, lower than a summary's. */
const COST = 0.5;
/** How much the middle of a part counts: what a sentence at its end is worth is e^-MIDDLE. */
const MIDDLE = 2;

/**
 * The claims that are worth a link: from each of the equal parts of a text the sentence that says most, is understood alone, stands near the
 * middle of the part and, where there is another as good, is not in the summary.
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
  const unfit = UNIT.housekeeping | UNIT.question | UNIT.verbless | UNIT.announcement | UNIT.unsure;
  const covered = coverageOf(evidence);
  const points: number[] = [];
  const count = Math.max(1, Math.min(most, Math.round(words / WORDS_PER_POINT)));
  for (const part of evenParts(evidence, whole, count)) {
    const half = wordsIn(evidence, part) / 2;
    let [best, top, before] = [-1, 0, 0];
    for (let u = part.from; u < part.to; u++) {
      if ((u & 15) === 0) await pause();
      const offset = before / half - 1;
      before += units.words[u]!;
      const isLong = units.words[u]! >= shortest && contentOf(units, u) >= 2;
      if (needs[u] !== u || units.flags[u]! & unfit || !isLong || units.words[u]! > LONGEST) continue;
      const worth =
        ((gainOf(evidence, u, covered) * priors[u]!) / units.words[u]! ** COST) *
        Math.exp(-MIDDLE * offset * offset) *
        (summary.has(u) ? IN_SUMMARY : 1);
      if (worth > top) [best, top] = [u, worth];
    }
    if (best < 0) continue;
    points.push(best);
    cover(evidence, best, covered);
  }
  return points;
}
