import { type Pause } from '../../core/async.js';
import { END, type Sentence } from './sentences.js';

/** A stretch of sentences; `to` is exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

/** What the choice works on; made once a text. */
export interface Evidence {
  sentences: readonly Sentence[];
  /** About the video itself: never shown. */
  housekeeping: readonly boolean[];
  unpunctuated: boolean;
  /** Stems of the title. */
  topic: ReadonlySet<string>;
  /** How often each stem occurs, more for those of the title. */
  weights: ReadonlyMap<string, number>;
  /** Words before each sentence, and all words at the end. */
  before: readonly number[];
  /** How much each sentence says of what the reader wants to know, 0..1. */
  focus?: readonly number[];
}

/**
 * The numbers behind the choice. Each is the rounded middle of a plateau in ROUGE on meetings, debates, articles and manuals, as they are
 * written and as captions.
 */
const WEIGHTS = {
  /** Exponent of the words by which the gain of a passage is divided. */
  cost: 0.75,
  /** How fast a plain style raises and private talk lowers the worth of a passage: exponent per share. */
  formality: 3,
  /** What a stem of the title is multiplied by. */
  title: 1.5,
  /** Bonus of the beginning, where many say what it is about, and the share of the text after which it has faded to a third. */
  lead: 4,
  fade: 0.07,
  /** What a stem that is already in the summary still counts. */
  repeat: 0.4,
  /** What a passage is worth that begins with a reference to what stands before it, … */
  pointsBack: 0.1,
  /** … whose first sentence goes on with what stands before it: share that is lost where it has no other words, … */
  goesOn: 0.6,
  /** … that ends with a question or with the opening of a paragraph, … */
  breaksOff: 0.3,
  /** … that holds a question, … */
  asks: 0.5,
  /** … and that begins inside a paragraph. */
  inLine: 0.6,
  /** Share of the text within which the summary begins, if it can. */
  opening: 0.06,
  /** Bonus of the end. */
  end: 1,
  /** How much more a passage counts that is about what the reader wants to know. */
  focus: 12,
};

export function weigh(
  sentences: readonly Sentence[],
  housekeeping: readonly boolean[],
  topic: ReadonlySet<string>,
): Pick<Evidence, 'weights' | 'before'> {
  const weights = new Map<string, number>();
  const before = [0];
  for (const [s, { stems, words }] of sentences.entries()) {
    before.push(before[s]! + words);
    if (housekeeping[s]) continue;
    for (const stem of stems)
      weights.set(stem, (weights.get(stem) ?? 0) + (topic.has(stem) ? WEIGHTS.title : 1));
  }
  return { weights, before };
}

/**
 * How much each sentence says of what the reader wants to know: the rarer the words, the more.
 *
 * @returns undefined where no sentence says anything of it
 */
export function focusOf(sentences: readonly Sentence[], wanted: ReadonlySet<string>): number[] | undefined {
  const named = sentences.map(() => 0);
  for (const word of wanted) {
    const places = [...sentences.keys()].filter((s) => sentences[s]!.stems.includes(word));
    for (const s of places) named[s]! += Math.log((sentences.length + 1) / places.length);
  }
  const most = named.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? named.map((value) => value / most) : undefined;
}

export const wordsIn = ({ before }: Evidence, { from, to }: Stretch): number => before[to]! - before[from]!;

/** Cuts a stretch into parts of as many words each. */
export function evenParts(evidence: Evidence, { from, to }: Stretch, count: number): Stretch[] {
  const words = wordsIn(evidence, { from, to });
  const parts: Stretch[] = [];
  let start = from;
  for (let k = 1; k <= count; k++) {
    let end = start;
    while (end < to && (k === count || wordsIn(evidence, { from, to: end }) < (words * k) / count)) end++;
    parts.push({ from: start, to: end });
    start = end;
  }
  return parts;
}

/** How often a summary says each stem. */
export type Coverage = Map<string, number>;

