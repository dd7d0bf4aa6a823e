import { Body, HttpCode, Inject, Post, Req, Res, type Type } from '@nestjs/common';
import { Tool } from '../auth/tool.decorator.js';
import { HTTP_OPTIONS } from '../core/injection-tokens.js';
import { ApiAsync } from './api-async.decorator.js';
import { ApiAnswer, ApiErrors, SHARED_ERRORS } from './api-errors.decorator.js';
import { SearchWebResponseDto } from './dto/search-web-response.dto.js';
import { SearchWebDto } from './dto/search-web.dto.js';
import type { ToolRequest, ToolResponse } from './http-exchange.js';
import type { HttpOptions } from './http-options.js';
import { mountController, type Mount } from './mount-controller.js';
import { parseBody } from './parse-body.js';
import { SearchWebWork } from './search-web.work.js';
import { ApiBody, ApiOperation } from './openapi-metadata.js';
import { ToolEndpoint, type OpenTool } from './tool-endpoint.js';

/** The controller of `POST …/search_web` for one registration: each has its own class, path, guards and operation id. */
export function searchWebController(mount: Mount): Type<unknown> {
  class SearchWebController {
    private readonly tool: OpenTool;

    constructor(
      @Inject(ToolEndpoint) endpoint: ToolEndpoint,
      @Inject(SearchWebWork) work: SearchWebWork,
      @Inject(HTTP_OPTIONS) { maxTopN }: HttpOptions,
    ) {
      this.tool = endpoint.open(work, (body) =>
        parseBody(SearchWebDto, body, (dto) => (dto.ceiling = () => maxTopN)),
      );
    }

    @Post('search_web')
    @HttpCode(200)
    @Tool('search_web')
    @ApiOperation({
      operationId: `searchWeb${mount.operationIdSuffix}`,
      summary: 'Search the web',
      description:
        'Returns the best passages, or with `llm_answer` an answer with citations in their place. With `Accept: text/event-stream` ' +
        'the same request streams: `progress` {stage, done, total}, `delta` {text}, then one `result` (this very body) or one `error`. ' +
        'What is refused before any work is answered with its plain status.',
    })
    @ApiBody({ type: SearchWebDto })
    @ApiAnswer('Results, or the answer.', SearchWebResponseDto)
    @ApiAsync(mount)
    @ApiErrors({
      400: {
        description:
          '`invalid_request`: a field is missing, of the wrong type, out of range or unknown (it is named); malformed JSON.',
        code: 'invalid_request',
        message: ['top_n must not be greater than 20'],
        details: [{ field: 'top_n', message: 'top_n must not be greater than 20' }],
      },
      ...SHARED_ERRORS,
    })
    searchWeb(
      @Body() body: unknown,
      @Req() request: ToolRequest,
      @Res({ passthrough: true }) response: ToolResponse,
    ): ReturnType<OpenTool> {
      return this.tool(body, request, response);
    }
  }
  return mountController(SearchWebController, mount);
}
