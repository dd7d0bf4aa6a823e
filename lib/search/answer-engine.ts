import type { ToolContext } from '../core/context.js';
import type { ModelUsage } from '../core/usage.js';
import type { OutputSchema } from '../data/output-schema.js';
import type { Unsupported } from '../grounding/unsupported.js';
import type { Block } from '../web/blocks.js';

/** A passage that an answer may rest on. */
export interface AnswerPassage {
  /** Plain text, a block a line. */
  text: string;
  /** The structure of `text`: paragraphs, list items with what introduces them, table rows with their columns, code, each under its headings. */
  blocks?: readonly Block[];
  url: string;
  title: string;
  /** Where in a video it is said, e.g. `12:45`. Absent for pages. */
  at?: string;
  /** Relevance to the query as ranked, 0..1. */
  score: number;
  /** ISO 8601 date or date-time of the page, where it is known. */
  publishedAt?: string;
}

/** A source that a sentence of the answer rests on. */
export interface Citation {
  /** The number in brackets in the answer, from 1. */
  index: number;
  url: string;
  title: string;
  /** Verbatim words of the passage. */
  quote: string;
  /** Licence of the source and whom to credit, when the source demands that they are named. The service fills them in. */
  license?: string;
  attribution?: string;
}

/**
 * Kind of answer: `answered` (the probability reaches the threshold), `related` (less likely; the text introduces the closest passages as
 * a possible answer) or `not_found` (nothing in the sources is about the question; the text quotes nothing).
 */
export const ANSWER_OUTCOMES = ['answered', 'related', 'not_found'] as const;

/** One of {@link ANSWER_OUTCOMES}. */
export type AnswerOutcome = (typeof ANSWER_OUTCOMES)[number];

/** Which citations a value of the output rests on. */
export interface GroundedField {
  /** JSON pointer into the output. */
  field: string;
  /** Numbers of citations. */
  citations: number[];
  /** Estimated probability that the value is right, 0..1. */
  probability: number;
}

/** Data in the form of a caller's schema. */
export interface OutputData {
  /** Valid against the schema; without the required fields that no source supports where `outputComplete` is false. */
  output: Record<string, unknown>;
  outputComplete: boolean;
  grounding: GroundedField[];
}

/** An answer in place of results. */
export interface Answer {
  /** Sentences with `[n]`; see {@link AnswerOutcome} for what it says when there is no clear answer. */
  text: string;
  outcome: AnswerOutcome;
  /**
   * Estimated probability that the answer is correct and grounded in the sources, 0..1. Of a model's answer without a finding 0.63, right or wrong; 0.85
   * where a second look supports all of it.
   */
  answerableProbability: number;
  citations: Citation[];
  /** Statements of the model that the checks could not find in the sources; also where the text shows the closest passages in their place. Absent when there are none. */
  unsupported?: Unsupported[];
  /** `extractive`, or the model's id. */
  engine: string;
  usage?: ModelUsage;
  /** Present where a schema was given. `outcome` and probability are then those of its required fields. */
  data?: OutputData;
  warnings: { code: string; message: string }[];
}

/** Turns passages into an answer. The embedded one quotes; with a model it writes. */
export interface AnswerEngine {
  readonly engine: string;
  /** Part of cache keys where answers of one engine differ, e.g. by a second look. Default none. */
  readonly version?: string;
  /** Whether it fills the schema of a caller. Default false. */
  readonly fillsSchemas?: boolean;
  /** @param schema of the data to fill in addition */
  answer(
    query: string,
    passages: AnswerPassage[],
    context: ToolContext,
    schema?: OutputSchema,
  ): Promise<Answer>;
}

/** What the results of the tools say of an answer. */
export function answerFields({ text, ...answer }: Answer) {
  const { outcome, answerableProbability, unsupported, engine, usage } = answer;
  const fields = { answer: text, outcome, answerableProbability, engine };
  return { ...fields, ...(unsupported ? { unsupported } : {}), ...(usage ? { usage } : {}) };
}
