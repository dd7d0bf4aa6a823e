import '../core/class-validator.js';
import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { InvalidRequestError, MethodUnavailableError, shownName, type FieldError } from '../core/errors.js';
import { ApiProperty, memoized, propertiesOf, type Model, type OpenApiSchema } from '../core/openapi.js';
import { hintFor, Issue, optional, type Schema } from '../core/schema.js';
import { readOutputSchema, type OutputSchema } from '../data/output-schema.js';
import { camelCase, Facts, type FieldFacts } from './result-fields.js';
import type { RequestDto } from './tool-definition.js';

// Answers

/** Schemas of numbers. */
export const COUNT = { type: 'integer', minimum: 0 } as const;
export const AMOUNT = { type: 'number', minimum: 0 } as const;
export const SHARE = { type: 'number', minimum: 0, maximum: 1 } as const;

/**
 * A field of an answer that is always there.
 * @param shape an example of a plain value, the class of an object, or `[class]` for a list of objects
 * @param more what is said of it, and members of its schema
 */
export function Field(
  description: string,
  shape: unknown,
  { text, agents, absentWhenEmpty, source, toWire, ...schema }: FieldFacts & OpenApiSchema = {},
): PropertyDecorator {
  const isModel = typeof shape === 'function' || (Array.isArray(shape) && typeof shape[0] === 'function');
  const value = isModel ? { type: shape as Model } : { example: shape };
  return applyDecorators(
    ApiProperty({ ...schema, description, ...value }),
    Facts({ text, agents, absentWhenEmpty, source, toWire }),
  );
}

export const OptionalField: typeof Field = (description, shape, more) =>
  Field(description, shape, { ...more, required: false });

// Requests

const SCHEMA = 'nestjs-tools:schema';
const FOR_AGENTS = 'nestjs-tools:for-agents';

interface RequestFieldOptions extends OpenApiSchema {
  /** A few words for language models, where the name does not say enough; false: they do not see the field. */
  agents?: string | false;
}

/** A field of a request that must be there. Class-validator checks it by its schema, also in the host's own pipes. */
export function RequiredField(
  schema: Schema<unknown>,
  description: string,
  { agents, ...document }: RequestFieldOptions = {},
): PropertyDecorator {
  const { default: example } = document;
  const documented = ApiProperty({
    description,
    ...schema.json,
    ...(example === undefined ? {} : { example }),
    ...document,
  });
  const validated = ValidateBy({
    name: 'schema',
    validator: {
      validate: (value) => !(schema.read(value) instanceof Issue),
      defaultMessage: (args) => faultOfField(args!.property, schema, args!.value)!,
    },
  });
  return (target, field) => {
    documented(target, field);
    validated(target, field);
    Reflect.defineMetadata(SCHEMA, schema, target, field);
    Reflect.defineMetadata(FOR_AGENTS, agents, target, field);
  };
}

/** What language models are told of a field of a request. */
export const wordsForAgents = (model: Model, field: string): RequestFieldOptions['agents'] =>
  Reflect.getMetadata(FOR_AGENTS, model.prototype as object, field) as RequestFieldOptions['agents'];

export const RequestField = (
  schema: Schema<unknown>,
  description: string,
  document?: RequestFieldOptions,
): PropertyDecorator => RequiredField(optional(schema), description, { ...document, required: false });

/** Why the value of a field is refused, as one sentence. Undefined for a value that is accepted. */
function faultOfField(field: string, schema: Schema<unknown>, value: unknown): string | undefined {
  const issue = schema.read(value);
  if (!(issue instanceof Issue)) return undefined;
  if (value === undefined) return `${field} is required and must be ${issue.expected}`;
  const isOptional = !(schema.read(undefined) instanceof Issue);
  const hint = value === null && isOptional ? '; leave the field out instead of sending null' : '';
  return `${issue.pathFrom(field)} ${issue.fault(issue.received)}${hint}`;
}

/** The fields of a request: their names on the wire and in TypeScript, and what they accept. */
const fieldsOf = memoized((model: Model) =>
  propertiesOf(model).map(({ name }) => {
    const schema = Reflect.getMetadata(SCHEMA, model.prototype as object, name) as Schema<unknown>;
    return { wire: name, camel: camelCase(name), schema };
  }),
);

/** The fields of a request whose values are refused. @param names whose names the request has */
function faultsOf(model: Model, request: object, names: 'wire' | 'camel'): FieldError[] {
  const faults: FieldError[] = [];
  for (const { [names]: field, schema } of fieldsOf(model)) {
    const message = faultOfField(field, schema, (request as Record<string, unknown>)[field]);
    if (message !== undefined) faults.push({ field, message });
  }
  return faults;
}

