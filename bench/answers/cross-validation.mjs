/** Fitting the probability, and trying it on topics that the fit has not seen. */
import { FEATURE_SIGNS } from '../../dist/search/answer/features.js';
import { fitLogistic } from './logistic.mjs';
import { loadPolarity } from './polarity.mjs';
import { runQuestions } from './run.mjs';

const RIDGES = [3, 10, 30, 100];
const SIGNS = Object.values(FEATURE_SIGNS);
const LEAST = 0.02;
const MOST = 0.98;

/** Questions made to mislead are rarer outside of a test: each counts for this much of another one. */
const HARD_WEIGHT = 0.8;

let trained;

/** Coefficients, each held to the sign that its feature allows. */
export function fit(examples, ridge, signs = SIGNS) {
  return fitLogistic(examples, ridge, signs);
}

/**
 * The own set in all three scopes: an answer must know its worth over one note as well as over a hundred. Beside it the opposite verbs that may
 * be tuned on: in the own set hardly a sentence says the contrary of its question.
 */
export async function trainingSet(rows) {
  if (!trained || trained.rows !== rows) {
    const examples = [];
    for (const scope of ['row', 'file', 'note']) {
      for (const { row, features } of await runQuestions(rows, scope)) {
        examples.push({
          topic: row.topic,
          hard: row.hard,
          features,
          label: row.answerable ? 1 : 0,
          weight: (row.hard ? HARD_WEIGHT : 1) / 3,
        });
      }
    }
    const opposites = loadPolarity().filter(({ part }) => part === 'tuned');
    for (const { row, features } of await runQuestions(opposites, 'note')) {
      const { topic, hard, answerable } = row;
      examples.push({ topic, hard, features, label: answerable ? 1 : 0, weight: HARD_WEIGHT / 3 });
    }
    trained = { rows, examples };
  }
  return trained.examples;
}

/** Probabilities of `results`, each by coefficients fitted without the topic; the ridge is chosen without it, too. */
export async function unseenTopics(rows, results) {
  const examples = await trainingSet(rows);
  const fits = new Map();
  for (const topic of new Set(rows.map((r) => r.topic))) {
    const rest = examples.filter((e) => e.topic !== topic);
    fits.set(topic, fit(rest, bestRidge(rest)));
  }
  return results.map((r) => predict(fits.get(r.row.topic), r.features));
}

/** The penalty with the least log loss on left-out topics. */
export function bestRidge(examples, signs = SIGNS) {
  const topics = [...new Set(examples.map((e) => e.topic))];
  const folds = Array.from({ length: 5 }, (_, f) => new Set(topics.filter((_, i) => i % 5 === f)));
  let best = { ridge: RIDGES[0], loss: Infinity };
  for (const ridge of RIDGES) {
    let loss = 0;
    for (const fold of folds) {
      const model = fit(
        examples.filter((e) => !fold.has(e.topic)),
        ridge,
        signs,
      );
      for (const e of examples.filter((e) => fold.has(e.topic))) {
        const p = predict(model, e.features);
        loss -= e.weight * Math.log(e.label ? p : 1 - p);
      }
    }
    if (loss < best.loss) best = { ridge, loss };
  }
  return best.ridge;
}

export function predict({ intercept, coefficients }, features) {
  const sum = coefficients.reduce((s, c, i) => s + c * features[i], intercept);
  return Math.min(MOST, Math.max(LEAST, 1 / (1 + Math.exp(-sum))));
}
