import type { ToolContext } from '../core/tool-context.js';

/** A passage that an answer may rest on. */
export interface AnswerPassage {
  /** Plain text. */
  text: string;
  url: string;
  title: string;
  /** Relevance to the query as ranked, 0..1. */
  score: number;
}

/** A source that a sentence of the answer rests on. */
export interface Citation {
  /** The number in brackets in the answer, from 1. */
  index: number;
  url: string;
  title: string;
  /** Verbatim words of the passage. */
  quote: string;
}

/** What an answer has cost. */
export interface AnswerUsage {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
}

/** An answer in place of results. */
export interface Answer {
  /** Sentences with `[n]`; below the threshold it says that the sources do not answer. */
  text: string;
  /** Estimated probability that the answer is correct and grounded in the sources, 0..1. */
  answerableProbability: number;
  citations: Citation[];
  /** `extractive`, or the model's id. */
  engine: string;
  usage?: AnswerUsage;
  warnings: { code: string; message: string }[];
}

/** Turns passages into an answer. The embedded one quotes; with a model it writes. */
export interface AnswerEngine {
  readonly engine: string;
  /** @param onSpent is told what was used when nothing comes of it; called before the promise is rejected */
  answer(
    query: string,
    passages: AnswerPassage[],
    context: ToolContext,
    onSpent?: (usage: AnswerUsage) => void,
  ): Promise<Answer>;
}