/** A request of a service from the validated body of its tool. */
export function requestOf(model: Model, body: object): object {
  const request: Record<string, unknown> = {};
  for (const { wire, camel } of fieldsOf(model)) request[camel] = (body as Record<string, unknown>)[wire];
  return request;
}

/**
 * Checks the fields of a service's request: callers without HTTP have no DTO in front of them.
 * @param others faults that no single field shows
 * @throws InvalidRequestError naming each field that is wrong
 */
export function checkRequest(model: Model, request: object, ...others: readonly FieldError[]): void {
  const names = fieldsOf(model).map(({ camel }) => camel);
  const wrong = [...unknownFields(request, names), ...faultsOf(model, request, 'camel'), ...others];
  if (wrong.length > 0) throw new InvalidRequestError(wrong);
}

/** A fault that no single field shows, where there is one. */
export const faultIf = (isFault: boolean, field: string, message: string): FieldError[] =>
  isFault ? [{ field, message: `${field} ${message}` }] : [];

export const refused = (field: string, message: string): InvalidRequestError =>
  new InvalidRequestError(faultIf(true, field, message));

/** A text of 1 to `max` characters after trimming, in code points, as JSON Schema counts. */
export function text(max: number): Schema<string> {
  const expected = `1 to ${max} characters long after trimming`;
  return {
    expected,
    json: { minLength: 1, maxLength: max },
    read: (value) => {
      if (typeof value !== 'string') return new Issue('a string', value);
      const trimmed = value.trim();
      // A text of twice the length in UTF-16 has more in any case.
      const length = trimmed.length > 2 * max ? Infinity : [...trimmed].length;
      if (length >= 1 && length <= max) return value;
      return Issue.saying(
        `must be ${expected}, received ${length === Infinity ? `more than ${max}` : length}`,
      );
    },
  };
}

export const OUTPUT_SCHEMA: Schema<object> = {
  expected: 'a JSON Schema of type object',
  json: {
    type: 'object',
    additionalProperties: true,
    example: {
      type: 'object',
      properties: { discovered_by: { type: 'string' } },
      required: ['discovered_by'],
    },
  },
  read: (value) => {
    const read = readOutputSchema(value);
    return typeof read === 'string' ? Issue.saying(read) : (value as object);
  },
};

/**
 * A schema that {@link OUTPUT_SCHEMA} has accepted.
 * @param isFilled whether the engine that writes fills schemas
 * @throws MethodUnavailableError where it does not
 */
export function outputSchemaOf(input: unknown, isFilled: boolean | undefined): OutputSchema {
  if (!isFilled)
    throw new MethodUnavailableError(
      'output_schema needs an engine that fills schemas: set the option `model`, or give your own summarizer `fillsSchemas: true`.',
    );
  return readOutputSchema(input) as OutputSchema;
}

// Bodies

/** A plain bound. */
const MAX_UNKNOWN_FIELDS = 10;

/**
 * The validated request of a JSON body. Nothing is converted: `"5"` is not 5 and `"false"` is not true. Only own properties count. What fields
 * mean together, and what the host allows, is checked by the service.
 *
 * @throws InvalidRequestError naming each field that is wrong
 */
export function parseRequest<Dto extends object>(
  { request: Request }: { request: RequestDto<Dto> },
  body: unknown,
): Dto {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidRequestError([{ field: 'body', message: 'The request body must be a JSON object.' }]);
  const fields = fieldsOf(Request).map(({ wire }) => wire);
  const request = new Request();
  for (const field of fields)
    if (Object.hasOwn(body, field))
      (request as Record<string, unknown>)[field] = (body as Record<string, unknown>)[field];
  const errors = [...unknownFields(body, fields), ...faultsOf(Request, request, 'wire')];
  if (errors.length > 0) throw new InvalidRequestError(errors);
  return request;
}

/** What a service refused, by the names of the wire. Any other error stays as it is. */
export function onTheWire(model: Model, error: unknown): unknown {
  if (!(error instanceof InvalidRequestError)) return error;
  const names = new Map(fieldsOf(model).map(({ wire, camel }) => [camel, wire]));
  const renamed = (text: string): string =>
    text.replace(/\b[a-z]+[A-Z]\w*/g, (word) => names.get(word) ?? word);
  const fields = error.details as FieldError[];
  return new InvalidRequestError(
    fields.map(({ field, message }) => ({ field: renamed(field), message: renamed(message) })),
    error,
  );
}

function unknownFields(body: object, fields: readonly string[]): FieldError[] {
  const unknown = Object.keys(body).filter((name) => !fields.includes(name));
  return unknown.slice(0, MAX_UNKNOWN_FIELDS).map((name) => {
    const shown = shownName(name);
    return { field: shown, message: `${shown} is not a field of this request; ${hintFor(shown, fields)}` };
  });
}
