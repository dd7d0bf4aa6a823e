import {
  faultOf,
  faultOfItems,
  isFilledText,
  isFiniteNumber,
  isText,
  optional,
  type FieldRule,
} from '../core/shape.js';
import type { Summary } from './summarizer.js';

/** No summary is as long; a summarizer that returns its material has summarized nothing. */
const MAX_CHARACTERS = 1_000_000;

const METHODS: readonly unknown[] = ['simple', 'recursive', 'multi_modal'];
const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

const SUMMARY: readonly FieldRule[] = [
  ['text', isFilledText, 'a non-empty string'],
  ['method', (value) => METHODS.includes(value), 'simple, recursive or multi_modal'],
  ['language', isFilledText, 'a BCP 47 tag'],
  ['engine', isText, 'a string'],
  ['keyPoints', Array.isArray, 'an array'],
  ['sections', Array.isArray, 'an array'],
  ['warnings', Array.isArray, 'an array'],
  ['coverage', optional(isShare), 'from 0 to 1 or absent'],
  ['grounding', optional(isShare), 'from 0 to 1 or absent'],
];
const USAGE: readonly FieldRule[] = ['modelCalls', 'inputTokens', 'outputTokens'].map((field) => [
  field,
  (value) => typeof value === 'number' && value >= 0 && Number.isFinite(value),
  'a number of at least 0',
]);
const KEY_POINT: readonly FieldRule[] = [
  ['text', isText, 'a string'],
  ['startMs', isFiniteNumber, 'a finite number'],
];
const SECTION: readonly FieldRule[] = [
  ['title', isText, 'a string'],
  ['summary', isText, 'a string'],
  ['startMs', isFiniteNumber, 'a finite number'],
  ['endMs', isFiniteNumber, 'a finite number'],
];
const WARNING: readonly FieldRule[] = [
  ['code', isText, 'a string'],
  ['message', isText, 'a string'],
];

/** Why a summary cannot be given to a caller; undefined where it can. */
export function summaryFault(summary: unknown): string | undefined {
  const fault = faultOf(summary, SUMMARY);
  if (fault) return fault;
  const { text, usage, keyPoints, sections, warnings } = summary as Summary;
  if (text.length > MAX_CHARACTERS) return `text must be at most ${MAX_CHARACTERS} characters`;
  return (
    (usage === undefined ? undefined : faultOf(usage, USAGE, 'usage.')) ??
    faultOfItems(keyPoints, KEY_POINT, 'keyPoints') ??
    faultOfItems(sections, SECTION, 'sections') ??
    faultOfItems(warnings, WARNING, 'warnings')
  );
}
