import { validateSync, type ValidationError } from 'class-validator';
import { InvalidRequestError, type FieldError } from '../core/errors.js';
import { nearestName } from '../core/text/edit-distance.js';
import type { RequestDto } from './tool-definition.js';

const MAX_UNKNOWN_FIELDS = 10;
const MAX_SHOWN_NAME = 64;
/** More items than any list of a request may have. */
const MAX_ITEMS = 100;

/**
 * The validated request of a JSON body. Nothing is converted: `"5"` is not 5 and `"false"` is not true.
 *
 * Only own properties count. Every field is a primitive or a list of primitives. Objects within are replaced by empty ones: a body nested
 * twenty thousand levels deep would overflow the stack of a recursive validator.
 *
 * @param check further checks, for limits that the DTO class does not know
 * @throws InvalidRequestError naming each field that is wrong
 */
export function parseRequest<Dto extends object>(
  dto: RequestDto<Dto>,
  body: unknown,
  check?: (request: Dto) => FieldError[],
): Dto {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidRequestError([{ field: 'body', message: 'The request body must be a JSON object.' }]);
  const request = new dto();
  for (const field of dto.fields) {
    if (!Object.hasOwn(body, field)) continue;
    const value = shallow((body as Record<string, unknown>)[field]);
    const isTrimmed = typeof value === 'string' && dto.trimmed?.includes(field);
    (request as Record<string, unknown>)[field] = isTrimmed ? value.trim() : value;
  }
  const errors = [
    ...unknownFields(body, dto.fields),
    ...validateSync(request, { stopAtFirstError: true }).flatMap(fieldErrors),
    ...(check?.(request) ?? []),
  ];
  if (errors.length > 0) throw new InvalidRequestError(errors);
  return request;
}

function shallow(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(withoutMembers);
  return withoutMembers(value);
}

function withoutMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

function fieldErrors(error: ValidationError): FieldError[] {
  return Object.values(error.constraints ?? {}).map((message) => ({ field: error.property, message }));
}

function unknownFields(body: object, fields: readonly string[]): FieldError[] {
  const unknown = Object.keys(body).filter((name) => !fields.includes(name));
  return unknown.slice(0, MAX_UNKNOWN_FIELDS).map((name) => {
    const shown = name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name;
    const nearest = nearestName(name.slice(0, MAX_SHOWN_NAME), fields);
    const hint = nearest ? `did you mean ${nearest}?` : `the fields are ${fields.join(', ')}`;
    return { field: shown, message: `${shown} is not a field of this request; ${hint}` };
  });
}