export function cover({ sentences }: Evidence, { from, to }: Stretch, covered: Coverage): void {
  for (const { stems } of sentences.slice(from, to))
    for (const stem of stems) covered.set(stem, (covered.get(stem) ?? 0) + 1);
}

/** Bounds of a passage. */
export interface Bounds {
  /** Fewest words. */
  least: number;
  /** Most words. */
  most: number;
  /** Most sentences, where the text has punctuation. */
  mostSentences: number;
  /** True where beginning and end of the stretch say no more than its middle. */
  anywhere?: boolean;
}

/** Fewest words and stems of the sentence that a passage begins or ends with. */
const SAYS = { words: 5, stems: 2 };

/** A passage with what multiplies its gain. */
type Candidate = Stretch & { words: number; worth: number };

/** The passages of a stretch that say something and hold nothing about the video itself. */
export async function passagesIn(
  evidence: Evidence,
  stretch: Stretch,
  bounds: Bounds,
  pause: Pause,
): Promise<Candidate[]> {
  const { sentences, housekeeping, unpunctuated } = evidence;
  const within = { ...stretch };
  while (within.from < within.to && housekeeping[within.from]) within.from++;
  while (within.from < within.to && housekeeping[within.to - 1]) within.to--;
  const candidates: Candidate[] = [];
  // The text may break off inside its last sentence.
  const isWhole = (s: number): boolean => s + 1 < sentences.length || END.test(sentences[s]!.text.slice(-5));
  const says = (s: number): boolean =>
    unpunctuated ||
    (isWhole(s) && sentences[s]!.words >= SAYS.words && sentences[s]!.stems.length >= SAYS.stems);
  for (let from = within.from; from < within.to; from++) {
    await pause();
    if (!says(from)) continue;
    const start = startOf(evidence, from);
    const last = Math.min(within.to, unpunctuated ? Infinity : from + bounds.mostSentences);
    for (let to = from + 1; to <= last && !housekeeping[to - 1]; to++) {
      const words = wordsIn(evidence, { from, to });
      if (words > bounds.most) break;
      if (words < bounds.least || !says(to - 1)) continue;
      const place = bounds.anywhere ? 1 : placeOf(evidence, { from, to }, within);
      candidates.push({ from, to, words, worth: start * place * worthOf(evidence, { from, to }) });
    }
  }
  return candidates;
}

/** Whether a passage breaks off behind a question or the first sentence of a paragraph. */
function breaksOff({ sentences }: Evidence, { from, to }: Stretch): boolean {
  const last = sentences[to - 1]!;
  const isOpening = to - from > 1 && last.startsLine && sentences[to]?.startsLine === false;
  return last.isQuestion || isOpening;
}

const asks = ({ sentences }: Evidence, { from, to }: Stretch): boolean =>
  sentences.slice(from, to).some(({ isQuestion }) => isQuestion);

/** Sentences before another one that may have introduced its words. */
const INTRODUCED_IN = 5;

/** How far a sentence goes on with what stands before it, 0..1: which of its words were said just before, the rarer the more. */
function goesOn({ sentences, weights }: Evidence, s: number): number {
  const before = new Set(sentences.slice(Math.max(0, s - INTRODUCED_IN), s).flatMap(({ stems }) => stems));
  let [known, all] = [0, 0];
  for (const stem of new Set(sentences[s]!.stems)) {
    const rarity = 1 / Math.sqrt(weights.get(stem) ?? 1);
    all += rarity;
    if (before.has(stem)) known += rarity;
  }
  return all > 0 ? known / all : 0;
}

/** What a passage is worth by its first sentence. */
function startOf(evidence: Evidence, from: number): number {
  const { pointsBack, startsLine } = evidence.sentences[from]!;
  return (
    (pointsBack && !evidence.housekeeping[from - 1] ? WEIGHTS.pointsBack : 1) *
    (1 - WEIGHTS.goesOn * goesOn(evidence, from)) *
    (startsLine ? 1 : WEIGHTS.inLine)
  );
}

