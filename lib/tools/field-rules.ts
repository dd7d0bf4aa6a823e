import { ValidateBy } from 'class-validator';
import { InvalidRequestError, MethodUnavailableError, type FieldError } from '../core/errors.js';
import { nearestName } from '../core/edit-distance.js';
import { propertiesOf, type Model } from '../core/openapi.js';
import { readOutputSchema, type OutputSchema } from '../data/output-schema.js';
import { camelCase } from './dto-mapping.js';

/** Why the value of a field is refused, in words that follow the field's name. Undefined for a value that is accepted. */
export type Rule = (value: unknown) => string | undefined;

/** Longest part of a wrong name or value that is shown or compared, characters. */
export const MAX_SHOWN = 64;

const RULE = 'nestjs-tools:rule';

/** Checks a field of a DTO by a rule: a class-validator decorator, for requests and for the host's own pipes. */
export const Follows = (rule: Rule): PropertyDecorator => {
  const validated = ValidateBy({
    name: 'rule',
    validator: {
      validate: (value) => rule(value) === undefined,
      defaultMessage: (args) => `${args?.property} ${rule(args?.value)}`,
    },
  });
  return (target, field) => {
    validated(target, field);
    Reflect.defineMetadata(RULE, rule, target, field);
  };
};

/**
 * Checks the fields of a service's request: callers without HTTP have no DTO in front of them.
 * @param others faults that no single field shows
 * @throws InvalidRequestError naming each field that is wrong
 */
export function checkFields(model: Model, request: object, ...others: readonly FieldError[]): void {
  const own = propertiesOf(model).flatMap(({ name }) => {
    const rule = Reflect.getMetadata(RULE, model.prototype as object, name) as Rule;
    const field = camelCase(name);
    const fault = rule((request as Record<string, unknown>)[field]);
    return fault === undefined ? [] : [{ field, message: `${field} ${fault}` }];
  });
  const wrong = [...own, ...others];
  if (wrong.length > 0) throw new InvalidRequestError(wrong);
}

/** A field that may be absent. */
export const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value);

/** @param what it holds, for the message */
export const requiredString =
  (what?: string): Rule =>
  (value) =>
    typeof value === 'string' ? undefined : `is required and must be a string${what ? `: ${what}` : ''}`;

/** A text of 1 to `max` characters after trimming, in code points, as JSON Schema counts. */
export const text =
  (max: number): Rule =>
  (value) => {
    if (typeof value !== 'string') return 'must be a string';
    const trimmed = value.trim();
    // A text of twice the length in UTF-16 has more in any case.
    const length = trimmed.length > 2 * max ? Infinity : [...trimmed].length;
    if (length >= 1 && length <= max) return undefined;
    const came = length === Infinity ? `more than ${max}` : length;
    return `must be 1 to ${max} characters long after trimming, received ${came}`;
  };

export const boolean: Rule = (value) =>
  typeof value === 'boolean' ? undefined : `must be true or false${withoutQuotes(value)}`;

/** An integer in a range, both ends included. */
export const integer =
  (min: number, max = Infinity): Rule =>
  (value) => {
    if (!Number.isInteger(value)) return `must be an integer${withoutQuotes(value)}`;
    if ((value as number) < min) return `must not be less than ${min}`;
    return (value as number) > max ? `must not be greater than ${max}` : undefined;
  };

/** One of a fixed set of values. The message suggests the one that was probably meant: `EN` and `English` → `en`. */
export const oneOf =
  (values: readonly string[]): Rule =>
  (value) => {
    if ((values as readonly unknown[]).includes(value)) return undefined;
    const accepted = values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.join(', ')}`;
    return `must be ${accepted}${hint(value, values)}`;
  };

/** The JSON Schema of data that a caller wants. */
export const OUTPUT_SCHEMA: Rule = optional((value) => {
  const read = readOutputSchema(value);
  return typeof read === 'string' ? read : undefined;
});

/**
 * A schema that {@link OUTPUT_SCHEMA} has accepted.
 * @param isFilled whether the engine that writes fills schemas
 * @throws MethodUnavailableError where it does not
 */
export function outputSchemaOf(given: unknown, isFilled: boolean | undefined): OutputSchema {
  if (!isFilled)
    throw new MethodUnavailableError(
      'output_schema needs an engine that fills schemas: set the option `model`, or give your own summarizer `fillsSchemas: true`.',
    );
  return readOutputSchema(given) as OutputSchema;
}

const withoutQuotes = (value: unknown): string =>
  typeof value === 'string' ? ', without quotation marks' : '';

function hint(value: unknown, values: readonly string[]): string {
  if (value === null) return '; leave the field out instead of sending null';
  if (typeof value !== 'string') return '';
  const meant = meantBy(value.trim().slice(0, MAX_SHOWN), values);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

function meantBy(value: string, values: readonly string[]): string | undefined {
  const lower = value.toLowerCase();
  const [code] = lower.split(/[-_]/);
  if (code !== undefined && values.includes(code)) return code;
  const language = values.find((one) => one.length === 2 && namesOf(one).includes(lower));
  // Codes of two letters are too much alike to compare: `pl` is Polish and not a misspelt `pt`.
  const comparable = values.filter((one) => one.length > 2);
  return language ?? nearestName(value, comparable);
}

/** Name of a language in English and in itself, in lower case: `german` and `deutsch` for `de`. */
function namesOf(language: string): (string | undefined)[] {
  return ['en', language].map((locale) =>
    new Intl.DisplayNames(locale, { type: 'language' }).of(language)?.toLowerCase(),
  );
}
