import { describeReceived, reasonOf } from '../core/errors.js';
import { isRecord } from '../core/schema.js';

/** Types of the values at the ends of a schema. */
const LEAF_TYPES = ['string', 'number', 'integer', 'boolean'] as const;
type LeafType = (typeof LEAF_TYPES)[number];
/** A single value. */
export type Scalar = string | number | boolean;

/** A single value. */
export interface LeafNode {
  kind: 'leaf';
  type: LeafType;
  /** The accepted values. Default: any of the type. */
  values?: readonly Scalar[];
  /** Of the property; it may hint at a unit. */
  name: string;
  /** It may ask for a unit. */
  description: unknown;
  nullable: boolean;
}

/** An object with known fields. */
export interface ObjectNode {
  kind: 'object';
  fields: readonly { name: string; node: OutputNode; required: boolean }[];
  nullable: boolean;
}

/** A part of a schema. */
export type OutputNode = LeafNode | ObjectNode | { kind: 'array'; items: OutputNode; nullable: boolean };

/** The JSON Schema of an object with all its fields. */
interface ObjectSchema {
  type: 'object';
  properties: Readonly<Record<string, object>>;
  required: readonly string[];
  additionalProperties: false;
}

/** A caller's JSON Schema, checked. */
export interface OutputSchema {
  root: ObjectNode;
  /** As it was given, as JSON: for the prompt and for cache keys. */
  json: string;
  /** The schema of what the model writes: each single value as `{ value, source, quote }`. No unions, which providers limit. */
  shadow: ObjectSchema;
}

/**
 * A schema of zod 4.2+, ArkType, or any other library with Standard JSON Schema
 * (https://standardschema.dev/json-schema).
 * @typeParam T type of its output
 */
export interface SchemaWithJson<T = unknown> {
  readonly '~standard': {
    readonly jsonSchema: { output(options: { target: 'draft-2020-12' }): Record<string, unknown> };
    readonly types?: { readonly output: T } | undefined;
  };
}

/** A JSON Schema, or a schema of a library that can make one. */
export type OutputSchemaOf<T = unknown> = SchemaWithJson<T> | Readonly<Record<string, unknown>>;

/** What is accepted, for messages. */
export const ACCEPTED =
  'a JSON Schema of type object: types object, array, string, number, integer and boolean, with properties, items, required, description, enum, and null by anyOf or as a second type';

/** Plain bounds. The description of `output_schema` names them. */
const MOST_DEPTH = 4;
const MOST_PROPERTIES = 60;
const MOST_VALUES = 100;
const MOST_BYTES = 8 * 1024;
/** Letters, digits and `_ - .`, with blanks inside. JSON pointers to such names need no escapes. */
const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_. -]{0,62}[\p{L}\p{M}\p{N}_.-])?$/u;
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
/** Accepted everywhere. */
const TEXTS = ['title', 'description', '$schema'];
const IGNORED = [...TEXTS, 'additionalProperties'];
/** Integers of zod have these bounds, which exclude no safe integer. */
const IDLE_BOUNDS: readonly unknown[] = [undefined, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Thrown inside of {@link readOutputSchema} only. */
class SchemaFault extends Error {}

/** @throws SchemaFault */
function fail(pointer: string, message: string): never {
  throw new SchemaFault(pointer === '' ? message : `at ${pointer} ${message}`);
}

/** The JSON Schema of a library's schema; anything else as it is. */
function jsonSchemaOf(input: unknown): unknown {
  const standard: unknown = (input as { '~standard'?: unknown } | null | undefined)?.['~standard'];
  const json = (standard as Partial<SchemaWithJson['~standard']> | null | undefined)?.jsonSchema;
  if (typeof json?.output !== 'function') return input;
  try {
    return json.output({ target: 'draft-2020-12' });
  } catch (error) {
    return fail('', `cannot be written as JSON Schema: ${reasonOf(error as Error)}`);
  }
}

/** @throws SchemaFault for a value that is too large, too deep or contains itself */
function jsonOf(schema: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(schema);
  } catch {
    fail('', 'is nested too deeply');
  }
  if (json && Buffer.byteLength(json) > MOST_BYTES) fail('', `must have at most ${MOST_BYTES} bytes`);
  return json ?? '';
}

/**
 * Reads a caller's schema. The size of what it accepts is limited before anything is done with it.
 * @returns a string where it is not accepted: why, with a JSON pointer, in words that follow the field's name
 */
export function readOutputSchema(input: unknown): OutputSchema | string {
  try {
    const schema = jsonSchemaOf(input);
    const json = jsonOf(schema);
    const root = nodeOf(schema, '', '', 1);
    if (root.kind !== 'object' || root.nullable) fail('', 'must be of type object');
    if (propertiesIn(root) > MOST_PROPERTIES)
      fail('', `must have no more than ${MOST_PROPERTIES} properties`);
    return { root, json, shadow: shadowOfObject(root) };
  } catch (fault) {
    if (fault instanceof SchemaFault) return fault.message;
    throw fault;
  }
}

/** @param name of the property */
function nodeOf(schema: unknown, pointer: string, name: string, depth: number): OutputNode {
  if (!isRecord(schema)) fail(pointer, `must be ${ACCEPTED}; received ${describeReceived(schema)}`);
  const { anyOf, type } = schema;
  if (anyOf !== undefined) return nullableOf(schema, pointer, name, depth);
  const other: unknown =
    Array.isArray(type) && type.length === 2 ? type[1 - type.indexOf('null')] : undefined;
  if (typeof other === 'string')
    return { ...nodeOf({ ...schema, type: other }, pointer, name, depth), nullable: true };
  if (type !== 'object' && type !== 'array') return leafOf(schema, pointer, name);
  if (depth > MOST_DEPTH)
    fail(pointer, `is nested too deeply: at most ${MOST_DEPTH} objects and lists in each other`);
  if (type === 'object') return objectNodeOf(schema, pointer, depth);
  checkKeywords(schema, ['type', 'items'], pointer);
  return {
    kind: 'array',
    items: nodeOf(schema.items, `${pointer}/items`, name, depth + 1),
    nullable: false,
  };
}

