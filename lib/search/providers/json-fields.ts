/** A JSON object whose fields are not yet known to be what they should be. */
export type JsonObject = Record<string, unknown>;

/** The value where it is a JSON object, else an empty one, so that a missing level reads as missing fields. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Whether the value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value where it is an array, else undefined: an absent list and an empty one are different answers. */
export function listIn(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The value where it is a string, else the empty string. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The strings of an array, or none. */
export function textsIn(value: unknown): string[] {
  return (listIn(value) ?? []).filter((item): item is string => typeof item === 'string');
}

/** The value where it is a finite number, else undefined. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
