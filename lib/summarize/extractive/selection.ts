import { words } from '../../core/text/tokens.js';
import { isKept } from './cleaning.js';
import { type Nouns } from './nouns.js';
import { type Pause, type TokenTable } from './token-table.js';
import { firstForms, UNIT, type Units } from './units.js';

/** The numbers behind the choice; found on meetings, debates and articles in three languages and rounded. */
export const WEIGHTS = {
  /** Weight of a pair of neighbouring stems that occurs again elsewhere. */
  pair: 0.35,
  /** Exponent of a unit's words by which its gain is divided. */
  cost: 0.9,
  /** The same where sentences are guessed: a short guess holds fewer wrong borders. */
  guessedCost: 0.95,
  /** How fast private talk devalues a unit: exponent per share. */
  casual: 2.8,
  /** What a unit's worth is multiplied by when … */
  cue: 1.2,
  question: 0.25,
  verbless: 0.8,
  loose: 0.5,
  unfinished: 0.55,
  conclusion: 1.3,
  /** Weight of a stem that occurs once: it says little about the subject. */
  once: 0.4,
  /** What a stem of the title is multiplied by. */
  title: 1.5,
  /** Exponent of the certainty that a unit is whole. */
  whole: 0.4,
  /** The same where every sentence is guessed: there it says less, and everything shares it. */
  guessedWhole: 0.2,
  /** Exponent of the share of words with content around a unit, in speech: people come to the point for a while, and chat for a while. */
  density: 1,
  /** Fewest words of a unit; below `short` and above `long` its worth falls in proportion. */
  shortest: 6,
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
  repeat: 0.4,
  neighbour: 1.1,
  most: 0.6,
  least: 0.2,
};

/** Writers put first what matters. */
export const WRITING: Profile = { lead: 25, fade: 0.04, repeat: 0.8, neighbour: 3, most: 0.8, least: 0.05 };

const profileOf = (units: Units): Profile => (units.talk ? SPEECH : WRITING);

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
    if (units.flags[u]! & (UNIT.alternative | UNIT.housekeeping)) continue;
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
    if (units.flags[u]! & (UNIT.alternative | UNIT.housekeeping)) continue;
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
function prior({ units, density }: Evidence, u: number, position: number): number {
  const w = WEIGHTS;
  const flags = units.flags[u]!;
  const words = units.words[u]!;
  const { lead, fade } = profileOf(units);
  let p = units.wholeness[u]! ** (units.unpunctuated ? w.guessedWhole : w.whole);
  p *= 1 + lead * Math.exp(-position / fade);
  if (units.spoken) p *= density[u]! ** w.density;
  p *= Math.exp(-w.casual * units.casual[u]!);
  if (flags & UNIT.cue) p *= w.cue;
  if (flags & UNIT.question) p *= w.question;
  if (flags & UNIT.verbless) p *= w.verbless;
  if (flags & UNIT.loose) p *= w.loose;
  if (flags & UNIT.conclusion) p *= w.conclusion;
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
  /** True when several people speak and nothing tells who. */
  voices: boolean;
  /** Stems of the title. */
  topic: ReadonlySet<number>;
  nouns: Nouns;
  /** Share of words with content in and around each unit, 0..1. */
  density: Float64Array;
  /** First unit that must stand with a unit for it to be understood: itself where it stands alone; -1 where nothing helps. */
  needs: Int32Array;
  /** The visit at which a stem was last met, and the number of the current one: finds repeats within a unit. */
  seen: Uint32Array;
  visit: number;
}

/**
 * Gathers the evidence of a text.
 *
 * @param title what the text is called: its words count for more
 * @param voices true when several people speak and nothing tells who
 */
export async function evidenceOf(
  table: TokenTable,
  units: Units,
  title: string,
  voices: boolean,
  pause: Pause,
): Promise<Evidence> {
  const weights = await stemWeights(table, units, pause);
  for (let s = 0; s < weights.length; s++) if (weights[s] === 1) weights[s] = WEIGHTS.once;
  const topic = new Set(words(title).map((word) => table.lexicon.stemOf(word)));
  topic.delete(-1);
  for (const stem of topic) weights[stem]! *= WEIGHTS.title;
  const pairs = await repeatedPairs(table, units, pause);
  const needs = new Int32Array(units.count);
  for (let u = 0; u < units.count; u++) needs[u] = firstNeeded(units, u);
  return {
    table,
    units,
    weights,
    pairs,
    voices,
    topic,
    nouns: units.nouns,
    density: densityOf(units),
    needs,
    seen: new Uint32Array(weights.length),
    visit: 0,
  };
}