/** What a passage is worth by its place: many say at the beginning what it is about, and at the end what follows. */
function placeOf({ before }: Evidence, { from, to }: Stretch, within: Stretch): number {
  const words = before[within.to]! - before[within.from]!;
  const fading = (distance: number): number => Math.exp(-distance / words / WEIGHTS.fade);
  return (
    (1 + WEIGHTS.lead * fading(before[from]! - before[within.from]!)) *
    (1 + WEIGHTS.end * fading(before[within.to]! - before[to]!))
  );
}

function worthOf(evidence: Evidence, { from, to }: Stretch): number {
  const { sentences, focus } = evidence;
  const chosen = sentences.slice(from, to);
  const formality =
    chosen.reduce((sum, s) => sum + s.formality * s.words, 0) / wordsIn(evidence, { from, to });
  return (
    Math.exp(WEIGHTS.formality * formality) *
    (breaksOff(evidence, { from, to }) ? WEIGHTS.breaksOff : 1) *
    (asks(evidence, { from, to }) ? WEIGHTS.asks : 1) *
    (focus ? 1 + WEIGHTS.focus * Math.max(...focus.slice(from, to)) : 1)
  );
}

/** What a passage adds to what is covered: the weights of its stems, less for each time that a stem was said before. */
function gainOf({ sentences, weights }: Evidence, { from, to }: Stretch, covered: Coverage): number {
  const times = new Map<string, number>();
  let gain = 1e-6;
  for (let s = from; s < to; s++)
    for (const stem of sentences[s]!.stems) {
      const said = times.get(stem) ?? covered.get(stem) ?? 0;
      gain += (weights.get(stem) ?? 0) * WEIGHTS.repeat ** said;
      times.set(stem, said + 1);
    }
  return gain;
}

/** The candidate that says most for its words. */
export async function bestOf<C extends Candidate>(
  evidence: Evidence,
  candidates: readonly C[],
  covered: Coverage,
  factor: (candidate: C) => number,
  pause: Pause,
): Promise<C | undefined> {
  let best: C | undefined;
  let top = 0;
  for (const [k, candidate] of candidates.entries()) {
    if ((k & 15) === 0) await pause();
    const worth =
      (factor(candidate) * candidate.worth * gainOf(evidence, candidate, covered)) /
      candidate.words ** WEIGHTS.cost;
    if (worth > top) [best, top] = [candidate, worth];
  }
  return best;
}

/**
 * Words of a passage as shares of the summary, and at most. A summary of fewer words than `full` has shorter ones, so that it has as many; but
 * not of captions without punctuation, where both ends may be half sentences.
 */
const LEAST = { share: 0.1, words: 25, full: 150, cut: 1.5 };
const MOST = { share: 0.3, words: 60 };
/** Fewest words of the first passage. */
const OPENING = 10;

/**
 * The passages that cover the most content within a budget of words: a greedy choice of a monotone submodular gain by its cost (Lin and
 * Bilmes, 2011).
 *
 * @param parts parts of the text that share the words, in proportion to the root of their length; one that has had its share counts for less
 * @returns passages in order of the text; neighbours are one
 */
