import { anything, options, parseOption } from './schema.js';

/** The names of `Known` where they are all of `T`; what has been left out does not compile. */
type AllOf<T, Known> = [Exclude<keyof T, Known>] extends [never]
  ? unknown
  : { left_out: Exclude<keyof T, Known> };

/**
 * Refuses misspelt options of a factory whose values are checked where they are used.
 *
 * @param option where the value stands, e.g. `search.pages`
 * @param known every name that the value may have
 * @throws InvalidOptionError unless the value is an object whose keys are all known; it names the nearest one
 */
export function requireKnownKeys<T extends object, Known extends keyof T & string>(
  option: string,
  value: T,
  known: readonly Known[] & AllOf<T, Known>,
): void {
  const names: readonly string[] = known;
  parseOption(option, options(Object.fromEntries(names.map((name) => [name, anything()]))), value);
}
