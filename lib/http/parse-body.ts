import { validateSync, type ValidationError } from 'class-validator';
import { InvalidRequestError, type FieldError } from '../core/errors.js';

/** A DTO class that lists its own fields. */
export interface RequestDto<T> {
  new (): T;
  readonly fields: readonly string[];
  /** Those whose white space at the ends does not count. */
  readonly trimmed?: readonly string[];
}

const MOST_UNKNOWN_FIELDS = 10;

/**
 * The validated request of a JSON body. Not Nest's ValidationPipe, because a host's global one runs before ours and would decide for us:
 * the handler takes `unknown`, which every pipe leaves alone. Nothing is converted: `"5"` is not 5 and `"false"` is not true.
 *
 * Only own properties count, and values that are objects are replaced by empty ones: every field of ours is a primitive, and a body
 * nested twenty thousand levels deep would overflow the stack of whoever looks into it.
 *
 * @param prepare sets what the validators need to know besides the fields
 * @throws InvalidRequestError naming each field that is wrong
 */
export function parseBody<T extends object>(
  dto: RequestDto<T>,
  body: unknown,
  prepare?: (instance: T) => void,
): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidRequestError([{ field: 'body', message: 'The request body must be a JSON object.' }]);
  }
  const unknown = Object.keys(body).filter((key) => !dto.fields.includes(key));
  const errors: FieldError[] = unknown
    .slice(0, MOST_UNKNOWN_FIELDS)
    .map((key) => unknownField(key, dto.fields));
  const instance = new dto();
  for (const field of dto.fields) {
    if (!Object.hasOwn(body, field)) continue;
    const value = (body as Record<string, unknown>)[field];
    (instance as Record<string, unknown>)[field] = dto.trimmed?.includes(field)
      ? trimmed(value)
      : shallow(value);
  }
  prepare?.(instance);
  errors.push(...validateSync(instance, { stopAtFirstError: true }).flatMap(fieldErrors));
  if (errors.length > 0) throw new InvalidRequestError(errors);
  return instance;
}

function shallow(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : shallow(value));

function fieldErrors(error: ValidationError): FieldError[] {
  return Object.values(error.constraints ?? {}).map((message) => ({ field: error.property, message }));
}

function unknownField(key: string, fields: readonly string[]): FieldError {
  const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key;
  const near = fields.find((field) => fold(field) === fold(key) || isOneEditAway(field, key));
  const hint = near ? `did you mean ${near}?` : `the fields are ${fields.join(', ')}`;
  return { field: shown, message: `${shown} is not a field of this request; ${hint}` };
}

const fold = (name: string): string => name.toLowerCase().replace(/[_\-\s]/g, '');

/** One letter more, less, or another; enough for a slip of the finger. */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  return [
    a.slice(i + 1) === b.slice(i + 1),
    a.slice(i + 1) === b.slice(i),
    a.slice(i) === b.slice(i + 1),
  ].some(Boolean);
}
