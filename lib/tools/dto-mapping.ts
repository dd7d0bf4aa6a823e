import { LONGEST } from '../core/length-limits.js';
import { propertiesOf, type Model, type ModelProperty, type OpenApiSchema } from '../core/openapi.js';
import {
  anything,
  array,
  boolean,
  integer,
  isRecord,
  number,
  object,
  oneOf,
  optional,
  string,
  type Fields,
  type Schema,
} from '../core/schema.js';

const SOURCE = 'nestjs-tools:source';

/** Where the value of a field of an answer comes from. */
interface Source {
  name: string;
  toWire: (value: never) => unknown;
}

/**
 * A field of an answer that the services name or measure in another way.
 * @param name of the field of the service
 */
export const From =
  (name: string, toWire: Source['toWire'] = (value) => value): PropertyDecorator =>
  (target, field) =>
    Reflect.defineMetadata(SOURCE, { name, toWire }, target, field);

const sourceOf = (model: Model, name: string): Source | undefined =>
  Reflect.getMetadata(SOURCE, model.prototype as object, name) as Source | undefined;

/** Names in TypeScript and on the wire: `topN` and `top_n`. */
export const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A request of a service from the validated body of its tool. */
export function requestOf(body: object): object {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), value as unknown]));
}

/** Lists that are absent when they are empty. */
const ABSENT_WHEN_EMPTY: ReadonlySet<string> = new Set(['warnings', 'unsupported']);

/**
 * The result of a service with the names and fields of a DTO class. Undefined fields are left out. A required list that is missing becomes `[]`:
 * a host's tests may replace a service with a plain object.
 */
export function wireOf<Dto extends object>(model: abstract new () => Dto, result: object): Dto {
  const entries = propertiesOf(model).flatMap((property): [string, unknown][] => {
    const { name, required, isList } = property;
    const { name: from, toWire } = sourceOf(model, name) ?? { name: camelCase(name) };
    const given = (result as Record<string, unknown>)[from] ?? (required && isList ? [] : undefined);
    if (given === undefined || (ABSENT_WHEN_EMPTY.has(name) && (given as unknown[]).length === 0)) return [];
    return [[name, toWire ? toWire(given as never) : valueOf(property, given)]];
  });
  return Object.fromEntries(entries) as Dto;
}

function valueOf({ model, isList }: ModelProperty, given: unknown): unknown {
  if (!model) return given;
  if (isList) return (given as object[]).map((one) => wireOf(model as abstract new () => object, one));
  return isRecord(given) ? wireOf(model as abstract new () => object, given) : given;
}

/** Schemas of the fields that a service gives for a DTO class, as they are cached. @param except fields that are not cached */
export function cachedFields<Result extends object>(
  model: Model,
  except: readonly string[] = ['cached'],
): Fields<Result> {
  const entries = propertiesOf(model)
    .filter(({ name }) => !except.includes(name))
    .map(({ name, required, isList, model: inner, schema }) => {
      const source = sourceOf(model, name);
      const one = inner ? object(cachedFields<object>(inner)) : valueSchema(source ? {} : schema);
      const value: Schema<unknown> = isList ? array(one) : one;
      // A service always gives the list, which may be empty.
      const isThere = required || name === 'warnings';
      return [source?.name ?? camelCase(name), isThere ? value : optional(value)];
    });
  return Object.fromEntries(entries) as Fields<Result>;
}

function valueSchema(schema: OpenApiSchema): Schema<unknown> {
  const {
    type,
    enum: values,
    minimum,
    maximum,
    minLength,
  } = schema as {
    type?: string;
    enum?: readonly string[];
    minimum?: number;
    maximum?: number;
    minLength?: number;
  };
  if (values) return oneOf(...values);
  if (type === 'string') return string({ min: minLength, max: LONGEST.document });
  if (type === 'integer') return integer(minimum, maximum);
  if (type === 'number') return number(minimum, maximum);
  if (type === 'boolean') return boolean();
  return type === 'array' ? array(valueSchema(schema.items as OpenApiSchema)) : anything();
}
