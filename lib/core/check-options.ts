import { InvalidOptionError } from './errors.js';
import { nearestName } from './nearest-name.js';

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
  throw new InvalidOptionError(option, 'an array', shownUnlessText(value));
}

/** The names of `Known` where they are all of `T`; what has been left out does not compile. */
type AllOf<T, Known> = [Exclude<keyof T, Known>] extends [never]
  ? unknown
  : { left_out: Exclude<keyof T, Known> };

/**
 * A misspelt option would otherwise be a default that nobody notices. What came is not repeated: it may be a key under a misspelt name.
 * An instance of a class is the host's own and may have what it likes.
 *
 * @param option where the value stands, e.g. `search.pages`; `options` for the module's own
 * @param known every name that the value may have
 * @param alsoMeant names that stand elsewhere, and may have been meant
 * @throws InvalidOptionError unless the value is an object whose keys are all known; it names the nearest one
 */
export function requireKnownKeys<T extends object, Known extends keyof T & string>(
  option: string,
  value: T,
  known: readonly Known[] & AllOf<T, Known>,
  alsoMeant: readonly string[] = [],
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidOptionError(option, 'an object', shownUnlessText(value));
  }
  if (!isPlain(value)) return;
  const names: readonly string[] = known;
  const unknown = Object.keys(value).find((key) => !names.includes(key));
  if (unknown === undefined) return;
  const path = option === 'options' ? unknown : `${option}.${unknown}`;
  throw InvalidOptionError.unknown(path, names, nearestName(unknown, [...names, ...alsoMeant]));
}

/** Whether this is no instance of a class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Of whatever realm: a configuration may have been read in another one.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
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
    shownUnlessText(value),
  );
}

/** Text in place of an object is not repeated: it may be a key, or an address with a password. */
function shownUnlessText(value: unknown): unknown {
  return typeof value === 'string' ? InvalidOptionError.WITHHELD : value;
}
