import type { ValidationArguments } from 'class-validator';
import { nearestName } from '../../core/text/edit-distance.js';

/** Characters of a wrong value that are compared with the accepted ones. */
const MAX_COMPARED = 64;

/**
 * The message for a field with a fixed set of values. It names them and suggests the one that was probably meant: `EN` and `English` → `en`,
 * `multimodal` → `multi_modal`.
 */
export function oneOf(values: readonly string[]): { message: (wrong: ValidationArguments) => string } {
  const accepted = values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(', ')}`;
  return {
    message: ({ property, value }) => `${property} must be ${accepted}${hint(value as unknown, values)}`,
  };
}

function hint(value: unknown, values: readonly string[]): string {
  if (value === null) return '; leave the field out instead of sending null';
  if (typeof value !== 'string') return '';
  const meant = meantBy(value.trim().slice(0, MAX_COMPARED), values);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

function meantBy(value: string, values: readonly string[]): string | undefined {
  const lower = value.toLowerCase();
  const [code] = lower.split(/[-_]/);
  if (code !== undefined && values.includes(code)) return code;
  const language = values.find((one) => one.length === 2 && namesOf(one).includes(lower));
  // Codes of two letters are too much alike to compare: `pl` is Polish and not a misspelt `pt`.
  return (
    language ??
    nearestName(
      value,
      values.filter((one) => one.length > 2),
    )
  );
}

/** Name of a language in English and in itself, in lower case: `german` and `deutsch` for `de`. */
function namesOf(language: string): (string | undefined)[] {
  return ['en', language].map((locale) =>
    new Intl.DisplayNames(locale, { type: 'language' }).of(language)?.toLowerCase(),
  );
}
