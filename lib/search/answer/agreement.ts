import type { Language } from '../../core/text/index.js';
import type { AnswerPassage } from '../answer-engine.js';
import { canonicalUrl } from '../ranking/canonical-url.js';
import { isYear } from './answer-type.js';
import { CLAIM_WORDS } from './claim-words.js';
import { claimOf, type Claim, type ClaimWord } from './claim.js';
import type { Evidence, EvidenceList } from './evidence.js';
import { areParaphrases } from './paraphrases.js';
import type { Question } from './question.js';
import { areCompatible, candidatesIn, namedIn, statedIn, type Stated } from './stated/index.js';

/** A sentence of another page that gives another value for the same fact. */
export interface Contradiction {
  evidence: Evidence;
  /** What either sentence says, as it is written there. */
  values: readonly [string, string];
}

/** What the other pages say of what a sentence states. */
export interface Standing {
  /** Number of other pages that give the same value, in other words, units or roundings too. */
  agreeing: number;
  /** One for each page that gives another value, best first. */
  contradictions: Contradiction[];
}

/** What a second page that says the same adds to the log-odds. Set by hand: in the set of the fits each fact stands on one page. */
export const AGREEMENT = 0.5;

/** A sentence meets a term of the question from here on. */
const MET = 0.7;
/** A sentence is as fit as another one from this share of its coverage on. */
const AS_FIT = 0.85;
/** Say of a number that it is rounded, and nothing of whether it is true. */
const OF_NUMBERS = new Set([
  'almost',
  'nearly',
  'half',
  'partly',
  'quase',
  'casi',
  'quasi',
  'fast',
  'beinahe',
  'presque',
]);
/** Adjectives that tell no thing from another one of its kind. */
const GENERIC = new Set(
  'famous great big large huge long short whole entire total well known old main'.split(' '),
);

/** Lead behind a number to whom or what it holds for. */
const HOLDS_FOR = new Set(
  'for with without among para com sem con sin per senza für mit ohne bei pour avec sans chez'.split(' '),
);

/** Sentences with this share of their words in common state the same fact, whatever words the question has for it. */
const ALIKE = 0.75;
const LEAST_ALIKE = 4;

interface Read {
  evidence: Evidence;
  claim: Claim;
  /** What it gives for an answer; undefined where that cannot be told. */
  stated: Stated | undefined;
  /** Words of sentence and title, for telling whether the other one speaks of the same. */
  terms: ReadonlySet<string>;
}

/**
 * Compares what a sentence gives for an answer with what other pages give: sentences that are as fit, meet the same terms of the question, and
 * speak of the same thing and time. Nothing is said of sentences whose values cannot be compared.
 */
export function standingOf(list: EvidenceList, own: Evidence, passages: readonly AnswerPassage[]): Standing {
  const { question } = list;
  const mine = read(own, question, passages);
  const ownPage = pageOf(own, passages);
  const pages = new Map<string, Contradiction | 'agrees'>();
  for (const evidence of list.evidence) {
    const page = pageOf(evidence, passages);
    if (page === ownPage || pages.get(page) === 'agrees' || !isAsFit(evidence, own)) continue;
    const verdict = compared(question, mine, read(evidence, question, passages));
    if (verdict === 'agrees') pages.set(page, 'agrees');
    else if (verdict && !pages.has(page)) pages.set(page, { evidence, values: verdict });
  }
  const found = [...pages.values()];
  const contradictions = found.filter((f): f is Contradiction => f !== 'agrees');
  return { agreeing: found.length - contradictions.length, contradictions };
}

/** Whether two sentences give the same value, or are the same but for a word or two. */
export function isAlike(question: Question, a: Evidence, b: Evidence): boolean {
  const [own, other] = [a, b].map((e) => claimOf(e.text, question.language)) as [Claim, Claim];
  if (areAlike(own, other)) return true;
  const values = [own, other].map((claim) => statedIn(question, claim));
  return !!values[0] && !!values[1] && areCompatible(values[0], values[1], question.language) === true;
}

/**
 * Probability of what a sentence states, when others state the same or something else. As many pages as say otherwise are assumed to be as
 * likely right, so that the probability is shared among all.
 */
export function withStanding(probability: number, { agreeing, contradictions }: Standing): number {
  const odds = (probability / (1 - probability)) * (agreeing > 0 ? Math.exp(AGREEMENT) : 1);
  return (odds / (1 + odds)) * shareOf({ agreeing, contradictions });
}

/** Share of the comparable pages that say what the sentence says, 0..1. */
export function shareOf({ agreeing, contradictions }: Standing): number {
  return (1 + agreeing) / (1 + agreeing + contradictions.length);
}

/** What tells the caller; see `Answer.warnings`. */
export function disagreement({ contradictions }: Standing): { code: string; message: string } {
  const values = [...new Set(contradictions.flatMap((c) => c.values))];
  return {
    code: 'sources_disagree',
    message: `Sources contradict each other: ${values.map((v) => `“${v}”`).join(', ')}.`,
  };
}

function read(evidence: Evidence, question: Question, passages: readonly AnswerPassage[]): Read {
  const claim = claimOf(evidence.text, question.language);
  const title = claimOf(passages[evidence.passage]!.title, question.language);
  return {
    evidence,
    claim,
    stated: statedIn(question, claim),
    terms: new Set([...claim.words, ...title.words].map((w) => w.term)),
  };
}

function pageOf({ passage }: Evidence, passages: readonly AnswerPassage[]): string {
  return canonicalUrl(passages[passage]!.url);
}

