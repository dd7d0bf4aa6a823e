import { cover, evenParts, type Evidence, gainOf, WEIGHTS, wordsIn } from './selection.js';
import { DOUBTFUL } from './sentences.js';
import { type Pause } from './token-table.js';
import { UNIT, type Unit } from './units.js';

/** Fewest words of a text for each of its points: a short clip has few claims. */
const WORDS_PER_POINT = 50;
/** Fewest and most words of a point. */
const SHORTEST = 8;
const LONGEST = 40;
/** What a sentence of the summary is worth as a point. */
const IN_SUMMARY = 0.1;
/** How much less a point of captions is worth that goes on over parts: an exponent of their number. */
const PARTS = 4;
/** How much the middle of a part counts: what a sentence at its end is worth is e^-MIDDLE. */
const MIDDLE = 4;
/** Words on either side of a sentence that tell whether the talk is about its subject there, and how much that counts: an exponent. */
const AROUND = 200;
const DENSITY = 12;
const UNFIT =
  UNIT.housekeeping |
  UNIT.question |
  UNIT.verbless |
  UNIT.announcement |
  UNIT.unsure |
  UNIT.anaphoric |
  UNIT.dependent;

/**
 * The claims that are worth a link: from each of the equal parts of a text the sentence that says most, is understood alone, stands near the
 * middle of the part, among words that the whole text is about, and, where there is another as good, is not in the summary.
 *
 * @param summary units of the summary
 * @param most number of points at most
 * @returns the units of each point, in order of the text
 */
export async function keyPointsOf(
  evidence: Evidence,
  summary: readonly number[],
  most: number,
  pause: Pause,
): Promise<number[][]> {
  const { units, priors } = evidence;
  const whole = { from: 0, to: units.length };
  const words = wordsIn(evidence, whole);
  const shortest = words < WORDS_PER_POINT ? 1 : SHORTEST;
  const covered = new Map<number, number>();
  const density = densities(evidence);
  const points: number[][] = [];
  const count = Math.max(1, Math.min(most, Math.round(words / WORDS_PER_POINT)));
  for (const part of evenParts(evidence, whole, count)) {
    const half = wordsIn(evidence, part) / 2;
    let before = 0;
    let [best, top]: [number[], number] = [[], 0];
    for (let u = part.from; u < part.to; u++) {
      if ((u & 15) === 0) await pause();
      const unit = units[u]!;
      const offset = before / half - 1;
      before += unit.words;
      if (unit.flags & UNFIT || unit.words < shortest || unit.stems.length < 2) continue;
      const run = runAround(units, u);
      const worth =
        ((gainOf(evidence, u, covered) * priors[u]!) / unit.words ** WEIGHTS.cost) *
        density[u]! ** DENSITY *
        Math.exp(-MIDDLE * offset * offset) *
        run.length ** -PARTS *
        (summary.includes(u) ? IN_SUMMARY : 1);
      if (run.length > 0 && worth > top) [best, top] = [run, worth];
    }
    if (best.length === 0) continue;
    points.push(best);
    for (const u of best) cover(evidence, u, covered);
  }
  return points;
}

/** In captions: a unit with its neighbours up to the next likely borders; none where that is too long or not about the subject. */
function runAround(units: readonly Unit[], u: number): number[] {
  let [first, last, words] = [u, u, units[u]!.words];
  while (words <= LONGEST && first > 0 && units[first]!.begins < DOUBTFUL) words += units[--first]!.words;
  while (words <= LONGEST && last + 1 < units.length && units[last]!.ends < DOUBTFUL)
    words += units[++last]!.words;
  const run = Array.from({ length: last - first + 1 }, (_, k) => first + k);
  const isFit = run.every((k) => !(units[k]!.flags & (UNIT.housekeeping | UNIT.question)));
  return words <= LONGEST && isFit ? run : [];
}

/** How much the words around each unit are about what the whole text is about, as a ratio to the mean. */
function densities({ units, weights }: Evidence): number[] {
  const [words, topical] = [[0], [0]];
  for (const [u, unit] of units.entries()) {
    words.push(words[u]! + unit.words);
    topical.push(unit.stems.reduce((sum, stem) => sum + Math.log(1 + weights[stem]!), topical[u]!));
  }
  const mean = topical.at(-1)! / words.at(-1)! || 1;
  let [from, to] = [0, 0];
  return units.map((_, u) => {
    while (words[u]! - words[from]! > AROUND) from++;
    while (to < units.length && words[to]! - words[u]! < AROUND) to++;
    return (topical[to]! - topical[from]!) / (words[to]! - words[from]!) / mean;
  });
}
