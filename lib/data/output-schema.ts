import { describeReceived, reasonOf } from '../core/errors.js';
import { isRecord } from '../core/schema.js';
import { readValues } from '../text/read-values.js';
import type { Unit } from '../text/units.js';

/** Types of the values at the ends of a schema. */
const LEAF_TYPES = ['string', 'number', 'integer', 'boolean'] as const;
type LeafType = (typeof LEAF_TYPES)[number];
type Scalar = string | number | boolean;

/** A single value. */
export interface LeafNode {
  kind: 'leaf';
  type: LeafType;
  /** The accepted values. Default: any of the type. */
  values?: readonly Scalar[];
  /** The unit that its name or description asks for. */
  unit?: Unit;
  nullable: boolean;
}

/** A list. */
export interface ArrayNode {
  kind: 'array';
  items: OutputNode;
  nullable: boolean;
}

/** An object with known fields. */
export interface ObjectNode {
  kind: 'object';
  fields: readonly { name: string; node: OutputNode; required: boolean }[];
  nullable: boolean;
}

/** A part of a schema. */
export type OutputNode = LeafNode | ArrayNode | ObjectNode;

/** A caller's JSON Schema, checked. */
export interface OutputSchema {
  root: ObjectNode;
  /** As it was given, as JSON: for the prompt and for cache keys. */
  json: string;
  /** The schema of what the model writes: each single value as `{ value, source, quote }`. No unions, which providers limit. */
  shadow: object;
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

const MOST_DEPTH = 4;
const MOST_PROPERTIES = 60;
const MOST_VALUES = 100;
const MOST_BYTES = 8 * 1024;
/** Letters, digits and `_ - .`, with blanks inside. JSON pointers to such names need no escapes. */
const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_. -]{0,62}[\p{L}\p{M}\p{N}_.-])?$/u;
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
/** Accepted everywhere and without effect. */
const IGNORED = ['title', 'description', '$schema', 'additionalProperties'];
/** Integers of zod have these bounds, which exclude no safe integer. */
const IDLE_BOUNDS = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/** What a schema has so far. */
interface Count {
  properties: number;
  /** Characters of titles and descriptions. */
  texts: number;
}

/** Thrown inside of {@link readOutputSchema} only. */
class SchemaFault extends Error {}

/** The JSON Schema of a library's schema; anything else as it is. */
function jsonSchemaOf(given: unknown): unknown {
  const standard: unknown = (given as { '~standard'?: unknown } | null | undefined)?.['~standard'];
  const json = (standard as Partial<SchemaWithJson['~standard']> | null | undefined)?.jsonSchema;
  if (typeof json?.output !== 'function') return given;
  try {
    return json.output({ target: 'draft-2020-12' });
  } catch (error) {
    throw faultAt('', `cannot be written as JSON Schema: ${reasonOf(error as Error)}`);
  }
}

/**
 * Reads a caller's schema. The size of what it accepts is limited before anything is done with it.
 * @returns a string where it is not accepted: why, with a JSON pointer, in words that follow the field's name
 */
export function readOutputSchema(given: unknown): OutputSchema | string {
  try {
    const count = { properties: 0, texts: 0 };
    const schema = jsonSchemaOf(given);
    const root = readNode(schema, '', '', 1, count);
    if (root.kind !== 'object' || root.nullable) throw faultAt('', 'must be of type object');
    const json = JSON.stringify(schema);
    if (Buffer.byteLength(json) > MOST_BYTES) throw TOO_LONG;
    return { root, json, shadow: shadowOf(root) };
  } catch (fault) {
    if (fault instanceof SchemaFault) return fault.message;
    throw fault;
  }
}

const TOO_LONG = new SchemaFault(`must have at most ${MOST_BYTES} bytes`);

function faultAt(pointer: string, message: string): SchemaFault {
  return new SchemaFault(pointer === '' ? message : `at ${pointer} ${message}`);
}

