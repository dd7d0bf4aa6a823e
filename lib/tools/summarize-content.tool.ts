import { type SummaryDataDto, SummarizeContentResponseDto } from './dto/summarize-content-response.dto.js';
import { SummarizeContentDto } from './dto/summarize-content.dto.js';
import { SummarizerService, type SummarizeRequest, type SummarizeResult } from './summarize-content.js';
import { type ToolDefinition, type ToolResult, usageData, warningsData } from './tool-definition.js';

/** The tool `summarize_content`. */
export const SUMMARIZE_CONTENT: ToolDefinition<SummarizeContentDto, SummarizerService> = {
  name: 'summarize_content',
  title: 'Summarize a YouTube video',
  description: 'Turns a YouTube video (URL or ID) into a summary in one of six languages.',
  request: SummarizeContentDto,
  response: SummarizeContentResponseDto,
  answer: 'The summary.',
  errors: {
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
  },
  service: SummarizerService,
  // A host's tests may put a plain object in place of the service.
  identityOf: (service, dto) => service.identityOf?.(requestOf(dto)) ?? [requestOf(dto)],
  run: async (service, dto, call) => resultOf(await service.summarize(requestOf(dto), call)),
};

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

function resultOf(result: SummarizeResult): ToolResult {
  const { method, content, engine, cached, usage } = result;
  return { data: summaryData(result), facts: { method, provider: content?.provider, engine, cached, usage } };
}

/** The wire form of a summary. Unknown fields are absent. A plain object that a host's tests put in place of the service may give less. */
function summaryData(result: SummarizeResult): SummaryDataDto {
  const { content, keyPoints = [], sections = [] } = result;
  return {
    method: result.method,
    summary: result.summary,
    content: content && {
      id: content.id,
      url: content.url,
      title: content.title,
      channel: content.channel,
      duration_seconds: content.durationMs === undefined ? undefined : Math.round(content.durationMs / 1000),
      language: content.language,
      captions: content.captions,
    },
    output_language: result.outputLanguage,
    key_points: keyPoints.map(({ text, startMs, url, source }) => ({
      text,
      start_seconds: Math.floor(startMs / 1000),
      url,
      source,
    })),
    sections: sections.map(({ title, startMs, endMs, summary }) => ({
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
