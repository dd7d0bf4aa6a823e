/** The value at a path inside untrusted JSON; undefined as soon as a step is missing. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

/** A string at a path, else undefined. */
export function stringAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** An array at a path, else an empty one. */
export function arrayAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** InnerTube's way of writing text: `{ simpleText }` or `{ runs: [{ text }] }`. */
export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  const runs = arrayAt(found, 'runs').map((run) => stringAt(run, 'text') ?? '');
  return stringAt(found, 'simpleText') ?? (runs.length > 0 ? runs.join('') : undefined);
}
