import type { Candidate, Candidates } from './candidates.js';

/** Units of one passage that follow each other and are quoted together. */
export interface Quotation {
  /** Index of the passage. */
  passage: number;
  /** First and last unit, `[from, to)`. */
  from: number;
  to: number;
  /** Shown before it: the heading or title that has the date or version asked for, or the subject of a pronoun. */
  heading?: string;
}

const MAX_CANDIDATES = 3;
/** For all quoted candidates together. */
const MAX_WORDS = 60;
/** A candidate is added from this probability on: behind a chosen one if it begins with a pronoun, next to a chosen one, and elsewhere. */
const ENOUGH_BEHIND = 0.01;
const ENOUGH_BESIDE = 0.03;
const ENOUGH_ELSEWHERE = 0.1;
/** Elsewhere it must also have this share of the best one's probability. */
const SHARE_ELSEWHERE = 0.4;
/** How many candidates are looked at. */
const DEPTH = 12;

/** Probability of each candidate to have the answer, if one of them has: a softmax of the weighted features. */
export function sharesOf(features: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const scores = features.map((values) => values.reduce((sum, value, i) => sum + value * weights[i]!, 0));
  const best = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - best));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}

/** The best candidate, and the others that are likely enough. */
export function select(all: Candidates, shares: readonly number[]): Candidate[] {
  const order = shares.map((_, i) => i).sort((a, b) => shares[b]! - shares[a]! || a - b);
  const chosen = [order[0]!];
  let words = all.list[order[0]!]!.words.length;
  for (const i of order.slice(1, DEPTH)) {
    if (chosen.length === MAX_CANDIDATES) break;
    const candidate = all.list[i]!;
    // The page that replaces it has answered.
    if (all.older[candidate.passage] && !all.older[all.list[chosen[0]!]!.passage]) continue;
    const others = chosen.map((j) => all.list[j]!).filter((c) => c.passage === candidate.passage);
    if (others.some((c) => overlap(c, candidate))) continue;
    const section = others.filter((c) => isSameSection(c, candidate));
    const isBehind = section.some((c) => endOf(c) === candidate.position);
    const isBeside = isBehind || section.some((c) => endOf(candidate) === c.position);
    const enough =
      isBehind && candidate.isOrphan
        ? ENOUGH_BEHIND
        : isBeside
          ? ENOUGH_BESIDE
          : Math.max(ENOUGH_ELSEWHERE, SHARE_ELSEWHERE * shares[order[0]!]!);
    if (shares[i]! < enough || words + candidate.words.length > MAX_WORDS) continue;
    chosen.push(i);
    words += candidate.words.length;
  }
  return chosen.map((i) => all.list[i]!);
}

/** Candidates as quotations, each with what its first word refers to: the sentence before, else the heading or title. */
export function quotationsOf(candidates: readonly Candidate[], all: Candidates): Quotation[] {
  const quotations: Quotation[] = [];
  for (const candidate of candidates) {
    const { passage, units } = all.passages[candidate.passage]!;
    const { position, unit, isOrphan: needsSubject } = candidate;
    const before = units[position - 1];
    const isBeforeQuoted = needsSubject && before?.kind === 'sentence' && !before.text.endsWith('?');
    const subject = needsSubject && !isBeforeQuoted ? (unit.headings.at(-1) ?? passage.title) : '';
    const heading = candidate.heading ?? subject;
    const from = isBeforeQuoted ? position - 1 : position;
    const to = endOf(candidate);
    const joined = quotations.find(
      (q) =>
        q.passage === candidate.passage &&
        q.from <= to &&
        from <= q.to &&
        units[q.from]!.headings.at(-1) === unit.headings.at(-1),
    );
    if (!joined) quotations.push({ passage: candidate.passage, from, to, ...(heading ? { heading } : {}) });
    else {
      if (from < joined.from) joined.heading = heading;
      joined.from = Math.min(joined.from, from);
      joined.to = Math.max(joined.to, to);
    }
  }
  return quotations;
}

function isSameSection(a: Candidate, b: Candidate): boolean {
  return (
    a.unit.headings.length === b.unit.headings.length && a.unit.headings.at(-1) === b.unit.headings.at(-1)
  );
}

function endOf({ position, length }: Candidate): number {
  return position + length;
}

function overlap(a: Candidate, b: Candidate): boolean {
  return a.position < endOf(b) && b.position < endOf(a);
}
