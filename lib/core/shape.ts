/** Any object but an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a field may be wrong: its name, whether it is as it must be, and what it must be. */
export type FieldRule = readonly [field: string, holds: (value: unknown) => boolean, mustBe: string];

export const isText = (value: unknown): boolean => typeof value === 'string';
export const isFilledText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
export const isFiniteNumber = (value: unknown): boolean => Number.isFinite(value);
/** @returns the same rule for a field that may be absent */
export const optional =
  (holds: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || holds(value);

/**
 * The first rule that a value does not keep, in words; undefined where it keeps all.
 * @param path before the names of its fields, e.g. `segments[3].`
 */
export function faultOf(value: unknown, rules: readonly FieldRule[], path = ''): string | undefined {
  if (!isRecord(value)) return `${path === '' ? 'it' : path.slice(0, -1)} must be an object`;
  const broken = rules.find(([field, holds]) => !holds(value[field]));
  return broken && `${path}${broken[0]} must be ${broken[2]}`;
}

/** The first fault of the items of a list. */
export function faultOfItems(
  items: readonly unknown[],
  rules: readonly FieldRule[],
  name: string,
): string | undefined {
  for (let i = 0; i < items.length; i++) {
    const fault = faultOf(items[i], rules, `${name}[${i}].`);
    if (fault) return fault;
  }
  return undefined;
}
