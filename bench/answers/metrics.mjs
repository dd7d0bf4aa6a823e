/** How good probabilities are. `pairs` are `[probability, happened 0|1]`. */

/** Expected calibration error over ten bins of equal width. */
export function calibrationError(pairs, bins = 10) {
  const sums = Array.from({ length: bins }, () => ({ n: 0, p: 0, y: 0 }));
  for (const [p, y] of pairs) {
    const bin = sums[Math.min(bins - 1, Math.floor(p * bins))];
    bin.n++;
    bin.p += p;
    bin.y += y;
  }
  return sums.reduce((error, { n, p, y }) => error + (n ? Math.abs(p - y) / pairs.length : 0), 0);
}

/** Probability that an answerable question is ranked above one that is not. */
export function auroc(pairs) {
  const sorted = [...pairs].sort((a, b) => a[0] - b[0]);
  let rankSum = 0;
  for (let i = 0; i < sorted.length;) {
    let j = i;
    while (j < sorted.length && sorted[j][0] === sorted[i][0]) j++;
    for (let k = i; k < j; k++) if (sorted[k][1]) rankSum += (i + j + 1) / 2;
    i = j;
  }
  const positive = sorted.filter(([, y]) => y).length;
  const negative = sorted.length - positive;
  return positive && negative ? (rankSum - (positive * (positive + 1)) / 2) / (positive * negative) : NaN;
}

export function mean(values) {
  return values.reduce((a, b) => a + b, 0) / values.length;
}
