import { sentencesOf } from '../../../core/text/sentences.js';
import { type Language } from '../../../core/text/languages.js';
import { isRecord } from '../../../core/schema.js';
import { readLenientJson } from '../../../model/lenient-json.js';
import { parseEntry, tidy, toSecond, withoutMarks } from './entries.js';
import type { ProposedPoint } from './point.js';

/** More than this in one answer is no selection. */
const MOST_POINTS = 40;
const LONGEST_ANSWER = 200_000;
const MOST_DEPTH = 5;

/** The readable parts of an answer. */
interface ParsedPoints {
  points: ProposedPoint[];
  /** `prose` when the model ignored the form: each of its sentences is a proposal without second and quotation. */
  form: 'json' | 'lines' | 'prose';
}

/**
 * Reads a model's points: JSON however it departs from the form that was asked for, lines with `[second]`, or plain sentences. Never
 * throws; linear.
 *
 * @param language of the answer, where it is known
 */
export function parsePoints(answer: string, language?: Language): ParsedPoints {
  const text = answer.slice(0, LONGEST_ANSWER);
  const json: ProposedPoint[] = [];
  for (const value of readLenientJson(text)) collectPoints(value, json, 0);
  if (json.length > 0) return { points: json.slice(0, MOST_POINTS), form: 'json' };
  const lines = text.split('\n').flatMap(lineToPoint);
  if (lines.length > 0) return { points: lines.slice(0, MOST_POINTS), form: 'lines' };
  return { points: proseToPoints(text, language).slice(0, MOST_POINTS), form: 'prose' };
}

/** Every point in a value: an object, a tuple `[754, "claim", "quote"]`, `{"754": "claim"}`, or a list of strings. */
function collectPoints(value: unknown, points: ProposedPoint[], depth: number, key?: string): void {
  if (depth > MOST_DEPTH || points.length >= MOST_POINTS) return;
  if (Array.isArray(value)) {
    const tuple = tupleOf(value);
    if (tuple) points.push(tuple);
    else for (const item of value) collectPoints(item, points, depth + 1, key);
  } else if (isRecord(value)) {
    const point = pointOf(value);
    if (point) points.push(point);
    else for (const [name, field] of Object.entries(value)) collectPoints(field, points, depth + 1, name);
  } else if (typeof value === 'string' && key !== undefined && isStatement(value)) {
    const second = toSecond(key);
    const entry = parseEntry(`- ${value}`)!;
    const known = entry.second ?? second;
    if (second !== undefined || /points?|claims?|statements?|notes?|facts?/i.test(key))
      points.push(proposed(entry.text || value, known, entry.quote));
  }
}

/** Names that models give to the fields of a point. */
export const CLAIM: readonly string[] = [
  'claim',
  'text',
  'point',
  'statement',
  'note',
  'fact',
  'summary',
  'content',
  'key_point',
  'description',
];
export const SECOND: readonly string[] = [
  't',
  'second',
  'seconds',
  'time',
  'timestamp',
  'start',
  'start_seconds',
  'start_time',
  'ts',
  'at',
];
export const QUOTE: readonly string[] = [
  'quote',
  'quotes',
  'words',
  'evidence',
  'citation',
  'verbatim',
  'excerpt',
  'quotation',
  'source',
];

/**
 * The point that an object holds, under whatever names: models rename and translate fields. Undefined for other objects, and for the
 * echo of a schema.
 */
export function pointOf(object: Record<string, unknown>): ProposedPoint | undefined {
  if (typeof object['type'] === 'string' && /^(?:object|array|string|number|integer)$/.test(object['type']))
    return undefined;
  // Statements by second.
  if (Object.keys(object).length > 1 && Object.keys(object).every((key) => /^\d[\d:.]*$/.test(key)))
    return undefined;
  const pick = (names: readonly string[]): unknown =>
    fieldsNamed(object, names).find((value) => value != null);
  const texts = Object.values(object).filter((value): value is string => typeof value === 'string');
  let claim = pick(CLAIM);
  // Nested objects hold points themselves.
  const isFlat = Object.values(object).every(
    (value) => typeof value !== 'object' || value === null || isTexts(value),
  );
  if (typeof claim !== 'string' && isFlat) claim = texts.find(isStatement);
  if (typeof claim !== 'string' || !isFlat || !/\p{L}/u.test(claim)) return undefined;
  const second = toSecond(pick(SECOND) ?? Object.values(object).find((value) => typeof value === 'number'));
  let quote = pick(QUOTE);
  if (Array.isArray(quote)) quote = quote[0];
  quote ??= texts.find((text) => text !== claim && isStatement(text));
  return proposed(claim, second, typeof quote === 'string' ? quote : undefined);
}

/** The values of the fields that have one of these names, or a name with one of them in it: `section_title`, `supportingQuote`. */
export function fieldsNamed(object: Record<string, unknown>, names: readonly string[]): unknown[] {
  const exact = names.filter((name) => Object.hasOwn(object, name)).map((name) => object[name]);
  const wanted = new Set(names.filter((name) => name.length > 2));
  const partly = Object.entries(object)
    .filter(([name]) =>
      name
        .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, '_')
        .toLowerCase()
        .split(/[_\s-]/)
        .some((part) => wanted.has(part)),
    )
    .map(([, value]) => value);
  return [...exact, ...partly];
}

function tupleOf(value: readonly unknown[]): ProposedPoint | undefined {
  const [first, claim, quote] = value;
  const second = toSecond(first);
  if (second === undefined || Array.isArray(first) || typeof claim !== 'string' || !isStatement(claim))
    return undefined;
  return proposed(claim, second, typeof quote === 'string' ? quote : undefined);
}

function proposed(claim: string, second: number | undefined, quote: string | undefined): ProposedPoint {
  const words = quote && tidy(quote);
  return {
    claim: tidy(withoutMarks(claim)),
    ...(second === undefined ? {} : { second }),
    ...(words && /\p{L}/u.test(words) ? { quote: words } : {}),
  };
}

function isTexts(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number');
}

function isStatement(text: string): boolean {
  return text.trim().split(/\s+/).length >= 3;
}

function lineToPoint(line: string): ProposedPoint[] {
  const entry = parseEntry(line);
  if (!entry || (entry.second === undefined && entry.quote === undefined)) return [];
  const claim = entry.text || entry.quote;
  return claim ? [proposed(claim, entry.second, entry.quote)] : [];
}

function proseToPoints(text: string, language: Language | undefined): ProposedPoint[] {
  return sentencesOf(text, language && { language })
    .map((sentence) => parseEntry(`- ${sentence}`)?.text ?? '')
    .filter((sentence) => sentence.split(/\s+/).length >= 4)
    .map((claim) => ({ claim }));
}