export async function choosePassages(
  evidence: Evidence,
  maxWords: number,
  parts: readonly Stretch[],
  pause: Pause,
): Promise<Stretch[]> {
  const whole = { from: 0, to: evidence.sentences.length };
  const bounds = {
    least:
      Math.min(LEAST.words, maxWords * LEAST.share) *
      (evidence.unpunctuated ? LEAST.cut : Math.min(1, maxWords / LEAST.full) ** 2),
    most: Math.min(MOST.words, maxWords * MOST.share),
    mostSentences: 4,
  };
  const { topic } = evidence;
  const covered: Coverage = new Map();
  const said = new Set<string>();
  const roots = parts.map((part) => Math.sqrt(wordsIn(evidence, part)));
  const total = roots.reduce((a, b) => a + b, 0);
  const used = roots.map(() => 0);
  const partOf = ({ from }: Stretch): number => parts.findIndex(({ to }) => from < to);
  const chosen: Candidate[] = [];
  const start = evidence.housekeeping.indexOf(false);
  const isFirst = ({ from }: Stretch): boolean => chosen.every((other) => from < other.from);
  const isUnclear = (stretch: Stretch): boolean =>
    evidence.sentences[stretch.from]!.pointsBack || asks(evidence, stretch);
  const isOpening = ({ from, to }: Stretch): boolean =>
    !isUnclear({ from, to }) &&
    wordsIn(evidence, { from: start, to: from }) <= WEIGHTS.opening * evidence.before.at(-1)!;
  const named = ({ from, to }: Stretch): number =>
    new Set(
      evidence.sentences.slice(from, to).flatMap(({ stems }) => stems.filter((word) => topic.has(word))),
    ).size;
  let left = maxWords;
  const shown = [...evidence.sentences.keys()].filter((s) => !evidence.housekeeping[s]);
  const isShort = shown.reduce((sum, s) => sum + evidence.sentences[s]!.words, 0) <= maxWords;
  if (isShort && shown.length > 0) return joined(shown.map((s) => ({ from: s, to: s + 1 })));
  const all = await passagesIn(evidence, whole, { ...bounds, least: Math.min(OPENING, bounds.least) }, pause);
  const beginnings = all.filter(isOpening);
  const most = beginnings.reduce((top, stretch) => Math.max(top, named(stretch)), 0);
  const openings = beginnings.filter((stretch) => named(stretch) === most && (most > 0 || topic.size === 0));
  let candidates = all.filter(({ words }) => words >= bounds.least);
  if (candidates.length === 0)
    candidates = await passagesIn(evidence, whole, { ...bounds, least: 1, most: maxWords }, pause);
  const factor = (candidate: Candidate): number => {
    const part = partOf(candidate);
    return 1 / (1 + ((used[part] ?? 0) * total) / (maxWords * (roots[part] ?? total)));
  };
  const fill = async (
    given: readonly Candidate[],
    isFit: (candidate: Candidate) => boolean,
  ): Promise<void> => {
    for (let rest = given; rest.length > 0;) {
      rest = rest.filter(
        ({ from, to, words }) =>
          words <= left &&
          chosen.every((other) => to <= other.from || from >= other.to) &&
          !evidence.sentences.slice(from, to).some(({ text }) => said.has(text)),
      );
      const fits = rest.filter(isFit);
      const clear = fits.filter((candidate) => !isFirst(candidate) || !isUnclear(candidate));
      const fit = chosen.length > 0 ? clear : [openings, clear, fits].find(({ length }) => length > 0);
      const best = await bestOf(evidence, fit ?? [], covered, factor, pause);
      if (!best) return;
      chosen.push(best);
      left -= best.words;
      const part = partOf(best);
      if (part >= 0) used[part]! += best.words;
      cover(evidence, best, covered);
      for (const { text } of evidence.sentences.slice(best.from, best.to)) said.add(text);
    }
  };
  await fill(candidates, () => true);
  // What is left goes to the sentences around the passages that have to do with them.
  const around = await passagesIn(evidence, whole, { least: 1, most: left, mostSentences: 1 }, pause);
  const isTied = (s: number): boolean => evidence.sentences[s]!.pointsBack || goesOn(evidence, s) > 0;
  await fill(around, ({ from, to }) =>
    chosen.some(
      (other) =>
        (other.to === from && isTied(from) && !breaksOff(evidence, { from: other.from, to })) ||
        (other.from === to && isTied(to) && !evidence.sentences[from]!.pointsBack),
    ),
  );
  return joined(chosen.sort((a, b) => a.from - b.from));
}

/** Neighbours as one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (const { from, to } of stretches) {
    const last = out.at(-1);
    if (last?.to === from) last.to = to;
    else out.push({ from, to });
  }
  return out;
}
