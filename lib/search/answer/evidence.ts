import type { AnswerPassage } from '../answer-engine.js';
import { oneLine } from '../plain-text.js';
import { cutAtBlanks } from '../ranking/pieces.js';
import { sentencesOf } from '../../core/text/sentences.js';
import { matchAnswerType, type TypeMatch } from './answer-type.js';
import { areParaphrases } from './paraphrases.js';
import { contradictsQuestion } from './polarity.js';
import type { Question } from './question.js';
import { tokensOf, type Token } from './tokens.js';
import { agreementOf, isTurnedAbout, rolesOf } from './word-order.js';

/** A sentence of a passage and what speaks for it. */
export interface Evidence {
  /** Index of the passage. */
  passage: number;
  /** Index of the sentence in its passage. */
  position: number;
  text: string;
  tokens: Token[];
  /** How well each term of the question is met, 0..1: by the sentence alone, and with title and neighbours. */
  strict: number[];
  credit: number[];
  /** Weighted means of these, 0..1. */
  strictCoverage: number;
  coverage: number;
  type: TypeMatch;
  /** 1, 0 or -1; see `agreementOf`. */
  roles: number;
  /** Says the contrary of what the question takes for granted; see `contradictsQuestion`. */
  opposite: boolean;
  /** What sentences are ordered by. */
  score: number;
}

/** The sentences of all passages, best first, and the weight of each term of the question. */
export interface EvidenceList {
  question: Question;
  weights: number[];
  evidence: Evidence[];
  /** How well each term is met by the other sentences of the best sentence's page, 0..1. */
  elsewhere: number[];
}

/** Longest sentence that is quoted whole, in characters. */
const MAX_SENTENCE = 600;
const IN_TITLE = 0.95;
const BEFORE_PRONOUN = 0.75;
const BEFORE = 0.4;
const IN_PASSAGE = 0.2;
/** A name that was given earlier in the passage usually still holds. */
const NAME_EARLIER = 0.8;
const PRONOUN =
  /^(?:it|its|he|his|she|her|they|their|this|these|that|those|such|ele|ela|eles|elas|él|ella|ellos|esto|este|esta|lui|lei|essi|questo|questa|er|sie|es|dies|diese|il|elle|ils|elles|ce|cette|ces)\b/i;

/** Finds and orders the sentences of the passages that may answer the question. */
export function gatherEvidence(question: Question, passages: readonly AnswerPassage[]): EvidenceList {
  const { language, terms } = question;
  const read = passages.map((passage) => ({
    title: tokensOf(oneLine(passage.title), language).filter((t) => !t.functional),
    sentences: sentencesOf(passage.text)
      .flatMap((sentence) => cutAtBlanks(sentence, MAX_SENTENCE))
      .map((text) => ({ text, tokens: tokensOf(text, language) })),
  }));
  const weights = termWeights(
    question,
    read.flatMap((p) => p.sentences.map((s) => s.tokens)),
  );
  const total = weights.reduce((a, b) => a + b, 0) || 1;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, v, i) => sum + v * weights[i]!, 0) / total;
  const roles = language === 'en' ? rolesOf(question.tokens) : undefined;
  const evidence: Evidence[] = [];
  read.forEach(({ title, sentences }, p) => {
    const inTitle = terms.map((term) => IN_TITLE * bestMatch(term, title, question));
    const perSentence = sentences.map((s) => terms.map((term) => bestMatch(term, s.tokens, question)));
    const inPassage = terms.map(
      (_, i) => IN_PASSAGE * perSentence.reduce((most, m) => Math.max(most, m[i]!), 0),
    );
    // Where each term stands first as it is asked for.
    const firstIn = terms.map((_, i) => perSentence.findIndex((m) => m[i]! === 1));
    sentences.forEach(({ text, tokens }, position) => {
      const strict = perSentence[position]!;
      const near = PRONOUN.test(text) ? BEFORE_PRONOUN : BEFORE;
      const before = perSentence[position - 1];
      const credit = strict.map((own, i) => {
        const isEarlier = firstIn[i]! >= 0 && firstIn[i]! < position;
        const earlier = terms[i]!.name && isEarlier ? NAME_EARLIER : 0;
        return Math.max(own, inTitle[i]!, inPassage[i]!, earlier, near * (before?.[i] ?? 0));
      });
      const type = matchAnswerType(question, text, tokens);
      const antecedents = new Set(title.map((t) => t.term));
      const subject = sentences[position - 1]?.tokens.find((t) => !t.functional);
      if (subject) antecedents.add(subject.term);
      const agreement = roles ? agreementOf(roles, tokens, antecedents, language) : 0;
      const opposite =
        contradictsQuestion(question, { text, tokens }) ||
        (!!roles && isTurnedAbout(roles, tokens, language));
      const coverage = mean(credit);
      // What the page is about is said once, in its title; sentences need not repeat it.
      const strictCoverage = mean(strict.map((own, i) => Math.max(own, inTitle[i]!)));
      const score =
        coverage +
        0.3 * strictCoverage +
        (type.decisive ? 0.3 : 0.12) * type.match * Math.min(1, coverage * 1.5) +
        0.12 * agreement +
        0.05 * (passages[p]!.score || 0) -
        (opposite ? 0.3 : 0) -
        (text.length < 25 ? 0.15 : 0) -
        (text.endsWith('?') ? 0.3 : 0);
      evidence.push({
        passage: p,
        position,
        text,
        tokens,
        strict,
        credit,
        strictCoverage,
        coverage,
        type,
        roles: agreement,
        opposite,
        score,
      });
    });
  });
  evidence.sort((a, b) => b.score - a.score || a.passage - b.passage || a.position - b.position);
  const best = evidence[0];
  const url = best && passages[best.passage]!.url;
  // Passages of a page overlap, so the same words may be there twice.
  const others = evidence.filter((e) => passages[e.passage]!.url === url && e.text !== best?.text);
  const elsewhere = terms.map((_, i) => Math.max(0, ...others.map((e) => e.strict[i]!)));
  return { question, weights, evidence, elsewhere };
}

/**
 * How much a term of the question matters: names and numbers more than words, and a word the less, the more of the
 * sentences have it. There is no index here: passages of any provider must do.
 */
function termWeights(question: Question, sentences: readonly (readonly Token[])[]): number[] {
  const n = sentences.length;
  return question.terms.map((term) => {
    const holding = sentences.filter((tokens) => tokens.some((t) => t.term === term.term)).length;
    const rarity = Math.log(1 + (n + 1) / (holding + 0.5)) / Math.log(1 + (n + 1) / 0.5);
    const base = term.name ? 1.6 : term.number ? 1.6 : term.term === question.head ? 0.6 : 1;
    return base * (0.45 + 0.55 * rarity);
  });
}

/** 1 the same stem (number, name), .8 a word that stands for it, .7 a word of the same root, else 0. */
function bestMatch(term: Token, tokens: readonly Token[], question: Question): number {
  let best = 0;
  for (const token of tokens) {
    if (token.term === term.term) return 1;
    if (term.number || token.number || best >= 0.8) continue;
    if (!term.name && areParaphrases(term.term, token.term, question.language)) best = 0.8;
    else if (sharesRoot(term.lower, token.lower)) best = Math.max(best, 0.7);
  }
  return best;
}

/** `explore` and `exploration`, `Egypt` and `Egyptian`: five letters in common that are most of the shorter word. */
export function sharesRoot(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < 5) return false;
  let same = 0;
  while (same < shorter && a[same] === b[same]) same++;
  return same >= 5 && same >= shorter - 2;
}
