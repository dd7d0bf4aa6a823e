import { wordsForAgents } from '../tools/request-fields.js';
import type { RequestDto } from '../tools/tool-definition.js';
import { propertiesOf, type OpenApiSchema } from '../core/openapi.js';
import { nearestName } from '../core/edit-distance.js';
import { describeReceived, InvalidRequestError } from '../core/errors.js';
import { printable } from '../core/printable.js';
import { isRecord, jsonOf } from '../core/schema.js';

/** Tokens of a result unless the host says otherwise; as docs/agents.md says. */
export const DEFAULT_MAX_TEXT_TOKENS = 6000;

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Record<string, unknown>;

/** One field of a request. */
export interface ToolField {
  name: string;
  schema: JsonSchema;
  required: boolean;
  /** False: accepted, but not shown to a model. */
  shown: boolean;
  /** True: an object, which a model writes as a string of JSON, because strict modes have no free objects. Default false. */
  isJson?: boolean;
}

/** The parts of the OpenAPI schema that a schema for a model has. Examples cost tokens, and the default of a required field would mislead. */
const SHOWN_KEYWORDS = 'enum items minimum maximum minLength maxLength maxItems default'.split(' ');

/**
 * The fields of a request for a model.
 * @param bounds what the host allows, in place of what the class says
 */
export function fieldsOf(
  dto: RequestDto<object>,
  bounds: Readonly<Record<string, JsonSchema>> = {},
): ToolField[] {
  return propertiesOf(dto).map(({ name, schema, required }) => {
    const description = wordsForAgents(dto, name);
    const isJson = schema.type === 'object' && !schema.oneOf;
    const short: JsonSchema = { type: isJson ? 'string' : schema.type };
    for (const keyword of SHOWN_KEYWORDS) if (schema[keyword] !== undefined) short[keyword] = schema[keyword];
    if (required) delete short.default;
    if (short.items) short.items = { type: (short.items as OpenApiSchema).type };
    const shown = description !== false;
    return {
      name,
      required,
      shown,
      ...(isJson ? { isJson } : {}),
      schema: { ...short, ...bounds[name], ...(description && { description }) },
    };
  });
}

/** The schema with its constraints, for MCP, Gemini, the AI SDK and LangChain. Unknown arguments are not refused. */
export function plainSchema(fields: readonly ToolField[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(shownOf(fields).map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

/**
 * The schema for strict function calling of OpenAI and Anthropic: every property is required, `null` stands for an absent one, and
 * constraints are said in words (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas).
 */
export function strictSchema(fields: readonly ToolField[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(shownOf(fields).map((field) => [field.name, strictField(field)])),
    required: shownOf(fields).map(({ name }) => name),
    additionalProperties: false,
  };
}

const shownOf = (fields: readonly ToolField[]): ToolField[] => fields.filter(({ shown }) => shown);

function strictField({ schema, required }: ToolField): JsonSchema {
  const { type, enum: values, items, description } = schema;
  const words = [description, limitsInWords(schema)].filter(Boolean).join('. ');
  return {
    type: required ? type : [type, 'null'],
    ...(values ? { enum: required ? values : [...(values as unknown[]), null] } : {}),
    ...(items ? { items } : {}),
    ...(words ? { description: words } : {}),
  };
}

function limitsInWords({ minimum, maximum, maxLength, maxItems, default: byDefault }: JsonSchema): string {
  const limits: string[] = [];
  if (minimum !== undefined) limits.push(`${String(minimum)} to ${String(maximum)}`);
  if (maxLength !== undefined) limits.push(`at most ${String(maxLength)} characters`);
  if (maxItems !== undefined) limits.push(`at most ${String(maxItems)}`);
  if (byDefault !== undefined) limits.push(`null: ${String(byDefault)}`);
  return limits.join(', ');
}

/** Plain bounds: unknown arguments that a note names, and characters of each name. */
const MAX_NAMED = 5;
const MAX_SHOWN_NAME = 40;
/** More arguments than a model could mean. The rest is not looked at. A plain bound. */
const MAX_ARGUMENTS = 200;

/**
 * Reads the arguments of a model: `"5"` becomes 5, `"true"` becomes true, `null` counts as absent, one domain becomes a list of one, and JSON
 * becomes the object that it holds. An unknown argument is dropped and named in a note, because some hosts add arguments of their own.
 * Everything else is left to the request's own validation.
 *
 * @returns `notes`: the ignored arguments
 */
export function lenientArguments(
  args: unknown,
  fields: readonly ToolField[],
): { input: Record<string, unknown>; notes: string[] } {
  const input: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(isRecord(args) ? args : {}).slice(0, MAX_ARGUMENTS)) {
    const field = fields.find((candidate) => candidate.name === name);
    if (!field) unknown.push(name);
    else if (value !== null && value !== undefined) input[name] = converted(value, field);
  }
  const known = shownOf(fields).map(({ name }) => name);
  return { input, notes: unknown.length > 0 ? [ignored(unknown, known)] : [] };
}

/**
 * The arguments of a call: an object, or its JSON. No arguments are an empty object.
 * @throws InvalidRequestError for broken JSON, and for a value that is no object
 */
export function argumentsOf(given: unknown): Record<string, unknown> {
  let args: unknown = given ?? {};
  if (typeof given === 'string') {
    try {
      args = JSON.parse(given.trim() || '{}');
    } catch (error) {
      const why = printable((error as Error).message).slice(0, 200);
      throw invalid(`The arguments are not valid JSON (${why}). Perhaps they were cut off`);
    }
  }
  if (!isRecord(args))
    throw invalid(`The arguments must be a JSON object, received ${describeReceived(args)}`);
  return args;
}

const invalid = (message: string): InvalidRequestError =>
  new InvalidRequestError([{ field: 'arguments', message }]);

function converted(value: unknown, { schema: { type, enum: values }, isJson }: ToolField): unknown {
  if (typeof value === 'number' || typeof value === 'bigint')
    return type === 'string' ? String(value) : value;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (isJson) return jsonOf(text) ?? value;
  if (type === 'integer' || type === 'number')
    return /^[+-]?\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : value;
  if (type === 'boolean') return /^(true|false)$/i.test(text) ? /^t/i.test(text) : value;
  // A list that came as text: JSON, or items separated by commas or white space.
  if (type === 'array') return jsonOf(text) ?? text.split(/[\s,;]+/).filter((item) => item !== '');
  return (values as string[] | undefined)?.find((v) => v === text.toLowerCase()) ?? value;
}

function ignored(unknown: readonly string[], known: readonly string[]): string {
  const named = unknown.slice(0, MAX_NAMED).map((name) => {
    const shown = JSON.stringify(name.length > MAX_SHOWN_NAME ? `${name.slice(0, MAX_SHOWN_NAME)}…` : name);
    const nearest = nearestName(name.slice(0, MAX_SHOWN_NAME), known);
    return nearest ? `${shown} (did you mean ${nearest}?)` : shown;
  });
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : '';
  return `Unknown arguments were ignored: ${named.join(', ')}${more}.`;
}
