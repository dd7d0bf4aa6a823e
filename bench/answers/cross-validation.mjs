/** Fitting the embedded answers, and trying them on collections, sites and topics that the fit has not seen. */
import { answerFrom, quotationFrom } from '../../dist/embedded/answer/extractive-answer.js';
import { answerFeatures, sharesOf } from '../../dist/embedded/answer/scoring.js';
import { fitLogistic } from './logistic.mjs';
import { fitPicker } from './picker.mjs';
import { collectionOf, holdsAnswer } from './sets.mjs';

const FOLDS = 10;
const RIDGE = 5;
const THRESHOLD = 0.5;
/** Set by hand: an estimate from here on is shown as an answer, and becomes a probability of one half. Then nine tenths of what is shown are right. */
const ANSWERED_FROM = 0.43;
/** Set by hand: estimates are too careful on both sides. With this the calibration error is least over all collections. */
const STEEPNESS = 1.5;
/** Weight of a row of a collection: the notes are many and of one kind, a question of XQuAD stands in four languages and three conditions. */
const WEIGHTS = { everyday: 1, notes: 0.3, xquad: 0.33 };

/** Coefficients for the package, from read rows (see `read.mjs`). */
export function fitAll(items) {
  const { intercept, coefficients } = fitEstimate(withUnseenWeights(items));
  return {
    weights: fitPicker(items.map(weighted)),
    intercept: STEEPNESS * (intercept - Math.log(ANSWERED_FROM / (1 - ANSWERED_FROM))),
    coefficients: coefficients.map((c) => STEEPNESS * c),
  };
}

/** For each item the answer by coefficients that were fitted without its collection. */
export function withoutCollection(items) {
  const collections = [...new Set(items.map(({ row }) => collectionOf(row)))];
  return judgedBy(items, collections, (row) => collectionOf(row));
}

/** For each item the answer by coefficients that were fitted without its site, topic or article. */
export function withoutGroup(items) {
  const folds = foldsOf(items);
  return judgedBy(items, [...Array(FOLDS).keys()], (row) => folds.get(row.group));
}

function judgedBy(items, parts, partOf) {
  const coefficients = new Map(
    parts.map((part) => [part, fitAll(items.filter(({ row }) => partOf(row) !== part))]),
  );
  return items.map((item) =>
    judged(item, answerFrom(item.all, coefficients.get(partOf(item.row)), THRESHOLD)),
  );
}

/** An answer with what is true of it. */
export function judged(item, answer) {
  const { row } = item;
  const holds = holdsAnswer(answer.text, row.answers);
  return {
    ...item,
    answer,
    probability: answer.answerableProbability,
    isRight: row.answerable && holds,
    // Another paragraph may say it too.
    isFalse: !row.answerable && !(row.leftOut === 'paragraph' && holds),
  };
}

/** The examples in their order, each with weights that were fitted without its site, topic or article. */
function withUnseenWeights(items) {
  const folds = foldsOf(items);
  const weights = Array.from({ length: FOLDS }, (_, fold) =>
    fitPicker(items.filter(({ row }) => folds.get(row.group) !== fold).map(weighted)),
  );
  return items.map((item) => ({ ...weighted(item), weights: weights[folds.get(item.row.group)] }));
}

function fitEstimate(examples) {
  const rows = examples
    .filter(({ features }) => features.length > 0)
    .map(({ row, all, features, weight, weights }) => {
      const quotation = quotationFrom(all, sharesOf(features, weights));
      const { units } = all.passages[quotation.passage];
      const quoted = units.slice(quotation.from, quotation.to).map((unit) => unit.text);
      const isRight = row.answerable && holdsAnswer(quoted.join(' '), row.answers);
      return { features: answerFeatures(all, quotation), label: isRight ? 1 : 0, weight };
    });
  return fitLogistic(rows, RIDGE);
}

function weighted(item) {
  return { ...item, weight: WEIGHTS[collectionOf(item.row)] };
}

/** Sites, topics and articles, spread over the folds. */
function foldsOf(items) {
  const folds = new Map();
  for (const collection of new Set(items.map(({ row }) => collectionOf(row)))) {
    const of = items.filter(({ row }) => collectionOf(row) === collection);
    [...new Set(of.map(({ row }) => row.group))].sort().forEach((group, i) => folds.set(group, i % FOLDS));
  }
  return folds;
}
