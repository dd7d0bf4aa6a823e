/** Letters to insert, delete, change or swap with their neighbour to get from one word to the other (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const cost = from[i - 1] === to[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? beforeLast[j - 2]! + 1 : Infinity;
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost, swapped);
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length]!;
}

/** Share of the letters of a name that may be wrong in it before it counts as another name; set by hand. */
const TOLERANCE = 0.4;
/** A name of so many letters that is part of the other is like it however long the other is: `url` and `baseUrl`; set by hand. */
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
