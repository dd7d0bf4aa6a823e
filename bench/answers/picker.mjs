/**
 * The scorer of candidates: a conditional logit. The probability of a candidate is the softmax of its weighted features; the weights make the
 * candidates that have the answer as probable as possible, with a ridge penalty.
 */

const RIDGE = 2;
const STEPS = 250;
const RATE = 1.5;
const MOMENTUM = 0.9;

/** @param examples `{ features, labels, weight }`; those without a right and a wrong candidate say nothing */
export function fitPicker(examples) {
  const used = examples.filter(({ labels }) => labels.some(Boolean) && !labels.every(Boolean));
  const width = used[0].features[0].length;
  const rows = used.map(({ features, labels, weight }) => ({
    values: Float64Array.from(features.flat()),
    labels: Uint8Array.from(labels),
    powers: new Float64Array(labels.length),
    weight,
  }));
  const weights = new Float64Array(width);
  const velocity = new Float64Array(width);
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Float64Array(width);
    for (const row of rows) addGradient(row, weights, gradient);
    for (let i = 0; i < width; i++) {
      velocity[i] = MOMENTUM * velocity[i] + (gradient[i] - RIDGE * weights[i]) / used.length;
      weights[i] += RATE * velocity[i];
    }
  }
  return [...weights];
}

function addGradient({ values, labels, powers, weight }, weights, gradient) {
  const width = weights.length;
  let best = -Infinity;
  for (let c = 0; c < labels.length; c++) {
    let score = 0;
    for (let i = 0; i < width; i++) score += values[c * width + i] * weights[i];
    powers[c] = score;
    best = Math.max(best, score);
  }
  let total = 0;
  let right = 0;
  for (let c = 0; c < labels.length; c++) {
    powers[c] = Math.exp(powers[c] - best);
    total += powers[c];
    if (labels[c]) right += powers[c];
  }
  for (let c = 0; c < labels.length; c++) {
    const pull = weight * ((labels[c] ? powers[c] / right : 0) - powers[c] / total);
    for (let i = 0; i < width; i++) gradient[i] += pull * values[c * width + i];
  }
}
