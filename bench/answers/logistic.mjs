/** Logistic regression with a ridge penalty by Newton's method, on standardised features. */

/**
 * @param examples `{ features, label, weight }`
 * @param ridge penalty on the standardised coefficients
 * @returns intercept and coefficients on the features as they are
 */
export function fitLogistic(examples, ridge) {
  const width = examples[0].features.length;
  const means = Array.from({ length: width }, (_, i) => average(examples.map((e) => e.features[i])));
  const scales = means.map((m, i) => Math.sqrt(average(examples.map((e) => (e.features[i] - m) ** 2))) || 1);
  const rows = examples.map((e) => [1, ...e.features.map((x, i) => (x - means[i]) / scales[i])]);
  const beta = new Array(width + 1).fill(0);
  for (let iteration = 0; iteration < 30; iteration++) {
    const gradient = beta.map((b, i) => (i === 0 ? 0 : -ridge * b));
    const hessian = beta.map((_, i) => beta.map((_, j) => (i === j && i > 0 ? ridge : i === j ? 1e-9 : 0)));
    rows.forEach((row, r) => {
      const { label, weight = 1 } = examples[r];
      const p = 1 / (1 + Math.exp(-row.reduce((sum, x, i) => sum + x * beta[i], 0)));
      const curvature = weight * Math.max(p * (1 - p), 1e-6);
      for (let i = 0; i <= width; i++) {
        gradient[i] += weight * (label - p) * row[i];
        for (let j = 0; j <= i; j++) hessian[i][j] += curvature * row[i] * row[j];
      }
    });
    for (let i = 0; i <= width; i++) for (let j = i + 1; j <= width; j++) hessian[i][j] = hessian[j][i];
    const step = solve(hessian, gradient);
    let largest = 0;
    step.forEach((s, i) => {
      beta[i] += s;
      largest = Math.max(largest, Math.abs(s));
    });
    if (largest < 1e-7) break;
  }
  const coefficients = beta.slice(1).map((b, i) => b / scales[i]);
  return { intercept: beta[0] - coefficients.reduce((sum, c, i) => sum + c * means[i], 0), coefficients };
}

function average(values) {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

/** Gaussian elimination with pivoting. */
function solve(matrix, right) {
  const a = matrix.map((row, i) => [...row, right[i]]);
  const n = a.length;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(a[r][c]) > Math.abs(a[pivot][c])) pivot = r;
    [a[c], a[pivot]] = [a[pivot], a[c]];
    for (let r = c + 1; r < n; r++) {
      const factor = a[r][c] / a[c][c];
      for (let k = c; k <= n; k++) a[r][k] -= factor * a[c][k];
    }
  }
  const x = new Array(n).fill(0);
  for (let r = n - 1; r >= 0; r--) {
    let sum = a[r][n];
    for (let k = r + 1; k < n; k++) sum -= a[r][k] * x[k];
    x[r] = sum / a[r][r];
  }
  return x;
}
