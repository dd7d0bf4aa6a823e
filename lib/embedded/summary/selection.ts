import { words } from '../../text/tokens.js';
import { type Pause, type TokenTable } from './token-table.js';
import { contentOf, stemsOf, UNIT, type Units } from './units.js';

/**
 * The numbers behind the choice. Each is the rounded middle of a plateau that is the same on both halves of meetings, debates, articles
 * and manuals, as they are written and as captions.
 */
export const WEIGHTS = {
  /** Exponent of a unit's words by which its gain is divided. */
  cost: 0.75,
  /** How fast a plain style raises and private talk lowers a unit's worth: exponent per share. */
  formality: 3,
  /** What a unit's worth is multiplied by when it has a word that announces what matters. */
  cue: 1.2,
  /** How much less a guessed clause is worth when it may hold more than one: exponent of the probability that it does not. */
  single: 0.35,
  /** How much less it is worth when it may not begin or end where it is cut: exponent of the probability that a clause does. */
  border: 0.2,
  /** What a stem of the title is multiplied by. */
  title: 1.5,
  /** Fewest words of a unit. */
  shortest: 6,
  /** Share of the text after which the bonus of the beginning has faded to a third. */
  fade: 0.03,
  /** Bonus of the beginning: writers put first what matters, speakers come to the point late and everywhere. */
  lead: { speech: 2.5, writing: 25 },
  /** What a stem that is already in the summary still counts. */
  repeat: { speech: 0.4, writing: 0.8 },
};

/** A stretch of units; `to` is exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

/** What the choice works on; made once a text and shared by its sections. */
export interface Evidence {
  table: TokenTable;
  units: Units;
  /** How often each stem occurs, the title's for more. */
  weights: Float64Array;
  /** What multiplies a unit's gain, whatever else is chosen and wherever it stands. */
  priors: Float64Array;
  /** Units that a summary is built around. */
  seeds: Seeds;
  /** First unit that must stand with a unit for it to be understood: itself where it stands alone; -1 where nothing helps. */
  needs: Int32Array;
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
  const weights = new Float64Array(table.lexicon.stemCount);
  const priors = new Float64Array(units.count);
  const needs = new Int32Array(units.count);
  for (let u = 0; u < units.count; u++) {
    const flags = units.flags[u]!;
    if (!(flags & UNIT.housekeeping)) for (const stem of stemsOf(units, u)) weights[stem]!++;
    priors[u] =
      Math.exp(WEIGHTS.formality * units.formality[u]!) *
      (flags & UNIT.cue ? WEIGHTS.cue : 1) *
      units.single[u]! ** WEIGHTS.single;
    needs[u] = firstNeeded(units, u);
    if ((u & 127) === 0) await pause();
  }
  const topic = new Set(words(title).map((word) => table.lexicon.stemOf(word)));
  topic.delete(-1);
  for (const stem of topic) weights[stem]! *= WEIGHTS.title;
  const evidence = { table, units, weights, priors, needs, seeds: {} };
  return { ...evidence, seeds: seedsOf(evidence, topic, voices) };
}

/** How much more a unit counts that names what the reader wants to know; a unit next to one has a part of it. */
const FOCUS = { named: 12, beside: 0.25 };

/**
 * The evidence for a reader who wants to know about something: units that name it count for more, the more the rarer its words are in the
 * text, and there are no seeds.
 *
 * @param others what all other units count
 * @returns undefined where no unit names it
 */
export function favouring(evidence: Evidence, focus: string, others: number): Evidence | undefined {
  const { table, units } = evidence;
  const { count } = units;
  const wanted = new Map<number, number>(words(focus).map((word) => [table.lexicon.stemOf(word), 0]));
  const eachNamed = (visit: (u: number, stem: number, times: number) => void): void => {
    for (let u = 0; u < count; u++)
      for (const stem of new Set(stemsOf(units, u))) {
        const times = wanted.get(stem);
        if (times !== undefined) visit(u, stem, times);
      }
  };
  eachNamed((_, stem, times) => wanted.set(stem, times + 1));
  const named = new Float64Array(count);
  eachNamed((u, _, times) => (named[u]! += Math.log((count + 1) / times)));
  const most = maxOf(named);
  if (most === 0) return undefined;
  const priors = evidence.priors.map((prior, u) => {
    const near = FOCUS.beside * Math.max(named[u - 1] ?? 0, named[u + 1] ?? 0);
    return prior * (others + (FOCUS.named * Math.max(named[u]!, others && near)) / most);
  });
  return { ...evidence, priors, seeds: {} };
}

