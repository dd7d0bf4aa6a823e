import { words } from '../../core/text/tokens.js';
import { isKept } from './cleaning.js';
import { type Pause, type TokenTable } from './token-table.js';
import { UNIT, type Units } from './units.js';

/** The numbers behind the choice; found on meetings, debates and articles in three languages and rounded. */
export const WEIGHTS = {
  /** Exponent of a unit's words by which its gain is divided. */
  cost: 0.75,
  /** How fast private talk devalues a unit: exponent per share. */
  casual: 2.8,
  /** What a unit's worth is multiplied by when it has a word that announces what matters, asks, or concludes. */
  cue: 1.2,
  question: 0.25,
  conclusion: 1.3,
  /** What a stem of the title is multiplied by. */
  title: 1.5,
  /** Exponent of the certainty that a unit is whole. */
  whole: 0.3,
  /** Exponent of the share of words with content around a unit, in speech: people come to the point for a while, and chat for a while. */
  density: 1,
  /** Fewest words of a unit, and the words above which its worth falls in proportion. */
  shortest: 8,
  long: 34,
};

/** What differs between speech and writing. */
interface Profile {
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
const SPEECH: Profile = { lead: 2.5, fade: 0.035, repeat: 0.4, neighbour: 1.1, most: 0.6, least: 0.2 };

/** Writers put first what matters. */
const WRITING: Profile = { lead: 25, fade: 0.04, repeat: 1, neighbour: 3, most: 0.8, least: 0.05 };

const profileOf = (units: Units): Profile => (units.talk ? SPEECH : WRITING);

/** Weight of each stem by its frequency in the kept words of the whole text. */
async function stemWeights(table: TokenTable, units: Units, pause: Pause): Promise<Float64Array> {
  const frequency = new Float64Array(table.lexicon.stemForms.length);
  for (let u = 0; u < units.count; u++) {
    if (units.flags[u]! & UNIT.housekeeping) continue;
    for (let i = units.from[u]!; i < units.to[u]!; i++) {
      const stem = stemAt(table, i);
      if (stem >= 0 && isKept(table, i)) frequency[stem]!++;
    }
    if ((u & 127) === 0) await pause();
  }
  return frequency;
}

const stemAt = (table: TokenTable, i: number): number => table.lexicon.stems[table.form[i]!]!;

/** What multiplies a unit's gain, whatever else is chosen: position, wording, wholeness, length. */
function prior({ units, density }: Evidence, u: number, position: number): number {
  const w = WEIGHTS;
  const flags = units.flags[u]!;
  const words = units.words[u]!;
  const { lead, fade } = profileOf(units);
  let p = units.wholeness[u]! ** w.whole;
  p *= 1 + lead * Math.exp(-position / fade);
  if (units.spoken) p *= density[u]! ** w.density;
  p *= Math.exp(-w.casual * units.casual[u]!);
  if (flags & UNIT.cue) p *= w.cue;
  if (flags & UNIT.question) p *= w.question;
  if (flags & UNIT.conclusion) p *= w.conclusion;
  if (words > w.long) p *= w.long / words;
  return p;
}

/** What the choice works on; made once a text and shared by its sections. */
export interface Evidence {
  table: TokenTable;
  units: Units;
  weights: Float64Array;
  /** True when several people speak and nothing tells who. */
  voices: boolean;
  /** Stems of the title. */
  topic: ReadonlySet<number>;
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
  const topic = new Set(words(title).map((word) => table.lexicon.stemOf(word)));
  topic.delete(-1);
  for (const stem of topic) weights[stem]! *= WEIGHTS.title;
  const needs = new Int32Array(units.count);
  for (let u = 0; u < units.count; u++) needs[u] = firstNeeded(units, u);
  return {
    table,
    units,
    weights,
    voices,
    topic,
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

/** See `Evidence.needs`. */
function firstNeeded({ flags, words }: Units, u: number): number {
  let first = u;
  let total = words[u]!;
  while (flags[first]! & (UNIT.anaphoric | UNIT.dependent)) {
    if (first === 0 || u - first + 1 === LONGEST_CHAIN.units || flags[first - 1]! & UNIT.housekeeping)
      return -1;
    total += words[--first]!;
    if (total > LONGEST_CHAIN.words) return -1;
  }
  return first;
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

/** What a summary says already: how often each stem. Shared by the parts of one summary. */
export type Coverage = Uint16Array;

/** The coverage of an empty summary. */
export const coverageOf = (evidence: Evidence): Coverage => new Uint16Array(evidence.weights.length);

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
): Promise<number[]> {
  const { units, needs } = evidence;
  const { from, to, maxWords, maxUnits = MOST_UNITS, cost = WEIGHTS.cost } = stretch;
  const { most, least, neighbour } = profileOf(units);
  const firstToken = units.from[from] ?? 0;
  const span = Math.max(1, (units.to[to - 1] ?? 0) - firstToken);
  const third = (u: number): number =>
    Math.min(2, Math.floor((((units.from[u]! + units.to[u]!) / 2 - firstToken) / span) * 3));
  const priors = new Float64Array(to - from);
  for (let u = from; u < to; u++)
    priors[u - from] =
      prior(evidence, u, stretch.flat ? Infinity : (units.from[u]! - firstToken) / span) *
      (stretch.weigh?.(u) ?? 1);
  // Gains only fall as more is covered: one from an earlier round is an upper bound.
  const gains = new Float64Array(to - from).fill(Infinity);
  const isChosen = new Uint8Array(to - from);
  const chosen: number[] = [];
  const used = [0, 0, 0];
  let left = maxWords;
  let bounded = to - from >= 12 && maxWords >= 60;

  const wordsOf = (group: readonly number[]): number => group.reduce((n, u) => n + units.words[u]!, 0);
  /** The units to add for a unit, itself last; none where it cannot be understood. */
  const groupOf = (u: number, lenient = false): number[] => {
    const group = [u];
    while (units.flags[group[0]!]! & (UNIT.anaphoric | UNIT.dependent)) {
      const before = group[0]! - 1;
      if (before >= from && isChosen[before - from]) break;
      if (before < from || needs[u]! < 0) return lenient ? [u] : [];
      group.unshift(before);
    }
    return group;
  };
  const worth = (group: readonly number[]): number =>
    group.reduce((sum, u) => sum + (gainOf(evidence, u, covered) + 1e-6) * priors[u - from]!, 0) /
    wordsOf(group) ** cost;
  const isBeside = (u: number): boolean =>
    (u > from && isChosen[u - 1 - from] === 1) || (u + 1 < to && isChosen[u + 1 - from] === 1);
  const fits = (u: number, words: number): boolean => {
    if (words > left || !bounded) return words <= left;
    const t = third(u);
    if (used[t]! + words > most * maxWords) return false;
    const reserve = [0, 1, 2].reduce(
      (n, k) => (k === t ? n : n + Math.max(0, least * maxWords - used[k]!)),
      0,
    );
    return words <= left - reserve || used[t]! + words <= least * maxWords;
  };
  const take = (group: readonly number[]): void => {
    for (const u of group) {
      chosen.push(u);
      isChosen[u - from] = 1;
      used[third(u)]! += units.words[u]!;
      left -= units.words[u]!;
      eachStem(evidence, u, (stem) => covered[stem]!++);
      // What points back to the unit costs less now.
      gains.fill(Infinity, u - from, u - from + LONGEST_CHAIN.units);
    }
  };

  let start = from;
  for (const seed of [stretch.opening, stretch.conclusion]) {
    if (seed === undefined || seed < from || seed >= to || isChosen[seed - from]) continue;
    const group = groupOf(seed);
    if (group.length === 0 || wordsOf(group) > left) continue;
    if (seed === stretch.opening) start = group[0]!;
    take(group);
  }
  const fitsWhole = isWhole(units, stretch);
  const candidates: number[] = [];
  // The later passes take what there is: little was said, and little is better than nothing.
  let pass = 0;
  for (; pass < 3 && candidates.length === 0; pass++) {
    if (pass > 0 && (chosen.length > 0 || stretch.strict)) break;
    for (let u = start; u < to; u++) {
      const flags = units.flags[u]!;
      if (pass < 2 && flags & (UNIT.housekeeping | UNIT.question)) continue;
      if (pass < 1 && ((units.words[u]! < WEIGHTS.shortest && !fitsWhole) || units.content[u]! < 2)) continue;
      if (units.words[u]! > maxWords || priors[u - from] === 0) continue;
      if (chosen.length > 0 || groupOf(u, pass === 2).length > 0) candidates.push(u);
    }
  }
  while (left >= 3 && chosen.length < maxUnits) {
    let best: number[] = [];
    let top = 0;
    for (const [k, u] of candidates.entries()) {
      if ((k & 15) === 0) await pause();
      const bonus = isBeside(u) ? neighbour : 1;
      if (gains[u - from]! * bonus <= top || isChosen[u - from]) continue;
      const group = groupOf(u, pass === 3);
      if (group.length === 0 || chosen.length + group.length > maxUnits || !fits(u, wordsOf(group))) continue;
      gains[u - from] = worth(group);
      const value = gains[u - from]! * bonus;
      if (value > top && !repeats(evidence, u, chosen)) {
        top = value;
        best = group;
      }
    }
    if (best.length > 0) take(best);
    else if (!bounded) break;
    // Words that no third could use are left for the best sentences of all.
    else bounded = false;
  }
  return chosen;
}

/** True for a text that is no longer than its summary: nothing of it is too short. */
function isWhole(units: Units, { from, to, maxWords }: Stretch): boolean {
  let words = 0;
  for (let u = from; u < to; u++) if ((words += units.words[u]!) > maxWords) return false;
  return true;
}

/** Share of a unit's content from which it repeats another. */
const SAME_POINT = 0.65;

/** True when one chosen unit has most of what a unit says. */
function repeats(evidence: Evidence, u: number, chosen: readonly number[]): boolean {
  const { seen, units } = evidence;
  return chosen.some((unit) => {
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

/** What a unit adds to what is covered: the weights of its stems, less for each time that a stem was said before. */
function gainOf(evidence: Evidence, u: number, covered: Coverage): number {
  const { units, weights, seen } = evidence;
  const { repeat } = profileOf(units);
  const visit = ++evidence.visit;
  let gain = 0;
  eachStem(evidence, u, (stem) => {
    gain += weights[stem]! * repeat ** (covered[stem]! + (seen[stem] === visit ? 1 : 0));
    seen[stem] = visit;
  });
  return gain;
}
