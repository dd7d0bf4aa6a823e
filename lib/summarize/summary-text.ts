import { withFork } from '../core/context.js';
import { groundingOf, type Check } from '../grounding/check-statements.js';
import { isHard, UNSUPPORTED_MARK, type Unsupported } from '../grounding/unsupported.js';
import type { Claim } from '../grounding/verifier.js';
import type { Calculation } from '../grounding/calculations.js';
import { MORE_TOKENS, readReply, type Flaw } from '../model/ask-twice.js';
import type { PromptPart } from '../model/ai-sdk.js';
import type { ModelReply, ModelCall } from '../model/call.js';
import type { ModelClient } from '../model/client.js';
import { countWords } from '../text/count-words.js';
import { languageOf } from '../text/languages.js';
import { sentenceSpans, wholeSentences, type SentenceSpan } from '../text/sentences.js';
import { TextStream } from '../writing/text-stream.js';
import { draftWarnings, writeChecked, type CheckedStatement, type Draft } from '../writing/write-checked.js';
import {
  EXAMPLES,
  REPAIR_FORM,
  repairPrompt,
  summaryForm,
  withFocus,
  writePrompt,
  type ProposedPoint,
  type SummaryReply,
} from './prompts.js';
import type { Problem } from '../data/prompts.js';
import { checkDraft, checkPoints, isRefusal, writtenIn, type Point } from './key-points.js';
import { noteOf } from './chunks.js';
import { beforeLoop } from './sanitize-prose.js';
import { dataCall, writeData } from './summary-data.js';
import type { SpokenData } from './summarizer.js';
import type { SummaryRun } from './summary-run.js';
import type { Warning } from '../core/warning.js';

interface WriteMaterial {
  parts: readonly PromptPart[];
  /** The notes in it; absent when it is the transcript itself. */
  notes?: readonly Point[];
}

/** A section of the model with its text as it may be shown. */
export interface WrittenSection {
  second?: number;
  title: string;
  text: string;
}

interface Sentence extends SentenceSpan, Check, CheckedStatement {}

/** A summary as a model wrote it, checked. */
interface SummaryDraft extends Draft {
  /** They are a draft of their own, see {@link writeData}. */
  data?: undefined;
  text: string;
  statements: readonly Sentence[];
  /** The language of the text, BCP 47 base. */
  language: string;
  /** That of key points or sections where it is another one. */
  otherLanguage: string | undefined;
  /** Verified, in order of time. */
  keyPoints: Point[];
  /** Key points that were left out. */
  dropped: Problem[];
  sections: WrittenSection[];
  seen: ProposedPoint[];
  calculations: Calculation[];
}

/** A summary whose text has `[?]` behind each sentence that the content certainly does not bear out. */
export interface WrittenSummary extends Omit<SummaryDraft, 'data' | 'statements'> {
  unsupported: Unsupported[];
  /** Share of the sentences that could be checked and hold, 0..1; undefined when none could be. */
  grounding: number | undefined;
  data?: SpokenData;
  warnings: Warning[];
}

/** The call of the write step, for asking and for estimating. */
export function writeCall(run: SummaryRun, material: WriteMaterial, again?: Flaw): ModelCall {
  const { size, request, content } = run;
  const prompt = writePrompt(material.parts, {
    language: request.outputLanguage,
    spoken: content.language,
    size,
    ...formOf(material),
    unspaced: run.isUnspaced,
    again,
  });
  const more = again === 'cut' ? MORE_TOKENS : 1;
  return { stage: 'write', ...withFocus(prompt, request), maxOutputTokens: size.outputTokens * more };
}

/** Rounding of the estimate between notes alone and notes in their prompt, tokens; set by hand. */
const MARGIN = 100;
/** Words from which on the language of a list can be told; set by hand. */
const LIST_WORDS = 15;
const FEWEST_WORDS = 5; // a shorter summary is none; set by hand
/** A repaired text with a smaller share of the words has lost too much; set by hand. */
const LEAST_KEPT = 0.6;

/** Tokens that notes may have in the prompt. @param parts the rest of its material */
export function tokensForNotes(
  run: SummaryRun,
  { profile }: ModelClient,
  parts: readonly PromptPart[],
): number {
  const data = dataCall(run, []);
  const left = profile.tokensLeft(writeCall(run, { parts, notes: [] }));
  return Math.min(left, data ? run.models.write.profile.tokensLeft(data) : Infinity) - MARGIN;
}

