import { nextTurn } from '../../../core/async.js';
import { withFork } from '../../../core/context.js';
import { UpstreamInvalidError } from '../../../core/errors.js';
import type { Warning } from '../../../core/warning.js';
import { askTwice, MORE_TOKENS, PART_MISSING, type Flaw } from '../../../model/ask-twice.js';
import type { ModelReply, ModelCall } from '../../../model/call.js';
import type { ModelClient } from '../../../model/client.js';
import type { PromptPart } from '../../../model/ai-sdk.js';
import type { Calculation } from '../../../grounding/calculations.js';
import { countWords } from '../../../text/count-words.js';
import { languageOf } from '../../../text/languages.js';
import { wholeSentences } from '../../../text/sentences.js';
import {
  EXAMPLES,
  summaryForm,
  withFocus,
  writePrompt,
  type ProposedPoint,
  type SummaryReply,
} from '../../prompts.js';
import type { SpokenData } from '../../summarizer.js';
import { beforeLoop } from '../sanitize-prose.js';
import type { SummaryRun } from '../summary-run.js';
import { checkPoints, isRefusal, writtenIn, type Dropped, type Point } from './check-key-points.js';
import { checkText, type CheckedText } from './check-text.js';
import { noteOf } from './notes.js';
import { SummaryStream } from './summary-stream.js';
import { dataCall, writeData } from './write-data.js';

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

/** A summary as it was written, checked. */
export interface Written extends CheckedText {
  /** The language of the text, BCP 47 base. */
  language: string;
  /** That of key points or sections where it is another one. */
  otherLanguage?: string;
  /** Verified, in order of time. */
  keyPoints: Point[];
  /** Key points and items of lists that were left out. */
  dropped: Dropped[];
  sections: WrittenSection[];
  seen: ProposedPoint[];
  calculations: readonly Calculation[];
  data?: SpokenData;
}

type ReadReply = Awaited<ReturnType<typeof readReply>>['value'];

/** The call of the write step, for asking and for estimating. */
export function writeCall(run: SummaryRun, { parts, notes }: WriteMaterial, again?: Flaw): ModelCall {
  const { size, request, content } = run;
  const prompt = writePrompt(parts, {
    language: request.outputLanguage,
    spoken: content.language,
    size,
    material: notes ? 'notes' : 'transcript',
    pictures: parts.some(({ type }) => type === 'image'),
    unspaced: run.isUnspaced,
    again,
  });
  const more = again === 'cut' ? MORE_TOKENS : 1;
  return { stage: 'write', ...withFocus(prompt, request), maxOutputTokens: size.outputTokens * more };
}

/** Rounding of the estimate between notes alone and notes in their prompt, tokens. */
const MARGIN = 100;
/** Words from which on the language of a list can be told. */
const LIST_WORDS = 15;
const FEWEST_WORDS = 5;

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
 * Has the summary written, streams it, reads and checks it, and has it repaired where the transcript does not bear it out. Meanwhile has the schema
 * of the request filled.
 *
 * @throws UpstreamInvalidError when the model does not summarize, also when asked again; what the model client throws
 */
export function writeSummary(run: SummaryRun, model: ModelClient, material: WriteMaterial): Promise<Written> {
  return withFork(run.context, {}, async (context) => {
    const own = { ...run, context };
    const [written, data] = await Promise.all([
      writeText(own, model, material),
      writeData(own, material.notes),
    ]);
    return data ? { ...written, data, warnings: [...written.warnings, ...data.warnings] } : written;
  });
}

async function writeText(run: SummaryRun, model: ModelClient, material: WriteMaterial): Promise<Written> {
  const stream = new SummaryStream(run);
  const { value: reply, flaw } = await askTwice(
    run.context,
    (again) => ask(run, model, material, again, stream),
    (answer) => readReply(run, answer, material),
  );
  if (flaw === 'empty')
    throw new UpstreamInvalidError(
      'The language model did not summarize the video, even when asked again. It refused, or its text has nothing to do with the transcript.',
      { shouldRetry: false },
    );
  const checked = await checkText(run, model, material.parts, reply);
  stream.settle(checked.text);
  return {
    ...reply,
    ...checked,
    warnings: [...formWarnings(reply), ...checked.warnings],
    sections: sectionsOf(run, reply),
    seen: reply.seen ?? [],
  };
}

