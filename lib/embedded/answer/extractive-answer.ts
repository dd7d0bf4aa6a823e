import type { Answer, AnswerPassage, Citation } from '../../search/answer-engine.js';
import { notFound, related, shownSentence } from '../../search/answer/wording.js';
import {
  isAside,
  maxOf,
  readQuestion,
  type Candidate,
  type Candidates,
  type ReadPassage,
  type TextUnit,
} from './candidates.js';
import {
  answerFeatures,
  candidateFeatures,
  COEFFICIENTS,
  LEAST,
  probabilityOf,
  sharesOf,
  type Coefficients,
  type Quoted,
} from './scoring.js';
import type { Word } from './words.js';

/** Longest quotation of more than one sentence, words and sentences; set by hand. */
const MAX_WORDS = 60;
const MAX_UNITS = 3;
/** Least share of a sentence that begins or ends a quotation; set by hand. */
const LEAST_SHARE = 0.1;
/** A longer lead-in is not shown with an item, nor one that stands further above it, characters; plain bounds. */
const MAX_LEAD_IN = 120;
const MAX_LED = 600;
/**
 * The probability of a text about somebody else stays below the threshold, at most this share of it. So many units before it may tell whom it is about.
 * Without this rule 2 in a hundred more notes are answered right, and 2 in a hundred more questions without an answer (`npm run bench -- answers`).
 */
const OFF_SUBJECT = 0.9;
const CLOSE = 2;

/**
 * Answers with one quotation: sentences, list items or table rows that follow each other in one passage, word for word. Estimates the
 * probability that they answer the question. Needs no model, no key and no network. Deterministic.
 *
 * @param threshold below this probability the outcome is `related` or `not_found`, 0..1
 */
export function extractiveAnswer(
  query: string,
  passages: readonly AnswerPassage[],
  threshold: number,
): Answer {
  return answerFrom(readQuestion(query, passages), COEFFICIENTS, threshold);
}

/** {@link extractiveAnswer} from what has been read, by given coefficients. */
export function answerFrom(all: Candidates, coefficients: Coefficients, threshold: number): Answer {
  const { question, passages } = all;
  const isAbout = ({ own, context }: Candidate): boolean => [...own, ...context].some((met) => met > 0);
  if (!all.list.some(isAbout))
    return {
      text: notFound(question.spoken ?? 'en'),
      outcome: 'not_found',
      answerableProbability: LEAST,
      citations: [],
      engine: 'extractive',
      warnings: [],
    };
  const shares = sharesOf(candidateFeatures(all), coefficients.weights);
  const quotation = quotationFrom(all, shares);
  const { best } = quotation;
  const language = question.spoken ?? passages[best.passage]!.language;
  const estimate = probabilityOf(answerFeatures(all, quotation), coefficients);
  const most = isOnSubject(quotation, all) ? 1 : OFF_SUBJECT * threshold;
  const answerableProbability = Math.round(Math.min(most, estimate) * 1000) / 1000;
  const isAnswered = answerableProbability >= threshold;
  const citations: Citation[] = [];
  const said = write(quotation, all, citations);
  return {
    text: isAnswered ? said : related(language, said),
    outcome: isAnswered ? 'answered' : 'related',
    answerableProbability,
    citations,
    engine: 'extractive',
    warnings: [],
  };
}

/** "Who wrote Frankenstein?": on the page of the book, many people are named who did not. The text itself, or what is just before it, has the name. */
function isOnSubject({ passage, from, to }: Quotation, { question, passages }: Candidates): boolean {
  if (question.kind !== 'person') return true;
  const near = passages[passage]!.own.slice(Math.max(0, from - CLOSE), to);
  const isName = ({ text, start }: Word): boolean => start > 0 && /^\p{Lu}/u.test(text);
  return question.terms.every((term, i) => !isName(term) || near.some((met) => met[i] === 1));
}

/** Units of one passage that follow each other. */
interface Quotation {
  passage: number;
  /** First and last unit, `[from, to)`. */
  from: number;
  to: number;
  /** Shown before it: the heading that says what the text does not, or the heading or title that a pronoun refers to. */
  heading?: string;
}

