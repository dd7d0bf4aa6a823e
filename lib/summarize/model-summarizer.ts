import { Logger } from '@nestjs/common';
import type { Content } from '../content/content-source.js';
import { nextTurn } from '../core/async.js';
import { TranscriptUnavailableError } from '../core/errors.js';
import type { ToolContext } from '../core/context.js';
import type { Budget } from '../model/options.js';
import { ContextOverflowError } from '../model/errors.js';
import type { Verifier } from '../grounding/verifier.js';
import type { ModelClient } from '../model/client.js';
import { summarizeWithPicture } from './multi-modal/summarize-with-picture.js';
import { fitsOneCall, summarizeRecursively, summarizeSimply } from './summarize-transcript.js';
import { engineOf, startRun, type SummaryModels, type SummaryRun } from './summary-run.js';
import { httpFrames, type FrameSource } from './multi-modal/storyboard.js';
import { PROMPT_VERSION } from './prompts.js';
import type { Summarizer, Summary, SummaryRequest } from './summarizer.js';

/** Dependencies of a summarizer with a model. */
export interface ModelSummarizerOptions {
  /** Writes the summary. */
  model: ModelClient;
  /** Reads the parts of a long transcript; a cheaper one will do. Default: `model`. */
  mapModel?: ModelClient;
  /** Sees the frames of `multi_modal`. Default: `model`. */
  visionModel?: ModelClient;
  /** Gets the frames of `multi_modal`. Default: those of YouTube. */
  frames?: FrameSource;
  /** The most that one request may cost. Default: no limit. */
  budget?: Budget;
  /** Takes a second look at each summary: the model that writes, or a verifier. Default: none. */
  verifier?: 'model' | Verifier;
}

/** `auto` reads at most this many tokens in one call, whatever the window: models read longer prompts carelessly; set by hand. */
const SIMPLE_MAX_TOKENS = 100_000;
/** `auto` chooses `simple` for a transcript that takes at most this share of the window. The rest is for the prompt and the answer. Set by hand. */
const WINDOW_SHARE = 0.5;

/** Summaries by a language model: `simple`, `recursive`, `auto`, `multi_modal`. */
export class ModelSummarizer implements Summarizer {
  readonly engine: string;
  /** Prompts and, where it is another one, the model that sees frames: results of `multi_modal` depend on it. */
  readonly version: string;
  readonly translates = true;
  readonly fillsSchemas = true;
  private readonly logger = new Logger(ModelSummarizer.name);
  private readonly models: SummaryModels;
  private readonly budget: Budget;
  private readonly frames: FrameSource;

  constructor(options: ModelSummarizerOptions) {
    const { model, mapModel = model, visionModel = model, budget = {}, verifier } = options;
    this.models = { write: model, map: mapModel, vision: visionModel, verifier };
    this.engine = engineOf(this.models);
    const verified = verifier && `+verified by ${verifier === 'model' ? model.id : verifier.name}`;
    this.version = `prompts-${PROMPT_VERSION}${visionModel === model ? '' : `+${visionModel.id}`}${verified ?? ''}`;
    this.budget = budget;
    this.frames = options.frames ?? httpFrames();
  }

  async summarize(content: Content, request: SummaryRequest, context: ToolContext): Promise<Summary> {
    const run = await startRun(content, request, context, this.models, this.budget);
    if (run.pieces.length === 0) {
      throw new TranscriptUnavailableError('The transcript holds no speech.');
    }
    const summary = await this.run(run);
    const { modelCalls, inputTokens, outputTokens, cost } = run.meter.usage;
    this.logger.debug(
      `${content.id}: about ${run.tokens} tokens of transcript, ${summary.method}, ${modelCalls} calls, ${inputTokens} tokens in, ${outputTokens} out${cost === undefined ? '' : `, cost ${cost.toFixed(4)}`}`,
    );
    return summary;
  }

  private run(run: SummaryRun): Promise<Summary> {
    const { method } = run.request;
    if (method === 'multi_modal') return summarizeWithPicture(run, this.frames);
    if (method === 'auto') return summarizeAsFits(run);
    return method === 'simple' ? summarizeSimply(run) : summarizeRecursively(run);
  }
}

/** `simple` if one call can read everything with care, else `recursive`. */
async function summarizeAsFits(run: SummaryRun): Promise<Summary> {
  // The choice reads the whole transcript.
  await nextTurn(run.context.signal);
  const { method, reason } = chooseMethod(run);
  if (method === 'recursive') return { ...(await summarizeRecursively(run)), methodReason: reason };
  try {
    return { ...(await summarizeSimply(run)), methodReason: reason };
  } catch (error) {
    if (!(error instanceof ContextOverflowError)) throw error;
    // The window turned out to be smaller than assumed: now it is known.
    return { ...(await summarizeRecursively(run)), methodReason: chooseMethod(run).reason };
  }
}

/** The decision of `auto`, with its reason: one sentence with the numbers. */
function chooseMethod(run: SummaryRun): { method: 'simple' | 'recursive'; reason: string } {
  const { contextTokens } = run.models.write.profile;
  const most = Math.min(Math.floor(contextTokens * WINDOW_SHARE), SIMPLE_MAX_TOKENS);
  const method = fitsOneCall(run) && run.tokens <= most ? 'simple' : 'recursive';
  const reason = `${method}: the transcript has about ${run.tokens} tokens, and one call takes up to ${most} with this model's window of ${contextTokens}.`;
  return { method, reason };
}
