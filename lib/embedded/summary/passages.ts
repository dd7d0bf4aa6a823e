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
  /** How often each stem occurs. */
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
  cost: 0.65,
  /** How fast a plain style raises and private talk lowers the worth of a passage: exponent per share. */
  formality: 3,
  /** Bonus of the beginning, where many say what it is about, and the share of the text after which it has faded to a third. */
  lead: 4,
  fade: 0.07,
  /** Share of the text within which the summary begins, if it can, with a passage that names the title. */
  opening: 0.06,
  /** Bonus of the end, where many say what follows. */
  end: 0.5,
  /** What a stem that is already in the summary still counts. */
  repeat: 0.4,
  /** How much more a passage counts that is about what the reader wants to know. */
  focus: 12,
};

export async function weigh(
  sentences: readonly Sentence[],
  housekeeping: readonly boolean[],
  pause: Pause,
): Promise<Pick<Evidence, 'weights' | 'before'>> {
  const weights = new Map<string, number>();
  const before = [0];
  for (const [s, { stems, words }] of sentences.entries()) {
    await pause();
    before.push(before[s]! + words);
    if (housekeeping[s]) continue;
    for (const stem of stems) weights.set(stem, (weights.get(stem) ?? 0) + 1);
  }
  return { weights, before };
}

/**
 * How much each sentence says of what the reader wants to know: the rarer the words, the more.
 *
 * @returns undefined where no sentence says anything of it
 */
export async function focusOf(
  sentences: readonly Sentence[],
  wanted: ReadonlySet<string>,
  pause: Pause,
): Promise<number[] | undefined> {
  const places = new Map<string, number[]>([...wanted].map((word) => [word, []]));
  for (const [s, { stems }] of sentences.entries()) {
    await pause();
    for (const stem of new Set(stems)) places.get(stem)?.push(s);
  }
  const named = sentences.map(() => 0);
  let most = 0;
  for (const found of places.values())
    for (const s of found) {
      named[s]! += Math.log((sentences.length + 1) / found.length);
      most = Math.max(most, named[s]!);
    }
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
  /** True: a passage may ask, or begin with a reference to what stands before it. */
  unclear?: boolean;
}

/** Fewest words and stems of the sentence that a passage begins or ends with. */
const SAYS = { words: 5, stems: 2 };

/** A passage with what multiplies its gain. */
type Candidate = Stretch & { words: number; worth: number };

/** A stretch without the sentences about the video itself at both ends. */
function trimmed({ housekeeping }: Evidence, { from, to }: Stretch): Stretch {
  while (from < to && housekeeping[from]) from++;
  while (from < to && housekeeping[to - 1]) to--;
  return { from, to };
}

/** The passages of a stretch that begin with one of its sentences, say something, and hold neither a question nor anything about the video itself. */
function passagesAt(evidence: Evidence, within: Stretch, bounds: Bounds, from: number): Candidate[] {
  const { sentences, housekeeping, unpunctuated } = evidence;
  const candidates: Candidate[] = [];
  // The text may break off inside its last sentence.
  const isWhole = (s: number): boolean => s + 1 < sentences.length || END.test(sentences[s]!.text.slice(-5));
  const says = (s: number): boolean =>
    unpunctuated ||
    (isWhole(s) && sentences[s]!.words >= SAYS.words && sentences[s]!.stems.length >= SAYS.stems);
  if (!says(from) || (sentences[from]!.pointsBack && !bounds.unclear)) return candidates;
  const last = Math.min(within.to, unpunctuated ? Infinity : from + bounds.mostSentences);
  for (let to = from + 1; to <= last && !housekeeping[to - 1]; to++) {
    const words = wordsIn(evidence, { from, to });
    if (words > bounds.most || (sentences[to - 1]!.isQuestion && !bounds.unclear)) break;
    if (words < bounds.least || !says(to - 1)) continue;
    const place = bounds.anywhere ? 1 : placeOf(evidence, { from, to }, within);
    candidates.push({ from, to, words, worth: place * worthOf(evidence, { from, to }) });
  }
  return candidates;
}

/** What a passage is worth by its place: many say at the beginning what it is about, and at the end what follows. */
function placeOf(evidence: Evidence, { from, to }: Stretch, within: Stretch): number {
  const fading = (stretch: Stretch): number =>
    Math.exp(-wordsIn(evidence, stretch) / wordsIn(evidence, within) / WEIGHTS.fade);
  return (
    (1 + WEIGHTS.lead * fading({ from: within.from, to: from })) *
    (1 + WEIGHTS.end * fading({ from: to, to: within.to }))
  );
}

