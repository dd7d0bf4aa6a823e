import { Bm25, TopList, type Scored, type WeightedTerms } from './bm25.js';
import { reciprocalRankFusion } from './fusion.js';
import type { InvertedIndex } from './inverted-index.js';
import { LatentSpace, normalize } from './latent-space.js';

/** Below this many units there is nothing to learn about how words go together: plain BM25. */
const MIN_UNITS_TO_LEARN = 40;
/** Up to this many units the whole collection is ranked in the latent space, beyond it only what BM25 found. */
const FULL_SCAN_UNITS = 5_000;
const CANDIDATES = 300;
const DIMENSIONS = 160;
const DIMENSIONS_LARGE = 64;

/** What the pipeline is set to. */
export interface RankingSettings {
  /** Best units that the query is expanded from, terms that are added, and their weight beside the query's own. */
  feedbackUnits: number;
  feedbackTerms: number;
  feedbackWeight: number;
  /** The same in the latent space: units, and the weight of their mean. */
  latentUnits: number;
  latentWeight: number;
  /** Weights of the three lists in the fusion: the query, the expanded query, the latent space. */
  listWeights: readonly [number, number, number];
  /** Best units whose scores are mixed with those of their neighbours, how many neighbours, and in which share. */
  smoothed: number;
  neighbours: number;
  smoothing: number;
}

/** From the plateau of a sweep over the queries of one collection, where neighbouring values differ by less than .01 nDCG@10. */
export const RANKING_SETTINGS: RankingSettings = {
  feedbackUnits: 10,
  feedbackTerms: 100,
  feedbackWeight: 0.5,
  latentUnits: 8,
  latentWeight: 1.5,
  listWeights: [1, 1, 1],
  smoothed: 150,
  neighbours: 5,
  smoothing: 0.5,
};
/** Terms in more than this share of a large collection say nothing and cost most. */
const COMMON_SHARE = 0.05;
/** Terms that a query is expanded by in a large collection, where each costs thousands of postings. */
const FEEDBACK_TERMS_LARGE = 40;

/**
 * Ranks the units of a collection: BM25, BM25 with Rocchio feedback, and the collection's own latent space with feedback
 * in it are fused by reciprocal rank, then each unit's score is smoothed with those of its nearest neighbours.
 * Deterministic.
 */
export class CollectionRanker {
  private constructor(
    private readonly bm25: Bm25,
    private readonly space: LatentSpace | undefined,
    private readonly settings: RankingSettings,
  ) {}

  static async build(
    index: InvertedIndex,
    pause: () => Promise<void> | undefined,
    settings: RankingSettings = RANKING_SETTINGS,
  ): Promise<CollectionRanker> {
    const bm25 = new Bm25(index);
    await pause();
    if (index.units < MIN_UNITS_TO_LEARN) return new CollectionRanker(bm25, undefined, settings);
    const dimensions =
      index.units > FULL_SCAN_UNITS ? DIMENSIONS_LARGE : Math.min(DIMENSIONS, index.units >> 2);
    return new CollectionRanker(bm25, await LatentSpace.build(bm25, dimensions, pause), settings);
  }

  /** Inverse document frequency of a term, > 0 for a rare one. */
  idf(term: number): number {
    return this.bm25.idf(term);
  }

  /** @returns at most `count` units with a falling score > 0; empty when no term of the query occurs */
  rank(query: WeightedTerms, count: number): Scored[] {
    const depth = Math.max(CANDIDATES, count);
    const first = this.bm25.top(query, depth);
    if (!this.space || first.length === 0) return first.slice(0, count);
    const expanded = this.expand(query, first);
    const second = this.bm25.top(expanded, depth);
    const third = this.rankLatent(this.space, query, first, second, depth);
    const fused = reciprocalRankFusion([
      { keys: first.map((s) => s.unit), weight: this.settings.listWeights[0] },
      { keys: second.map((s) => s.unit), weight: this.settings.listWeights[1] },
      { keys: third.map((s) => s.unit), weight: this.settings.listWeights[2] },
    ]);
    const order = [...fused]
      .map(([unit, score]) => ({ unit, score }))
      .sort((a, b) => b.score - a.score || a.unit - b.unit);
    return this.smooth(this.space, order).slice(0, count);
  }

