import type { Answer, AnswerEngine, AnswerPassage, Citation } from '../answer-engine.js';
import type { ToolContext } from '../../core/tool-context.js';
import { detectLanguage, type Language } from '../../core/text/index.js';
import { InvalidOptionError } from '../../core/errors/index.js';
import { probabilityOf, type Calibration } from './calibration.js';
import { COEFFICIENTS } from './coefficients.js';
import { gatherEvidence, type Evidence, type EvidenceList } from './evidence.js';
import { featuresOf } from './features.js';
import { analyseQuestion } from './question.js';
import { NOT_ANSWERED } from './wording.js';

/** Settings of {@link ExtractiveAnswer}. */
export interface ExtractiveAnswerOptions {
  /** Below this probability the answer says that the sources do not answer, 0..1. Default 0.5. */
  threshold?: number;
  /** Coefficients fitted on a host's own questions. Default those of `bench/answers`. */
  calibration?: Calibration;
}

const MAX_SENTENCES = 3;
/** A further sentence must score at least this share of the best one. */
const WORTH_ADDING = 0.8;
/** Passages with no probability at all to speak of. */
const NOTHING = 0.02;

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
    const list = gatherEvidence(analyseQuestion(query, language), passages);
    const chosen = choose(list);
    const probability =
      chosen.length === 0 ? NOTHING : round(probabilityOf(featuresOf(list), this.calibration));
    const { text, citations } = write(chosen, passages);
    const answered = probability >= this.threshold && chosen.length > 0;
    return {
      text: answered ? text : notAnswered(list.question.language, text),
      answerableProbability: probability,
      citations,
      engine: this.engine,
      warnings: [],
    };
  }
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

function write(
  chosen: readonly Evidence[],
  passages: readonly AnswerPassage[],
): { text: string; citations: Citation[] } {
  const citations: Citation[] = [];
  const sentences: string[] = [];
  for (const { passage, text } of chosen) {
    const source = passages[passage]!;
    // The promise of a quotation: these very words stand in the passage.
    if (!source.text.includes(text)) continue;
    const index = citations.length + 1;
    citations.push({ index, url: source.url, title: source.title, quote: text });
    sentences.push(`${text.replaceAll('\n', ' ')} [${index}]`);
  }
  return { text: sentences.join(' '), citations };
}

function notAnswered(language: Language, closest: string): string {
  const { none, closest: lead } = NOT_ANSWERED[language];
  return closest === '' ? none : `${none} ${lead} ${closest}`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
