import { areParaphrases } from '../paraphrases.js';
import type { Claim } from '../claim.js';
import type { Question } from '../question.js';
import { datesIn } from './dates.js';
import { namesIn, placesIn } from './names.js';
import { numbersIn } from './numbers.js';
import type { Stated, StatedNumber } from './stated.js';

export { namedIn } from './names.js';
export { areCompatible, type Stated } from './stated.js';

/** Further than this from the words of the question a value belongs to something else. */
const FARTHEST = 12;
const ACROSS_BORDER = 4;

/** The value in a sentence that stands nearest to the words of the question and is of the kind that it asks for; undefined where none can be told. */
export function statedIn(question: Question, claim: Claim): Stated | undefined {
  const found = nearest(question, claim, candidatesIn(question, claim));
  return found && { ...found, text: found.text.replace(/\s+/g, ' ') };
}

/** All values of the asked kind, in order. */
export function candidatesIn(question: Question, claim: Claim): Stated[] {
  const { language } = question;
  const asked = new Set(question.tokens.map((t) => t.term));
  switch (question.type) {
    case 'year':
    case 'time':
      return datesIn(claim, language, asked);
    case 'count':
    case 'measure':
      return numbersIn(claim, asked).filter((n) => isAskedFor(question, n));
    case 'topic':
      return numbersIn(claim, asked).filter((n) => typeof n.of === 'string');
    case 'person':
      return namesIn(question, claim, asked);
    case 'thing':
      return question.head ? namesIn(question, claim, asked) : [];
    case 'place':
      return placesIn(claim, asked);
    default:
      return [];
  }
}

/** The nearest to words of the question that are no names: those say which fact of a party is asked for. */
function nearest(question: Question, { words }: Claim, candidates: readonly Stated[]): Stated | undefined {
  const isAsked = (pick: (term: (typeof question.terms)[number]) => boolean): number[] =>
    words.flatMap((w, at) =>
      question.terms.some(
        (t) => pick(t) && (t.term === w.term || areParaphrases(t.term, w.term, question.language)),
      )
        ? [at]
        : [],
    );
  const relation = isAsked((t) => !t.name && !t.number);
  const anchors = relation.length > 0 ? relation : isAsked(() => true);
  const distance = (at: number): number =>
    Math.min(
      FARTHEST,
      ...anchors.map((anchor) => {
        const between = words.slice(Math.min(anchor, at) + 1, Math.max(anchor, at) + 1);
        return Math.abs(anchor - at) + (between.some((w) => w.border) ? ACROSS_BORDER : 0);
      }),
    );
  let best: Stated | undefined;
  for (const candidate of candidates)
    if (!best || distance(candidate.at) < distance(best.at)) best = candidate;
  return best;
}

function isAskedFor({ dimension, type, head, language }: Question, { of }: StatedNumber): boolean {
  if (type === 'count')
    // "… and the other two": what is counted was named before.
    return typeof of !== 'string'
      ? !head || of.length === 0 || of.some((o) => o === head || areParaphrases(o, head, language))
      : false;
  if (!dimension || dimension === 'any') return true;
  if (dimension === 'extent') return of === 'length' || of === 'time';
  if (dimension === 'money') return typeof of === 'string' && of.startsWith('money');
  return of === dimension;
}
