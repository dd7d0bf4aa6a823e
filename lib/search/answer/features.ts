import { isAlike } from './agreement.js';
import { isYear } from './answer-type.js';
import type { Evidence, EvidenceList } from './evidence.js';
import type { Token } from './tokens.js';

/**
 * Names of the numbers that the probability is made of, in the order of the coefficients, and which way each may push:
 * 1 only up, -1 only down, 0 either. A missing word must never make an answer more credible because of what other words do.
 */
export const FEATURE_SIGNS = {
  strictCoverage: 1,
  coverageCubed: 1,
  fullCoverage: 1,
  elsewhere: -1,
  missingName: -1,
  missingYear: -1,
  otherYear: -1,
  type: 1,
  decisiveMiss: -1,
  relation: 1,
  relationStrict: 1,
  rolesAgree: 1,
  rolesClash: -1,
  opposite: -1,
  ordinalOther: -1,
  headMissing: -1,
  gap: 1,
  order: 1,
  termCount: 0,
  topic: 0,
} as const satisfies Record<string, -1 | 0 | 1>;

type Feature = keyof typeof FEATURE_SIGNS;

/** The names alone. */
export const FEATURES = Object.keys(FEATURE_SIGNS) as Feature[];

const ORDINALS = new Set(
  'first second third fourth fifth sixth last final only second-largest largest biggest smallest highest lowest longest shortest oldest youngest tallest deepest fastest heaviest richest earliest latest primeiro segundo terceiro último maior menor primero segundo tercero mayor menor primo secondo terzo ultimo maggiore erste erster zweite zweiter dritte letzte größte kleinste premier première deuxième second troisième dernier'.split(
    ' ',
  ),
);

/** What the best sentence and the rest of the passages say about whether the question is answered; 0..1 each. */
export function featuresOf(list: EvidenceList): number[] {
  const { question, weights, evidence, elsewhere } = list;
  const best = evidence[0];
  if (!best)
    return FEATURES.map((name) =>
      name.endsWith('Missing') || name.startsWith('missing') || name === 'decisiveMiss' ? 1 : 0,
    );
  const { terms } = question;
  const share = (pick: (term: Token) => boolean, values: readonly number[], none: number): number => {
    let sum = 0;
    let total = 0;
    terms.forEach((term, i) => {
      if (!pick(term)) return;
      sum += weights[i]! * values[i]!;
      total += weights[i]!;
    });
    return total > 0 ? sum / total : none;
  };
  const isName = (t: Token): boolean => t.name;
  const isRelation = (t: Token): boolean => !t.name && !t.number && t.term !== question.head;
  // The page has the word, but in another sentence: its facts may have been put together wrongly.
  // An overview of a topic is put together from several sentences, so there nothing is displaced.
  const isTopic = question.type === 'topic';
  const displaced = best.credit.map((c, i) => (isTopic ? 0 : Math.max(0, elsewhere[i]! - c)));
  const own = new Set(best.tokens.map((t) => t.term));
  const asked = new Set(question.tokens.map((t) => t.term));
  // Who says the same is no rival, and who contradicts is counted elsewhere.
  const rival = evidence.find((e) => e.passage !== best.passage && !isAlike(question, best, e));
  const values: Record<Feature, number> = {
    strictCoverage: best.strictCoverage,
    coverageCubed: best.strictCoverage ** 3,
    elsewhere: share(() => true, displaced, 0),
    missingName: 1 - share(isName, best.credit, 1),
    missingYear: terms.some((t, i) => isYear(t) && best.credit[i]! < 0.5) ? 1 : 0,
    otherYear: otherYear(terms, best),
    type: best.type.match,
    decisiveMiss: best.type.decisive && best.type.match < 0.5 ? 1 : 0,
    relation: share(isRelation, best.credit, 1),
    relationStrict: share(isRelation, best.strict, 1),
    rolesAgree: best.roles > 0 ? 1 : 0,
    rolesClash: best.roles < 0 ? 1 : 0,
    opposite: best.opposite ? 1 : 0,
    ordinalOther: best.tokens.some((t) => ORDINALS.has(t.lower) && !asked.has(t.term)) ? 1 : 0,
    headMissing: question.head && !own.has(question.head) ? 1 : 0,
    gap: Math.max(0, Math.min(1, best.score - (rival?.score ?? 0))),
    order: orderOf(terms, best),
    termCount: Math.min(1, terms.length / 10),
    topic: isTopic ? 1 : 0,
    fullCoverage: best.strict.every((s, i) => s >= 0.7 || best.credit[i]! >= 0.9) ? 1 : 0,
  };
  return FEATURES.map((name) => values[name]);
}

/** 1 when the question names a year and the sentence has others instead. */
function otherYear(terms: readonly Token[], best: Evidence): number {
  const years = terms.filter(isYear);
  if (years.length === 0) return 0;
  const own = best.tokens.filter(isYear);
  return own.length > 0 && !years.some((y) => own.some((o) => o.term === y.term)) ? 1 : 0;
}

/** Share of neighbouring terms of the question that the sentence has in the same order. */
function orderOf(terms: readonly Token[], best: Evidence): number {
  const places = terms
    .map((term) => best.tokens.findIndex((t) => t.term === term.term))
    .filter((p) => p >= 0);
  if (places.length < 2) return 0.5;
  let same = 0;
  for (let i = 1; i < places.length; i++) if (places[i]! > places[i - 1]!) same++;
  return same / (places.length - 1);
}
