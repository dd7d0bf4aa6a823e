import type { Answer, AnswerEngine, AnswerPassage, Citation } from '../answer-engine.js';
import type { ToolContext } from '../../core/context.js';
import { detectLanguage, type Language } from '../../core/text/index.js';
import { InvalidOptionError } from '../../core/errors.js';
import { disagreement, standingOf, withStanding, type Contradiction, type Standing } from './agreement.js';
import { probabilityOf, type Calibration } from './calibration.js';
import { COEFFICIENTS } from './coefficients.js';
import { gatherEvidence, type Evidence, type EvidenceList } from './evidence.js';
import { featuresOf } from './features.js';
import { analyseQuestion, type Question } from './question.js';
import { notFound, otherwise, related } from './wording.js';
import { shownSentence } from './shown-sentence.js';

/** Settings of {@link ExtractiveAnswer}. */
export interface ExtractiveAnswerOptions {
  /** Below this probability the outcome is `related` or `not_found`, 0..1. Default 0.5. */
  threshold?: number;
  /** Coefficients fitted on a host's own questions. Default those of `bench/answers`. */
  calibration?: Calibration;
}

const MAX_SENTENCES = 3;
/** A further sentence must score at least this share of the best one. */
const WORTH_ADDING = 0.8;
/** Passages with no probability at all to speak of; nothing is certain either way. */
const NOTHING = 0.02;
const MOST = 0.98;

/**
 * Answers with one to three sentences of the passages, word for word, and an estimate of whether they answer the question:
 * a logistic regression over signs such as terms that no passage has, the kind of words asked for, and who did what to
 * whom. Needs no model, no key and no network. Deterministic.
 */
export class ExtractiveAnswer implements AnswerEngine {
  readonly engine = 'extractive';
  private readonly threshold: number;
  private readonly calibration: Calibration;

  constructor(options: ExtractiveAnswerOptions = {}) {
    this.threshold = options.threshold ?? 0.5;
    if (!(this.threshold >= 0 && this.threshold <= 1)) {
      throw new InvalidOptionError('search.answerThreshold', 'a number from 0 to 1', options.threshold);
    }
    this.calibration = options.calibration ?? COEFFICIENTS;
  }

  async answer(query: string, passages: AnswerPassage[], context: ToolContext): Promise<Answer> {
    context.signal.throwIfAborted();
    const language = languageOfPassages(passages);
    const list = byMostPages(gatherEvidence(analyseQuestion(query, language), passages), passages);
    const chosen = choose(list);
    const best = chosen[0];
    if (!best) {
      return {
        text: notFound(list.question.language),
        outcome: 'not_found',
        answerableProbability: NOTHING,
        citations: [],
        engine: this.engine,
        warnings: [],
      };
    }
    const { agreeing, contradictions } = standingOf(list, best, passages);
    const estimate = probabilityOf(featuresOf(list), this.calibration);
    const undisputed = withStanding(estimate, { agreeing, contradictions: [] });
    // Sentences that do not answer cannot contradict each other's answers.
    const standing = { agreeing, contradictions: undisputed >= this.threshold ? contradictions : [] };
    const probability = round(Math.max(NOTHING, Math.min(MOST, withStanding(estimate, standing))));
    const { text, citations } = write(chosen, standing, probability >= this.threshold, list, passages);
    return {
      text,
      outcome: probability >= this.threshold ? 'answered' : citations.length > 0 ? 'related' : 'not_found',
      answerableProbability: probability,
      citations,
      engine: this.engine,
      warnings: standing.contradictions.length > 0 ? [disagreement(standing)] : [],
    };
  }
}

/** Whether passages answer, as far as each of them tells by itself: without what others say to it, 0.02..0.98. */
export function evidenceIn(question: Question, passages: readonly AnswerPassage[]): number {
  const list = gatherEvidence(question, passages);
  return choose(list).length === 0 ? NOTHING : probabilityOf(featuresOf(list), COEFFICIENTS);
}

