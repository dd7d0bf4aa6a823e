import type { Warning } from '../core/warning.js';
import { checkFields, refusalWarnings, type CheckedData } from '../data/check-fields.js';
import type { OutputSchema } from '../data/output-schema.js';
import { DATA_TOKENS, repairRequest } from '../data/prompts.js';
import { MORE_TOKENS, readReply, type Flaw } from '../model/ask-twice.js';
import type { ModelReply, ModelCall } from '../model/call.js';
import { lossWarnings, writeChecked, type Draft } from '../writing/write-checked.js';
import type { Point } from './key-points.js';
import { renderNotes } from './chunks.js';
import { renderLines } from './prompt-transcript.js';
import { calculationsOf, dataForm, dataPrompt } from './prompts.js';
import type { SpokenData } from './summarizer.js';
import type { SummaryRun } from './summary-run.js';

/** What is said from the second of a note on stands next to it, so that it can be quoted, ms; set by hand. */
const AFTER_NOTE_MS = 30_000;

interface DataDraft extends Draft {
  /** What the model wrote. */
  reply: object;
  data: CheckedData;
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
 * Has the schema of the request filled from the transcript or the notes on it, see {@link writeChecked}.
 *
 * @returns undefined without a schema
 * @throws UpstreamInvalidError when the model writes no data, also when asked again; what the model client throws
 */
export async function writeData(
  run: SummaryRun,
  notes?: readonly Point[],
): Promise<(SpokenData & { warnings: Warning[] }) | undefined> {
  const { context, models, meter, request, transcript } = run;
  const { schema } = request;
  if (!schema) return undefined;
  context.progress({ stage: 'data', done: 0, total: 1 });
  const read = (reply: ModelReply): Promise<DataDraft> => readData(run, schema, reply);
  const { data, end } = await writeChecked<DataDraft>(
    {
      nothing:
        'The language model did not write the data that `output_schema` asks for, even when asked again.',
      call: (again) => dataCall(run, notes, again)!,
      read,
      repairCall: ({ reply }, problems) => {
        const call = dataCall(run, notes)!;
        const text = repairRequest(reply, problems);
        return { ...call, stage: 'repair', parts: [...call.parts, { type: 'text', text }] };
      },
      readRepair: read,
    },
    { model: models.write, context, meter, question: '' },
  );
  context.progress({ stage: 'data', done: 1, total: 1 });
  return {
    output: data.output,
    complete: data.isComplete,
    grounding: data.fields.map(({ pointer, place, probability }) => ({
      field: pointer,
      startMs: transcript.timeOf(place),
      quote: transcript.textAt(place),
      probability,
    })),
    warnings: [...lossWarnings('output', end), ...refusalWarnings(data.refused)],
  };
}

async function readData(run: SummaryRun, schema: OutputSchema, reply: ModelReply): Promise<DataDraft> {
  const { value, unstructured, end } = readReply(dataForm(schema), reply);
  const calculations = calculationsOf(value, schema);
  const { signal } = run.context;
  const data = await checkFields(value, schema, run.transcript, { signal, calculations });
  // `{}` says that the video has none of it.
  const isEmpty = unstructured && !/\{\s*\}/.test(reply.text);
  return { reply: value, data, statements: [], unstructured, end, flaw: isEmpty ? 'empty' : end };
}
