import type { FieldError } from '../core/errors.js';
import { LANGUAGES } from '../core/text/languages.js';
import { PERIODS } from '../search/freshness.js';
import { narrow, type HostNarrowing } from '../search/narrowing.js';
import type { SearchRequest, SearchResponse } from '../search/search-response.js';
import { SearchWebResponseDto, type SearchDataDto } from './dto/search-web-response.dto.js';
import { SearchWebDto } from './dto/search-web.dto.js';
import { SearchService } from './search-web.js';
import { type ToolDefinition, type ToolResult, usageData, warningsData } from './tool-definition.js';

/** The tool `search_web`. */
export const SEARCH_WEB: ToolDefinition<SearchWebDto, SearchService> = {
  name: 'search_web',
  title: 'Search the web',
  description: 'Returns the best passages, or, with `llm_answer`, a cited answer instead.',
  request: SearchWebDto,
  response: SearchWebResponseDto,
  answer: 'Results, or the answer.',
  errors: {
    400: {
      description:
        '`invalid_request`: a field is missing, of the wrong type, out of range or unknown (it is named); malformed JSON.',
      code: 'invalid_request',
      message: ['top_n must not be greater than 20'],
      details: [{ field: 'top_n', message: 'top_n must not be greater than 20' }],
    },
  },
  check: (dto, bounds) => [
    ...(Number.isInteger(dto.top_n) && dto.top_n > bounds.maxTopN
      ? [{ field: 'top_n', message: `top_n must not be greater than ${bounds.maxTopN}` }]
      : []),
    ...narrowingErrors(dto, bounds),
  ],
  service: SearchService,
  // A host's tests may put a plain object in place of the service.
  identityOf: (service, dto) => service.identityOf?.(requestOf(dto)) ?? [requestOf(dto)],
  run: async (service, dto, call) => resultOf(await service.search(requestOf(dto), call)),
};

/** The names of the wire in messages. */
const NAMES = {
  language: 'language',
  freshness: 'freshness',
  includeDomains: 'include_domains',
  excludeDomains: 'exclude_domains',
} as const;

/** Errors about domains and about the limits of the host. The validators of the DTO have already refused values of another type. */
function narrowingErrors(dto: SearchWebDto, bounds: HostNarrowing): FieldError[] {
  const { language, freshness, includeDomains, excludeDomains } = requestOf(dto);
  const valid = {
    ...(LANGUAGES.includes(language!) ? { language } : {}),
    ...(PERIODS.includes(freshness!) ? { freshness } : {}),
    ...(Array.isArray(includeDomains) ? { includeDomains } : {}),
    ...(Array.isArray(excludeDomains) ? { excludeDomains } : {}),
  };
  return narrow(valid, bounds, NAMES).wrong;
}

function requestOf(dto: SearchWebDto): SearchRequest {
  const { query, top_n: topN, llm_answer: llmAnswer, language, freshness } = dto;
  const { include_domains: includeDomains, exclude_domains: excludeDomains } = dto;
  return { query, topN, llmAnswer, language, freshness, includeDomains, excludeDomains };
}

function resultOf(response: SearchResponse): ToolResult {
  const { provider, cached, llm } = response;
  return {
    data: searchData(response),
    facts: { method: llm ? 'answer' : 'results', provider, cached, engine: llm?.engine, usage: llm?.usage },
  };
}

/** The wire form of a search. Unknown fields are absent. A plain object that a host's tests put in place of the service may give less. */
function searchData(response: SearchResponse): SearchDataDto {
  return {
    query: response.query,
    total_results: response.totalResults,
    results: response.results?.map((result) => ({
      content: result.content,
      score: result.score,
      source_url: result.sourceUrl,
      title: result.title,
      published_at: result.publishedAt,
      license: result.license,
      attribution: result.attribution,
      provider: result.provider,
    })),
    llm: response.llm && {
      answer: response.llm.answer,
      outcome: response.llm.outcome,
      answerable_probability: response.llm.answerableProbability,
      citations: (response.llm.citations ?? []).map(({ index, url, title, quote, license, attribution }) => ({
        index,
        source_url: url,
        title,
        quote,
        license,
        attribution,
      })),
      engine: response.llm.engine,
      usage: usageData(response.llm.usage),
    },
    provider: response.provider,
    cached: response.cached,
    warnings: warningsData(response.warnings),
  };
}
