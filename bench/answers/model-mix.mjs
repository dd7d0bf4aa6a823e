/**
 * Models as they are met, by plan: each question is asked of each of them, and what they say counts as often as `weight` says. The
 * weights are an assumption and decide, with the set, what the probability is calibrated to.
 */
import { withContext } from '../../dist/core/tool-context.js';
import { judgeReply } from '../../dist/search/answer/model-judgement.js';
import {
  modelFeatures,
  modelProbability,
  MODEL_FEATURE_SIGNS,
} from '../../dist/search/answer/model-probability.js';
import { fitLogistic } from './logistic.mjs';
import { bestRidge, predict } from './cross-validation.mjs';
import { passagesOf, materialOf } from './model-run.mjs';

const SIGNS = Object.values(MODEL_FEATURE_SIGNS);
/** The highest probability of what is denied, as in `ModelAnswer` with its default threshold. */
const MOST_DENIED = 0.3;
const INVENTED = 'Doctor Zaphodbeeble counted 4711 golden elephants in the harbour. [1]';

/** `says(material, answerable)` gives verdict, answer, the sentence quoted, and whether that is a right answer. */
export const MODELS = [
  {
    name: 'honest',
    weight: 0.5,
    says: ({ sentence, near }, is) => ({ verdict: is, sentence: is ? sentence : near, right: is }),
  },
  {
    name: 'over-confident',
    weight: 0.2,
    says: ({ sentence, near }, is) => ({ verdict: true, sentence: is ? sentence : near, right: is }),
  },
  {
    name: 'over-cautious',
    weight: 0.1,
    says: ({ sentence, near }, is) => ({ verdict: false, sentence: is ? sentence : near, right: is }),
  },
  {
    name: 'wrong',
    weight: 0.1,
    says: ({ others, near, sentence }, is) => ({
      verdict: true,
      sentence: is ? (others[0] ?? sentence) : near,
      right: is && others.length === 0,
    }),
  },
  {
    name: 'inventing',
    weight: 0.1,
    says: ({ sentence, near }, is) => ({
      verdict: true,
      sentence: is ? sentence : near,
      beside: INVENTED,
      right: is,
    }),
  },
];

/** What each model said to each question: `{ topic, hard, features, probability, denied, label, weight, name }`. */
export async function askModels(rows) {
  const examples = [];
  for (const row of rows) {
    const material = materialOf(row, rows);
    for (const { name, weight, says } of MODELS) {
      const said = says(material, row.answerable);
      const reply = {
        answerable: said.verdict,
        answer: `${said.sentence} [1] ${said.beside ?? ''}`,
        quotes: [{ n: 1, text: said.sentence }],
      };
      const { kept, signs } = await withContext(30_000, {}, (context) =>
        judgeReply(row.question, passagesOf(row, rows), reply, context),
      );
      const features = modelFeatures(signs);
      const denied = kept.length === 0 || said.verdict === false;
      const label = said.right && kept.length > 0 ? 1 : 0;
      const probability = held(modelProbability(signs), denied);
      examples.push({ topic: row.topic, hard: row.hard, name, features, probability, denied, label, weight });
    }
  }
  return examples;
}

/** Probabilities by coefficients fitted without the topic. */
export function unseenTopicsOfModels(examples) {
  const fits = new Map();
  for (const topic of new Set(examples.map((e) => e.topic))) {
    fits.set(topic, fitModels(examples.filter((e) => e.topic !== topic)));
  }
  return examples.map((e) => held(predict(fits.get(e.topic), e.features), e.denied));
}

export function fitModels(examples) {
  return fitLogistic(examples, bestRidge(examples, SIGNS), SIGNS);
}

function held(probability, denied) {
  return denied ? Math.min(probability, MOST_DENIED) : probability;
}