/** The best candidate with the sentences around it that are likely to have the answer too, of one section. */
export function quotationFrom(all: Candidates, shares: readonly number[]): Quotation & Quoted {
  const top = shares.indexOf(Math.max(...shares));
  const best = all.list[top]!;
  const { units, own } = all.passages[best.passage]!;
  const { position } = best;
  const alone = all.list
    .map((c, i) => [c, shares[i]!] as const)
    .filter(([c]) => c.passage === best.passage && c.length === 1);
  const shareAt = new Map(alone.map(([c, share]) => [c.position, share]));
  const ends = (i: number): boolean =>
    i === position || (shareAt.get(i) ?? 0) >= LEAST_SHARE || (i > position && units[i]!.isOrphan);
  let chosen = { from: position, to: position + best.length, share: shares[top]! };
  const isWithin = (i: number): boolean => i === position || isBeside(units[i], best.unit);
  for (let from = position; best.length === 1 && isWithin(from); from--) {
    let words = 0;
    let share = 0;
    for (let i = from; isWithin(i); i++) {
      words += units[i]!.words.length;
      share += shareAt.get(i) ?? 0;
      if (words > MAX_WORDS || i - from >= MAX_UNITS) break;
      if (i >= position && ends(from) && ends(i) && share > chosen.share) chosen = { from, to: i + 1, share };
    }
  }
  const quotation = behindSubject(best, chosen.from, chosen.to, all);
  const met = maxOf([...own.slice(quotation.from, quotation.to), best.context], best.own.length);
  return { ...quotation, best, met, share: chosen.share };
}

/** A quotation with what its first word refers to: the sentence before, else the heading or title. */
function behindSubject(
  { passage, unit, heading }: Candidate,
  from: number,
  to: number,
  all: Candidates,
): Quotation {
  const { units, passage: page } = all.passages[passage]!;
  const refers = units[from]!.isOrphan;
  const before = units[from - 1];
  const isSaid = refers && before?.kind === 'sentence' && !isAside(before) && isBeside(before, unit);
  const shown = heading ?? (refers && !isSaid ? (unit.headings.at(-1) ?? page.title) : '');
  return { passage, from: isSaid ? from - 1 : from, to, ...(shown ? { heading: shown } : {}) };
}

/** Whether a unit may be quoted together with another of its passage. */
function isBeside(unit: TextUnit | undefined, other: TextUnit): boolean {
  return (
    unit !== undefined &&
    !isAside(unit) &&
    unit.headings.length === other.headings.length &&
    unit.headings.at(-1) === other.headings.at(-1)
  );
}

/** A quotation with its `[n]`, lists on lines of their own; its citation is added to `citations`. */
function write(quotation: Quotation, all: Candidates, citations: Citation[]): string {
  const read = all.passages[quotation.passage]!;
  const quote = verbatim(quotation, read);
  const { url, title } = read.passage;
  const index = citations.push({ index: citations.length + 1, url, title, quote });
  return `${shownQuotation(quotation, read, quote)} [${index}]`;
}

/** The words of the passage from the lead-in or first unit to the last. */
function verbatim({ from, to }: Quotation, { passage, units }: ReadPassage): string {
  let start = 0;
  let end = 0;
  for (const [i, unit] of units.slice(0, to).entries()) {
    const at = passage.text.indexOf(unit.text, end);
    if (at < 0) continue;
    if (i === from) start = at;
    end = at + unit.text.length;
  }
  const led = passage.text.lastIndexOf(leadInOf(units[from]!), start);
  return passage.text.slice(led < 0 || start - led > MAX_LED ? start : led, end);
}

/** A quotation as a reader sees it: behind its heading or lead-in, items and rows one below the other. */
function shownQuotation({ from, to, heading }: Quotation, { units }: ReadPassage, quote: string): string {
  const quoted = units.slice(from, to);
  const isEntry = ({ kind }: TextUnit): boolean => kind === 'item' || kind === 'row';
  const isList = quoted.filter(isEntry).length > 1;
  const isOfLines = isList || quoted.some(({ kind }) => kind === 'code');
  const leadIn = leadInOf(quoted[0]!);
  let text = heading
    ? heading.replace(/[\p{L}\p{N})"'”’»]$/u, '$&:')
    : quote.startsWith(leadIn)
      ? shownSentence(leadIn)
      : '';
  for (const [i, unit] of quoted.entries()) {
    const isRunOn = i > 0 && unit.group !== quoted[i - 1]!.group && !/[.!?…:;]\P{L}?$/u.test(text);
    if (text !== '') text += isOfLines || isRunOn ? '\n' : ' ';
    if (isList && isEntry(unit)) text += '- ';
    text += unit.text.split('\n').map(shownSentence).join('\n');
  }
  return text;
}

/** The words that introduce an item; may be empty. */
function leadInOf({ kind, leadIn }: TextUnit): string {
  return kind === 'item' && leadIn.endsWith(':') && leadIn.length <= MAX_LEAD_IN ? leadIn : '';
}
