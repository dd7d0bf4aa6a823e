import { isSameKind, isSameValue } from '../../text/compare-values.js';
import type { Value } from '../../text/read-values.js';
import { canonicalUrl } from '../../search/ranking/canonical-url.js';
import type { Candidate, Candidates } from './candidates.js';
import { freshValues } from './question.js';
import { MET, type Word } from './words.js';

/** Values of other pages for the value that a candidate states. */
interface Disagreement {
  /** Number of other pages that give the same value. */
  agreeing: number;
  /** One candidate for each page that gives another value, best first. */
  differing: readonly Candidate[];
  /** The values as the pages write them, the candidate's own first. */
  values: readonly string[];
}

/** Content words that two sentences about the same fact have in common, as a share of the longer one. */
const SAME_FACT = 0.8;
/** Sentences with more values state more than one fact; a date has three. */
const MAX_VALUES = 3;

/**
 * Compares the value or date that a candidate states with other pages. Two texts are compared only if they meet the same terms of the question,
 * share most of their other words, and state values of the same kinds in the same order.
 *
 * @param shares probability of each candidate; the best one of a page speaks for it
 */
export function disagreementOf(all: Candidates, own: Candidate, shares: readonly number[]): Disagreement {
  const values = valuesOf(all, own);
  const pageOf = (c: Candidate): string => canonicalUrl(all.passages[c.passage]!.passage.url);
  const pages = new Map<string, { candidate: Candidate; values: readonly Value[] }>();
  const order = all.list.map((_, i) => i).sort((a, b) => shares[b]! - shares[a]!);
  for (const i of values.length > 0 ? order : []) {
    const candidate = all.list[i]!;
    const page = pageOf(candidate);
    if (page === pageOf(own) || pages.has(page) || !isSameFact(all, own, candidate)) continue;
    const others = valuesOf(all, candidate);
    const isComparable =
      others.length === values.length && values.every((value, j) => isSameKind(value, others[j]!));
    if (isComparable) pages.set(page, { candidate, values: others });
  }
  const found = [...pages.values()];
  const differing = found.filter((f) =>
    values.some((value, j) => !isSameValue(value, f.values[j]!) && !isSameValue(f.values[j]!, value)),
  );
  return {
    agreeing: found.length - differing.length,
    differing: differing.map((f) => f.candidate),
    values: [
      ...new Set(
        [{ candidate: own, values }, ...differing].flatMap((f) =>
          f.values.length > 0 ? [written(f.candidate, f.values)] : [],
        ),
      ),
    ],
  };
}

/** The answer to a question for a number, amount or date; empty if there is more than that. */
function valuesOf({ question, passages }: Candidates, c: Candidate): readonly Value[] {
  if (c.evidence === undefined || c.length > 1) return [];
  const values = freshValues(question, c.unit.text, passages[c.passage]!.language);
  // A decade or a rank is no exact number.
  if (values.some((v) => v.kind === 'number' && !v.unit && /\p{L}$/u.test(v.text))) return [];
  return values.length <= (question.kind === 'time' ? MAX_VALUES : 1) ? values : [];
}

/** The words from the first value to the last. */
function written({ unit }: Candidate, values: readonly Value[]): string {
  return unit.text.slice(values[0]!.start, values.at(-1)!.end);
}

function isSameFact(all: Candidates, a: Candidate, b: Candidate): boolean {
  const isMet = (c: Candidate, i: number): boolean => Math.max(c.own[i]!, c.context[i]!) >= MET;
  if (!all.question.terms.every((_, i) => isMet(a, i) === isMet(b, i))) return false;
  const [own, other] = [contentOf(all, a), contentOf(all, b)];
  // A name that only one of them has makes it another thing or time.
  if ([...own, ...other].some((w) => w.isName && !(has(own, w) && has(other, w)))) return false;
  const shared = own.filter((w) => has(other, w)).length;
  return shared > 0 && shared >= SAME_FACT * Math.max(own.length, other.length);
}

/** The content words of a candidate without those of its values. */
function contentOf(all: Candidates, c: Candidate): Word[] {
  const values = valuesOf(all, c);
  return c.unit.words.filter(
    (w) => !w.isFunctional && !values.some((v) => w.start < v.end && v.start < w.end),
  );
}

function has(words: readonly Word[], word: Word): boolean {
  return words.some((w) => w.term === word.term);
}