function maxOf(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** Most units, and most words, that are chosen together because one points back to another. */
const LONGEST_CHAIN = { units: 3, words: 55 };

/** See `Evidence.needs`. */
function firstNeeded(units: Units, u: number): number {
  const { flags, words } = units;
  let first = u;
  let total = words[u]!;
  // The first sentence has nothing before it to point back to.
  while (first > 0 && flags[first]! & (UNIT.anaphoric | UNIT.dependent)) {
    if (u - first + 1 === LONGEST_CHAIN.units || flags[first - 1]! & (UNIT.housekeeping | UNIT.unsure))
      return -1;
    total += words[--first]!;
    if (total > LONGEST_CHAIN.words) return -1;
  }
  // "For sure." has nothing that a word can point back to.
  return first < u && contentOf(units, first) < 2 ? -1 : first;
}

/** Words that were said in a stretch, as the units keep them. */
export function wordsIn({ units }: Evidence, { from, to }: Stretch): number {
  let words = 0;
  for (let u = from; u < to; u++) words += units.words[u]!;
  return words;
}

/** Cuts a stretch into parts of as many words each. */
export function evenParts(evidence: Evidence, { from, to }: Stretch, count: number): Stretch[] {
  const total = wordsIn(evidence, { from, to });
  const parts: Stretch[] = [];
  let [start, before] = [from, 0];
  for (let k = 1; k <= count; k++) {
    let end = start;
    while (end < to && (k === count || before < (total * k) / count)) before += evidence.units.words[end++]!;
    parts.push({ from: start, to: end });
    start = end;
  }
  return parts;
}

/** What a summary says already: how often each stem. */
export type Coverage = Uint16Array;

/** The coverage of an empty summary. */
export const coverageOf = (evidence: Evidence): Coverage => new Uint16Array(evidence.weights.length);

/** Adds the stems of a unit to what is covered. */
export function cover({ units }: Evidence, u: number, covered: Coverage): void {
  for (const stem of stemsOf(units, u)) covered[stem]!++;
}

/** What a unit adds to what is covered: the weights of its stems, less for each time that a stem was said before. */
export function gainOf({ units, weights }: Evidence, u: number, covered: Coverage): number {
  const repeat = units.talk ? WEIGHTS.repeat.speech : WEIGHTS.repeat.writing;
  const stems = stemsOf(units, u);
  let gain = 1e-6;
  for (const stem of stems) gain += weights[stem]! * repeat ** covered[stem]!++;
  for (const stem of stems) covered[stem]!--;
  return gain;
}

/** Overlap of two units (Dice, 1945), 0..1, from which one repeats the other. */
const SAME_POINT = 0.65;
/** Units of the longest summary; bounds the work. */
const MOST_UNITS = 600;

/** What a choice is made from, and its bounds. */
export interface Task extends Stretch {
  maxWords: number;
  /** Most units; as many as fit when absent. */
  maxUnits?: number;
  /** Parts that share the words, in proportion to the root of their length; one that has had its share counts for less. */
  parts?: readonly Stretch[];
}

/** Chooses the summary of a whole text: built around what it is about and what it concludes, and spread over its parts, or its thirds. */
export function chooseSummary(
  evidence: Evidence,
  { parts = [], ...bounds }: Omit<Task, keyof Stretch>,
  pause: Pause,
): Promise<number[]> {
  const whole = { from: 0, to: evidence.units.count };
  const shared = parts.length > 0 ? parts : evenParts(evidence, whole, 3);
  return choose(evidence, { ...whole, ...bounds, parts: shared }, pause);
}

/**
 * Greedy choice of the units that cover the most content within a budget of words (Lin and Bilmes, 2011: a monotone submodular gain by
 * its cost). A unit that points back comes with the units it needs, or not at all.
 *
 * @returns the units in order of the text; the words never exceed the budget
 */
export async function choose(evidence: Evidence, task: Task, pause: Pause): Promise<number[]> {
  const { units, needs, priors, seeds } = evidence;
  const { from, to, maxWords, maxUnits = MOST_UNITS, parts = [] } = task;
  const lead = units.talk ? WEIGHTS.lead.speech : WEIGHTS.lead.writing;
  const firstToken = units.from[from] ?? 0;
  const span = Math.max(1, (units.to[to - 1] ?? 0) - firstToken);
  const covered = coverageOf(evidence);
  const shares = sharesOf(evidence, parts, maxWords);
  const isChosen = new Uint8Array(to - from);
  // Gains only fall as more is covered: one from an earlier round is an upper bound.
  const gains = new Float64Array(to - from).fill(Infinity);
  /** The stems of each chosen unit. */
  const said: Set<number>[] = [];
  let left = maxWords;
  let start = from;

  const wordsOf = (group: readonly number[]): number => group.reduce((n, u) => n + units.words[u]!, 0);
  const take = (group: readonly number[]): void => {
    for (const u of group) {
      isChosen[u - from] = 1;
      left -= units.words[u]!;
      cover(evidence, u, covered);
      said.push(new Set(stemsOf(units, u)));
      shares.use(u);
      // Units that refer back to the chosen one now cost less, and its neighbours share a border with the summary.
      gains.fill(Infinity, Math.max(0, u - from - LONGEST_CHAIN.units), u - from + LONGEST_CHAIN.units);
    }
  };
  const repeats = (u: number): boolean =>
    said.some((stems) => {
      const shared = stemsOf(units, u).reduce((n, stem) => n + (stems.has(stem) ? 1 : 0), 0);
      return shared > 1 && (2 * shared) / (contentOf(units, u) + stems.size) >= SAME_POINT;
    });
  const groupOf = (u: number, first = needs[u]!): number[] => {
    const group: number[] = [];
    for (let k = first; k <= u; k++) if (!isChosen[k - from]) group.push(k);
    return group;
  };

  // A border to a chosen neighbour is no longer an end.
  const certainty = (group: readonly number[]): number => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const begin = units.begins[first]! ** (isChosen[first - 1 - from] ? -1 : 1);
    const end = units.ends[last]! ** (isChosen[last + 1 - from] ? -1 : 1);
    return (begin * end) ** WEIGHTS.border;
  };

  for (const seed of [seeds.opening, seeds.conclusion]) {
    if (seed === undefined || needs[seed]! < from || seed >= to || isChosen[seed - from]) continue;
    if (wordsOf(groupOf(seed)) > left) continue;
    if (seed === seeds.opening) start = needs[seed]!;
    take(groupOf(seed));
  }
  const all = Array.from({ length: to - from }, (_, k) => from + k);
  const fill = async (candidates: readonly number[], lenient = false): Promise<void> => {
    while (left >= 3 && said.length < maxUnits) {
      let best: number[] = [];
      let top = 0;
      for (const [k, u] of candidates.entries()) {
        if ((k & 15) === 0) await pause();
        const factor = shares.factor(u);
        if (isChosen[u - from] || gains[u - from]! * factor <= top) continue;
        const group = groupOf(u, lenient ? u : needs[u]);
        const cost = wordsOf(group);
        if (cost > left || said.length + group.length > maxUnits) continue;
        let worth = 0;
        for (const one of group) {
          const position = (units.from[one]! - firstToken) / span;
          const place = 1 + lead * Math.exp(-position / WEIGHTS.fade);
          worth += gainOf(evidence, one, covered) * priors[one]! * place;
        }
        gains[u - from] = (worth / cost ** WEIGHTS.cost) * certainty(group);
        if (gains[u - from]! * factor > top && !repeats(u)) {
          top = gains[u - from]! * factor;
          best = group;
        }
      }
      if (best.length === 0) return;
      take(best);
    }
  };
  const candidates = all.filter((u) => u >= start && isCandidate(evidence, u, start));
  // Of a text that is no longer than its summary nothing is too short.
  const isShort = wordsIn(evidence, task) <= maxWords;
  await fill(isShort ? candidates : candidates.filter((u) => units.words[u]! >= WEIGHTS.shortest));
  // Little was said, and little is better than nothing.
  if (left > maxWords / 2) await fill(candidates);
  if (said.length === 0) await fill(all, true);
  return all.filter((u) => isChosen[u - from]);
}

