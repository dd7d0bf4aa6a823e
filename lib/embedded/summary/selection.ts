import { type Pause, type TokenTable } from './token-table.js';
import { UNIT, type Unit } from './units.js';

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
  units: readonly Unit[];
  /** True when the words are a talk to somebody, and not an article. */
  talk: boolean;
  /** True for captions without punctuation: ends of clauses were guessed. */
  unpunctuated: boolean;
  /** How often each stem occurs, the title's for more. */
  weights: readonly number[];
  /** What multiplies a unit's gain, whatever else is chosen and wherever it stands. */
  priors: readonly number[];
  /** Stems of the title that are said. */
  topic: ReadonlySet<number>;
}

/** Weighs the words of a text, and its units by their style. */
export function weigh(
  { lexicon }: TokenTable,
  units: readonly Unit[],
  topic: ReadonlySet<number>,
): Pick<Evidence, 'weights' | 'priors'> {
  const weights = new Array<number>(lexicon.stemCount).fill(0);
  for (const { flags, stems } of units)
    if (!(flags & UNIT.housekeeping)) for (const stem of stems) weights[stem]!++;
  for (const stem of topic) weights[stem]! *= WEIGHTS.title;
  const priors = units.map(
    ({ flags, formality, single }) =>
      Math.exp(WEIGHTS.formality * formality) *
      (flags & UNIT.cue ? WEIGHTS.cue : 1) *
      single ** WEIGHTS.single,
  );
  return { weights, priors };
}

/** How much more a unit counts that names what the reader wants to know; a unit next to one has a part of it. */
const FOCUS = { named: 12, neighbour: 0.25 };

/**
 * The evidence for a reader who wants to know about something: units that name it count for more, the more the rarer its words are in the text.
 *
 * @param others what all other units count
 * @returns undefined where no unit names it
 */
export function favouring(evidence: Evidence, focus: string, others: number): Evidence | undefined {
  const { table, units } = evidence;
  const named = units.map(() => 0);
  for (const wanted of table.lexicon.stemsOf(focus)) {
    const places = [...units.keys()].filter((u) => units[u]!.stems.includes(wanted));
    for (const u of places) named[u]! += Math.log((units.length + 1) / places.length);
  }
  const most = named.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return undefined;
  const priors = evidence.priors.map((prior, u) => {
    const near = FOCUS.neighbour * Math.max(named[u - 1] ?? 0, named[u + 1] ?? 0);
    return prior * (others + (FOCUS.named * Math.max(named[u]!, others && near)) / most);
  });
  return { ...evidence, priors };
}

export function wordsIn({ units }: Evidence, { from, to }: Stretch): number {
  let words = 0;
  for (let u = from; u < to; u++) words += units[u]!.words;
  return words;
}

/** Cuts a stretch into parts of as many words each. */
export function evenParts(evidence: Evidence, { from, to }: Stretch, count: number): Stretch[] {
  const total = wordsIn(evidence, { from, to });
  const parts: Stretch[] = [];
  let [start, before] = [from, 0];
  for (let k = 1; k <= count; k++) {
    let end = start;
    while (end < to && (k === count || before < (total * k) / count)) before += evidence.units[end++]!.words;
    parts.push({ from: start, to: end });
    start = end;
  }
  return parts;
}

/** What a summary says already: how often each stem. */
type Coverage = Map<number, number>;

export function cover({ units }: Evidence, u: number, covered: Coverage): void {
  for (const stem of units[u]!.stems) covered.set(stem, (covered.get(stem) ?? 0) + 1);
}

/** What a unit adds to what is covered: the weights of its stems, less for each time that a stem was said before. */
export function gainOf({ units, weights, talk }: Evidence, u: number, covered: Coverage): number {
  const repeat = talk ? WEIGHTS.repeat.speech : WEIGHTS.repeat.writing;
  const own = new Map<number, number>();
  let gain = 1e-6;
  for (const stem of units[u]!.stems) {
    const times = own.get(stem) ?? covered.get(stem) ?? 0;
    gain += weights[stem]! * repeat ** times;
    own.set(stem, times + 1);
  }
  return gain;
}

/** Units of the longest summary; bounds the work. */
const MOST_UNITS = 600;

export interface Task extends Stretch {
  maxWords: number;
  /** Most units; as many as fit when absent. */
  maxUnits?: number;
  /** Parts that share the words, in proportion to the root of their length; one that has had its share counts for less. */
  parts?: readonly Stretch[];
}

/** Share of a text in which a talk says what it is about. */
const BEGINNING = 0.12;
/** What an announcement counts against naming one word of the title; what an opening must reach. */
const ANNOUNCEMENT = 1.5;
const LEAST = 1.5;

/** The unit that says what the text is about, by the words of the title and by set phrases; the first one where none does. */
function openingOf({ units, topic }: Evidence): number {
  const beginning = Math.min(units.length / 3, Math.max(8, units.length * BEGINNING));
  let [opening, top] = [0, 0];
  for (const [u, { flags, stems }] of units.slice(0, beginning).entries()) {
    const named = new Set(stems.filter((stem) => topic.has(stem))).size;
    const announces = flags & UNIT.announcement && (named > 0 || topic.size === 0);
    const worth = named + (announces ? ANNOUNCEMENT : 0);
    const score = worth * (1 - (0.5 * u) / beginning);
    if (!(flags & (UNFIT | POINTS_BACK)) && worth >= LEAST && score > top) [opening, top] = [u, score];
  }
  return opening;
}