function isAsFit(evidence: Evidence, own: Evidence): boolean {
  return (
    evidence.coverage >= AS_FIT * own.coverage &&
    evidence.roles >= Math.min(0, own.roles) &&
    evidence.credit.every((credit, i) => credit >= Math.min(MET, own.credit[i]!)) &&
    !evidence.text.endsWith('?') &&
    !evidence.opposite
  );
}

/** The fact is the asked one only if the sentence has the words that say which; what is counted may go unsaid. */
function meetsRelation({ terms, head }: Question, { strict, credit }: Evidence): boolean {
  return terms.every((term, i) =>
    term.name ? credit[i]! >= MET : term.term === head || strict[i]! >= MET || credit[i]! >= 0.9,
  );
}

/**
 * `agrees`, or the two values that contradict each other. Undefined where the two are not about one thing and time, or where either has the
 * other one's value somewhere.
 */
function compared(question: Question, a: Read, b: Read): 'agrees' | [string, string] | undefined {
  const { language } = question;
  const related = meetsRelation(question, a.evidence) && meetsRelation(question, b.evidence);
  const isParallel = areAlike(a.claim, b.claim);
  if (!related && !isParallel) return undefined;
  const pair =
    a.stated && b.stated
      ? ([a.stated, b.stated] as const)
      : isParallel
        ? differing(question, a, b)
        : undefined;
  if (!pair) return undefined;
  const [own, other] = pair;
  const isSame = areCompatible(own, other, language);
  if (isSame !== false) return isSame ? 'agrees' : undefined;
  const has = (of: Read, value: Stated): boolean =>
    candidatesIn(question, of.claim).some((candidate) => areCompatible(candidate, value, language));
  if (has(a, other) || has(b, own)) return undefined;
  if (hasReservation(a, language) !== hasReservation(b, language)) return undefined;
  if (own.kind !== 'date' && yearsBeside(a, own) !== yearsBeside(b, other)) return undefined;
  if (isNarrowed(question, a, b) || isNarrowed(question, b, a)) return undefined;
  return [own.text, other.text];
}

function areAlike(a: Claim, b: Claim): boolean {
  const [short, long] = a.words.length <= b.words.length ? [a.words, b.words] : [b.words, a.words];
  const terms = new Set(long.map((w) => w.term));
  const shared = short.filter((w) => terms.has(w.term)).length;
  return shared >= LEAST_ALIKE && shared >= ALIKE * long.length;
}

/** The names in which two sentences differ that are the same otherwise. */
function differing(question: Question, a: Read, b: Read): readonly [Stated, Stated] | undefined {
  if (!['person', 'thing', 'place'].includes(question.type)) return undefined;
  const [own, other] = [a, b].map((of) => namedIn(question, of.claim)) as [Stated[], Stated[]];
  const isIn = (value: Stated, all: readonly Stated[]): boolean =>
    all.some((v) => areCompatible(v, value, question.language));
  const [first] = own.filter((value) => !isIn(value, other));
  const [second] = other.filter((value) => !isIn(value, own));
  return first && second && [first, second];
}

/** "It was planned that …", "may be": not stated as a fact, or of something that did not come about. */
function hasReservation({ claim }: Read, language: Language): boolean {
  // The month is no "may".
  const text = language === 'en' ? claim.text.replace(/(?<=\S\s)May\b/g, '') : claim.text;
  const found = text.toLowerCase().match(CLAIM_WORDS[language].hedges) ?? [];
  return found.some((hedge) => !OF_NUMBERS.has(hedge));
}

/** The years of the clause that a value stands in: what holds then, need not hold at another time. */
function yearsBeside({ claim: { words } }: Read, { at }: Stated): string {
  let from = at;
  while (from > 0 && !words[from]!.border) from--;
  // "In 1990, the town had …": an adjunct in front belongs to the clause behind its comma.
  if (from > 0 && from <= 2 && isYear(words[0]!)) from = 0;
  let to = at + 1;
  while (to < words.length && !words[to]!.border) to++;
  return words
    .slice(from, to)
    .filter((w, i) => isYear(w) && from + i !== at)
    .map((w) => w.term)
    .join(' ');
}

/**
 * Whether `a` speaks of a kind of the thing ("the road tunnel"), or of whom or what its number holds for ("$5 for children"), that neither the
 * question nor `b` names.
 */
function isNarrowed(question: Question, a: Read, b: Read): boolean {
  const { words } = a.claim;
  const asked = (word: ClaimWord): boolean =>
    question.tokens.some((t) => t.term === word.term || areParaphrases(t.term, word.term, question.language));
  if (a.stated?.kind === 'number') {
    const { at } = a.stated;
    const behind = words.find((w, i) => i > at && !w.adjacent);
    const holdsFor = behind && !behind.border && behind.lead.some((l) => HOLDS_FOR.has(l));
    if (holdsFor && !asked(behind) && !b.terms.has(behind.term)) return true;
  }
  const { participle } = CLAIM_WORDS[question.language];
  return words.some((word, at) => {
    if (!question.terms.some((t) => t.term === word.term && !t.number)) return false;
    if (!word.name && participle.test(word.lower)) return false;
    // "Python 3" is not all of Python.
    const next = words[at + 1];
    const isVersion = word.text !== word.lower && next?.adjacent && next.number && !isYear(next);
    if (isVersion && !asked(next) && !b.terms.has(next.term)) return true;
    for (let i = at; i > 0 && words[i]!.adjacent; i--) {
      const modifier = words[i - 1]!;
      if (modifier.number) return false;
      if (!asked(modifier) && !GENERIC.has(modifier.lower) && !b.terms.has(modifier.term)) return true;
    }
    return false;
  });
}
