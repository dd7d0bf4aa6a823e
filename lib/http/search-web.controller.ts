import { Body, HttpCode, Inject, Post, Req, Res, type Type } from '@nestjs/common';
import { Tool } from '../auth/tool.decorator.js';
import { HTTP_OPTIONS } from '../core/tokens.js';
import { SearchService, type SearchRequest, type SearchResponse } from '../search/search.service.js';
import { ApiAnswer, ApiErrors, SHARED_ERRORS } from './api-errors.decorator.js';
import { SearchWebResponseDto, type SearchDataDto } from './dto/search-web-response.dto.js';
import { SearchWebDto } from './dto/search-web.dto.js';
import type { ToolRequest, ToolResponse } from './http-exchange.js';
import type { HttpOptions } from './http-options.js';
import { mountController, type Mount } from './mount-controller.js';
import { parseBody } from './parse-body.js';
import { ApiBody, ApiOperation } from './openapi-metadata.js';
import { ToolEndpoint, type OpenTool } from './tool-endpoint.js';
import { usageData, warningsData } from './wire-format.js';
import type { WorkFacts } from '../core/telemetry/index.js';

/** The controller of `POST …/search_web` for one registration: each has its own class, path, guards and operation id. */
export function searchWebController(mount: Mount): Type<unknown> {
  class SearchWebController {
    private readonly tool: OpenTool;

    constructor(
      @Inject(ToolEndpoint) endpoint: ToolEndpoint,
      @Inject(SearchService) search: SearchService,
      @Inject(HTTP_OPTIONS) { maxTopN }: HttpOptions,
    ) {
      this.tool = endpoint.open<SearchWebDto, SearchResponse>({
        parse: (body) => parseBody(SearchWebDto, body, (dto) => (dto.ceiling = () => maxTopN)),
        run: (dto, call) => search.search(requestOf(dto), call),
        kept: (dto) => search.kept(requestOf(dto)),
        wire: (result) => ({ data: searchData(result), facts: factsOf(result) }),
      });
    }

    @Post('search_web')
    @HttpCode(200)
    @Tool('search_web')
    @ApiOperation({
      operationId: `searchWeb${mount.operationIdSuffix}`,
      summary: 'Search the web',
      description:
        'Returns the best passages, or with `llm_answer` an answer with citations in their place. With `Accept: text/event-stream` ' +
        'the same request streams: `progress` {stage, done, total}, `delta` {text}, then one `result` (this very body) or one `error`. What is ' +
        'refused before any work is answered with its plain status.',
    })
    @ApiBody({ type: SearchWebDto })
    @ApiAnswer('Results, or the answer.', SearchWebResponseDto)
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

function requestOf({ query, top_n: topN, llm_answer: llmAnswer }: SearchWebDto): SearchRequest {
  return { query, topN, llmAnswer };
}

function factsOf({ provider, cached, llm }: SearchResponse): WorkFacts {
  return { method: llm ? 'answer' : 'results', provider, cached, engine: llm?.engine, usage: llm?.usage };
}

/** The wire form of a search; what is unknown is absent. */
function searchData(response: SearchResponse): SearchDataDto {
  return {
    query: response.query,
    total_results: response.totalResults,
    results: response.results?.map(({ content, score, sourceUrl, title, publishedAt, provider }) => ({
      content,
      score,
      source_url: sourceUrl,
      title,
      published_at: publishedAt,
      provider,
    })),
    llm: response.llm && {
      answer: response.llm.answer,
      answerable_probability: response.llm.answerableProbability,
      citations: response.llm.citations.map(({ index, url, title, quote }) => ({
        index,
        source_url: url,
        title,
        quote,
      })),
      engine: response.llm.engine,
      usage: usageData(response.llm.usage),
    },
    provider: response.provider,
    cached: response.cached,
    warnings: warningsData(response.warnings),
  };
}
