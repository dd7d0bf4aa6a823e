import { Inject, Injectable } from '@nestjs/common';
import { mapKept, type KeptResult } from '../core/cache/kept-result.js';
import type { WorkFacts } from '../core/request-event.js';
import type { CallOptions } from '../core/context.js';
import type { SearchRequest, SearchResponse } from '../search/search-response.js';
import { SearchService } from '../search/search.service.js';
import type { SearchDataDto } from './dto/search-web-response.dto.js';
import type { SearchWebDto } from './dto/search-web.dto.js';
import type { ToolWork, WorkResult } from './tool-work.js';
import { usageData, warningsData } from './wire-format.js';

/** `search_web` between its request and its `data`. */
@Injectable()
export class SearchWebWork implements ToolWork<SearchWebDto> {
  readonly tool = 'search_web';

  constructor(@Inject(SearchService) private readonly search: SearchService) {}

  identityOf(dto: SearchWebDto): readonly unknown[] {
    return this.search.identityOf(requestOf(dto));
  }

  async run(dto: SearchWebDto, call: CallOptions): Promise<WorkResult> {
    return workResult(await this.search.search(requestOf(dto), call));
  }

  kept(dto: SearchWebDto): KeptResult<WorkResult> {
    return mapKept(this.search.kept(requestOf(dto)), workResult);
  }
}

function requestOf({ query, top_n: topN, llm_answer: llmAnswer }: SearchWebDto): SearchRequest {
  return { query, topN, llmAnswer };
}

const workResult = (result: SearchResponse): WorkResult => ({
  data: searchData(result),
  facts: factsOf(result),
});

function factsOf({ provider, cached, llm }: SearchResponse): WorkFacts {
  return { method: llm ? 'answer' : 'results', provider, cached, engine: llm?.engine, usage: llm?.usage };
}

/** The wire form of a search; what is unknown is absent. */
function searchData(response: SearchResponse): SearchDataDto {
  return {
    query: response.query,
    total_results: response.totalResults,
    results: response.results?.map(
      ({ content, score, sourceUrl, title, publishedAt, license, attribution, provider }) => ({
        content,
        score,
        source_url: sourceUrl,
        title,
        published_at: publishedAt,
        license,
        attribution,
        provider,
      }),
    ),
    llm: response.llm && {
      answer: response.llm.answer,
      outcome: response.llm.outcome,
      answerable_probability: response.llm.answerableProbability,
      citations: response.llm.citations.map(({ index, url, title, quote, license, attribution }) => ({
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
