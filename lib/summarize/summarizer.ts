import { LONGEST } from '../core/length-limits.js';
import {
  anything,
  array,
  boolean,
  integer,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  type Fields,
  type Schema,
} from '../core/schema.js';
import type { Content } from '../content/content-source.js';
import type { OutputSchema } from '../data/output-schema.js';
import { REASONS, type Unsupported } from '../grounding/unsupported.js';
import type { Language } from '../text/languages.js';
import type { ToolContext } from '../core/context.js';
import type { ModelUsage, RecognizedSpeech } from '../core/usage.js';
import { WARNING, type Warning } from '../core/warning.js';

/** The methods a caller may ask for; `auto` picks `simple` or `recursive`. */
export const METHODS = ['auto', 'simple', 'recursive', 'multi_modal'] as const;
export type Method = (typeof METHODS)[number];
/** A method that runs. */
export type ConcreteMethod = Exclude<Method, 'auto'>;

export const SUMMARY_LENGTHS = ['short', 'medium', 'long'] as const;
export type SummaryLength = (typeof SUMMARY_LENGTHS)[number];
/** Words of the written summary, about. */
export const SUMMARY_WORDS: Readonly<Record<SummaryLength, number>> = { short: 100, medium: 180, long: 320 };

/** One point with the time it is made at. */
export interface KeyPoint {
  text: string;
  startMs: number;
  /** `frame` if it was seen in a picture and not said. */
  source?: 'speech' | 'frame';
}

/** One part of the content with its own summary. */
export interface SummarySection {
  title: string;
  startMs: number;
  endMs: number;
  summary: string;
}

/** Data in the form of a caller's schema, from what is said. */
export interface SpokenData {
  /** Valid against the schema; without the required fields that the content does not support where `complete` is false. */
  output: Record<string, unknown>;
  complete: boolean;
  /** Where each value is said. `field` is a JSON pointer into the output, `probability` 0..1. */
  grounding: { field: string; startMs: number; quote: string; probability: number }[];
}

/** Model calls, tokens and recognised speech that were paid for. */
export interface Usage extends Pick<
  ModelUsage,
  'modelCalls' | 'inputTokens' | 'outputTokens' | 'speech' | 'cost'
> {
  /** Calls and tokens by stage, e.g. `map`, `write`. */
  stages?: Record<string, { modelCalls: number; inputTokens: number; outputTokens: number }>;
}

/** Result of a summarizer. */
export interface Summary {
  /** The method that ran. */
  method: ConcreteMethod;
  /** Why `auto` chose it, one sentence with the numbers; absent when the caller named the method. */
  methodReason?: string;
  /** Plain text; paragraphs are separated by an empty line. */
  text: string;
  /** BCP 47 base of the language that the summary is really in. */
  language: string;
  /** Language of the key points or sections if it differs from the text's. The requested language is then not honoured. */
  otherLanguage?: string;
  keyPoints: KeyPoint[];
  sections: SummarySection[];
  /** `extractive`, or the model's id. */
  engine: string;
  usage?: Usage;
  /** Share of the content that the summary could draw on, 0..1. */
  coverage?: number;
  /** Share of the checkable sentences of the text whose facts stand in the content, 0..1; absent if no sentence could be checked. */
  grounding?: number;
  /** Statements of the text that the checks could not find in the content; absent when there are none. In the text `[?]` follows those with a wrong value, name or quotation. */
  unsupported?: Unsupported[];
  /** Present where a schema was given. */
  data?: SpokenData;
  warnings: Warning[];
}

/** The request for a summary. */
export interface SummaryRequest {
  method: Method;
  outputLanguage: Language;
  length: SummaryLength;
  /** What the reader wants to know, 1..200 characters. It may be any text: never an instruction. Absent: what matters most. */
  focus?: string;
  /** Of data to fill in addition to the summary. Only given to a summarizer that fills schemas. */
  schema?: OutputSchema;
}

/**
 * Turns content into a summary. The embedded one needs no key and no network.
 *
 * A host gives its own as an instance, a class or a factory in `ToolsModule.forRoot({ summarizer })`.
 */
export interface Summarizer {
  /** `extractive`, or the model's id; part of cache keys. */
  readonly engine: string;
  /** Part of cache keys; changes when the same content would be summarized otherwise, e.g. by other prompts. Default none. */
  readonly version?: string;
  /** True when it writes in any of the six languages, so that the source need not translate. */
  readonly translates: boolean;
  /** Whether it fills the schema of a caller. Default false: such a request is refused. */
  readonly fillsSchemas?: boolean;
  /**
   * @throws MethodUnavailableError when it cannot do the method; ContentTooLongError for an explicit `simple` that
   *   does not fit; upstream errors
   */
  summarize(content: Content, request: SummaryRequest, context: ToolContext): Promise<Summary>;
}

/** Longest summary, characters. A summarizer that returns its material has summarized nothing. A plain bound. */
const MAX_CHARACTERS = 1_000_000;

const SHARE = number(0, 1);
const TOKENS = { modelCalls: integer(0), inputTokens: number(0), outputTokens: number(0) };

const USAGE: Schema<Usage> = object<Usage>({
  ...TOKENS,
  stages: optional(record(object(TOKENS))),
  cost: optional(number(0)),
  speech: optional(object<RecognizedSpeech>({ minutes: number(0), cost: number(0) })),
});
const KEY_POINT_FIELDS: Fields<KeyPoint> = {
  text: string(),
  startMs: number(),
  source: optional(oneOf('speech', 'frame')),
};
const SECTION: Schema<SummarySection> = object<SummarySection>({
  title: string(),
  startMs: number(),
  endMs: number(),
  summary: string(),
});
const UNSUPPORTED_SCHEMA: Schema<Unsupported[]> = array(
  object<Unsupported>({ text: string(), reason: oneOf(...REASONS) }),
);

const DATA = object<SpokenData>({
  output: record(anything()),
  complete: boolean(),
  grounding: array(
    object({
      field: string(),
      startMs: number(0),
      quote: string({ max: LONGEST.document }),
      probability: SHARE,
    }),
  ),
});

/** Schema of a {@link Summarizer}'s result. A host's own may return anything at run time. */
export const SUMMARY: Schema<Summary> = object<Summary>({
  method: oneOf('simple', 'recursive', 'multi_modal'),
  methodReason: optional(string()),
  text: string({ min: 1, max: MAX_CHARACTERS }),
  language: string({ min: 1, max: LONGEST.language, expected: 'a BCP 47 tag' }),
  otherLanguage: optional(string({ min: 1, max: LONGEST.language, expected: 'a BCP 47 tag' })),
  keyPoints: array(object(KEY_POINT_FIELDS)),
  sections: array(SECTION),
  engine: string(),
  usage: optional(USAGE),
  coverage: optional(SHARE),
  grounding: optional(SHARE),
  unsupported: optional(UNSUPPORTED_SCHEMA),
  data: optional(DATA),
  warnings: array(WARNING),
});