/**
 * Has the summary written, and the schema of the request filled, see {@link writeChecked}.
 *
 * @throws UpstreamInvalidError when the model does not summarize, also when asked again; what the model client throws
 */
export function writeSummary(
  run: SummaryRun,
  model: ModelClient,
  material: WriteMaterial,
): Promise<WrittenSummary> {
  return withFork(run.context, {}, async (context) => {
    const fork = { ...run, context };
    const [written, data] = await Promise.all([
      writeText(fork, model, material),
      writeData(fork, material.notes),
    ]);
    return data ? { ...written, data, warnings: [...written.warnings, ...data.warnings] } : written;
  });
}

async function writeText(
  run: SummaryRun,
  model: ModelClient,
  material: WriteMaterial,
): Promise<WrittenSummary> {
  const { context, meter, size, request, models } = run;
  const { verifier } = models;
  const stream = summaryStream(run, material);
  context.progress({ stage: 'write', done: 0, total: 1 });
  const draft = await writeChecked<SummaryDraft>(
    {
      nothing:
        'The language model did not summarize the video, even when asked again. It refused, or its text has nothing to do with the transcript.',
      stream,
      call: (again) => writeCall(run, material, again),
      read: (reply) => readSummary(run, reply, material),
      claimOf: claimsOf(run),
      repairCall: ({ text, calculations }, problems) => ({
        stage: 'repair',
        ...repairPrompt(material.parts, { summary: text, calculations }, problems, request.outputLanguage),
        maxOutputTokens: size.outputTokens,
      }),
      readRepair: async (reply, first) => {
        const { value, unstructured, end } = readReply(REPAIR_FORM, reply);
        const text = run.clean(value.summary);
        const isOther = (writtenIn(text) ?? first.language) !== first.language;
        const statements = await checkSentences(run, text, first.language, value.calculations);
        return { ...first, text, statements, unstructured, flaw: isOther ? 'language' : end };
      },
      choose: (first, repaired) =>
        countWords(repaired.text) < LEAST_KEPT * countWords(first.text) ? first : repaired,
    },
    { model, context, meter, question: '', verifier },
  );
  context.progress({ stage: 'write', done: 1, total: 1 });
  const text = marked(draft);
  stream.settle(text);
  return {
    ...draft,
    text,
    unsupported: draft.statements.flatMap(({ text: sentence, findings: [first] }) =>
      first ? [{ text: sentence, reason: first.reason }] : [],
    ),
    grounding: groundingOf(draft.statements),
    warnings: draftWarnings('summary', draft),
  };
}

function marked({ text, statements }: SummaryDraft): string {
  const ends = statements.filter(({ findings }) => findings.some(isHard)).map(({ end }) => end);
  return [0, ...ends].map((from, i) => text.slice(from, ends[i])).join(` ${UNSUPPORTED_MARK}`);
}

const formOf = ({ parts, notes }: WriteMaterial) => ({
  material: notes ? ('notes' as const) : ('transcript' as const),
  pictures: parts.some(({ type }) => type === 'image'),
});

/** Nothing is shown before so many characters tell the language of a text; set by hand. */
const ENOUGH = 60;

/** Passes on the text sentence by sentence. */
function summaryStream(run: SummaryRun, material: WriteMaterial): TextStream {
  const { outputLanguage: language } = run.request;
  return new TextStream(run.context, 'write', summaryForm(formOf(material)), () => {
    let text = '';
    let isWanted: boolean | undefined;
    return (more, isEnd) => {
      text += more;
      if (isWanted === false || !(isEnd || /[.!?…。！？\n]/.test(more))) return undefined;
      const end = isEnd ? text.length : (sentenceSpans(text, { language }).at(-1)?.start ?? 0);
      if (!isEnd && end < ENOUGH) return undefined;
      const sentences = text.slice(0, end);
      isWanted ??= (writtenIn(sentences) ?? language) === language && !isRefusal(run, sentences);
      return isWanted ? run.clean(sentences) : undefined;
    };
  });
}

