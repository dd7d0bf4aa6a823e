import type { RecognizedSpeech } from '../core/usage.js';
import { REASONS, type Unsupported } from '../grounding/unsupported.js';
import { WARNING } from '../core/warning.js';
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
import {
  type KeyPoint,
  type SpokenData,
  type Summary,
  type SummarySection,
  type Usage,
} from './summarizer.js';

/** Longest summary, characters. A summarizer that returns its material has summarized nothing. A plain bound. */
const MAX_CHARACTERS = 1_000_000;

const SHARE = number(0, 1);
const TOKENS = { modelCalls: integer(0), inputTokens: number(0), outputTokens: number(0) };

export const USAGE: Schema<Usage> = object<Usage>({
  ...TOKENS,
  stages: optional(record(object(TOKENS))),
  cost: optional(number(0)),
  speech: optional(object<RecognizedSpeech>({ minutes: number(0), cost: number(0) })),
});
export const KEY_POINT_FIELDS: Fields<KeyPoint> = {
  text: string(),
  startMs: number(),
  source: optional(oneOf('speech', 'frame')),
};
export const SECTION: Schema<SummarySection> = object<SummarySection>({
  title: string(),
  startMs: number(),
  endMs: number(),
  summary: string(),
});
export const UNSUPPORTED_SCHEMA: Schema<Unsupported[]> = array(
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