  /** Rocchio (1971) without negative examples: the query plus the mean of the best units' term weights. */
  private expand(query: WeightedTerms, best: readonly Scored[]): WeightedTerms {
    const { index } = this.bm25;
    const units = best.slice(0, this.settings.feedbackUnits);
    const sums = new Map<number, number>();
    const isLarge = index.units > FULL_SCAN_UNITS;
    const limit = isLarge ? index.units * COMMON_SHARE : Infinity;
    const terms = isLarge
      ? Math.min(FEEDBACK_TERMS_LARGE, this.settings.feedbackTerms)
      : this.settings.feedbackTerms;
    for (const { unit } of units) {
      for (let i = index.starts[unit]!; i < index.starts[unit + 1]!; i++) {
        const term = index.forwardTerms[i]!;
        if (this.bm25.frequency(term) > limit) continue;
        sums.set(term, (sums.get(term) ?? 0) + this.bm25.impact(unit, term, index.forwardCounts[i]!));
      }
    }
    const strongest = [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, terms);
    let norm = 0;
    for (const [, value] of strongest) norm += value * value;
    let queryNorm = 0;
    for (const weight of query.values()) queryNorm += weight * weight;
    const scale = (this.settings.feedbackWeight * Math.sqrt(queryNorm)) / (Math.sqrt(norm) || 1);
    const expanded = new Map(query);
    for (const [term, value] of strongest) expanded.set(term, (expanded.get(term) ?? 0) + scale * value);
    return expanded;
  }

  private rankLatent(
    space: LatentSpace,
    query: WeightedTerms,
    first: readonly Scored[],
    second: readonly Scored[],
    depth: number,
  ): Scored[] {
    const candidates = [...new Set([...first, ...second].map((s) => s.unit))];
    const scan = (vector: Float32Array): Scored[] => {
      if (this.bm25.index.units > FULL_SCAN_UNITS) return space.rank(vector, candidates);
      const best = new TopList(depth);
      for (let unit = 0; unit < this.bm25.index.units; unit++) best.offer(unit, space.cosine(vector, unit));
      return best.sorted();
    };
    const folded = space.fold(query);
    const near = scan(folded);
    const seeds = [
      ...reciprocalRankFusion([
        { keys: near.slice(0, 50).map((s) => s.unit), weight: 1 },
        { keys: second.slice(0, 50).map((s) => s.unit), weight: 1 },
      ]),
    ]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, this.settings.latentUnits);
    const mean = new Float32Array(space.dimensions);
    for (const [unit] of seeds) {
      const vector = space.vector(unit);
      for (let i = 0; i < mean.length; i++) mean[i]! += vector[i]! / seeds.length;
    }
    normalize(mean);
    for (let i = 0; i < folded.length; i++) folded[i]! += this.settings.latentWeight * mean[i]!;
    return scan(normalize(folded));
  }

  /** A unit among relevant neighbours is likelier to be relevant: its score is mixed with theirs, weighted by nearness. */
  private smooth(space: LatentSpace, order: readonly Scored[]): Scored[] {
    const head = order.slice(0, this.settings.smoothed);
    const n = head.length;
    const nearness = space.nearness(head.map(({ unit }) => unit));
    const near = new Float64Array(this.settings.neighbours);
    const places = new Int32Array(near.length);
    const smoothed = head.map(({ unit, score }, i) => {
      highest(nearness, i * n, n, near, places);
      let sum = 0;
      let weight = 0;
      for (let k = 0; k < near.length && places[k]! >= 0; k++) {
        sum += near[k]! * head[places[k]!]!.score;
        weight += near[k]!;
      }
      const around = weight > 0 ? sum / weight : score;
      return { unit, score: (1 - this.settings.smoothing) * score + this.settings.smoothing * around };
    });
    smoothed.sort((a, b) => b.score - a.score || a.unit - b.unit);
    // Units beyond the smoothed head keep their order below it.
    const floor = smoothed.at(-1)?.score ?? 0;
    const tail = order
      .slice(this.settings.smoothed)
      .map((s) => ({ unit: s.unit, score: Math.min(s.score, floor) }));
    return [...smoothed, ...tail];
  }
}

/** The highest of `count` values from `from` on, highest first and the first of equal ones, with their places; -1 where there are fewer. */
function highest(
  values: Float32Array,
  from: number,
  count: number,
  out: Float64Array,
  places: Int32Array,
): void {
  out.fill(-Infinity);
  places.fill(-1);
  const last = out.length - 1;
  for (let j = 0; j < count; j++) {
    const value = values[from + j]!;
    if (!(value > out[last]!)) continue;
    let k = last;
    for (; k > 0 && value > out[k - 1]!; k--) {
      out[k] = out[k - 1]!;
      places[k] = places[k - 1]!;
    }
    out[k] = value;
    places[k] = j;
  }
}
