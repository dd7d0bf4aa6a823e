import {
  defined,
  inline,
  paragraphs,
  quoted,
  QUOTED,
  shorten,
  warningLines,
  type AgentForm,
  type ResultSize,
} from './agent-form.js';
import type { PageDataDto } from './dto/read-page-response.dto.js';

/** The tool `read_page` for agents. */
export const READ_PAGE_AGENT: AgentForm = {
  description:
    'Read one web page as Markdown, e.g. a result of search_web: search first, then read. With query only the passages that bear on it.',
  fields: { url: '', query: 'What you want to know', max_tokens: '', cursor: 'next_cursor, to read on' },
  output: [
    'final_url',
    'title',
    'site',
    'published_at',
    'content',
    'passages',
    'truncated',
    'next_cursor',
    'warnings',
  ],
  sizes: (data) => pageSizes(data as PageDataDto),
  render: (data) => pageText(data as Partial<PageDataDto>),
};

/** Lengths of a content that does not fit, characters. */
const CONTENT_LENGTHS = [20_000, 14_000, 10_000, 7000, 5000, 3500, 2000, 1000];

function* pageSizes({
  final_url,
  title,
  site,
  published_at,
  content,
  passages,
  truncated,
  next_cursor,
  warnings,
}: PageDataDto): Generator<ResultSize> {
  const about = { final_url, title, site, published_at, warnings };
  const whole = { ...defined(about), truncated, ...(next_cursor ? { next_cursor } : {}) };
  yield { structured: { ...whole, ...(content === undefined ? { passages } : { content }) } };
  for (let n = (passages?.length ?? 0) - 1; n > 0; n--)
    yield {
      structured: { ...whole, truncated: true, passages: passages!.slice(0, n) },
      cut: `Only ${n} of ${passages!.length} passages fit.`,
    };
  for (const length of CONTENT_LENGTHS) {
    const structured = {
      ...defined(about),
      truncated: true,
      content: shorten(content ?? passages?.[0]?.content ?? '', length),
    };
    yield {
      structured,
      cut: 'The text was cut to fit. Call again with a lower max_tokens to read on from where it ends.',
    };
  }
}

function pageText({
  final_url = '',
  title,
  site,
  published_at,
  content,
  passages,
  truncated,
  next_cursor,
  warnings,
}: Partial<PageDataDto>): string {
  const about = [title, site, published_at?.slice(0, 10)].filter(Boolean).map((part) => inline(part!));
  const parts = passages?.map(({ content: words, headings }) =>
    quoted([headings.map(inline).join(' > '), words]),
  );
  const more = next_cursor
    ? `There is more. Read on with cursor "${next_cursor}".`
    : truncated
      ? 'There is more.'
      : '';
  return paragraphs(
    `${final_url} ${QUOTED}`,
    quoted([about.join(', ')]),
    ...(parts ?? [quoted([content])]),
    more,
    warningLines(warnings),
  );
}
