import { isKept } from './cleaning.js';
import { type Pause, type TokenTable } from './token-table.js';
import { firstForms, UNIT, type Units } from './units.js';

/** The numbers behind the choice; found on meetings, debates and articles in three languages and rounded. */
export const WEIGHTS = {
  /** Weight of a pair of neighbouring stems that occurs again elsewhere. */
  pair: 0.35,
  /** Exponent of a unit's words by which its gain is divided. */
  cost: 0.75,
  /** The same where sentences are guessed: a short guess holds fewer wrong borders. */
  guessedCost: 0.85,
  /** How fast private talk devalues a unit: exponent per share. */
  casual: 2,
  /** What a unit's worth is multiplied by when … */
  cue: 1.2,
  question: 0.25,
  anaphoric: 0.75,
  dependent: 0.5,
  verbless: 0.65,
  loose: 0.5,
  unfinished: 0.75,
  courtesy: 0.6,
  /** Exponent of the certainty that a unit is whole. */
  whole: 0.4,
  /** The same where every sentence is guessed: there it says less, and everything shares it. */
  guessedWhole: 0.07,
  /** Fewest words of a unit; below `short` and above `long` its worth falls in proportion. */
  shortest: 5,
  short: 8,
  long: 34,
};

/** What differs between speech and writing. */
export interface Profile {
  /** Bonus of the beginning, and the share of the text after which it has faded to a third. */
  lead: number;
  fade: number;
  /** What a stem that is already in the summary still counts. */
  repeat: number;
  /** Bonus of a unit next to a chosen one: two sentences in a row read better than two apart. */
  neighbour: number;
  /** Most and least share of the words from one third of the text. */
  most: number;
  least: number;
}

/** People come to the point late and everywhere. */
export const SPEECH: Profile = {
  lead: 2.5,
  fade: 0.035,
  repeat: 0.25,
  neighbour: 1.1,
  most: 0.45,
  least: 0.2,
};

/** Writers put first what matters. */
export const WRITING: Profile = { lead: 25, fade: 0.04, repeat: 0.8, neighbour: 1.5, most: 0.8, least: 0.05 };

const profileOf = (units: Units): Profile => (units.spoken ? SPEECH : WRITING);

/** A chosen unit. */
export interface Choice {
  unit: number;
  /** Gain when it was chosen, times its priors. */
  gain: number;
}

/** Weight of each stem by its frequency in the kept words of the whole text. */
async function stemWeights(table: TokenTable, units: Units, pause: Pause): Promise<Float64Array> {
  const frequency = new Float64Array(table.lexicon.stemForms.length);
  for (let u = 0; u < units.count; u++) {
    if (units.flags[u]! & UNIT.alternative) continue;
    for (let i = units.from[u]!; i < units.to[u]!; i++) {
      const stem = stemAt(table, i);
      if (stem >= 0 && isKept(table, i)) frequency[stem]!++;
    }
    if ((u & 127) === 0) await pause();
  }
  return frequency;
}

const stemAt = (table: TokenTable, i: number): number => table.lexicon.stems[table.form[i]!]!;

