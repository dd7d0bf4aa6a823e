import { yielder } from '../../../core/async.js';
import { ToolsError } from '../../../core/errors.js';
import type { PromptPart } from '../../../model/ai-sdk.js';
import type { ModelClient } from '../../../model/client.js';
import { countWords } from '../../../text/count-words.js';
import { languageOf } from '../../../text/languages.js';
import { sentenceSpans, type Span } from '../../../text/sentences.js';
import { REPAIR_FORM, repairPrompt } from '../../prompts.js';
import type { UnsupportedStatement } from '../../summarizer.js';
import type { SummaryRun } from '../summary-run.js';
import { askModel } from './ask-model.js';
import { checkSentence, isHard, writtenIn, type Finding } from './check.js';

/** The prose of a summary after its check. */
export interface CheckedText {
  /** With `[?]` behind each sentence that the content certainly does not bear out. */
  text: string;
  unsupported: UnsupportedStatement[];
  /** Items of lists that were left out. */
  dropped: Finding[];
  /** Share of the sentences that could be checked and hold, 0..1; undefined when none could be. */
  grounding?: number;
}

/** A finding with the place of its sentence in the text. */
type PlacedFinding = Finding & Span;

/** The findings in a text. */
interface Report {
  text: string;
  findings: PlacedFinding[];
  /** Sentences that could be checked. */
  checked: number;
}

/** Longest stretch of checking without giving way to other requests, ms. */
const SLICE_MS = 12;
/** Most faults that one repair is asked for. More than that is a text about something else. */
const MOST_FAULTS = 12;
/** A repaired text with a smaller share of the words has lost what it should keep. */
const LEAST_KEPT = 0.6;
const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s/;

/**
 * Checks the prose of a summary, has certain faults repaired once, and marks what is left.
 * @param parts the material that the text was written from
 */
export async function checkText(
  run: SummaryRun,
  model: ModelClient,
  parts: readonly PromptPart[],
  text: string,
  language: string,
): Promise<CheckedText> {
  const first = await report(run, text, language);
  const isWorthIt = model.options.repair && first.findings.some(isHard);
  const repaired = isWorthIt ? await repair(run, model, parts, first, language) : undefined;
  return marked(repaired ?? first);
}

async function report(run: SummaryRun, text: string, language: string): Promise<Report> {
  const pause = yielder(SLICE_MS, run.context.signal);
  const findings: PlacedFinding[] = [];
  let checked = 0;
  for (const span of sentenceSpans(text, { language: languageOf(language) })) {
    const found = checkSentence(run, text.slice(span.start, span.end), languageOf(language));
    if (found !== undefined) checked++;
    if (typeof found === 'object') findings.push({ ...found, ...span });
    await pause();
  }
  return { text, findings, checked };
}

/** The text as the model corrects it; undefined where that is no better. */
async function repair(
  run: SummaryRun,
  model: ModelClient,
  parts: readonly PromptPart[],
  { text, findings }: Report,
  language: string,
): Promise<Report | undefined> {
  const { delimiter, request, size, context } = run;
  const faults = findings.filter(isHard);
  const wrap = (part: string): string => delimiter.wrap(part);
  const prompt = repairPrompt(parts, wrap(text), faults.slice(0, MOST_FAULTS), request.outputLanguage, wrap);
  try {
    const answer = await askModel(run, model, {
      stage: 'repair',
      ...prompt,
      maxOutputTokens: size.outputTokens,
    });
    const corrected = run.clean(REPAIR_FORM.read(answer.text).value.summary);
    const isWhole = !answer.truncated && countWords(corrected) >= countWords(text) * LEAST_KEPT;
    if (!isWhole || (writtenIn(corrected) ?? language) !== language) return undefined;
    const second = await report(run, corrected, language);
    return second.findings.filter(isHard).length < faults.length ? second : undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    // The text is there: a failed repair does not lose it.
    if (!ToolsError.isInstance(error)) throw error;
    return undefined;
  }
}

/** The text with its findings marked. An item of a list stands alone: one with a certain fault is left out. */
function marked({ text, findings, checked }: Report): CheckedText {
  const lines: string[] = [];
  const left: PlacedFinding[] = [];
  const dropped: PlacedFinding[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const own = findings.filter((finding) => finding.start >= start && finding.start < end);
    if (LIST_ITEM.test(line) && own.some(isHard)) dropped.push(...own);
    else {
      left.push(...own);
      const ends = own.filter(isHard).map((finding) => finding.end - start);
      lines.push([0, ...ends].map((from, i) => line.slice(from, ends[i])).join(' [?]'));
    }
    start = end + 1;
  }
  return {
    text: lines.join('\n'),
    unsupported: left.map(({ sentence, reason }) => ({ text: sentence, reason })),
    dropped,
    grounding: checked > dropped.length ? 1 - left.length / (checked - dropped.length) : undefined,
  };
}
