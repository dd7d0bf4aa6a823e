import { InvalidOptionError } from './errors/index.js';

/** @throws InvalidOptionError unless the value is an integer in the range */
export function requireInteger(option: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new InvalidOptionError(option, `an integer from ${min} to ${max}`, value);
}

/** @throws InvalidOptionError unless the value is one of the list */
export function requireOneOf<T extends string>(option: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new InvalidOptionError(option, `one of ${allowed.join(', ')}`, value);
}

/** @throws InvalidOptionError unless the value is an array */
export function requireArray<T>(option: string, value: readonly T[]): readonly T[] {
  if (Array.isArray(value)) return value as readonly T[];
  throw new InvalidOptionError(option, 'an array', value);
}

/**
 * A misspelt option would otherwise be a default that nobody notices.
 * @throws InvalidOptionError unless the value is an object whose keys are all known
 */
export function requireKnownKeys(option: string, value: object, known: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidOptionError(option, 'an object', value);
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const path = option === 'options' ? unknown : `${option}.${unknown}`;
    throw new InvalidOptionError(
      path,
      `absent: the known ones are ${known.join(', ')}`,
      (value as Record<string, unknown>)[unknown],
    );
  }
}

/** @throws InvalidOptionError unless the value has these methods, as an implementation of the port must */
export function requirePort<T extends object>(
  option: string,
  port: string,
  value: T,
  members: readonly string[],
): T {
  const missing =
    typeof value !== 'object' || value === null
      ? members
      : members.filter((member) => (value as Record<string, unknown>)[member] === undefined);
  if (missing.length === 0) return value;
  throw new InvalidOptionError(
    option,
    `${/^[AEIOU]/.test(port) ? 'an' : 'a'} ${port} (missing: ${missing.join(', ')})`,
    value,
  );
}
