import { sentencesOf } from '../../../core/text/index.js';
import type { ProposedPoint } from './point.js';

/** More than this in one answer is no selection. */
const MAX_POINTS = 40;
const MAX_CLAIM = 500;
const MAX_ANSWER = 200_000;

/** What could be read of an answer. */
export interface ParsedPoints {
  points: ProposedPoint[];
  /** `prose` when the model ignored the form: each of its sentences is a proposal without second and quotation. */
  form: 'json' | 'lines' | 'prose';
}

/**
 * Reads a model's points: JSON, JSON in a code fence or cut off in the middle, lines with `[second]`, or plain sentences. Never
 * throws; linear.
 */
export function parsePoints(answer: string): ParsedPoints {
  const text = answer.slice(0, MAX_ANSWER);
  const json = objectsIn(text).flatMap(toPoint);
  if (json.length > 0) return { points: json.slice(0, MAX_POINTS), form: 'json' };
  const lines = text.split('\n').flatMap(lineToPoint);
  if (lines.length > 0) return { points: lines.slice(0, MAX_POINTS), form: 'lines' };
  return { points: proseToPoints(text).slice(0, MAX_POINTS), form: 'prose' };
}

/** Every object in the text that has no object inside and is complete, in order. */
function objectsIn(text: string): Record<string, unknown>[] {
  const objects: Record<string, unknown>[] = [];
  let start = -1;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === '\\') i++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = start >= 0;
    else if (c === '{') start = i;
    else if (c === '}' && start >= 0) {
      try {
        objects.push(JSON.parse(text.slice(start, i + 1)) as Record<string, unknown>);
      } catch {
        // Not JSON after all; the next object may be.
      }
      start = -1;
    }
  }
  return objects;
}

function toPoint(object: Record<string, unknown>): ProposedPoint[] {
  const claim = object['claim'] ?? object['text'] ?? object['point'] ?? object['statement'];
  if (typeof claim !== 'string' || claim.trim() === '') return [];
  const second = toSecond(
    object['t'] ?? object['second'] ?? object['seconds'] ?? object['time'] ?? object['start'],
  );
  const quote = object['quote'];
  return [
    {
      claim: tidy(claim),
      ...(second === undefined ? {} : { second }),
      ...(typeof quote === 'string' && quote.trim() !== '' ? { quote: tidy(quote) } : {}),
    },
  ];
}

const LINE = /^\s*(?:[-*•]\s*)?[[(](\d{1,6}|\d{1,3}:\d{2}(?::\d{2})?)s?[\])]\s*(.+)$/;

function lineToPoint(line: string): ProposedPoint[] {
  const match = LINE.exec(line);
  if (!match) return [];
  const { rest, quote } = splitQuote(match[2]!);
  const second = toSecond(match[1]);
  return rest
    ? [{ claim: tidy(rest), ...(second === undefined ? {} : { second }), ...(quote ? { quote } : {}) }]
    : [];
}

/** Takes a quotation in double quotes off the end of a line. */
export function splitQuote(line: string): { rest: string; quote?: string } {
  const match = /\s*[("“«„]{1,2}([^"”»“]{8,400})["”»“]\)?[\s.]*$/.exec(line.slice(0, 2000));
  const rest = match ? line.slice(0, match.index).trim() : line.trim();
  return match && rest ? { rest, quote: tidy(match[1]!) } : { rest: line.trim() };
}

function proseToPoints(text: string): ProposedPoint[] {
  return sentencesOf(text)
    .filter((sentence) => sentence.split(/\s+/).length >= 4)
    .map((sentence) => ({ claim: tidy(sentence) }));
}

/** Seconds from a number, `"754"`, `"12:34"` or `"1:02:03"`. */
export function toSecond(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const parts = /^\s*\[?(\d+(?:\.\d+)?(?::\d{1,2}){0,2})s?\]?\s*$/.exec(value.slice(0, 40))?.[1]?.split(':');
  return parts?.reduce((sum, part) => sum * 60 + Number(part), 0);
}

function tidy(text: string): string {
  return text
    .slice(0, MAX_CLAIM)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}