function leafOf(schema: Record<string, unknown>, pointer: string, name: string): LeafNode {
  const { type: said, enum: values, description } = schema;
  const bounds = ['minimum', 'maximum'].filter((bound) => IDLE_BOUNDS.includes(schema[bound]));
  checkKeywords(schema, ['type', 'enum', ...bounds], pointer);
  const isAll = (leafType: LeafType): boolean =>
    Array.isArray(values) && values.every((value) => isOfType(value, leafType));
  const type = LEAF_TYPES.find((leafType) => (said === undefined ? isAll(leafType) : leafType === said));
  if (!type)
    fail(
      `${pointer}/type`,
      `must be one of object, array, ${LEAF_TYPES.join(', ')}, or a list of one of them and null`,
    );
  const node: LeafNode = { kind: 'leaf', type, name, description, nullable: false };
  if (values === undefined) return node;
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_VALUES || !isAll(type))
    fail(
      `${pointer}/enum`,
      `must be a list of 1 to ${MOST_VALUES} values of type ${type}; for null use anyOf with {"type":"null"}`,
    );
  // A value may be given twice (JSON Schema: SHOULD be unique). Validators of draft 4, which a model's API may use, refuse that.
  return { ...node, values: [...new Set(values as Scalar[])] };
}

function objectNodeOf(schema: Record<string, unknown>, pointer: string, depth: number): ObjectNode {
  checkKeywords(schema, ['type', 'properties', 'required'], pointer);
  const { properties, required = [] } = schema;
  const at = `${pointer}/properties`;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  if (!isRecord(properties) || names.length === 0) fail(at, 'must be an object with at least one property');
  const wrong = names.find((name) => FORBIDDEN_NAMES.has(name) || !NAME.test(name));
  if (wrong !== undefined)
    fail(
      at,
      `has a name that is not accepted: ${describeReceived(wrong)}. Use 1 to 64 letters, digits, blanks and _ - .`,
    );
  const isListOfNames = Array.isArray(required) && required.every((name) => names.includes(name as string));
  if (!isListOfNames || new Set(required).size < required.length)
    fail(`${pointer}/required`, 'must be a list of different names of its properties');
  const fields = names.map((name) => ({
    name,
    node: nodeOf(properties[name], `${at}/${name}`, name, depth + 1),
    required: required.includes(name),
  }));
  return { kind: 'object', fields, nullable: false };
}

function nullableOf(
  schema: Record<string, unknown>,
  pointer: string,
  name: string,
  depth: number,
): OutputNode {
  checkKeywords(schema, ['anyOf'], pointer);
  const all = Array.isArray(schema.anyOf) ? (schema.anyOf as unknown[]) : [];
  const nullAt = all.findIndex((option) => isRecord(option) && option.type === 'null');
  const other = all[1 - nullAt];
  if (all.length !== 2 || nullAt < 0) fail(`${pointer}/anyOf`, 'must hold one schema and {"type":"null"}');
  checkKeywords(all[nullAt] as Record<string, unknown>, ['type'], `${pointer}/anyOf/${nullAt}`);
  const described = isRecord(other) ? { description: schema.description, ...other } : other;
  return { ...nodeOf(described, `${pointer}/anyOf/${1 - nullAt}`, name, depth), nullable: true };
}

function checkKeywords(schema: Record<string, unknown>, accepted: readonly string[], pointer: string): void {
  const unknown = Object.keys(schema).find((keyword) => ![...accepted, ...IGNORED].includes(keyword));
  if (unknown !== undefined) fail(`${pointer}/${unknown.slice(0, 64)}`, `is not accepted; only ${ACCEPTED}`);
  const notText = TEXTS.find(
    (keyword) => schema[keyword] !== undefined && typeof schema[keyword] !== 'string',
  );
  if (notText) fail(`${pointer}/${notText}`, 'must be a string');
  const isClosed = [undefined, true, false].includes(schema.additionalProperties as boolean | undefined);
  if (!isClosed) fail(`${pointer}/additionalProperties`, 'must be false');
}

/** How many properties a part of a schema has, at any depth. */
function propertiesIn(node: OutputNode): number {
  if (node.kind === 'array') return propertiesIn(node.items);
  if (node.kind === 'leaf') return 0;
  return node.fields.reduce((sum, field) => sum + 1 + propertiesIn(field.node), 0);
}

/** Whether a value is of the type of a leaf. */
export function isOfType(value: unknown, type: LeafType): value is Scalar {
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

function shadowOf(node: OutputNode): object {
  if (node.kind === 'array') return { type: 'array', items: shadowOf(node.items) };
  if (node.kind === 'object') return shadowOfObject(node);
  // Some providers take lists of strings only.
  const values = node.type === 'string' && node.values ? { enum: node.values } : {};
  return objectOf({
    value: { type: node.type, ...values },
    source: { type: 'integer' },
    quote: { type: 'string' },
  });
}

const shadowOfObject = ({ fields }: ObjectNode): ObjectSchema =>
  objectOf(Object.fromEntries(fields.map(({ name, node }) => [name, shadowOf(node)])));

function objectOf(properties: Record<string, object>): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
