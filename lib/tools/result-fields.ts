import { memoized, propertiesOf, type Model, type ModelProperty } from '../core/openapi.js';
import { isRecord } from '../core/schema.js';
import { harmlessAddress, harmlessMarkdown, harmlessText } from '../text/sanitize-output.js';

const FACTS = 'nestjs-tools:facts';

/** What is said of a field of an answer. Each way out of the module reads it here, so no other file knows the names of fields. */
export interface FieldFacts {
  /** What its texts are. `echo`: the words of the request, which stay as they were sent. Default: plain text of anyone. */
  text?: 'markdown' | 'address' | 'echo';
  /**
   * What agents get. `hidden`: nothing. `shortened`: a text or list that may be cut to fit. Of a result that was cut: `dropped` is
   * left out, `raised` is true. Default: all of it.
   */
  agents?: 'hidden' | 'shortened' | 'dropped' | 'raised';
  /** True: an empty list is left out. Default false. */
  absentWhenEmpty?: boolean;
  /** Name in the result of the service; `null`: its members are members of that result itself. Default: the own name in camelCase. */
  source?: string | null;
  /** Turns the value of the service into that of the answer. Default: it stays. */
  toWire?(value: never): unknown;
}

/** Says what a field of an answer is. */
export const Facts = (facts: FieldFacts): PropertyDecorator => Reflect.metadata(FACTS, facts);

/** Names in TypeScript of names on the wire. */
type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/**
 * What a service gives where an answer has a DTO class: its fields by their names in TypeScript. A field is optional where its class has `?`; that the
 * document calls it optional is a matter of the wire. A class with a member `~result` stands for that type: services name or measure its fields in
 * another way, or know more of it than leaves.
 *
 * @typeParam Output type of the field `output`
 */
export type ResultOf<Dto, Output = unknown> = Dto extends { '~result': infer Result }
  ? Result
  : {
      [Name in keyof Dto as CamelCase<Name>]: Name extends 'output' ? Output : ResultValue<Dto[Name], Output>;
    };

type ResultValue<Value, Output> = Value extends readonly unknown[]
  ? { [Index in keyof Value]: ResultValue<Value[Index], Output> }
  : Value extends object
    ? ResultOf<Value, Output>
    : Value;

/** A field of an answer, with all that is said of it. */
interface ResultField extends Omit<ModelProperty, 'schema'>, FieldFacts {
  source: string | null;
}

/** Names in TypeScript and on the wire: `topN` and `top_n`. */
export const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The fields of an answer, in the order of the class. */
const fieldsOf = memoized((model: Model): ResultField[] =>
  propertiesOf(model).map(({ name, required, isList, model: inner }) => {
    const facts = Reflect.getMetadata(FACTS, model.prototype as object, name) as FieldFacts | undefined;
    const { source = camelCase(name), text, agents, absentWhenEmpty, toWire } = facts ?? {};
    // The same members in the same order for every field: each answer reads them all.
    return { name, required, isList, model: inner, source, text, agents, absentWhenEmpty, toWire };
  }),
);

/** The fields of an answer by their names on the wire. */
export const fieldsByName = memoized((model: Model) => byName(fieldsOf(model), ({ name }) => name));

/** The fields of a service's result by their names there. */
const fieldsBySource = memoized((model: Model): ReadonlyMap<string, ResultField> => {
  const inlined = fieldsOf(model).filter(({ source }) => source === null);
  const fields = [model, ...inlined.map((field) => field.model!)].flatMap(fieldsOf);
  return byName(fields, ({ source }) => source);
});

const byName = (
  fields: readonly ResultField[],
  nameOf: (field: ResultField) => string | null,
): ReadonlyMap<string, ResultField> =>
  new Map(fields.flatMap((field) => (nameOf(field) === null ? [] : [[nameOf(field)!, field]])));

/**
 * The result of a service with the names and fields of a DTO class. Undefined fields are left out. A required list that is missing becomes `[]`:
 * a host's tests may replace a service with a plain object.
 */
export function wireOf(model: Model, result: object): object {
  const dto: Record<string, unknown> = {};
  for (const field of fieldsOf(model)) {
    const { source } = field;
    const member = source === null ? result : (result as Record<string, unknown>)[source];
    const value = member ?? (field.required && field.isList ? [] : undefined);
    if (value === undefined || (field.absentWhenEmpty && (value as unknown[]).length === 0)) continue;
    dto[field.name] = field.toWire ? field.toWire(value as never) : wireValue(field, value);
  }
  return dto;
}

function wireValue({ model, isList }: ResultField, value: unknown): unknown {
  if (!model) return value;
  if (isList) return (value as object[]).map((entry) => wireOf(model, entry));
  return isRecord(value) ? wireOf(model, value) : value;
}

/**
 * The result of a service as it may leave: every string in it is made harmless, at any depth, by what its DTO class says of the field.
 * What the class does not describe is plain text whatever it is called: a caller names the fields of its `output_schema`.
 */
export function harmlessResult<T extends object>(model: Model, result: T): T {
  const fields = fieldsBySource(model);
  return withMembers(result, (value, name) => harmlessValue(value, fields.get(name)));
}

function harmlessValue(value: unknown, field: ResultField | undefined): unknown {
  if (field?.text === 'echo') return value;
  if (typeof value === 'string') return CLEANERS[field?.text ?? 'plain'](value);
  if (Array.isArray(value)) return value.map((entry: unknown) => harmlessValue(entry, field));
  if (typeof value !== 'object' || value === null) return value;
  return field?.model
    ? harmlessResult(field.model, value)
    : withMembers(value, (member) => harmlessValue(member, undefined));
}

const CLEANERS = { plain: harmlessText, markdown: harmlessMarkdown, address: harmlessAddress };

const withMembers = <T extends object>(value: T, change: (member: unknown, name: string) => unknown): T =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)])) as T;
