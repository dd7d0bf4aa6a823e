/**
 * What a cache has for one request, worked out once and asked again for every equal request: neither checking the request nor making
 * the key is repeated. Only where the store answers at once; where it must be waited for, the request takes the long way.
 */
export interface KeptResult<T> {
  /** The kept text, undefined where there is none; the same string for as long as it is kept, so what is made of it may be kept with it. */
  text(): string | undefined;
  /** The result that a kept text stands for; undefined for a text that is none of ours. */
  parse(text: string): T | undefined;
}

/** The same, with something else made of each result. */
export function mapKept<T, R>({ text, parse }: KeptResult<T>, finish: (value: T) => R): KeptResult<R> {
  return {
    text,
    parse: (kept) => {
      const value = parse(kept);
      return value === undefined ? undefined : finish(value);
    },
  };
}
