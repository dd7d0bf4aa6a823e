/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of the entries [weight, value], by weight. */
export function pick(random, entries) {
  let at = random() * entries.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, value] of entries) if ((at -= weight) < 0) return value;
  return entries.at(-1)[1];
}
