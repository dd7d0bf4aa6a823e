/** A minute and more of words, in lines of three seconds. */
export function speech(durationMs = 60_000, say = 'so here is what we learned about bridges today') {
  return Array.from({ length: Math.floor(durationMs / 3000) }, (_, i) => ({
    startMs: i * 3000,
    endMs: i * 3000 + 3000,
    text: `${say} ${i}`,
  }));
}
