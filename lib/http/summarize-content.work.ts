import { Inject, Injectable } from '@nestjs/common';
import { mapKept, type KeptResult } from '../core/cache/kept-result.js';
import type { WorkFacts } from '../core/request-event.js';
import type { CallOptions } from '../core/context.js';
import {
  SummarizerService,
  type SummarizeRequest,
  type SummarizeResult,
} from '../summarize/summarizer.service.js';
import type { SummaryDataDto } from './dto/summarize-content-response.dto.js';
import type { SummarizeContentDto } from './dto/summarize-content.dto.js';
import type { ToolWork, WorkResult } from './tool-work.js';
import { usageData, warningsData } from './wire-format.js';

/** `summarize_content` between its request and its `data`. */
@Injectable()
export class SummarizeContentWork implements ToolWork<SummarizeContentDto> {
  readonly tool = 'summarize_content';

  constructor(@Inject(SummarizerService) private readonly summarizer: SummarizerService) {}

  identityOf(dto: SummarizeContentDto): readonly unknown[] {
    return this.summarizer.identityOf(requestOf(dto));
  }

  async run(dto: SummarizeContentDto, call: CallOptions): Promise<WorkResult> {
    return workResult(await this.summarizer.summarize(requestOf(dto), call));
  }

  kept(dto: SummarizeContentDto): KeptResult<WorkResult> {
    return mapKept(this.summarizer.kept(requestOf(dto)), workResult);
  }
}

function requestOf(dto: SummarizeContentDto): SummarizeRequest {
  const {
    source_type: sourceType,
    content_id: contentId,
    output_language: outputLanguage,
    method,
    length,
  } = dto;
  return { sourceType, contentId, outputLanguage, method, length };
}

const workResult = (result: SummarizeResult): WorkResult => ({
  data: summaryData(result),
  facts: factsOf(result),
});

function factsOf({ method, content, engine, cached, usage }: SummarizeResult): WorkFacts {
  return { method, provider: content.provider, engine, cached, usage };
}

/** The wire form of a summary; what is unknown is absent. */
function summaryData(result: SummarizeResult): SummaryDataDto {
  const { content } = result;
  return {
    method: result.method,
    summary: result.summary,
    content: {
      id: content.id,
      url: content.url,
      title: content.title,
      channel: content.channel,
      duration_seconds: content.durationMs === undefined ? undefined : Math.round(content.durationMs / 1000),
      language: content.language,
      captions: content.captions,
    },
    output_language: result.outputLanguage,
    key_points: result.keyPoints.map(({ text, startMs, url, source }) => ({
      text,
      start_seconds: Math.floor(startMs / 1000),
      url,
      source,
    })),
    sections: result.sections.map(({ title, startMs, endMs, summary }) => ({
      title,
      start_seconds: Math.floor(startMs / 1000),
      end_seconds: Math.floor(endMs / 1000),
      summary,
    })),
    method_reason: result.methodReason,
    engine: result.engine,
    usage: usageData(result.usage),
    coverage: result.coverage,
    grounding: result.grounding,
    cached: result.cached,
    warnings: warningsData(result.warnings),
  };
}