/** Neighbouring stems that occur more than once: key `a * stems + b`, value its number of occurrences. */
async function repeatedPairs(table: TokenTable, units: Units, pause: Pause): Promise<Map<number, number>> {
  const stems = table.lexicon.stemForms.length;
  const seen = new Map<number, number>();
  for (let u = 0; u < units.count; u++) {
    if (units.flags[u]! & UNIT.alternative) continue;
    let before = -1;
    for (let i = units.from[u]!; i < units.to[u]!; i++) {
      if (!isKept(table, i)) continue;
      const stem = stemAt(table, i);
      if (stem >= 0 && before >= 0) {
        const key = before * stems + stem;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      before = stem;
    }
    if ((u & 127) === 0) await pause();
  }
  for (const [key, n] of seen) if (n < 2) seen.delete(key);
  return seen;
}

/** What multiplies a unit's gain, whatever else is chosen: position, wording, wholeness, length. */
export function prior(units: Units, u: number, position: number): number {
  const w = WEIGHTS;
  const flags = units.flags[u]!;
  const words = units.words[u]!;
  const { lead, fade } = profileOf(units);
  let p = units.wholeness[u]! ** (units.unpunctuated ? w.guessedWhole : w.whole);
  p *= 1 + lead * Math.exp(-position / fade);
  p *= Math.exp(-w.casual * units.casual[u]!);
  if (flags & UNIT.cue) p *= w.cue;
  if (flags & UNIT.question) p *= w.question;
  if (flags & UNIT.anaphoric) p *= w.anaphoric;
  if (flags & UNIT.dependent) p *= w.dependent;
  if (flags & UNIT.verbless) p *= w.verbless;
  if (flags & UNIT.loose) p *= w.loose;
  if (flags & UNIT.courtesy) p *= w.courtesy;
  if (flags & UNIT.unfinished && !units.unpunctuated) p *= w.unfinished;
  if (words < w.short) p *= words / w.short;
  if (words > w.long) p *= w.long / words;
  return p;
}

/** What the choice works on; made once a text and shared by its sections. */
export interface Evidence {
  table: TokenTable;
  units: Units;
  weights: Float64Array;
  pairs: Map<number, number>;
  /** The visit at which a stem was last met, and the number of the current one: finds repeats within a unit. */
  seen: Uint32Array;
  visit: number;
}

/** Gathers the evidence of a text. */
export async function evidenceOf(table: TokenTable, units: Units, pause: Pause): Promise<Evidence> {
  const weights = await stemWeights(table, units, pause);
  const pairs = await repeatedPairs(table, units, pause);
  return { table, units, weights, pairs, seen: new Uint32Array(weights.length), visit: 0 };
}

/** Units of the longest summary; bounds the work. */
const MOST_UNITS = 600;

/** Restricts a choice to a stretch of units. */
export interface Stretch {
  /** First unit and unit after the last. */
  from: number;
  to: number;
  maxWords: number;
  /** Most units; as many as fit when absent. */
  maxUnits?: number;
}

/** What a summary says already: how often each stem, and which pairs. Shared by the parts of one summary. */
export interface Coverage {
  stems: Uint16Array;
  pairs: Set<number>;
}

/** The coverage of an empty summary. */
export function coverageOf(evidence: Evidence): Coverage {
  return { stems: new Uint16Array(evidence.weights.length), pairs: new Set() };
}

/**
 * Greedy choice of units that cover the most content within a budget of words: what is covered once counts little a
 * second time, and no third of the stretch takes more than its share.
 *
 * @param covered what the summary says already; updated
 * @returns the units in the order they were chosen; the words never exceed the budget
 */
export async function choose(
  evidence: Evidence,
  stretch: Stretch,
  covered: Coverage,
  pause: Pause,
): Promise<Choice[]> {
  const { units } = evidence;
  const w = WEIGHTS;
  const { from, to, maxWords } = stretch;
  const firstToken = units.from[from] ?? 0;
  const span = Math.max(1, (units.to[to - 1] ?? 0) - firstToken);
  const candidates: number[] = [];
  const gains = new Float64Array(to - from);
  const priors = new Float64Array(to - from);
  for (let pass = 0; pass < 2 && candidates.length === 0; pass++)
    for (let u = from; u < to; u++) {
      const words = units.words[u]!;
      // The second pass takes what there is: little was said, and little is better than nothing.
      if (pass === 0 && (words < w.shortest || units.content[u]! < 2)) continue;
      if (words > maxWords) continue;
      priors[u - from] = prior(units, u, (units.from[u]! - firstToken) / span);
      candidates.push(u);
    }
  const cost = units.unpunctuated ? w.guessedCost : w.cost;
  const worth = (u: number): number =>
    ((gainOf(evidence, u, covered) + 1e-6) * priors[u - from]!) / units.words[u]! ** cost;
  for (let k = 0; k < candidates.length; k++) {
    const u = candidates[k]!;
    gains[u - from] = worth(u);
    if ((k & 255) === 0) await pause();
  }
  candidates.sort((a, b) => gains[b - from]! - gains[a - from]! || a - b);
  const { most, least, neighbour } = profileOf(units);
  const used = [0, 0, 0];
  let left = maxWords;
  const third = (u: number): number =>
    Math.min(2, Math.floor((((units.from[u]! + units.to[u]!) / 2 - firstToken) / span) * 3));
  const balanced = to - from >= 12 && maxWords >= 60;
  const fits = (u: number): boolean => {
    const words = units.words[u]!;
    if (words > left) return false;
    if (!balanced) return true;
    const t = third(u);
    if (used[t]! + words > most * maxWords) return false;
    let reserve = 0;
    for (let k = 0; k < 3; k++) if (k !== t) reserve += Math.max(0, least * maxWords - used[k]!);
    return words <= left - reserve || used[t]! + words <= least * maxWords;
  };
  const chosen: Choice[] = [];
  while (left >= 3 && chosen.length < (stretch.maxUnits ?? MOST_UNITS)) {
    let best = -1;
    let top = 0;
    for (let k = 0; k < candidates.length; k++) {
      const u = candidates[k]!;
      // Gains only fall as more is covered: one from an earlier round is an upper bound and need not be worked out.
      if (gains[u - from]! * neighbour <= top || !fits(u) || overlaps(units, u, chosen)) continue;
      gains[u - from] = worth(u);
      const value = gains[u - from]! * (touches(units, u, chosen) ? neighbour : 1);
      if (value > top && !repeats(evidence, u, chosen)) {
        top = value;
        best = u;
      }
      if ((k & 63) === 0) await pause();
    }
    if (best < 0) break;
    chosen.push({ unit: best, gain: top * units.words[best]! ** cost });
    used[third(best)]! += units.words[best]!;
    left -= units.words[best]!;
    cover(evidence, best, covered);
  }
  return chosen;
}

/** True when a unit shares words with a chosen one. */
function overlaps(units: Units, u: number, chosen: readonly Choice[]): boolean {
  return chosen.some((c) => units.from[u]! < units.to[c.unit]! && units.from[c.unit]! < units.to[u]!);
}

/** Share of a unit's content from which it repeats another. */
const SAME_POINT = 0.65;

/** True when one chosen unit has most of what a unit says, or begins with the same words. */
function repeats(evidence: Evidence, u: number, chosen: readonly Choice[]): boolean {
  const { seen, table, units } = evidence;
  const opening = firstForms(table, units.from[u]!, units.to[u]!);
  return chosen.some(({ unit }) => {
    const other = firstForms(table, units.from[unit]!, units.to[unit]!);
    if (opening.length > 4 && opening.every((form, k) => form === other[k])) return true;
    const visit = ++evidence.visit;
    eachStem(evidence, unit, (stem) => (seen[stem] = visit));
    let shared = 0;
    eachStem(evidence, u, (stem) => {
      if (seen[stem] === visit) shared++;
    });
    return shared > 1 && shared >= SAME_POINT * units.content[u]!;
  });
}

function eachStem({ table, units }: Evidence, u: number, use: (stem: number) => void): void {
  for (let i = units.from[u]!; i < units.to[u]!; i++) {
    const stem = isKept(table, i) ? stemAt(table, i) : -1;
    if (stem >= 0) use(stem);
  }
}

/** Tokens that may be left out between two units that still follow each other. */
const NEAR = 4;

function touches(units: Units, u: number, chosen: readonly Choice[]): boolean {
  return chosen.some(
    (c) =>
      Math.abs(units.from[u]! - units.to[c.unit]!) <= NEAR ||
      Math.abs(units.from[c.unit]! - units.to[u]!) <= NEAR,
  );
}

function gainOf(evidence: Evidence, u: number, covered: Coverage): number {
  const { table, units, weights, pairs } = evidence;
  const stems = weights.length;
  const { repeat } = profileOf(units);
  let gain = 0;
  let before = -1;
  const { seen } = evidence;
  const visit = ++evidence.visit;
  for (let i = units.from[u]!; i < units.to[u]!; i++) {
    if (!isKept(table, i)) continue;
    const stem = stemAt(table, i);
    if (stem >= 0) {
      const again = covered.stems[stem]! + (seen[stem] === visit ? 1 : 0);
      gain += weights[stem]! * repeat ** again;
      seen[stem] = visit;
      if (before >= 0) {
        const n = pairs.get(before * stems + stem);
        if (n !== undefined && !covered.pairs.has(before * stems + stem)) gain += WEIGHTS.pair * n;
      }
    }
    before = stem;
  }
  return gain;
}

function cover(evidence: Evidence, u: number, covered: Coverage): void {
  const { table, units, weights } = evidence;
  let before = -1;
  for (let i = units.from[u]!; i < units.to[u]!; i++) {
    if (!isKept(table, i)) continue;
    const stem = stemAt(table, i);
    if (stem >= 0) {
      covered.stems[stem]!++;
      if (before >= 0) covered.pairs.add(before * weights.length + stem);
    }
    before = stem;
  }
}
