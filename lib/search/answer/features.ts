import { hasParaphrases, oppositesOfTerm } from './paraphrases.js';
import { isYear } from './answer-type.js';
import type { Evidence, EvidenceList } from './evidence.js';
import type { Token } from './tokens.js';

/**
 * Names of the numbers that the probability is made of, in the order of the coefficients, and which way each may push:
 * 1 only up, -1 only down, 0 either. A missing word must never make an answer more credible because of what other words do.
 */
export const FEATURE_SIGNS = {
  coverage: 1,
  strictCoverage: 1,
  pageCoverage: 1,
  worstTerm: 1,
  missingAnywhere: -1,
  missingOnPage: -1,
  unseenTerms: -1,
  missingName: -1,
  missingNameAnywhere: -1,
  missingNumber: -1,
  otherYear: -1,
  type: 1,
  typeTimesCoverage: 1,
  decisiveMiss: -1,
  relation: 1,
  relationStrict: 1,
  nounMissing: -1,
  nounMissingOnPage: -1,
  nounMissingHere: -1,
  verbMissing: -1,
  knownWordMissingOnPage: -1,
  knownWordMissingHere: -1,
  rolesAgree: 1,
  rolesClash: -1,
  opposite: -1,
  negation: -1,
  ordinalMissing: -1,
  ordinalOther: -1,
  headMissing: -1,
  gap: 1,
  spread: 1,
  order: 1,
  termCount: 0,
  topic: 0,
} as const satisfies Record<string, -1 | 0 | 1>;

type Feature = keyof typeof FEATURE_SIGNS;

/** The names alone. */
export const FEATURES = Object.keys(FEATURE_SIGNS) as Feature[];

const NEGATIONS = new Set(
  'not never no none neither nor nobody nothing without unknown cannot failed refused não nunca nenhum sem nunca jamás ninguno sin mai nessuno senza non nicht kein keine nie ohne ne pas jamais aucun sans'.split(
    ' ',
  ),
);
const ORDINALS = new Set(
  'first second third fourth fifth sixth last final only second-largest largest biggest smallest highest lowest longest shortest oldest youngest tallest deepest fastest heaviest richest earliest latest primeiro segundo terceiro último maior menor primero segundo tercero mayor menor primo secondo terzo ultimo maggiore erste erster zweite zweiter dritte letzte größte kleinste premier première deuxième second troisième dernier'.split(
    ' ',
  ),
);

/** What the best sentence and the rest of the passages say about whether the question is answered; 0..1 each. */
export function featuresOf(list: EvidenceList): number[] {
  const { question, weights, anywhere, onPage, evidence } = list;
  const best = evidence[0];
  if (!best) return FEATURES.map((name) => (/missing|unseen|Miss/i.test(name) ? 1 : 0));
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
  const all = (): boolean => true;
  const isName = (t: Token): boolean => t.name;
  const isNumber = (t: Token): boolean => t.number;
  const isRelation = (t: Token): boolean => !t.name && !t.number && t.term !== question.head;
  const isNoun = (t: Token): boolean => isRelation(t) && t.term !== question.verb;
  const isVerb = (t: Token): boolean => t.term === question.verb;
  const isKnown = (t: Token): boolean => isRelation(t) && hasParaphrases(t.term, question.language);
  const relation = share(isRelation, best.credit, 1);
  const own = new Set(best.tokens.map((t) => t.term));
  const asked = new Set(question.tokens.map((t) => t.term));
  const rival = evidence.find((e) => e.passage !== best.passage);
  const values: Record<Feature, number> = {
    coverage: best.coverage,
    strictCoverage: best.strictCoverage,
    missingAnywhere:
      1 -
      share(
        all,
        anywhere.map((a) => (a >= 0.5 ? 1 : 0)),
        0,
      ),
    unseenTerms: Math.min(1, anywhere.filter((a) => a === 0).length / 3),
    missingName: 1 - share(isName, best.credit, 1),
    missingNameAnywhere: 1 - share(isName, anywhere, 1),
    missingNumber: 1 - share(isNumber, best.credit, 1),
    otherYear: otherYear(terms, best),
    type: best.type.match,
    typeTimesCoverage: best.type.match * best.coverage,
    decisiveMiss: best.type.decisive && best.type.match < 0.5 ? 1 : 0,
    relation,
    relationStrict: share(isRelation, best.strict, 1),
    pageCoverage: share(all, onPage, 0),
    missingOnPage:
      1 -
      share(
        all,
        onPage.map((a) => (a >= 0.5 ? 1 : 0)),
        0,
      ),
    nounMissingOnPage: 1 - share(isNoun, onPage, 1),
    nounMissing: 1 - share(isNoun, anywhere, 1),
    nounMissingHere: 1 - share(isNoun, best.credit, 1),
    verbMissing: 1 - share(isVerb, best.credit, 1),
    knownWordMissingOnPage: 1 - share(isKnown, onPage, 1),
    knownWordMissingHere: 1 - share(isKnown, best.credit, 1),
    rolesAgree: best.roles > 0 ? 1 : 0,
    rolesClash: best.roles < 0 ? 1 : 0,
    opposite: terms.some(
      (t) => !own.has(t.term) && [...oppositesOfTerm(t.term, question.language)].some((o) => own.has(o)),
    )
      ? 1
      : 0,
    negation:
      best.tokens.some((t) => NEGATIONS.has(t.lower)) && !question.tokens.some((t) => NEGATIONS.has(t.lower))
        ? 1
        : 0,
    ordinalMissing: terms.some((t, i) => ORDINALS.has(t.lower) && best.strict[i]! < 0.7) ? 1 : 0,
    ordinalOther: best.tokens.some((t) => ORDINALS.has(t.lower) && !asked.has(t.term)) ? 1 : 0,
    headMissing: question.head && !own.has(question.head) ? 1 : 0,
    gap: Math.max(0, Math.min(1, best.score - (rival?.score ?? 0))),
    spread: spreadOf(terms, best),
    order: orderOf(terms, best),
    termCount: Math.min(1, terms.length / 10),
    topic: question.type === 'topic' ? 1 : 0,
    worstTerm: Math.min(...best.credit),
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

/** How densely the matched terms stand together: 1 side by side, towards 0 far apart. */
function spreadOf(terms: readonly Token[], best: Evidence): number {
  const places = terms.flatMap((term, i) => {
    const at = best.tokens.findIndex((t) => t.term === term.term);
    return best.strict[i]! > 0 && at >= 0 ? [at] : [];
  });
  if (places.length < 2) return 0.5;
  return places.length / (Math.max(...places) - Math.min(...places) + 1);
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
