import { isKept } from './cleaning.js';
import { choose, coverageOf, type Evidence } from './selection.js';
import { type Pause, TOKEN } from './token-table.js';
import { UNIT } from './units.js';
import { WORD } from './lexicon.js';

/** Fewest words of a text for each of its points: a short clip has few claims. */
const WORDS_PER_POINT = 50;
/** Fewest and most words of a point. */
const SHORTEST = 8;
const LONGEST = 40;
/** What a sentence of the summary is worth as a point, one that names somebody or gives a number, and one with a word that may point out of it. */
const IN_SUMMARY = 0.4;
const FACT = 1.3;
const POINTER = 0.7;
/** A point says one thing in full: see `Stretch.cost`. */
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
  const { units, needs } = evidence;
  let words = 0;
  for (let u = 0; u < units.count; u++) words += units.words[u]!;
  const parts = Math.max(1, Math.min(most, Math.round(words / WORDS_PER_POINT)));
  const weigh = (u: number): number => {
    const short = words >= WORDS_PER_POINT && units.words[u]! < SHORTEST;
    if (needs[u] !== u || short || units.flags[u]! & (UNIT.verbless | UNIT.announcement)) return 0;
    return (
      (summary.has(u) ? IN_SUMMARY : 1) *
      (hasFact(evidence, u) ? FACT : 1) *
      (pointsOut(evidence, u) ? POINTER : 1)
    );
  };
  const covered = coverageOf(evidence);
  const points: number[] = [];
  let from = 0;
  let before = 0;
  for (let k = 0; k < parts; k++) {
    let to = from;
    while (to < units.count && (k === parts - 1 || before < (words * (k + 1)) / parts))
      before += units.words[to++]!;
    const stretch = { from, to, maxWords: LONGEST, maxUnits: 1, weigh, cost: COST, flat: true, strict: true };
    if (to > from) points.push(...(await choose(evidence, stretch, covered, pause)));
    from = to;
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

/** Whether a unit has a demonstrative without its noun ("because of this"): what it means may stand in another sentence. */
function pointsOut({ table, units }: Evidence, u: number): boolean {
  const { lexicon, form } = table;
  const demonstratives = lexicon.classIndex('demonstratives');
  for (let i = units.from[u]!; i < units.to[u]!; i++) {
    const isPointer =
      lexicon.classes[form[i]!] === demonstratives &&
      lexicon.bits[form[i]!]! & WORD.anaphor &&
      isKept(table, i);
    if (isPointer && (i + 1 >= units.to[u]! || lexicon.stems[form[i + 1]!]! < 0)) return true;
  }
  return false;
}
