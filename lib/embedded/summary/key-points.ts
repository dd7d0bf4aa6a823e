import { cover, coverageOf, evenParts, type Evidence, gainOf, WEIGHTS, wordsIn } from './selection.js';
import { DOUBTFUL } from './sentences.js';
import { type Pause } from './token-table.js';
import { contentOf, stemsOf, UNIT, type Units } from './units.js';

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
  summary: ReadonlySet<number>,
  most: number,
  pause: Pause,
): Promise<number[][]> {
  const { units, needs, priors } = evidence;
  const whole = { from: 0, to: units.count };
  const words = wordsIn(evidence, whole);
  const shortest = words < WORDS_PER_POINT ? 1 : SHORTEST;
  const unfit = UNIT.housekeeping | UNIT.question | UNIT.verbless | UNIT.announcement | UNIT.unsure;
  const covered = coverageOf(evidence);
  const density = densities(evidence);
  await pause();
  const points: number[][] = [];
  const count = Math.max(1, Math.min(most, Math.round(words / WORDS_PER_POINT)));
  for (const part of evenParts(evidence, whole, count)) {
    const half = wordsIn(evidence, part) / 2;
    let [best, top, before] = [-1, 0, 0];
    for (let u = part.from; u < part.to; u++) {
      if ((u & 15) === 0) await pause();
      const offset = before / half - 1;
      before += units.words[u]!;
      const isLong = units.words[u]! >= shortest && contentOf(units, u) >= 2;
      if (needs[u] !== u || units.flags[u]! & unfit) continue;
      const parts = isLong ? runAround(units, u).length : 0;
      if (parts === 0) continue;
      const worth =
        ((gainOf(evidence, u, covered) * priors[u]!) / units.words[u]! ** WEIGHTS.cost) *
        density[u]! ** DENSITY *
        Math.exp(-MIDDLE * offset * offset) *
        parts ** -PARTS *
        (summary.has(u) ? IN_SUMMARY : 1);
      if (worth > top) [best, top] = [u, worth];
    }
    if (best < 0) continue;
    points.push(runAround(units, best));
    cover(evidence, best, covered);
  }
  return points;
}

/** In captions: a unit with its neighbours up to the next likely borders; none where that is too long or not about the subject. */
function runAround(units: Units, u: number): number[] {
  let [first, last, words] = [u, u, units.words[u]!];
  while (words <= LONGEST && first > 0 && units.begins[first]! < DOUBTFUL) words += units.words[--first]!;
  while (words <= LONGEST && last + 1 < units.count && units.ends[last]! < DOUBTFUL)
    words += units.words[++last]!;
  const run = Array.from({ length: last - first + 1 }, (_, k) => first + k);
  const isFit = run.every((k) => !(units.flags[k]! & (UNIT.housekeeping | UNIT.question)));
  return words <= LONGEST && isFit ? run : [];
}

/** How much the words around each unit are about what the whole text is about, as a ratio to the mean. */
function densities({ units, weights }: Evidence): Float64Array {
  const { count } = units;
  const [words, topical] = [new Float64Array(count + 1), new Float64Array(count + 1)];
  for (let u = 0; u < count; u++) {
    words[u + 1] = words[u]! + units.words[u]!;
    topical[u + 1] = topical[u]!;
    for (const stem of stemsOf(units, u)) topical[u + 1]! += Math.log(1 + weights[stem]!);
  }
  const mean = topical[count]! / words[count]! || 1;
  let [from, to] = [0, 0];
  return Float64Array.from({ length: count }, (_, u) => {
    while (words[u]! - words[from]! > AROUND) from++;
    while (to < count && words[to]! - words[u]! < AROUND) to++;
    return (topical[to]! - topical[from]!) / (words[to]! - words[from]!) / mean;
  });
}
