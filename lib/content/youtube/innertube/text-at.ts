import { arrayAt, at, stringAt } from '../../../core/json-path.js';

/** InnerTube's text at a path, which is `{ simpleText }` or `{ runs: [{ text }] }`; undefined when there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = at(value, ...path);
  const runs = arrayAt(found, 'runs').map((run) => stringAt(run, 'text') ?? '');
  return stringAt(found, 'simpleText') ?? (runs.length > 0 ? runs.join('') : undefined);
}
