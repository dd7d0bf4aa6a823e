import type { ModelUsage } from '../core/usage.js';
import type { OutputSchemaOf } from '../data/output-schema.js';
import type { RequestFilters } from './filters.js';
import type { Answer, Citation, GroundedField } from './answer-engine.js';

/** What the results of the tools say of an answer. */
export interface AnswerFields extends Pick<
  Answer,
  'outcome' | 'answerableProbability' | 'unsupported' | 'engine' | 'usage'
> {
  /** Sentences with `[n]`, the number of a citation. */
  answer: string;
}

export function answerFields({
  text,
  outcome,
  answerableProbability,
  unsupported,
  engine,
  usage,
}: Answer): AnswerFields {
  const fields = { answer: text, outcome, answerableProbability, engine };
  return { ...fields, ...(unsupported ? { unsupported } : {}), ...(usage ? { usage } : {}) };
}

/** The request for a search. Its filters apply to this search only, within what the host allows. */
export interface SearchRequest<T = unknown> extends RequestFilters {
  /** 1..400 characters. */
  query: string;
  /** Number of results, from 1. Default 5. */
  topN?: number;
  /** True: an answer in place of the results. Default false. */
  llmAnswer?: boolean;
  /**
   * With `llmAnswer` and a model: the form of `llm.output`. A JSON Schema of type object within the limits of docs/answers-as-data.md, or a schema
   * of zod 4.2+ or any other library with Standard JSON Schema.
   */
  outputSchema?: OutputSchemaOf<T>;
}

/** One result. */
export interface SearchResult {
  /** Best passage as one line of plain text, never empty. */
  content: string;
  /** 0..1, never rising with rank; comparable within one response only. See `RankedPage.score`. */
  score: number;
  sourceUrl: string;
  title?: string;
  /** ISO 8601 date or date-time. */
  publishedAt?: string;
  /** SPDX id of the licence of the text, when the source demands that it is named. */
  license?: string;
  /** The name to credit for the text, if the source demands it. */
  attribution?: string;
  /** Name of the provider that placed it best. */
  provider: string;
}

/** An answer in place of results. */
export interface SearchAnswer<T = unknown> extends AnswerFields {
  citations: Citation[];
  /** With a schema: its data. Where `outputComplete` is false, required fields that no source supports are missing. */
  output?: T;
  outputComplete?: boolean;
  /** Which citations each value of `output` rests on. */
  grounding?: GroundedField[];
}

/** Result of a search: either `results` or `llm`. */
export interface SearchResponse<T = unknown> {
  query: string;
  /** Results found; with an answer, the sources that the engine was shown. */
  totalResults: number;
  results?: SearchResult[];
  llm?: SearchAnswer<T>;
  /** The provider that the results came from; several are joined with a plus sign. */
  provider: string;
  /** What the results have cost; absent where no provider has a price. With an answer, it is in `llm.usage`. */
  usage?: ModelUsage;
  /**
   * True when it was made for an earlier request. Then, and when an equal request at the same time bears the cost, `usage`
   * says what this one cost: nothing.
   */
  cached: boolean;
  warnings: { code: string; message: string }[];
}
