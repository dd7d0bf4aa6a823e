import type { Warning } from '../../../core/warning.js';
import { ToolsError, UpstreamInvalidError } from '../../../core/errors.js';
import { checkFields, refusalWarnings, type CheckedData } from '../../../data/check-fields.js';
import type { OutputSchema } from '../../../data/output-schema.js';
import { DATA_TOKENS, problemsOfData, repairRequest } from '../../../data/prompts.js';
import type { ModelReply, ModelCall } from '../../../model/call.js';
import { calculationsOf, dataForm, dataPrompt } from '../../prompts.js';
import type { SpokenData } from '../../summarizer.js';
import { renderLines } from '../prompt-transcript.js';
import type { SummaryRun } from '../summary-run.js';
import { askTwice, MORE_TOKENS, PART_MISSING, type Flaw, type Read } from '../../../model/ask-twice.js';
import type { Point } from './check-key-points.js';
import { renderNotes } from './notes.js';

/** What is said from the second of a note on stands next to it, so that it can be quoted, ms. */
const AFTER_NOTE_MS = 30_000;

interface Draft {
  data: object;
  checked: CheckedData;
}

/**
 * The call that fills the schema of the request, for asking and for estimating; undefined without a schema.
 * @param notes on the transcript; undefined: the call reads all of it
 */
export function dataCall(run: SummaryRun, notes?: readonly Point[], again?: Flaw): ModelCall | undefined {
  const { schema } = run.request;
  if (!schema) return undefined;
  const { chapters } = run.content;
  const callOver = (text: string): ModelCall => ({
    stage: 'data',
    ...dataPrompt(run.delimiter.wrap(run.header + text), schema, again),
    maxOutputTokens: DATA_TOKENS * (again === 'cut' ? MORE_TOKENS : 1),
  });
  if (!notes) return callOver(renderLines(run.pieces, chapters));
  const call = callOver(renderNotes(withWords(run, notes), chapters));
  return run.models.write.profile.tokensLeft(call) < 0 ? callOver(renderNotes(notes, chapters)) : call;
}

/** The notes with the words from each up to the next. */
function withWords({ transcript }: SummaryRun, notes: readonly Point[]): Point[] {
  return notes.map((note, i) => {
    const end = Math.min(note.startMs + AFTER_NOTE_MS, notes[i + 1]?.startMs ?? Infinity);
    return { ...note, quote: transcript.textAt(transcript.between(note.startMs, end)).trim() };
  });
}

/**
 * Has the schema of the request filled from the transcript or the notes on it, checks each value against the transcript, and has it repaired once.
 *
 * @returns undefined without a schema
 * @throws UpstreamInvalidError when the model writes no data, also when asked again; what the model client throws
 */
export async function writeData(
  run: SummaryRun,
  notes?: readonly Point[],
): Promise<(SpokenData & { warnings: Warning[] }) | undefined> {
  const { context, models, request } = run;
  const { schema } = request;
  if (!schema) return undefined;
  context.progress({ stage: 'data', done: 0, total: 1 });
  const { value: draft, flaw } = await askTwice(
    context,
    (again) => models.write.generate(dataCall(run, notes, again)!, context, run.meter),
    (answer) => read(run, schema, answer),
  );
  if (flaw === 'empty')
    throw new UpstreamInvalidError(
      'The language model did not write the data that `output_schema` asks for, even when asked again.',
      { shouldRetry: false },
    );
  const { checked } = await repaired(run, schema, draft, dataCall(run, notes)!);
  context.progress({ stage: 'data', done: 1, total: 1 });
  return {
    output: checked.output,
    complete: checked.isComplete,
    grounding: checked.fields.map(({ pointer, place, probability }) => ({
      field: pointer,
      startMs: run.transcript.timeOf(place),
      quote: run.transcript.textAt(place),
      probability,
    })),
    warnings: [
      ...(flaw
        ? [{ code: 'output_truncated', message: `The model's data ${PART_MISSING}`, transient: true }]
        : []),
      ...refusalWarnings(checked.refused),
    ],
  };
}

async function read(run: SummaryRun, schema: OutputSchema, answer: ModelReply): Promise<Read<Draft>> {
  const { value: data, unstructured, isDamaged } = dataForm(schema).read(answer.text);
  const calculations = calculationsOf(data, schema);
  const checked = await checkFields(data, schema, run.transcript, {
    signal: run.context.signal,
    calculations,
  });
  // `{}` says that the video has none of it.
  const isEmpty = unstructured && !/\{\s*\}/.test(answer.text);
  const flaw = isEmpty ? 'empty' : answer.truncated ? 'cut' : isDamaged ? 'broken' : undefined;
  return { value: { data, checked }, flaw };
}

/** The draft as the model corrects it, where that has fewer values without support and no fewer with it. */
async function repaired(
  run: SummaryRun,
  schema: OutputSchema,
  draft: Draft,
  call: ModelCall,
): Promise<Draft> {
  const { refused, fields } = draft.checked;
  const { write } = run.models;
  if (!write.options.repair || refused.length === 0) return draft;
  const asked = repairRequest(draft.data, problemsOfData(refused));
  const parts = [...call.parts, { type: 'text' as const, text: asked }];
  try {
    const answer = await write.generate({ ...call, stage: 'repair', parts }, run.context, run.meter);
    const { value: again, flaw } = await read(run, schema, answer);
    const isBetter =
      again.checked.refused.length < refused.length && again.checked.fields.length >= fields.length;
    return !flaw && isBetter ? again : draft;
  } catch (error) {
    run.context.signal.throwIfAborted();
    // The data are there: a failed repair does not lose them.
    if (!ToolsError.isInstance(error)) throw error;
    return draft;
  }
}
