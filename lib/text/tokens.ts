import { stemmer as de } from '@orama/stemmers/german';
import { stemmer as en } from '@orama/stemmers/english';
import { stemmer as es } from '@orama/stemmers/spanish';
import { stemmer as fr } from '@orama/stemmers/french';
import { stemmer as it } from '@orama/stemmers/italian';
import { stemmer as pt } from '@orama/stemmers/portuguese';
import type { Language } from './languages.js';

const STEMMERS: Record<Language, (word: string) => string> = { de, en, es, fr, it, pt };

/** A run of letters, marks and digits, with apostrophes and hyphens inside. Linear; never `Intl.Segmenter`, which is quadratic on Node 20. */
export const WORD_PATTERN = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;

/** Words of a text in lower case, in order. */
export function words(text: string): string[] {
  return text.toLowerCase().match(WORD_PATTERN) ?? [];
}

/** Snowball stem of a lower-case word (`@orama/stemmers`). */
export function stem(word: string, language: Language): string {
  return STEMMERS[language](word);
}