/** Chooses the summary of a whole text from its opening on, spread over its parts, or its thirds. */
export function chooseSummary(
  evidence: Evidence,
  { parts = [], ...bounds }: Omit<Task, keyof Stretch>,
  pause: Pause,
): Promise<number[]> {
  const whole = { from: openingOf(evidence), to: evidence.units.length };
  const shared = parts.length > 0 ? parts : evenParts(evidence, whole, 3);
  return choose(evidence, { ...whole, ...bounds, parts: shared }, pause);
}

/**
 * Greedy choice of the units that cover the most content within a budget of words (Lin and Bilmes, 2011: a monotone submodular gain by its cost).
 *
 * @returns the units in order of the text; the words never exceed the budget
 */
export async function choose(evidence: Evidence, task: Task, pause: Pause): Promise<number[]> {
  const { units, priors, talk } = evidence;
  const { from, to, maxWords, maxUnits = MOST_UNITS, parts = [] } = task;
  const lead = talk ? WEIGHTS.lead.speech : WEIGHTS.lead.writing;
  const firstToken = units[from]?.from ?? 0;
  const span = Math.max(1, (units[to - 1]?.to ?? 0) - firstToken);
  const covered: Coverage = new Map();
  const shares = sharesOf(evidence, parts, maxWords);
  const all = Array.from({ length: to - from }, (_, k) => from + k);
  const chosen = new Set<number>();
  let left = maxWords;

  const worthOf = (u: number): number => {
    const unit = units[u]!;
    const place = 1 + lead * Math.exp(-(unit.from - firstToken) / span / WEIGHTS.fade);
    // A border to a chosen neighbour is no end.
    const begin = chosen.has(u - 1) ? 1 / unit.begins : unit.begins;
    const end = chosen.has(u + 1) ? 1 / unit.ends : unit.ends;
    const certainty = (begin * end) ** WEIGHTS.border;
    const gain = gainOf(evidence, u, covered) / unit.words ** WEIGHTS.cost;
    return gain * priors[u]! * place * certainty * shares.factor(u);
  };
  const said = new Set<string>();
  const contentOf = (u: number): string => units[u]!.stems.join(' ') || `none ${u}`;
  const fill = async (candidates: readonly number[]): Promise<void> => {
    while (left >= 3 && chosen.size < maxUnits) {
      let [best, top] = [-1, 0];
      for (const [k, u] of candidates.entries()) {
        if ((k & 15) === 0) await pause();
        if (chosen.has(u) || units[u]!.words > left || said.has(contentOf(u))) continue;
        if (candidates !== all && units[u]!.flags & POINTS_BACK && !chosen.has(u - 1)) continue;
        const worth = worthOf(u);
        if (worth > top) [best, top] = [u, worth];
      }
      if (best < 0) return;
      chosen.add(best);
      said.add(contentOf(best));
      left -= units[best]!.words;
      cover(evidence, best, covered);
      shares.use(best);
    }
  };
  const candidates = all.filter((u) => isCandidate(evidence, u));
  // Of a text that is no longer than its summary nothing is too short.
  const isShort = wordsIn(evidence, task) <= maxWords;
  await fill(isShort ? candidates : candidates.filter((u) => units[u]!.words >= WEIGHTS.shortest));
  // Little was said, and little is better than nothing.
  if (left > maxWords / 2) await fill(candidates);
  if (chosen.size === 0) await fill(all);
  return all.filter((u) => chosen.has(u));
}

/** What the parts of a text have had of the words of a summary. */
function sharesOf(
  evidence: Evidence,
  parts: readonly Stretch[],
  maxWords: number,
): { factor: (unit: number) => number; use: (unit: number) => void } {
  const roots = parts.map((part) => Math.sqrt(wordsIn(evidence, part)));
  const total = roots.reduce((a, b) => a + b, 0);
  const used = roots.map(() => 0);
  const partOf = (u: number): number => parts.findIndex(({ to }) => u < to);
  return {
    factor: (u) => {
      const k = partOf(u);
      return k < 0 ? 1 : 1 / (1 + (used[k]! * total) / (maxWords * roots[k]!));
    },
    use: (u) => {
      const k = partOf(u);
      if (k >= 0) used[k]! += evidence.units[u]!.words;
    },
  };
}

const UNFIT = UNIT.housekeeping | UNIT.question | UNIT.unsure;
/** Understood only behind the unit before it. */
const POINTS_BACK = UNIT.anaphoric | UNIT.dependent;

/** Whether a unit says something. */
function isCandidate({ units, unpunctuated }: Evidence, u: number): boolean {
  const { flags, stems } = units[u]!;
  const isFragment = unpunctuated && (flags & UNIT.verbless) > 0;
  return !(flags & UNFIT) && !isFragment && stems.length >= 2;
}
