/** A model that loops repeats a few words many times: from four times and twelve words on. */
const LOOP = { repeats: 4, words: 12, longestPeriod: 40 };

/** How many items are repeated from here on, and how many they are with all their repetitions; one item where none is. */
export function loopAt(keys: readonly string[], i: number): { period: number; length: number } {
  for (let period = 1; period <= LOOP.longestPeriod && i + period < keys.length; period++) {
    let equal = 0;
    while (i + period + equal < keys.length && keys[i + equal] === keys[i + period + equal]) equal++;
    const repeats = 1 + Math.floor(equal / period);
    const length = repeats * period;
    if (repeats < LOOP.repeats) continue;
    const repeated = keys.slice(i, i + period).join(' ');
    if (repeated.split(' ').length * repeats >= LOOP.words) return { period, length };
  }
  return { period: 1, length: 1 };
}
