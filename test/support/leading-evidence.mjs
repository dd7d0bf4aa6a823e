/**
 * The simplest evidence ranker: the longest piece of each equal stretch. Deterministic; for tests and benchmarks of what stands
 * around it.
 */
export const leadingEvidence = {
  topSentences(segments, count) {
    const stretch = Math.max(1, Math.ceil(segments.length / count));
    const sentences = [];
    for (let i = 0; i < segments.length; i += stretch) {
      const longest = segments
        .slice(i, i + stretch)
        .reduce((a, b) => (b.text.length > a.text.length ? b : a));
      sentences.push({ text: longest.text, startMs: longest.startMs });
    }
    return sentences.slice(0, count);
  },
};