function worthOf(evidence: Evidence, { from, to }: Stretch): number {
  const { sentences, focus } = evidence;
  const chosen = sentences.slice(from, to);
  const formality =
    chosen.reduce((sum, s) => sum + s.formality * s.words, 0) / wordsIn(evidence, { from, to });
  return (
    Math.exp(WEIGHTS.formality * formality) *
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

/**
 * The passage of a stretch that says most for its words.
 *
 * @param factor what a passage is multiplied by; 0: it is not wanted
 */
export async function bestOf(
  evidence: Evidence,
  stretch: Stretch,
  bounds: Bounds,
  covered: Coverage,
  factor: (candidate: Candidate) => number,
  pause: Pause,
): Promise<Candidate | undefined> {
  const within = trimmed(evidence, stretch);
  let best: Candidate | undefined;
  let top = 0;
  for (let s = within.from; s < within.to; s++) {
    await pause();
    for (const candidate of passagesAt(evidence, within, bounds, s)) {
      const worth =
        (factor(candidate) * candidate.worth * gainOf(evidence, candidate, covered)) /
        candidate.words ** WEIGHTS.cost;
      if (worth > top) [best, top] = [candidate, worth];
    }
  }
  return best;
}

/**
 * Fewest words of a passage: two short sentences or a long one. With fewer, a summary of 100 words is a list of eight sentences that have nothing to
 * do with each other. Captions without punctuation need more, because both ends of a passage may be half sentences.
 */
const LEAST = { share: 0.12, words: 15, cut: 1.5 };
/** Most words of a passage, as a share of the summary and within bounds. */
const MOST = { share: 0.3, least: 30, words: 60 };

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
  const { sentences, housekeeping } = evidence;
  const shown = [...sentences.keys()].filter((s) => !housekeeping[s]);
  const shownWords = shown.reduce((sum, s) => sum + sentences[s]!.words, 0);
  if (shownWords <= maxWords) return joined(shown.map((s) => ({ from: s, to: s + 1 })));
  const usual = {
    least: Math.min(LEAST.words, maxWords * LEAST.share) * (evidence.unpunctuated ? LEAST.cut : 1),
    most: Math.min(MOST.words, Math.max(MOST.least, maxWords * MOST.share)),
    mostSentences: 4,
  };
  const passages = await chooseWithin(evidence, maxWords, parts, usual, pause);
  if (passages.length > 0) return passages;
  // Some texts have long sentences only.
  const any = { ...usual, least: 1, most: maxWords, unclear: true };
  return chooseWithin(evidence, maxWords, parts, any, pause);
}

async function chooseWithin(
  evidence: Evidence,
  maxWords: number,
  parts: readonly Stretch[],
  bounds: Bounds,
  pause: Pause,
): Promise<Stretch[]> {
  const whole = { from: 0, to: evidence.sentences.length };
  const covered: Coverage = new Map();
  const roots = parts.map((part) => Math.sqrt(wordsIn(evidence, part)));
  const total = roots.reduce((a, b) => a + b, 0);
  const used = roots.map(() => 0);
  const partOf = ({ from }: Stretch): number => parts.findIndex(({ to }) => from < to);
  const chosen: Candidate[] = [];
  let left = maxWords;
  const isFit = ({ from, to, words }: Candidate): boolean =>
    words <= left && chosen.every((other) => to <= other.from || from >= other.to);
  const share = (candidate: Candidate): number => {
    if (!isFit(candidate)) return 0;
    const part = partOf(candidate);
    return 1 / (1 + ((used[part] ?? 0) * total) / (maxWords * (roots[part] ?? total)));
  };
  const openingWords = WEIGHTS.opening * evidence.before.at(-1)!;
  const opens = (candidate: Candidate): number => {
    const { from, to } = candidate;
    if (evidence.before[from]! > openingWords || !isFit(candidate)) return 0;
    const stems = new Set(evidence.sentences.slice(from, to).flatMap((sentence) => sentence.stems));
    return 1 + [...stems].filter((stem) => evidence.topic.has(stem)).length;
  };
  const next = () => bestOf(evidence, whole, bounds, covered, share, pause);
  let best = (await bestOf(evidence, whole, bounds, covered, opens, pause)) ?? (await next());
  for (; best; best = await next()) {
    chosen.push(best);
    left -= best.words;
    const part = partOf(best);
    if (part >= 0) used[part]! += best.words;
    cover(evidence, best, covered);
  }
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
