import { Body, HttpCode, Inject, Post, Req, Res, type Type } from '@nestjs/common';
import { Tool } from '../auth/tool.decorator.js';
import { ApiAsync } from './api-async.decorator.js';
import { ApiAnswer, ApiErrors, SHARED_ERRORS } from './api-errors.decorator.js';
import { mountController, type Mount } from './mount-controller.js';
import { SummarizeContentResponseDto } from './dto/summarize-content-response.dto.js';
import { SummarizeContentDto } from './dto/summarize-content.dto.js';
import type { ToolRequest, ToolResponse } from './http-exchange.js';
import { parseBody } from './parse-body.js';
import { SummarizeContentWork } from './summarize-content.work.js';
import { ApiBody, ApiOperation } from './openapi-metadata.js';
import { ToolEndpoint, type OpenTool } from './tool-endpoint.js';

/** The controller of `POST …/summarize_content` for one registration: each has its own class, path, guards and operation id. */
export function summarizeContentController(mount: Mount): Type<unknown> {
  class SummarizeContentController {
    private readonly tool: OpenTool;

    constructor(
      @Inject(ToolEndpoint) endpoint: ToolEndpoint,
      @Inject(SummarizeContentWork) work: SummarizeContentWork,
    ) {
      this.tool = endpoint.open(work, (body) => parseBody(SummarizeContentDto, body));
    }

    @Post('summarize_content')
    @HttpCode(200)
    @Tool('summarize_content')
    @ApiOperation({
      operationId: `summarizeContent${mount.operationIdSuffix}`,
      summary: 'Summarize a YouTube video',
      description:
        'Turns a YouTube video (URL or ID) into a summary in one of six languages. With `Accept: text/event-stream` the same ' +
        'request streams: `progress` {stage, done, total}, `delta` {text}, then one `result` (this very body) or one `error`. ' +
        'What is refused before any work is answered with its plain status.',
    })
    @ApiBody({ type: SummarizeContentDto })
    @ApiAnswer('The summary.', SummarizeContentResponseDto)
    @ApiAsync(mount)
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
