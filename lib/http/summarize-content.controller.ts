import { Body, HttpCode, Inject, Post, Req, Res, type Type } from '@nestjs/common';
import { Tool } from '../auth/tool.decorator.js';
import type { SummarizeRequest, SummarizeResult } from '../summarize/summarizer.service.js';
import { SummarizerService } from '../summarize/summarizer.service.js';
import { ApiAnswer, ApiErrors, SHARED_ERRORS } from './api-errors.decorator.js';
import { mountController, type Mount } from './mount-controller.js';
import { SummarizeContentResponseDto, type SummaryDataDto } from './dto/summarize-content-response.dto.js';
import { SummarizeContentDto } from './dto/summarize-content.dto.js';
import type { ToolRequest, ToolResponse } from './http-exchange.js';
import { parseBody } from './parse-body.js';
import { ApiBody, ApiOperation } from './openapi-metadata.js';
import { ToolEndpoint, type OpenTool } from './tool-endpoint.js';
import { usageData, warningsData } from './wire-format.js';
import type { WorkFacts } from '../core/telemetry/index.js';

/** The controller of `POST …/summarize_content` for one registration: each has its own class, path, guards and operation id. */
export function summarizeContentController(mount: Mount): Type<unknown> {
  class SummarizeContentController {
    private readonly tool: OpenTool;

    constructor(
      @Inject(ToolEndpoint) endpoint: ToolEndpoint,
      @Inject(SummarizerService) summarizer: SummarizerService,
    ) {
      this.tool = endpoint.open<SummarizeContentDto, SummarizeResult>({
        parse: (body) => parseBody(SummarizeContentDto, body),
        run: (dto, call) => summarizer.summarize(requestOf(dto), call),
        kept: (dto) => summarizer.kept(requestOf(dto)),
        wire: (result) => ({ data: summaryData(result), facts: factsOf(result) }),
      });
    }

    @Post('summarize_content')
    @HttpCode(200)
    @Tool('summarize_content')
    @ApiOperation({
      operationId: `summarizeContent${mount.operationIdSuffix}`,
      summary: 'Summarize a YouTube video',
      description:
        'Turns a YouTube video (URL or ID) into a summary in one of six languages. With `Accept: text/event-stream` the same ' +
        'request streams: `progress` {stage, done, total}, `delta` {text}, then one `result` (this very body) or one `error`. What is ' +
        'refused before any work is answered with its plain status.',
    })
    @ApiBody({ type: SummarizeContentDto })
    @ApiAnswer('The summary.', SummarizeContentResponseDto)
    @ApiErrors({
      400: {
        description:
          '`invalid_request`: a field is missing, of the wrong type, out of range or unknown; `invalid_content_id`: not a YouTube video URL or ID.',
        code: 'invalid_request',
        message: ['method must be one of auto, simple, recursive, multi_modal'],
        details: [{ field: 'method', message: 'method must be one of auto, simple, recursive, multi_modal' }],
      },
      404: {
        description: '`content_not_found`: no such video, or removed.',
        code: 'content_not_found',
        message: 'There is no such video, or it has been removed.',
      },
      422: {
        description:
          '`content_unavailable` (`details.reason`: private, age_restricted, members_only, region_blocked, live, upcoming), ' +
          '`transcript_unavailable` (no captions in any language), or `content_too_long`.',
        code: 'content_unavailable',
        message: 'The video cannot be read: it is private.',
        details: { reason: 'private' },
      },
      ...SHARED_ERRORS,
    })
    summarizeContent(
      @Body() body: unknown,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): ReturnType<OpenTool> {
      return this.tool(body, request, response);
    }
  }
  return mountController(SummarizeContentController, mount);
}

function requestOf(dto: SummarizeContentDto): SummarizeRequest {
  const { source_type: sourceType, content_id: contentId, output_language: outputLanguage, method } = dto;
  return { sourceType, contentId, outputLanguage, method };
}

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