function languageOfPassages(passages: readonly AnswerPassage[]): Language | undefined {
  return passages.length > 0
    ? detectLanguage(
        passages
          .slice(0, 3)
          .map((p) => p.text.slice(0, 600))
          .join(' '),
      )
    : undefined;
}

/** The best sentence, then those that add terms of the question which are still missing, or say the same elsewhere. */
function choose(list: EvidenceList): Evidence[] {
  const best = list.evidence[0];
  if (!best || best.coverage === 0) return [];
  const chosen = [best];
  const isTopic = list.question.type === 'topic';
  const met = [...best.strict];
  for (const e of list.evidence.slice(1, 40)) {
    if (chosen.length === MAX_SENTENCES) break;
    if (chosen.some((c) => c.text === e.text || overlaps(c, e))) continue;
    const adds = e.strict.some((s, i) => s >= 0.7 && met[i]! < 0.5);
    const strong = e.score >= WORTH_ADDING * best.score && e.strictCoverage >= 0.5;
    if (
      !(isTopic
        ? strong || (adds && e.score >= 0.5 * best.score)
        : adds && e.score >= WORTH_ADDING * best.score)
    )
      continue;
    chosen.push(e);
    e.strict.forEach((s, i) => (met[i] = Math.max(met[i]!, s)));
  }
  return chosen;
}

/** Four fifths of the shorter one's words in common: the same statement again. */
function overlaps(a: Evidence, b: Evidence): boolean {
  const words = new Set(a.tokens.map((t) => t.term));
  const shared = b.tokens.filter((t) => words.has(t.term)).length;
  return shared >= 0.8 * Math.min(a.tokens.length, b.tokens.length);
}

/** Where pages contradict each other, the value that most of them give comes first; of as many, the one that fits best. */
function byMostPages(list: EvidenceList, passages: readonly AnswerPassage[]): EvidenceList {
  const best = list.evidence[0];
  if (!best || best.coverage === 0) return list;
  const standing = standingOf(list, best, passages);
  let most = { evidence: best, agreeing: standing.agreeing };
  for (const { evidence } of standing.contradictions) {
    const { agreeing } = standingOf(list, evidence, passages);
    if (agreeing > most.agreeing) most = { evidence, agreeing };
  }
  if (most.evidence === best) return list;
  return { ...list, evidence: [most.evidence, ...list.evidence.filter((e) => e !== most.evidence)] };
}

/** The chosen sentences with their sources; where others contradict the first one, the best of those beside it. */
function write(
  chosen: readonly Evidence[],
  { contradictions }: Standing,
  isAnswered: boolean,
  { question: { language } }: EvidenceList,
  passages: readonly AnswerPassage[],
): { text: string; citations: Citation[] } {
  const citations: Citation[] = [];
  const quoted = (sentences: readonly Evidence[]): string =>
    sentences.flatMap((sentence) => cited(sentence, citations, passages)).join(' ');
  const said = quoted(contradictions.length > 0 ? chosen.slice(0, 1) : chosen);
  if (said === '') return { text: notFound(language), citations };
  if (contradictions.length === 0) {
    return { text: isAnswered ? said : related(language, said), citations };
  }
  const others = quoted(differing(contradictions).slice(0, MAX_SENTENCES - 1));
  const text = isAnswered
    ? `${said} ${otherwise(language)} ${others}`
    : related(language, `${said} ${others}`, true);
  return { text, citations };
}

/** One for each value. */
function differing(contradictions: readonly Contradiction[]): Evidence[] {
  const byValue = new Map<string, Evidence>();
  for (const { evidence, values } of contradictions)
    if (!byValue.has(values[1])) byValue.set(values[1], evidence);
  return [...byValue.values()];
}

/** The sentence with its mark, and its citation among the others. The promise of a quotation: these very words stand in the passage. */
function cited(
  { passage, text }: Evidence,
  citations: Citation[],
  passages: readonly AnswerPassage[],
): string[] {
  const source = passages[passage]!;
  if (!source.text.includes(text)) return [];
  const index = citations.length + 1;
  citations.push({ index, url: source.url, title: source.title, quote: text });
  return [`${shownSentence(text)} [${index}]`];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
