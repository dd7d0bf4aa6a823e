/** Fitting the embedded answers, and trying them on sites and topics that the fit has not seen. */
import { answerFrom, select, sharesOf } from '../../dist/embedded/answer/extractive-answer.js';
import { ANSWER_FEATURES, answerFeatures } from '../../dist/embedded/answer/scoring.js';
import { fitLogistic } from './logistic.mjs';
import { fitPicker } from './picker.mjs';
import { holdsAnswer } from './sets.mjs';

const FOLDS = 10;
const RIDGE = 5;
const THRESHOLD = 0.5;
/** How right a text is that misses the answer that the pages have: keys are incomplete, and the question was not unanswerable. */
const ANSWERABLE = 0.5;
/** The notes are many and of one kind. */
const NOTE_WEIGHT = 0.3;
const SIGNS = Object.values(ANSWER_FEATURES);

/** Coefficients for the package, from read rows (see `read.mjs`). */
export function fitAll(items) {
  const examples = items.map(weighted);
  return { weights: fitPicker(examples), calibration: fitCalibration(withUnseenWeights(examples)) };
}

/**
 * For each item the answer by coefficients that were fitted without its site or topic. The calibration is fitted on the other folds, each
 * scored by weights that have not seen it.
 */
export function crossValidated(items) {
  const folds = foldsOf(items);
  const examples = withUnseenWeights(items.map(weighted));
  const calibrations = Array.from({ length: FOLDS }, (_, fold) =>
    fitCalibration(examples.filter((e) => folds.get(e.row.group) !== fold)),
  );
  return examples.map((example) => {
    const calibration = calibrations[folds.get(example.row.group)];
    return judged(example, answerFrom(example.all, { weights: example.weights, calibration }, THRESHOLD));
  });
}

/** An answer with what is true of it. */
export function judged(item, answer) {
  const { row } = item;
  const isRight = row.answerable && holdsAnswer(answer.text, row.answers);
  return { row, answer, probability: answer.answerableProbability, isRight, answerable: row.answerable };
}

/** The examples in their order, each with weights that were fitted without its site or topic. */
function withUnseenWeights(examples) {
  const folds = foldsOf(examples);
  const weights = Array.from({ length: FOLDS }, (_, fold) =>
    fitPicker(examples.filter((e) => folds.get(e.row.group) !== fold)),
  );
  return examples.map((example) => ({ ...example, weights: weights[folds.get(example.row.group)] }));
}

function fitCalibration(examples) {
  const rows = examples
    .filter(({ features }) => features.length > 0)
    .map(({ row, all, features, weight, weights }) => {
      const chosen = select(all, sharesOf(features, weights));
      const { text } = answerFrom(all, { weights, calibration: { intercept: 9, coefficients: [] } }, 0);
      const isRight = row.answerable && holdsAnswer(text, row.answers);
      const label = row.answerable ? (isRight ? 1 : ANSWERABLE) : 0;
      return { features: answerFeatures(all, chosen), label, weight };
    });
  return fitLogistic(rows, RIDGE, SIGNS);
}

function weighted(item) {
  return { ...item, weight: item.row.set === 'notes' ? NOTE_WEIGHT : 1 };
}

/** Each site is a fold of its own; topics of the notes are spread over the folds. */
function foldsOf(items) {
  const folds = new Map();
  for (const set of new Set(items.map((i) => i.row.set))) {
    const groups = [...new Set(items.filter((i) => i.row.set === set).map((i) => i.row.group))].sort();
    groups.forEach((group, i) => folds.set(group, i % FOLDS));
  }
  return folds;
}