async function readSummary(
  run: SummaryRun,
  reply: ModelReply,
  material: WriteMaterial,
): Promise<SummaryDraft> {
  const { value, unstructured, end } = readReply(summaryForm(formOf(material)), reply);
  const isCutInText = end !== undefined && value.key_points.length === 0;
  const text = run.clean(beforeLoop(isCutInText ? wholeSentences(value.summary) : value.summary));
  const language = writtenIn(text) ?? run.request.outputLanguage;
  const { points, dropped } = await keyPointsOf(run, value, material, language);
  const lists = [points, value.sections].map((list) => list.map((item) => item.text).join(' '));
  const otherLanguage = lists
    .map((list) => (countWords(list) < LIST_WORDS ? undefined : writtenIn(list)))
    .find((listed) => listed !== undefined && listed !== language);
  const isEmpty = countWords(text) < FEWEST_WORDS || (points.length === 0 && isRefusal(run, text));
  const isOther = language !== run.request.outputLanguage || otherLanguage !== undefined;
  let flaw: Flaw | undefined = end;
  // A refusal in another language is a refusal; a text in another script says nothing that could be looked up.
  if (isOther && languageOf(language) === undefined) flaw = 'language';
  else if (isEmpty) flaw = 'empty';
  else if (isOther) flaw = 'language';
  return {
    text,
    statements: await checkSentences(run, text, language, value.calculations),
    language,
    otherLanguage,
    keyPoints: points,
    dropped,
    sections: sectionsOf(run, value),
    seen: value.seen ?? [],
    calculations: value.calculations,
    unstructured,
    end,
    flaw,
  };
}

const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s/;
/** Sentences claim something. Headings, labels and rows of tables are not checked. */
const SENTENCE = /[.!?…。！？]["'”“’»«)\]]*$/;

async function checkSentences(
  run: SummaryRun,
  text: string,
  language: string,
  calculations: readonly Calculation[],
): Promise<Sentence[]> {
  const sentences = sentenceSpans(text, { language: languageOf(language) })
    .map((span) => ({ ...span, text: text.slice(span.start, span.end) }))
    .filter((sentence) => SENTENCE.test(sentence.text) || LIST_ITEM.test(sentence.text));
  const checks = await checkDraft(run, sentences, language, calculations);
  return sentences.map((sentence, i) => ({ ...sentence, ...checks[i]! }));
}

/** Characters of the transcript that go to a verifier around the words that a sentence rests on; more on both sides, so that no sentence is cut; plain bounds. */
const WINDOW = 2000;
const AROUND = 600;

/** Where a sentence rests is known by its words. Sentences in one window share it. */
function claimsOf({ transcript, content }: SummaryRun): (sentence: Sentence) => Claim | undefined {
  const windows = new Map<number, Claim['passages'][number]>();
  return ({ text, overlap }) => {
    if (!overlap) return undefined;
    const at = Math.floor(overlap.place.start / WINDOW);
    const place = {
      source: 0,
      start: Math.max(0, at * WINDOW - AROUND),
      end: (at + 1) * WINDOW + AROUND,
    };
    const window = windows.get(at) ?? { title: content.title ?? '', text: transcript.textAt(place) };
    windows.set(at, window);
    return { text, passages: [window] };
  };
}

/** How the line below a sheet of frames begins. */
export const FRAMES_LABEL = 'Frames of the video';

/** The seconds that stand in brackets at the beginnings of lines and below frames. */
function marksOf(material: readonly PromptPart[]): Set<number> {
  const marks = new Set<number>();
  for (const part of material) {
    if (part.type !== 'text') continue;
    const pattern = part.text.startsWith(FRAMES_LABEL) ? /\[(\d{1,6})\]/g : /^\[(\d{1,6})\]/gm;
    for (const [, second] of part.text.matchAll(pattern)) marks.add(Number(second));
  }
  return marks;
}

/** The key points that hold, each at the time of the words it rests on. */
function keyPointsOf(
  run: SummaryRun,
  { key_points: proposed, calculations }: SummaryReply,
  { parts, notes }: WriteMaterial,
  language: string,
): Promise<{ points: Point[]; dropped: Problem[] }> {
  const marks = marksOf(parts);
  const points = proposed.map((point) => ({ ...point, text: run.clean(point.text) }));
  return checkPoints(
    run,
    points.filter(({ text }) => !EXAMPLES.has(text)),
    {
      language,
      calculations,
      isMark: (second) => marks.has(second),
      noted: notes && ((point) => noteOf(point, notes)),
    },
  );
}

function sectionsOf(run: SummaryRun, { sections }: SummaryReply): WrittenSection[] {
  const clean = (text: string): string => (EXAMPLES.has(text) ? '' : run.clean(text));
  return sections
    .map(({ t, title, text }) => ({ second: t, title: clean(title), text: clean(text) }))
    .filter(({ title, text }) => title !== '' || text !== '');
}
