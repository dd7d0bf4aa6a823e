import { editDistance } from './text/edit-distance.js';

/** Share of the letters of a name that may be wrong in it before it counts as another name. */
const TOLERANCE = 0.4;
/** A name of so many letters that is part of the other is like it however long the other is: `url` and `baseUrl`. */
const TELLING_LENGTH = 3;

/** The one of `names` that a misspelt name is most likely meant to be; undefined where none is like it. Case does not count. */
export function nearestName(misspelt: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const pair = [misspelt.toLowerCase(), name.toLowerCase()] as const;
    const distance = editDistance(...pair);
    if (distance < least && isLike(pair, distance)) [nearest, least] = [name, distance];
  }
  return nearest;
}

function isLike([a, b]: readonly [string, string], distance: number): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= TELLING_LENGTH && long.includes(short)) return true;
  return distance <= Math.max(1, TOLERANCE * long.length);
}