/** Units on either side that count as around a unit. */
const AROUND = 6;

function densityOf({ count, words, content }: Units): Float64Array {
  const density = new Float64Array(count);
  let [all, telling] = [0, 0];
  for (let u = -AROUND; u < count; u++) {
    const enters = u + AROUND;
    const leaves = u - AROUND - 1;
    if (enters < count) [all, telling] = [all + words[enters]!, telling + content[enters]!];
    if (leaves >= 0) [all, telling] = [all - words[leaves]!, telling - content[leaves]!];
    if (u >= 0) density[u] = telling / Math.max(1, all);
  }
  return density;
}

/** Most units, and most words, that are chosen together because one points back to another. */
const LONGEST_CHAIN = { units: 3, words: 70 };

/** Fewest words with content of a sentence that another can point back to: "Right." names nothing. */
const ANTECEDENT = 2;

/** See `Evidence.needs`. */
function firstNeeded({ flags, previous, words, content }: Units, u: number): number {
  let first = u;
  let total = words[u]!;
  for (let n = 1; flags[first]! & (UNIT.anaphoric | UNIT.dependent); n++) {
    const before = previous[first]!;
    if (before < 0 || n === LONGEST_CHAIN.units || flags[before]! & UNIT.housekeeping) return -1;
    if (content[before]! < ANTECEDENT) return -1;
    total += words[before]!;
    if (total > LONGEST_CHAIN.words) return -1;
    first = before;
  }
  return first;
}

