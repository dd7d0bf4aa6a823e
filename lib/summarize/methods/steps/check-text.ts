import { ToolsError } from '../../../core/errors.js';
import type { Warning } from '../../../core/warning.js';
import { groundingOf, type Check } from '../../../grounding/check-statements.js';
import type { Calculation } from '../../../grounding/calculations.js';
import { isHard, isRefuting, UNSUPPORTED_MARK, type Unsupported } from '../../../grounding/unsupported.js';
import { secondLook, withVerdictsOf, type Claim, type Verdict } from '../../../grounding/verifier.js';
import type { PromptPart } from '../../../model/ai-sdk.js';
import type { ModelClient } from '../../../model/client.js';
import { countWords } from '../../../text/count-words.js';
import { languageOf } from '../../../text/languages.js';
import { sentenceSpans, type SentenceSpan } from '../../../text/sentences.js';
import { REPAIR_FORM, repairPrompt, type SummaryReply } from '../../prompts.js';
import type { SummaryRun } from '../summary-run.js';
import { checkDraft, keyPointFault, writtenIn } from './check-key-points.js';

/** The prose of a summary after its check. */
export interface CheckedText {
  /** With `[?]` behind each sentence that the content certainly does not bear out. */
  text: string;
  unsupported: Unsupported[];
  /** Share of the sentences that could be checked and hold, 0..1; undefined when none could be. */
  grounding?: number;
  warnings: Warning[];
}

type MarkedText = Omit<CheckedText, 'warnings'>;

interface CheckedSentence extends SentenceSpan, Check {
  text: string;
  verdict?: Verdict;
}

/** Most faults that one repair is asked for. More than that is a text about something else. */
const MOST_FAULTS = 12;
/** A repaired text with a smaller share of the words has lost too much. */
const LEAST_KEPT = 0.6;
const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s/;
/** Sentences claim something. Headings, labels and rows of tables are not checked. */
const SENTENCE = /[.!?…。！？]["'”“’»«)\]]*$/;

/**
 * Checks the prose of a summary, has certain faults repaired once, and marks what is left.
 * @param parts the material that the text was written from
 */
export async function checkText(
  run: SummaryRun,
  model: ModelClient,
  parts: readonly PromptPart[],
  {
    summary: text,
    language,
    unstructured,
    calculations,
  }: Pick<SummaryReply, 'summary' | 'calculations'> & { language: string; unstructured: boolean },
): Promise<CheckedText> {
  const unverified = await checkSentences(run, text, language, calculations);
  const { sentences: first, warnings } = await verified(run, model, unverified);
  // A model that does not write the object will not write it now.
  const isWorthIt = model.options.repair && !unstructured && first.some(isRefuted);
  const repaired = isWorthIt ? await repair(run, model, parts, text, first, language) : undefined;
  return { ...(repaired ?? marked(text, first)), warnings };
}

const isWrong = ({ findings }: CheckedSentence): boolean => findings.some(isHard);
const isRefuted = ({ findings }: CheckedSentence): boolean => findings.some(isRefuting);

async function checkSentences(
  run: SummaryRun,
  text: string,
  language: string,
  calculations: readonly Calculation[],
): Promise<CheckedSentence[]> {
  const spans = sentenceSpans(text, { language: languageOf(language) }).filter(
    ({ start, end }) => SENTENCE.test(text.slice(start, end)) || LIST_ITEM.test(text.slice(start, end)),
  );
  const sentences = spans.map(({ start, end }) => ({ text: text.slice(start, end) }));
  const checks = await checkDraft(run, sentences, language, calculations);
  return spans.map((span, i) => ({ ...span, ...sentences[i]!, ...checks[i]! }));
}

/** Characters of the transcript that go to a verifier around the words that a sentence rests on; more on both sides, so that no sentence is cut. */
const WINDOW = 2000;
const AROUND = 600;

/** The sentences after a second look. Without a verifier, or where it fails, they stay as they are. */
async function verified(
  run: SummaryRun,
  model: ModelClient,
  sentences: CheckedSentence[],
): Promise<{ sentences: CheckedSentence[]; warnings: Warning[] }> {
  const { verifier } = run.models;
  if (!verifier) return { sentences, warnings: [] };
  const windows = new Map<number, Claim['passages'][number]>();
  // Where a sentence rests is known by its words.
  const claimOf = ({ text, overlap }: CheckedSentence): Claim | undefined => {
    if (!overlap) return undefined;
    const at = Math.floor(overlap.place.start / WINDOW);
    const start = Math.max(0, at * WINDOW - AROUND);
    const place = { source: 0, start, end: (at + 1) * WINDOW + AROUND };
    const window = windows.get(at) ?? { title: run.content.title ?? '', text: run.transcript.textAt(place) };
    windows.set(at, window);
    return { text, passages: [window] };
  };
  try {
    const looked = await secondLook(sentences, claimOf, verifier, { ...run, model, question: '' });
    return { sentences: looked, warnings: [] };
  } catch {
    run.context.signal.throwIfAborted();
    const message = 'The summary was not verified: the verifier failed.';
    return { sentences, warnings: [{ code: 'summary_not_verified', message, transient: true }] };
  }
}

/** The text as the model corrects it; undefined where that is no better. */
async function repair(
  run: SummaryRun,
  model: ModelClient,
  parts: readonly PromptPart[],
  text: string,
  sentences: readonly CheckedSentence[],
  language: string,
): Promise<MarkedText | undefined> {
  const { delimiter, request, size, context } = run;
  const wrong = sentences.filter(isRefuted);
  const faults = wrong.slice(0, MOST_FAULTS).map(({ text, findings }) => keyPointFault(text, findings)!);
  const wrap = (part: string): string => delimiter.wrap(part);
  const prompt = repairPrompt(parts, wrap(text), faults, request.outputLanguage, wrap);
  try {
    const call = { stage: 'repair', ...prompt, maxOutputTokens: size.outputTokens };
    const answer = await model.generate(call, context, run.meter);
    const { value, isDamaged } = REPAIR_FORM.read(answer.text);
    const corrected = run.clean(value.summary);
    const isWhole = !answer.truncated && !isDamaged && countWords(corrected) >= countWords(text) * LEAST_KEPT;
    if (!isWhole || (writtenIn(corrected) ?? language) !== language) return undefined;
    const second = withVerdictsOf(
      sentences,
      await checkSentences(run, corrected, language, value.calculations),
      (sentence) => sentence.text,
    );
    return second.filter(isRefuted).length < wrong.length ? marked(corrected, second) : undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    // The text is there: a failed repair does not lose it.
    if (!ToolsError.isInstance(error)) throw error;
    return undefined;
  }
}

function marked(text: string, sentences: readonly CheckedSentence[]): MarkedText {
  const ends = sentences.filter(isWrong).map(({ end }) => end);
  const unsupported = sentences.flatMap(({ text: sentence, findings: [first] }): Unsupported[] =>
    first ? [{ text: sentence, reason: first.reason }] : [],
  );
  return {
    text: [0, ...ends].map((from, i) => text.slice(from, ends[i])).join(` ${UNSUPPORTED_MARK}`),
    unsupported,
    grounding: groundingOf(sentences),
  };
}