/** @param name of the property, which may say the unit */
function readNode(given: unknown, pointer: string, name: string, depth: number, count: Count): OutputNode {
  if (!isRecord(given)) throw faultAt(pointer, `must be ${ACCEPTED}; received ${describeReceived(given)}`);
  if (given.anyOf !== undefined) return readNullable(given, pointer, name, depth, count);
  const { type, enum: values } = given;
  const other: unknown =
    Array.isArray(type) && type.length === 2 && type.includes('null')
      ? type[1 - type.indexOf('null')]
      : undefined;
  if (typeof other === 'string') {
    return { ...readNode({ ...given, type: other }, pointer, name, depth, count), nullable: true };
  }
  if (type === 'object') return readObject(given, pointer, depth, count);
  if (type === 'array') {
    checkKeywords(given, ['items'], pointer, count);
    checkDepth(depth, pointer);
    const items = readNode(given.items, `${pointer}/items`, name, depth + 1, count);
    return { kind: 'array', items, nullable: false };
  }
  checkKeywords(given, ['enum', 'minimum', 'maximum'], pointer, count);
  for (const bound of ['minimum', 'maximum'])
    if (given[bound] !== undefined && !IDLE_BOUNDS.has(given[bound] as number))
      throw faultAt(`${pointer}/${bound}`, `is not accepted; only ${ACCEPTED}`);
  const leaf = LEAF_TYPES.find((one) => one === (type ?? typeOfAll(values)));
  if (!leaf) {
    throw faultAt(
      `${pointer}/type`,
      `must be one of object, array, ${LEAF_TYPES.join(', ')}, or a list of one of them and null`,
    );
  }
  const unit = leaf === 'number' || leaf === 'integer' ? unitOf(name, given.description) : undefined;
  const node: LeafNode = { kind: 'leaf', type: leaf, nullable: false, ...(unit ? { unit } : {}) };
  if (values === undefined) return node;
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_VALUES)
    throw faultAt(`${pointer}/enum`, `must be a list of 1 to ${MOST_VALUES} values`);
  if (!values.every((value) => isOfType(value, leaf)))
    throw faultAt(
      `${pointer}/enum`,
      `must hold values of type ${leaf} only; for null use anyOf with {"type":"null"}`,
    );
  return { ...node, values: values as Scalar[] };
}

function readObject(
  given: Record<string, unknown>,
  pointer: string,
  depth: number,
  count: Count,
): ObjectNode {
  checkKeywords(given, ['properties', 'required'], pointer, count);
  checkDepth(depth, pointer);
  const { properties, required = [] } = given;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  if (!isRecord(properties) || names.length === 0)
    throw faultAt(`${pointer}/properties`, 'must be an object with at least one property');
  count.properties += names.length;
  if (count.properties > MOST_PROPERTIES)
    throw faultAt(
      `${pointer}/properties`,
      `must leave the schema at no more than ${MOST_PROPERTIES} properties`,
    );
  const wrong = names.find((name) => FORBIDDEN_NAMES.has(name) || !NAME.test(name));
  if (wrong !== undefined)
    throw faultAt(
      `${pointer}/properties`,
      `has a name that is not accepted: ${describeReceived(wrong)}. Use 1 to 64 letters, digits, blanks and _ - .`,
    );
  if (
    !Array.isArray(required) ||
    required.length > names.length ||
    !required.every((name) => names.includes(name as string))
  )
    throw faultAt(`${pointer}/required`, 'must be a list of names of its properties, each once');
  const fields = names.map((name) => ({
    name,
    node: readNode(properties[name], `${pointer}/properties/${name}`, name, depth + 1, count),
    required: required.includes(name),
  }));
  return { kind: 'object', fields, nullable: false };
}