/** What the parts of a text have had of the words of a summary. */
function sharesOf(
  evidence: Evidence,
  parts: readonly Stretch[],
  maxWords: number,
): { factor: (unit: number) => number; use: (unit: number) => void } {
  const partOf = new Uint16Array(parts.at(-1)?.to ?? 0);
  const roots = parts.map((part) => Math.sqrt(wordsIn(evidence, part)));
  const total = roots.reduce((a, b) => a + b, 0);
  const used = roots.map(() => 0);
  for (const [k, { from, to }] of parts.entries()) partOf.fill(k, from, to);
  return {
    factor: (u) => {
      const k = partOf[u] ?? 0;
      return parts.length > 0 ? 1 / (1 + (used[k]! * total) / (maxWords * roots[k]!)) : 1;
    },
    use: (u) => {
      used[partOf[u] ?? 0]! += evidence.units.words[u]!;
    },
  };
}

/** Whether a unit says something and can be understood with those that it needs. */
function isCandidate({ units, needs }: Evidence, u: number, from: number): boolean {
  const isIdle =
    (units.flags[u]! & (UNIT.housekeeping | UNIT.question | UNIT.unsure)) > 0 || contentOf(units, u) < 2;
  const isFragment = units.unpunctuated && (units.flags[u]! & UNIT.verbless) > 0;
  return !isIdle && !isFragment && needs[u]! >= from;
}