/** Share of a budget that is rather left over than filled with sentences shorter than `WEIGHTS.short`. */
const SPARE = 0.15;

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
  /** Units that are chosen before all others, where they fit; nothing that was said before the opening is chosen. */
  opening?: number;
  conclusion?: number;
  /** What a unit's worth is multiplied by; 0 excludes it. Default 1. */
  weigh?: (unit: number) => number;
  /** Exponent of a unit's words by which its gain is divided: the lower, the longer are the units. Default `WEIGHTS.cost`. */
  cost?: number;
  /** True: where a unit stands in the stretch does not matter. */
  flat?: boolean;
  /** True: rather nothing than a unit that is weak. */
  strict?: boolean;
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
 * second time, and no third of the stretch takes more than its share. A unit that points back comes with the units it
 * needs, or not at all.
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
  const cost = stretch.cost ?? (units.unpunctuated ? w.guessedCost : w.cost);
  const { most, least, neighbour } = profileOf(units);
  const gains = new Float64Array(to - from);
  const priors = new Float64Array(to - from);
  const isChosen = new Uint8Array(to - from);
  const bonus = new Float64Array(to - from).fill(1);
  const chosen: Choice[] = [];
  const used = [0, 0, 0];
  let left = maxWords;
  // Of a text that is no longer than its summary, nothing is too short.
  let fitsWhole = true;
  for (let u = from, n = 0; u < to && fitsWhole; u++) fitsWhole = (n += units.words[u]!) <= maxWords;
  let lenient = false;
  /** The units to add for a unit, itself last; none where it cannot be chosen. */
  const groupOf = (u: number): number[] => {
    const group = [u];
    while (units.flags[group[0]!]! & (UNIT.anaphoric | UNIT.dependent)) {
      const before = units.previous[group[0]!]!;
      if (before < from) return lenient ? [u] : [];
      if (isChosen[before - from] || overlaps(units, before, chosen)) break;
      if (evidence.needs[u]! < 0) return lenient ? [u] : [];
      group.unshift(before);
    }
    return group;
  };
  const wordsOf = (group: readonly number[]): number => group.reduce((n, u) => n + units.words[u]!, 0);
  const worth = (group: readonly number[]): number => {
    let sum = 0;
    for (const u of group) sum += (gainOf(evidence, u, covered) + 1e-6) * priors[u - from]!;
    return sum / wordsOf(group) ** cost;
  };
  const third = (u: number): number =>
    Math.min(2, Math.floor((((units.from[u]! + units.to[u]!) / 2 - firstToken) / span) * 3));
  let bounded = to - from >= 12 && maxWords >= 60;
  const fits = (u: number, words: number): boolean => {
    if (words > left || (words < w.short && left < maxWords * SPARE && !fitsWhole)) return false;
    if (!bounded) return true;
    const t = third(u);
    if (used[t]! + words > most * maxWords) return false;
    let reserve = 0;
    for (let k = 0; k < 3; k++) if (k !== t) reserve += Math.max(0, least * maxWords - used[k]!);
    return words <= left - reserve || used[t]! + words <= least * maxWords;
  };
  const take = (group: readonly number[], gain: number): void => {
    for (const u of group) {
      chosen.push({ unit: u, gain });
      isChosen[u - from] = 1;
      used[third(u)]! += units.words[u]!;
      left -= units.words[u]!;
      cover(evidence, u, covered);
      // What points back to the unit costs less now.
      for (let k = u + 1; k < Math.min(to, u + REACH); k++) gains[k - from] = Infinity;
      for (let k = Math.max(from, u - REACH); k < Math.min(to, u + REACH); k++)
        if (isNear(units, k, u)) bonus[k - from] = neighbour;
    }
  };

  for (let u = from; u < to; u++)
    priors[u - from] =
      prior(evidence, u, stretch.flat ? Infinity : (units.from[u]! - firstToken) / span) *
      (stretch.weigh?.(u) ?? 1);
  let start = from;
  for (const seed of [stretch.opening, stretch.conclusion]) {
    if (seed === undefined || seed < from || seed >= to || isChosen[seed - from]) continue;
    const group = groupOf(seed);
    if (group.length === 0 || wordsOf(group) > left) continue;
    if (seed === stretch.opening) start = group[0]!;
    take(group, worth(group) * wordsOf(group) ** cost);
  }
  const candidates: number[] = [];
  for (let pass = 0; pass < 3 && candidates.length === 0; pass++) {
    if (pass > 0 && (chosen.length > 0 || stretch.strict)) break;
    lenient = pass === 2;
    for (let u = start; u < to; u++) {
      const flags = units.flags[u]!;
      // The later passes take what there is: little was said, and little is better than nothing.
      if (pass < 2 && flags & (UNIT.housekeeping | UNIT.question)) continue;
      if (pass < 1 && ((units.words[u]! < w.shortest && !fitsWhole) || units.content[u]! < 2)) continue;
      const isFit = units.words[u]! <= maxWords && priors[u - from]! > 0;
      if (isFit && (chosen.length > 0 || lenient || groupOf(u).length > 0)) candidates.push(u);
    }
  }
  gains.fill(Infinity);
  while (left >= 3 && chosen.length < (stretch.maxUnits ?? MOST_UNITS)) {
    let best: number[] = [];
    let top = 0;
    for (let k = 0; k < candidates.length; k++) {
      const u = candidates[k]!;
      if ((k & 15) === 0) await pause();
      // Gains only fall as more is covered: one from an earlier round is an upper bound and need not be worked out.
      if (gains[u - from]! * bonus[u - from]! <= top || isChosen[u - from] || overlaps(units, u, chosen))
        continue;
      const group = groupOf(u);
      const words = wordsOf(group);
      if (group.length === 0 || !fits(u, words)) continue;
      if (chosen.length + group.length > (stretch.maxUnits ?? MOST_UNITS)) continue;
      gains[u - from] = worth(group);
      const value = gains[u - from]! * bonus[u - from]!;
      if (value > top && !repeats(evidence, u, chosen)) {
        top = value;
        best = group;
      }
    }
    if (best.length === 0) {
      if (!bounded) break;
      // What no third may take is free for all.
      bounded = false;
      gains.fill(Infinity);
      continue;
    }
    take(best, top * wordsOf(best) ** cost);
  }
  return chosen;
}

/** Units around a chosen one that it may change the worth of. */
const REACH = 12;

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

function isNear({ from, to }: Units, a: number, b: number): boolean {
  return Math.abs(from[a]! - to[b]!) <= NEAR || Math.abs(from[b]! - to[a]!) <= NEAR;
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
