import { propertiesOf, type OpenApiSchema } from '../core/openapi.js';
import type { RequestDto } from '../tools/tool-definition.js';

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Record<string, unknown>;

/** One field of a request as a model sees it. */
export interface ToolField {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/** What a schema for a model keeps of the document's. Examples cost tokens, and the default of a required field would mislead. */
const KEPT = [
  'enum',
  'items',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
  'default',
] as const;

/**
 * The fields of a request for a model, in the order of the descriptions.
 *
 * @param descriptions a few words for each field; a field without an entry is not shown, and an empty one needs no words
 * @param bounds what the host allows, in place of what the class says
 */
export function fieldsOf(
  dto: RequestDto<object>,
  descriptions: Readonly<Record<string, string>>,
  bounds: Readonly<Record<string, JsonSchema>> = {},
): ToolField[] {
  const documented = new Map(propertiesOf(dto).map((property) => [property.name, property]));
  return Object.entries(descriptions).map(([name, description]) => {
    const { schema, required } = documented.get(name)!;
    const kept: JsonSchema = { type: schema.type };
    for (const keyword of KEPT) if (schema[keyword] !== undefined) kept[keyword] = schema[keyword];
    if (required) delete kept.default;
    if (kept.items) kept.items = { type: (kept.items as OpenApiSchema).type };
    return { name, required, schema: { ...kept, ...bounds[name], ...(description ? { description } : {}) } };
  });
}

/** The schema with its constraints, for MCP, Gemini, the AI SDK and LangChain. Unknown arguments are not refused. */
export function plainSchema(fields: readonly ToolField[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
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
    properties: Object.fromEntries(fields.map((field) => [field.name, strictField(field)])),
    required: fields.map(({ name }) => name),
    additionalProperties: false,
  };
}

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