/** Where a text says what it is about, and where it concludes: shares of its units, and the fewest units that are looked at. */
const BEGINNING = { share: 0.12, least: 8 };
const END = { share: 0.2, least: 6 };
/** Fewest and most words of a seed with the units that it needs. */
const SEED_WORDS = { least: 6, most: 50 };
/** What an announcement counts against naming one word of the title; what an opening must reach. */
const ANNOUNCEMENT = 1.5;
const LEAST = 1.5;

/** The units that a summary is built around. Either may be missing. */
interface Seeds {
  /** Says what the text is about; nothing that was said before it is chosen. */
  opening?: number;
  /** Of the last units that draw a conclusion, the one that says most. */
  conclusion?: number;
}

/** Finds the opening by the words of the title and by set phrases, and the conclusion by set phrases. */
function seedsOf(evidence: Evidence, topic: ReadonlySet<number>, voices: boolean): Seeds {
  const { units, needs } = evidence;
  const { count, flags } = units;
  const isFit = (u: number): boolean =>
    !(flags[u]! & (UNIT.housekeeping | UNIT.verbless | UNIT.question | UNIT.unsure)) &&
    needs[u]! >= 0 &&
    units.words[u]! >= SEED_WORDS.least &&
    wordsIn(evidence, { from: needs[u]!, to: u + 1 }) <= SEED_WORDS.most;
  const seeds: Seeds = {};
  const beginning = Math.min(
    Math.ceil(count / 3),
    Math.max(BEGINNING.least, Math.ceil(count * BEGINNING.share)),
  );
  let top = 0;
  for (let u = 0; u < beginning; u++) {
    // The first sentence has nothing before it to point back to.
    if (!isFit(u) || needs[u] !== u) continue;
    const named = new Set(stemsOf(units, u).filter((stem) => topic.has(stem))).size;
    // In a conversation, "we're going to" is said of anything, unless it names the topic.
    const announces = flags[u]! & UNIT.announcement && (named > 0 || (topic.size === 0 && !voices));
    const worth = named + (announces ? ANNOUNCEMENT : 0);
    const score = worth * (1 - (0.5 * u) / beginning);
    if (worth >= LEAST && score > top) [seeds.opening, top] = [u, score];
  }
  // In captions a set phrase may stand anywhere in a stretch of words.
  if (units.unpunctuated) return seeds;
  const end = Math.min(Math.floor(count * (1 - END.share)), count - END.least);
  for (let u = Math.max(beginning, end, (seeds.opening ?? -1) + 1); u < count; u++) {
    if (!(flags[u]! & UNIT.conclusion) || !isFit(u)) continue;
    if (seeds.conclusion === undefined || contentOf(units, u) >= contentOf(units, seeds.conclusion))
      seeds.conclusion = u;
  }
  return seeds;
}
