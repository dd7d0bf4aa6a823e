/**
 * Logistic regression with a ridge penalty on standardised features, coordinate by coordinate (Newton steps on one
 * coefficient at a time).
 */

const SWEEPS = 400;

/**
 * @param examples `{ features, label, weight }`
 * @param ridge penalty on the standardised coefficients
 * @returns intercept and coefficients on the features as they are
 */
export function fitLogistic(examples, ridge) {
  const width = examples[0].features.length;
  const means = Array.from({ length: width }, (_, i) => average(examples.map((e) => e.features[i])));
  const scales = means.map((m, i) => Math.sqrt(average(examples.map((e) => (e.features[i] - m) ** 2))) || 1);
  const columns = means.map((m, i) => Float64Array.from(examples, (e) => (e.features[i] - m) / scales[i]));
  const sums = new Float64Array(examples.length);
  const beta = new Array(width).fill(0);
  let intercept = 0;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let largest = 0;
    for (let i = -1; i < width; i++) {
      const column = columns[i];
      let gradient = i < 0 ? 0 : -ridge * beta[i];
      let curvature = i < 0 ? 1e-9 : ridge;
      for (let r = 0; r < sums.length; r++) {
        const { label, weight } = examples[r];
        const p = 1 / (1 + Math.exp(-sums[r]));
        const x = column ? column[r] : 1;
        gradient += weight * (label - p) * x;
        curvature += weight * Math.max(p * (1 - p), 1e-6) * x * x;
      }
      const old = i < 0 ? intercept : beta[i];
      const value = old + gradient / curvature;
      if (value === old) continue;
      for (let r = 0; r < sums.length; r++) sums[r] += (value - old) * (column ? column[r] : 1);
      if (i < 0) intercept = value;
      else beta[i] = value;
      largest = Math.max(largest, Math.abs(value - old));
    }
    if (largest < 1e-4) break;
  }
  const coefficients = beta.map((b, i) => b / scales[i]);
  return { intercept: intercept - coefficients.reduce((sum, c, i) => sum + c * means[i], 0), coefficients };
}

function average(values) {
  return values.reduce((a, b) => a + b, 0) / values.length;
}