function readNullable(
  given: Record<string, unknown>,
  pointer: string,
  name: string,
  depth: number,
  count: Count,
): OutputNode {
  checkKeywords(given, ['anyOf'], pointer, count, false);
  const all = Array.isArray(given.anyOf) && given.anyOf.length === 2 ? (given.anyOf as unknown[]) : [];
  const isNull = (one: unknown): boolean => isRecord(one) && one.type === 'null';
  const nullAt = all.findIndex(isNull);
  const other = all[1 - nullAt];
  if (nullAt < 0 || isNull(other))
    throw faultAt(`${pointer}/anyOf`, 'must hold one schema and {"type":"null"}');
  checkKeywords(all[nullAt] as Record<string, unknown>, [], `${pointer}/anyOf/${nullAt}`, count);
  const at = `${pointer}/anyOf/${1 - nullAt}`;
  const described = isRecord(other) ? { description: given.description, ...other } : other;
  if (isRecord(other) && other.anyOf !== undefined) throw faultAt(at, 'must not hold another anyOf');
  return { ...readNode(described, at, name, depth, count), nullable: true };
}

function checkDepth(depth: number, pointer: string): void {
  if (depth > MOST_DEPTH)
    throw faultAt(pointer, `is nested too deeply: at most ${MOST_DEPTH} objects and lists in each other`);
}

function checkKeywords(
  given: Record<string, unknown>,
  accepted: readonly string[],
  pointer: string,
  count: Count,
  hasType = true,
): void {
  const known = [...accepted, ...IGNORED, ...(hasType ? ['type'] : [])];
  const unknown = Object.keys(given).find((keyword) => !known.includes(keyword));
  if (unknown !== undefined)
    throw faultAt(`${pointer}/${unknown.slice(0, 64)}`, `is not accepted; only ${ACCEPTED}`);
  const { title, description, $schema, additionalProperties } = given;
  for (const [keyword, text] of Object.entries({ title, description, $schema })) {
    if (text === undefined) continue;
    if (typeof text !== 'string') throw faultAt(`${pointer}/${keyword}`, 'must be a string');
    count.texts += text.length;
  }
  // Before any text is looked into.
  if (count.texts > MOST_BYTES) throw TOO_LONG;
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean')
    throw faultAt(`${pointer}/additionalProperties`, 'must be false');
}

function typeOfAll(values: unknown): LeafType | undefined {
  if (!Array.isArray(values)) return undefined;
  return LEAF_TYPES.find((type) => values.slice(0, MOST_VALUES).every((value) => isOfType(value, type)));
}

/** Whether a value is of the type of a leaf. */
export function isOfType(value: unknown, type: LeafType): value is Scalar {
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/** Places of a description that are looked at for a unit. */
const MOST_UNITS = 5;
/** "Height in metres", "price (EUR)". */
const UNIT_SAID = /(?:\bin|\()\s{0,3}([\p{L}€$£¥%°²/]{1,20})/giu;
/** `weight_kg`, `priceEur`. A single letter says too little. */
const UNIT_IN_NAME = /(?:_|(?<=\p{Ll})(?=\p{Lu}))(\p{L}{2,12})$/u;

/** The unit that a number is asked in. */
function unitOf(name: string, description: unknown): Unit | undefined {
  const said =
    typeof description === 'string' ? [...description.matchAll(UNIT_SAID)].slice(0, MOST_UNITS) : [];
  const inName = UNIT_IN_NAME.exec(name);
  const candidates = [...said, ...(inName ? [inName] : [])].map(([, unit]) => unit!.trim());
  return candidates.flatMap((unit) => readValues(`5 ${unit}`, 'en')[0]?.unit ?? unitAsWritten(unit))[0];
}

/** `EUR`, `KG`: names of fields are written in any case. */
function unitAsWritten(unit: string): Unit[] {
  return [unit.toLowerCase(), unit.toUpperCase()].flatMap(
    (one) => readValues(`5 ${one}`, 'en')[0]?.unit ?? [],
  );
}

function shadowOf(node: OutputNode): object {
  if (node.kind === 'array') return { type: 'array', items: shadowOf(node.items) };
  if (node.kind === 'object')
    return objectOf(Object.fromEntries(node.fields.map(({ name, node: own }) => [name, shadowOf(own)])));
  // Some providers take lists of strings only.
  const values = node.type === 'string' && node.values ? { enum: node.values } : {};
  return objectOf({
    value: { type: node.type, ...values },
    source: { type: 'integer' },
    quote: { type: 'string' },
  });
}

function objectOf(properties: Record<string, object>): object {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
