import { seeded } from './texts.mjs';

/** Mean of the values and the 95 % interval of 1,000 resamples, the same for the same seed. */
export function interval(values, seed) {
  const random = seeded(seed);
  const means = [];
  for (let k = 0; k < 1000; k++) {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)];
    means.push(sum / values.length);
  }
  means.sort((a, b) => a - b);
  return { mean: values.reduce((a, b) => a + b, 0) / values.length, low: means[25], high: means[975] };
}
