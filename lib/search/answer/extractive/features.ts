import type { Candidate, Candidates } from './candidates.js';
import { MET } from './words.js';

/**
 * What candidates are compared by, 0..1 each, in the order of the weights in `coefficients.ts`. Coverage is the weighted share of the
 * question's terms.
 */
export const CANDIDATE_FEATURES = [
  /** Coverage by the text itself. */
  'own',
  /** The same, only of terms that are not in a heading or the title: what is asked about the topic. */
  'relation',
  /** Coverage that the two units before add to text, lead-in and headings. */
  'before',
  /** The same if the text begins with a pronoun, else 0. */
  'beforePronoun',
  /** Score of the page, relative to the best page. */
  'score',
  /** Evidence of the kind asked for, if code can recognise the kind. */
  'evidence',
  /** Evidence of other kinds. */
  'softEvidence',
  /** Coverage with lead-in, headings and the units before, relative to the best candidate. */
  'relative',
  /** Coverage by the units before alone. */
  'after',
  /** 1 if a newer page has nearly the same title. */
  'older',
  /** Words that the question does not have: 1 from six words. */
  'novelty',
] as const;

type CandidateFeature = (typeof CANDIDATE_FEATURES)[number];

const MUCH_NEW = 6;

/** The weighted share of the question's terms that at least one of the vectors meets, 0..1. */
export function coverage(weights: readonly number[], ...vectors: readonly (readonly number[])[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    let most = 0;
    for (const vector of vectors) if (vector[i]! > most) most = vector[i]!;
    sum += weights[i]! * most;
  }
  return sum;
}

/** The features of each candidate, in the order of {@link CANDIDATE_FEATURES}. */
export function candidateFeatures(all: Candidates): number[][] {
  const { weights, list } = all;
  const bestScore = Math.max(...all.passages.map(({ passage }) => passage.score), 1e-9);
  const withBefore = list.map((c) => coverage(weights, c.own, c.lead, c.headings, c.before));
  const best = Math.max(...withBefore, 1e-9);
  const asked = new Set(all.question.words.map((w) => w.term));
  return list.map((c, i) => {
    const near = coverage(weights, c.own, c.lead, c.headings);
    const before = withBefore[i]! - near;
    const fresh = c.words.filter((w) => !w.isFunctional && !asked.has(w.term)).length;
    const values: Record<CandidateFeature, number> = {
      own: coverage(weights, c.own),
      relation: relationOf(c, weights),
      before,
      beforePronoun: c.isOrphan ? before : 0,
      score: all.passages[c.passage]!.passage.score / bestScore,
      evidence: c.evidence.isHard ? c.evidence.match : 0,
      softEvidence: c.evidence.isHard ? 0 : c.evidence.match,
      relative: withBefore[i]! / best,
      after: coverage(weights, c.before),
      older: all.older[c.passage]!,
      novelty: Math.min(1, fresh / MUCH_NEW),
    };
    return CANDIDATE_FEATURES.map((name) => values[name]);
  });
}

/** One half where every term is in a heading or the title. */
function relationOf(c: Candidate, weights: readonly number[]): number {
  let met = 0;
  let total = 0;
  weights.forEach((w, i) => {
    if (c.headings[i]! >= MET) return;
    total += w;
    met += w * c.own[i]!;
  });
  return total > 0 ? met / total : 0.5;
}
