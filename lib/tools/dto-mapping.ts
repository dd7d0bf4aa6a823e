import { propertiesOf, type ModelProperty } from '../core/openapi.js';
import { isRecord } from '../core/schema.js';

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
    const source = Reflect.getMetadata(SOURCE, model.prototype as object, name) as Source | undefined;
    const { name: from, toWire } = source ?? { name: camelCase(name) };
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
