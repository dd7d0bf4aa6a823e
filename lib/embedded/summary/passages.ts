import { type Pause } from '../../core/async.js';
import { STOP, type Sentence } from './sentences.js';

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
  /** Gives way to other work. */
  pause: Pause;
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

export async function weigh(
  sentences: readonly Sentence[],
  housekeeping: readonly boolean[],
  topic: ReadonlySet<string>,
  pause: Pause,
): Promise<Pick<Evidence, 'weights' | 'before'>> {
  const weights = new Map<string, number>();
  const before = [0];
  for (const [s, { stems, words }] of sentences.entries()) {
    await pause();
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

/** The passages of a stretch that begin with one of its sentences, say something and hold nothing about the video itself. */
function passagesAt(evidence: Evidence, within: Stretch, bounds: Bounds, from: number): Candidate[] {
  const { sentences, housekeeping, unpunctuated } = evidence;
  const candidates: Candidate[] = [];
  // The text may break off inside its last sentence.
  const isWhole = (s: number): boolean => s + 1 < sentences.length || STOP.test(sentences[s]!.text.slice(-5));
  const says = (s: number): boolean =>
    unpunctuated ||
    (isWhole(s) && sentences[s]!.words >= SAYS.words && sentences[s]!.stems.length >= SAYS.stems);
  if (!says(from)) return candidates;
  let start: number | undefined;
  const last = Math.min(within.to, unpunctuated ? Infinity : from + bounds.mostSentences);
  for (let to = from + 1; to <= last && !housekeeping[to - 1]; to++) {
    const words = wordsIn(evidence, { from, to });
    if (words > bounds.most) break;
    if (words < bounds.least || !says(to - 1)) continue;
    start ??= startOf(evidence, from);
    const place = bounds.anywhere ? 1 : placeOf(evidence, { from, to }, within);
    candidates.push({ from, to, words, worth: start * place * worthOf(evidence, { from, to }) });
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

/** Sentences before another one that may have introduced its words. With 1 and 10, key points move by 1 to 3 points either way (`npm run bench -- spans`). */
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

/** Which passages of a stretch are looked at. */
interface Search {
  /** What a passage is multiplied by. */
  factor: (candidate: Candidate) => number;
  /** Default: all. */
  isFit?: (candidate: Candidate) => boolean;
  /** Where they may begin. Default: anywhere. */
  starts?: readonly Stretch[];
  /**
   * By sentence, the most that a passage which begins there was worth: as more is covered and factors fall, it is worth no more later. A longer search
   * looks only where that is more than the best so far.
   */
  most?: Float64Array;
}

/** The passage of a stretch that says most for its words. */
export async function bestOf(
  evidence: Evidence,
  stretch: Stretch,
  bounds: Bounds,
  covered: Coverage,
  { factor, isFit = () => true, starts = [stretch], most }: Search,
): Promise<Candidate | undefined> {
  const within = trimmed(evidence, stretch);
  let best: Candidate | undefined;
  let top = 0;
  for (const { from, to } of starts)
    for (let s = Math.max(from, within.from); s < Math.min(to, within.to); s++) {
      if (most && most[s]! <= top) continue;
      await evidence.pause();
      let highest = 0;
      for (const candidate of passagesAt(evidence, within, bounds, s)) {
        const worth =
          (factor(candidate) * candidate.worth * gainOf(evidence, candidate, covered)) /
          candidate.words ** WEIGHTS.cost;
        highest = Math.max(highest, worth);
        if (worth > top && isFit(candidate)) [best, top] = [candidate, worth];
      }
      if (most) most[s] = highest;
    }
  return best;
}

/**
 * Fewest words of a passage: two short sentences or a long one. With fewer, a summary of 100 words is a list of eight sentences that have nothing to
 * do with each other. Captions without punctuation need more, because both ends of a passage may be half sentences.
 */
const LEAST = { share: 0.12, words: 15, cut: 1.5 };
/** Most words of a passage, as a share of the summary and at most. */
const MOST = { share: 0.3, words: 60 };
/** Fewest words of the first passage; chosen by reading, see lib/embedded/README.md. */
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
): Promise<Stretch[]> {
  const whole = { from: 0, to: evidence.sentences.length };
  const bounds = {
    least: Math.min(LEAST.words, maxWords * LEAST.share) * (evidence.unpunctuated ? LEAST.cut : 1),
    most: Math.min(MOST.words, maxWords * MOST.share),
    mostSentences: 4,
  };
  const { sentences, housekeeping, topic, pause } = evidence;
  let shownWords = 0;
  for (const [s, { words }] of sentences.entries()) if (!housekeeping[s]) shownWords += words;
  if (shownWords > 0 && shownWords <= maxWords) {
    const shown = [...sentences.keys()].filter((s) => !housekeeping[s]);
    return joined(shown.map((s) => ({ from: s, to: s + 1 })));
  }
  const covered: Coverage = new Map();
  const said = new Set<string>();
  const roots = parts.map((part) => Math.sqrt(wordsIn(evidence, part)));
  const total = roots.reduce((a, b) => a + b, 0);
  const used = roots.map(() => 0);
  const partOf = ({ from }: Stretch): number => parts.findIndex(({ to }) => from < to);
  const factor = (candidate: Candidate): number => {
    const part = partOf(candidate);
    return 1 / (1 + ((used[part] ?? 0) * total) / (maxWords * (roots[part] ?? total)));
  };
  const chosen: Candidate[] = [];
  let left = maxWords;
  const isLeft = ({ from, to, words }: Candidate): boolean =>
    words <= left &&
    chosen.every((other) => to <= other.from || from >= other.to) &&
    !sentences.slice(from, to).some(({ text }) => said.has(text));
  const isUnclear = (stretch: Stretch): boolean =>
    sentences[stretch.from]!.pointsBack || asks(evidence, stretch);
  const isClear = (candidate: Candidate): boolean =>
    isLeft(candidate) && !(isUnclear(candidate) && chosen.every(({ from }) => candidate.from < from));
  const choose = (best: Candidate): void => {
    chosen.push(best);
    left -= best.words;
    const part = partOf(best);
    if (part >= 0) used[part]! += best.words;
    cover(evidence, best, covered);
    for (const { text } of sentences.slice(best.from, best.to)) said.add(text);
  };

  // The first one is of the beginning, and names the topic as often as any there.
  const shortest = { ...bounds, least: Math.min(OPENING, bounds.least) };
  const within = trimmed(evidence, whole);
  const opening = { from: within.from, to: within.from };
  const openingWords = WEIGHTS.opening * evidence.before.at(-1)!;
  while (opening.to < within.to && wordsIn(evidence, opening) <= openingWords) opening.to++;
  const topicWords = ({ from, to }: Stretch): number =>
    new Set(sentences.slice(from, to).flatMap(({ stems }) => stems.filter((word) => topic.has(word)))).size;
  let mostTopic = 0;
  for (let s = opening.from; topic.size > 0 && s < opening.to; s++) {
    await pause();
    for (const stretch of passagesAt(evidence, within, shortest, s))
      if (!isUnclear(stretch)) mostTopic = Math.max(mostTopic, topicWords(stretch));
  }
  const isOpening = (candidate: Candidate): boolean =>
    !isUnclear(candidate) && topicWords(candidate) === mostTopic;
  const first = { factor, isFit: isOpening, starts: [opening] };
  const isNamed = mostTopic > 0 || topic.size === 0;
  let best = isNamed ? await bestOf(evidence, whole, shortest, covered, first) : undefined;

  let hasPassages = false;
  for (let s = within.from; s < within.to && !hasPassages; s++) {
    await pause();
    hasPassages = passagesAt(evidence, within, bounds, s).length > 0;
  }
  const usual = hasPassages ? bounds : { ...bounds, least: 1, most: maxWords };
  const most = new Float64Array(sentences.length).fill(Infinity);
  const bestBy = (isFit: (candidate: Candidate) => boolean): Promise<Candidate | undefined> =>
    bestOf(evidence, whole, usual, covered, { factor, isFit, most });
  best ??= (await bestBy(isClear)) ?? (await bestBy(isLeft));
  for (; best; best = await bestBy(isClear)) choose(best);

  // The words that are left go to sentences next to a passage that share words with it.
  const around = { least: 1, most: left, mostSentences: 1 };
  const isTied = (s: number): boolean => sentences[s]!.pointsBack || goesOn(evidence, s) > 0;
  const isNext = (candidate: Candidate): boolean =>
    isClear(candidate) &&
    chosen.some(
      (other) =>
        (other.to === candidate.from &&
          isTied(candidate.from) &&
          !breaksOff(evidence, { from: other.from, to: candidate.to })) ||
        (other.from === candidate.to && isTied(candidate.to) && !sentences[candidate.from]!.pointsBack),
    );
  do {
    if (best) choose(best);
    chosen.sort((a, b) => a.from - b.from);
    // A sentence has a word at least.
    const starts = chosen.flatMap(({ from, to }, k) => [
      { from: Math.max(chosen[k - 1]?.to ?? 0, from - left), to: from },
      { from: to, to: to + 1 },
    ]);
    best = await bestOf(evidence, whole, around, covered, { factor, isFit: isNext, starts });
  } while (best);
  return joined(chosen);
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
