import type { ResolvedSearchModuleOptions } from '../search/search.options.js';
import {
  defined,
  inline,
  outputText,
  paragraphs,
  quoted,
  QUOTED,
  shorten,
  warningLines,
  type AgentForm,
  type ResultSize,
} from './agent-form.js';
import type { LlmAnswerDto, SearchDataDto, SearchResultDto } from './dto/search-web-response.dto.js';

/** Lengths of passages and quotations, characters, longest first. */
const PASSAGE_LENGTHS = [Infinity, 3000, 2000, 1200, 800, 500, 300, 150];

/** The tool `search_web` for agents. */
export const SEARCH_WEB_AGENT: AgentForm<ResolvedSearchModuleOptions> = {
  description:
    'Search the web. Returns the best passage of each page with its address, or with llm_answer a short answer with citations.',
  fields: {
    query: '',
    top_n: 'Number of results',
    llm_answer: 'true: an answer instead of results',
    language: 'Of the pages',
    freshness: 'Published within',
    include_domains: '',
    exclude_domains: '',
    output_schema: 'With llm_answer: a JSON Schema as a string, for data in its form',
  },
  bounds: ({ service }) => ({ top_n: { maximum: service.maxTopN } }),
  output: ['query', 'total_results', 'results', 'llm', 'warnings'],
  sizes: (data) => searchSizes(data as SearchDataDto),
  render: (data) => searchText(data as ShownSearch),
};

function* searchSizes(data: SearchDataDto): Generator<ResultSize> {
  const { query, total_results, results: shown = [], llm, warnings } = data;
  const common = { query, total_results, ...(warnings ? { warnings } : {}) };
  for (const length of PASSAGE_LENGTHS) {
    const isWhole = length === Infinity;
    if (llm)
      yield {
        structured: { ...common, llm: answerOf(llm, length) },
        cut: isWhole ? undefined : 'The answer and its quotations were shortened to fit.',
      };
    else
      yield {
        structured: { ...common, results: shown.map((result) => resultOf(result, length)) },
        cut: isWhole ? undefined : 'Passages were shortened to fit. Lower top_n for longer ones.',
      };
  }
  for (let n = shown.length - 1; n > 0; n--) {
    const cut = `Only ${n} of ${shown.length} results fit, with shortened passages.`;
    yield {
      structured: { ...common, results: shown.slice(0, n).map((r) => resultOf(r, PASSAGE_LENGTHS.at(-1)!)) },
      cut,
    };
  }
}

function resultOf({ provider: _provider, ...result }: SearchResultDto, length: number): object {
  return defined({ ...result, content: shorten(result.content, length) });
}

function answerOf({ usage: _usage, ...llm }: LlmAnswerDto, length: number): object {
  return defined({
    ...llm,
    answer: shorten(llm.answer, 4 * length),
    citations: llm.citations?.map((citation) =>
      defined({ ...citation, quote: shorten(citation.quote, length) }),
    ),
  });
}

type ShownSearch = Partial<SearchDataDto> & Pick<SearchDataDto, 'query'>;

function searchText({ query, results, llm, warnings }: ShownSearch): string {
  const warned = warningLines(warnings);
  if (llm) return paragraphs(answerText(query, llm), sourcesText(llm), warned);
  if (!results?.length)
    return paragraphs(
      `No results for "${inline(query)}". Try other or fewer words, or search without language, freshness and domains.`,
      warned,
    );
  const count = results.length === 1 ? '1 result' : `${results.length} results`;
  return paragraphs(`${count} for "${inline(query)}". ${QUOTED}`, ...results.map(resultText), warned);
}

function resultText(result: SearchResultDto, i: number): string {
  const { content, source_url, title, published_at } = result;
  const date = published_at ? ` (${published_at.slice(0, 10)})` : '';
  return `${i + 1}. ${source_url}${date}\n${quoted([title && inline(title), content, creditOf(result)], '   ')}`;
}

/** Before the answer, what it is worth. */
function answerText(query: string, llm: LlmAnswerDto): string {
  const { answer, outcome, answerable_probability } = llm;
  const probability = `estimated probability of a right, grounded answer: ${answerable_probability.toFixed(2)}`;
  const kind = outcome === undefined || outcome === 'answered' ? 'Answer to' : 'No clear answer to';
  return paragraphs(
    `${kind} "${inline(query)}" (${probability}). ${QUOTED}`,
    quoted([answer]),
    outputText(llm),
  );
}

function sourcesText({ citations }: LlmAnswerDto): string {
  if (!citations?.length) return '';
  const sources = citations.map((citation) => {
    const { index, source_url, title, quote } = citation;
    return `[${index}] ${source_url}\n${quoted([title && inline(title), quote, creditOf(citation)], '    ')}`;
  });
  return paragraphs('Sources:', ...sources);
}

function creditOf({ license, attribution }: { license?: string; attribution?: string }): string {
  const credit = [attribution && inline(attribution), license].filter(Boolean).join(', ');
  return credit ? `Licence: ${credit}` : '';
}
