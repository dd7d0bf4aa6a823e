import { validateSync } from 'class-validator';
import { InvalidRequestError, type FieldError } from '../core/errors.js';
import { nearestName } from '../core/edit-distance.js';
import { propertiesOf, type Model } from '../core/openapi.js';
import { MAX_SHOWN } from './field-rules.js';
import type { ToolDefinition } from './tool-definition.js';
import { camelCase } from './dto-mapping.js';

const MAX_UNKNOWN_FIELDS = 10;

/**
 * The validated request of a JSON body. Nothing is converted: `"5"` is not 5 and `"false"` is not true. Only own properties count. What fields
 * mean together, and what the host allows, is checked by the service.
 *
 * @throws InvalidRequestError naming each field that is wrong
 */
export function parseRequest<Dto extends object>(
  { request: RequestDto }: Pick<ToolDefinition<Dto>, 'request'>,
  body: unknown,
): Dto {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidRequestError([{ field: 'body', message: 'The request body must be a JSON object.' }]);
  const fields = propertiesOf(RequestDto).map(({ name }) => name);
  const request = new RequestDto();
  for (const field of fields)
    if (Object.hasOwn(body, field))
      (request as Record<string, unknown>)[field] = (body as Record<string, unknown>)[field];
  const wrong = validateSync(request, { stopAtFirstError: true, forbidUnknownValues: false });
  const errors = [
    ...unknownFields(body, fields),
    ...wrong.flatMap(({ property, constraints = {} }) =>
      Object.values(constraints).map((message) => ({ field: property, message })),
    ),
  ];
  if (errors.length > 0) throw new InvalidRequestError(errors);
  return request;
}

/** What a service refused, by the names of the wire. Any other error stays as it is. */
export function onTheWire(model: Model, error: unknown): unknown {
  if (!(error instanceof InvalidRequestError)) return error;
  const names = new Map(propertiesOf(model).map(({ name }) => [camelCase(name), name]));
  const renamed = (text: string): string =>
    text.replace(/\b[a-z]+[A-Z]\w*/g, (word) => names.get(word) ?? word);
  const fields = error.details as FieldError[];
  return new InvalidRequestError(
    fields.map(({ field, message }) => ({ field: renamed(field), message: renamed(message) })),
  );
}

function unknownFields(body: object, fields: readonly string[]): FieldError[] {
  const unknown = Object.keys(body).filter((name) => !fields.includes(name));
  return unknown.slice(0, MAX_UNKNOWN_FIELDS).map((name) => {
    const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
    const nearest = nearestName(name.slice(0, MAX_SHOWN), fields);
    const hint = nearest ? `did you mean ${nearest}?` : `the fields are ${fields.join(', ')}`;
    return { field: shown, message: `${shown} is not a field of this request; ${hint}` };
  });
}
