import {
  faultOf,
  faultOfItems,
  isFilledText,
  isFiniteNumber,
  isText,
  optional,
  type FieldRule,
} from '../core/shape.js';
import type { Content } from './content-source.js';

/** Longest transcript in characters: some hundred hours of speech. Beyond it a host or an upstream has mixed something up. */
const MAX_CHARACTERS = 10_000_000;
const MAX_SEGMENTS = 500_000;
const CAPTIONS: readonly unknown[] = ['manual', 'automatic', 'translated'];

const TRANSCRIPT: readonly FieldRule[] = [
  ['segments', Array.isArray, 'an array'],
  ['chapters', Array.isArray, 'an array'],
  ['language', isFilledText, 'a BCP 47 tag'],
  ['captions', (value) => CAPTIONS.includes(value), 'manual, automatic or translated'],
  ['title', optional(isText), 'a string or absent'],
  ['channel', optional(isText), 'a string or absent'],
  ['description', optional(isText), 'a string or absent'],
  ['durationMs', optional(isFiniteNumber), 'a finite number or absent'],
  ['storyboard', optional(Array.isArray), 'an array or absent'],
];
const CONTENT: readonly FieldRule[] = [
  ['id', isFilledText, 'a non-empty string'],
  ['url', isText, 'a string'],
  ['provider', isText, 'a string'],
];
const SEGMENT: readonly FieldRule[] = [
  ['text', isText, 'a string'],
  ['startMs', isFiniteNumber, 'a finite number'],
  ['endMs', isFiniteNumber, 'a finite number'],
];
const CHAPTER: readonly FieldRule[] = [
  ['title', isText, 'a string'],
  ['startMs', isFiniteNumber, 'a finite number'],
  ['endMs', isFiniteNumber, 'a finite number'],
];

/**
 * Why a transcript cannot be worked with; undefined where it can. A host's own implementation may return anything at run time, and what
 * is wrong is better said here than by a TypeError somewhere below.
 */
export function transcriptFault(transcript: unknown): string | undefined {
  const fault = faultOf(transcript, TRANSCRIPT);
  if (fault) return fault;
  const { segments, chapters } = transcript as Pick<Content, 'segments' | 'chapters'>;
  if (segments.length > MAX_SEGMENTS) return `segments must be at most ${MAX_SEGMENTS}`;
  const inside = faultOfItems(segments, SEGMENT, 'segments') ?? faultOfItems(chapters, CHAPTER, 'chapters');
  if (inside) return inside;
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0);
  return characters > MAX_CHARACTERS ? `segments must hold at most ${MAX_CHARACTERS} characters` : undefined;
}

/** The same for a whole content. */
export function contentFault(content: unknown): string | undefined {
  return faultOf(content, CONTENT) ?? transcriptFault(content);
}