async function ask(
  run: SummaryRun,
  model: ModelClient,
  material: WriteMaterial,
  again: Flaw | undefined,
  stream: SummaryStream,
): Promise<ModelReply> {
  const { context } = run;
  const form = formOf(material);
  stream.begin(form);
  context.progress({ stage: 'write', done: 0, total: 1 });
  const call: ModelCall = {
    ...writeCall(run, material, again),
    onText: (delta) => stream.push(delta),
    onRestart: () => stream.begin(form),
  };
  const answer = await model.generate(call, context, run.meter);
  // The end of the answer and its check are work of their own.
  await nextTurn(context.signal);
  stream.end();
  context.progress({ stage: 'write', done: 1, total: 1 });
  return answer;
}

const formOf = ({ parts, notes }: WriteMaterial) =>
  summaryForm({
    material: notes ? 'notes' : 'transcript',
    pictures: parts.some(({ type }) => type === 'image'),
  });

/** Reads a reply, without the check of its prose: the flaws for which it is asked again need none. */
async function readReply(run: SummaryRun, answer: ModelReply, material: WriteMaterial) {
  const { value, unstructured, isDamaged } = formOf(material).read(answer.text);
  const truncated = answer.truncated || isDamaged;
  const isCutInText = truncated && value.key_points.length === 0;
  const summary = run.clean(beforeLoop(isCutInText ? wholeSentences(value.summary) : value.summary));
  const language = writtenIn(summary) ?? run.request.outputLanguage;
  const { points, dropped } = await keyPointsOf(run, value, material, language);
  const lists = [points.map(({ text }) => text), value.sections.map(({ text }) => text)];
  const otherLanguage = lists.map(listLanguage).find((one) => one !== undefined && one !== language);
  const isEmpty = countWords(summary) < FEWEST_WORDS || (points.length === 0 && isRefusal(run, summary));
  const isOther = language !== run.request.outputLanguage || otherLanguage !== undefined;
  let flaw: Flaw | undefined;
  // A refusal in another language is a refusal; a text in another script says nothing that could be looked up.
  if (isOther && languageOf(language) === undefined) flaw = 'language';
  else if (isEmpty) flaw = 'empty';
  else if (isOther) flaw = 'language';
  else if (truncated) flaw = answer.truncated ? 'cut' : 'broken';
  return {
    value: {
      ...value,
      summary,
      keyPoints: points,
      dropped,
      language,
      otherLanguage,
      truncated,
      unstructured,
    },
    flaw,
  };
}

function formWarnings({ truncated, unstructured }: ReadReply): Warning[] {
  const message =
    'The model did not write the JSON object that it was asked for. Its text is the summary as it is, without key points.';
  return [
    ...(truncated ? [{ code: 'summary_truncated', message: `The model's summary ${PART_MISSING}` }] : []),
    ...(unstructured ? [{ code: 'reply_unstructured', message }] : []),
  ];
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

function listLanguage(list: readonly string[]): string | undefined {
  const text = list.join(' ');
  return countWords(text) < LIST_WORDS ? undefined : writtenIn(text);
}

/** The key points that hold, each at the time of the words it rests on. */
function keyPointsOf(
  run: SummaryRun,
  { key_points: proposed, calculations }: SummaryReply,
  { parts, notes }: WriteMaterial,
  language: string,
): Promise<{ points: Point[]; dropped: Dropped[] }> {
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

function sectionsOf(run: SummaryRun, { sections }: ReadReply): WrittenSection[] {
  return sections
    .map(({ t, title, text }) => ({
      second: t,
      title: EXAMPLES.has(title) ? '' : run.clean(title),
      text: EXAMPLES.has(text) ? '' : run.clean(text),
    }))
    .filter(({ title, text }) => title !== '' || text !== '');
}
