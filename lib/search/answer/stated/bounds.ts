/** Say of a number or year that it is not exact. */
const ABOUT =
  /(?:\b(?:about|around|some|roughly|approximately|nearly|almost|circa|close to|just over|just under|an estimated|cerca de|aproximadamente|unos|unas|alrededor de|quasi|quase|casi|etwa|rund|ungefähr|fast|environ|près de|presque|vers)|\bca?\.|~|≈)\s*$/i;
const AT_LEAST =
  /\b(?:over|more than|at least|above|exceeding|no less than|no fewer than|mais de|más de|più di|oltre|mehr als|über|mindestens|plus de|au moins)\s*$/i;
const AT_MOST =
  /\b(?:under|less than|fewer than|up to|at most|below|no more than|as (?:much|many|high|far|long|deep) as|menos de|até|hasta|meno di|fino a|weniger als|bis zu|höchstens|moins de|jusqu'à)\s*$/i;
/** Two ends of a range stand on either side of this. */
export const RANGE = /^\s*(?:-|–|—|to|or|a|à|bis|oder|o|ou)\s*$/;

/** How far before a value what bounds it may begin, in characters. */
const BEFORE = 20;

/** Whether the value at this place is said to be inexact. */
export function isInexact(text: string, at: number): boolean {
  return ABOUT.test(text.slice(Math.max(0, at - BEFORE), at));
}

/** Where the value at this place only bounds. */
export function boundOf(text: string, at: number): 'least' | 'most' | undefined {
  const before = text.slice(Math.max(0, at - BEFORE), at);
  return AT_LEAST.test(before) ? 'least' : AT_MOST.test(before) ? 'most' : undefined;
}
