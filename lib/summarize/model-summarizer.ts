import { Logger } from '@nestjs/common';
import type { Content } from '../content/content-source.js';
import {
  InvalidOptionError,
  MethodUnavailableError,
  ToolsError,
  TranscriptUnavailableError,
} from '../core/errors.js';
import type { StepResult, StepRunner, ToolContext } from '../core/context.js';
import { checkBudget, type Budget } from '../model/options.js';
import { ContextOverflowError } from '../model/errors.js';
import type { ModelClient } from '../model/client.js';
import type { EvidenceRanker } from './evidence-ranker.js';
import { answerStep, type CallInput } from './methods/steps/ask-model.js';
import { chooseMethod, type Choice } from './methods/choose-method.js';
import { summarizeWithPicture } from './methods/multi-modal.js';
import { summarizeRecursively } from './methods/recursive.js';
import { simplePromptTokens, summarizeSimply } from './methods/simple.js';
import { startRun, type SummaryModels, type SummaryRun } from './methods/summary-run.js';
import { HttpFrameSource, type FrameSource } from './multi-modal/frame-source.js';
import { PROMPT_VERSION } from './prompts/write.prompt.js';
import type { Summarizer, Summary, SummaryRequest } from './summarizer.js';

/** Dependencies of a summarizer with a model. */
export interface ModelSummarizerOptions {
  /** Writes the summary, and does everything else that no other model is given for. */
  model: ModelClient;
  /** Reads the parts of a long transcript; a cheaper one will do. Default: `model`. */
  mapModel?: ModelClient;
  /** Sees the frames of `multi_modal`. Default: `model`. */
  visionModel?: ModelClient;
  /** Finds the sentences that are carried along as evidence. */
  evidence: EvidenceRanker;
  /** Gets the frames of `multi_modal`. Default: `HttpFrameSource`. */
  frames?: FrameSource;
  /** True: `multi_modal` of a video without storyboard, or without `sharp`, is done as `auto` with a warning. Default false: an error. */
  multiModalFallback?: boolean;
  /** The most that one request may cost. Default: no limit. */
  budget?: Budget;
  /** Longest transcript in tokens that `auto` has read in one call, whatever the window. Default 100,000. */
  simpleMaxTokens?: number;
}

const SIMPLE_MAX_TOKENS = 100_000;

/** Summaries by a language model: `simple`, `recursive`, `auto`, `multi_modal`. */
export class ModelSummarizer implements Summarizer, StepRunner {
  readonly engine: string;
  /** Prompts and, where it is another one, the model that sees frames: results of `multi_modal` depend on it. */
  readonly version: string;
  readonly translates = true;
  private readonly logger = new Logger(ModelSummarizer.name);
  private readonly models: SummaryModels;
  private readonly budget: Budget;
  private readonly simpleMaxTokens: number;
  private readonly frames: FrameSource;

  /** @throws InvalidOptionError when the budget or `simpleMaxTokens` is wrong */
  constructor(private readonly options: ModelSummarizerOptions) {
    const { model, mapModel = model, visionModel = model, budget = {} } = options;
    this.models = { write: model, map: mapModel, vision: visionModel };
    this.engine = [...new Set([model.id, mapModel.id])].join('+');
    this.version = `prompts-${PROMPT_VERSION}${visionModel === model ? '' : `+${visionModel.id}`}`;
    for (const one of [model, mapModel, visionModel]) checkBudget(budget, one.options);
    this.budget = budget;
    this.frames = options.frames ?? new HttpFrameSource();
    this.simpleMaxTokens = options.simpleMaxTokens ?? SIMPLE_MAX_TOKENS;
    if (!(Number.isFinite(this.simpleMaxTokens) && this.simpleMaxTokens >= 0)) {
      throw new InvalidOptionError('simpleMaxTokens', 'a number of at least 0', options.simpleMaxTokens);
    }
  }

  async summarize(content: Content, request: SummaryRequest, context: ToolContext): Promise<Summary> {
    const { evidence } = this.options;
    const run = await startRun(content, request, context, this.models, evidence, this.budget);
    if (run.pieces.length === 0) {
      throw new TranscriptUnavailableError('The transcript holds no speech.');
    }
    this.logger.debug(
      `${content.id}: about ${run.tokens} tokens of transcript, method ${request.method}, window ${this.models.write.contextTokens}`,
    );
    const summary = await this.run(run);
    const { modelCalls, inputTokens, outputTokens, cost } = run.meter.usage;
    this.logger.debug(
      `${content.id}: ${summary.method}, ${modelCalls} calls, ${inputTokens} tokens in, ${outputTokens} out${cost === undefined ? '' : `, cost ${cost.toFixed(4)}`}`,
    );
    return summary;
  }

  /** One call of a long summary that another process works on. */
  runStep(input: object, context: ToolContext): Promise<StepResult> {
    return answerStep(this.models.map, input as CallInput, context);
  }

  private run(run: SummaryRun): Promise<Summary> {
    switch (run.request.method) {
      case 'simple':
        return summarizeSimply(run, this.engine);
      case 'recursive':
        return summarizeRecursively(run, this.engine);
      case 'auto':
        return this.summarizeAsFits(run);
      case 'multi_modal':
        return this.summarizeWithPicture(run);
    }
  }

  private async summarizeWithPicture(run: SummaryRun): Promise<Summary> {
    try {
      return await summarizeWithPicture(run, this.frames, this.models.vision.id);
    } catch (error) {
      run.context.signal.throwIfAborted();
      const pictureOnly =
        error instanceof MethodUnavailableError ||
        (ToolsError.isInstance(error) && error.code === 'content_unavailable');
      if (!pictureOnly || !this.options.multiModalFallback) throw error;
      run.warnings.push({ code: 'multi_modal_unavailable', message: error.message });
      return this.summarizeAsFits(run);
    }
  }

  private async summarizeAsFits(run: SummaryRun): Promise<Summary> {
    const choice = await run.decide('method', () => this.choose(run));
    if (choice.method === 'recursive')
      return { ...(await summarizeRecursively(run, this.engine)), methodReason: choice.reason };
    try {
      return { ...(await summarizeSimply(run, this.engine)), methodReason: choice.reason };
    } catch (error) {
      // The window turned out to be smaller than assumed: now it is known.
      if (!(error instanceof ContextOverflowError)) throw error;
      const { reason } = this.choose(run);
      return { ...(await summarizeRecursively(run, this.engine)), methodReason: reason };
    }
  }

  private choose(run: SummaryRun): Choice {
    return chooseMethod(
      run.tokens,
      simplePromptTokens(run),
      run.size.outputTokens,
      this.models.write,
      this.simpleMaxTokens,
    );
  }
}
