import { ModuleRef } from '@nestjs/core';
import { yielder } from '../core/async.js';
import { LruMap } from '../core/cache.js';
import type { CallOptions } from '../core/context.js';
import { isAdmitted, type DomainLists } from '../core/domains.js';
import { watchGroup, type Watcher } from '../core/health.js';
import { RESOLVED_OPTIONS, WATCHER } from '../core/injection-tokens.js';
import { resolveProviderOption, type ProviderOption } from '../core/ports.js';
import {
  array,
  check,
  integer,
  optional,
  options,
  port,
  string,
  withDefault,
  withheld,
  type Infer,
} from '../core/schema.js';
import { parseUrl } from '../core/url.js';
import { roughTokens } from '../model/model-profile.js';
import { harmlessText } from '../text/sanitize-output.js';
import { sanitizeMarkdown } from '../text/sanitize-markdown.js';
import { escapedStart, escapedText, fenced } from '../text/write-markdown.js';
import { goesOn, shownBlock, tableHead, type Block } from '../web/blocks.js';
import { createPageLoader, notAdmitted, PAGE_REASONS, type LoadedPage } from '../web/load-page.js';
import { GUARDED_FETCH_FIELDS } from '../web/guarded-fetch.js';
import { PDF, type PageReaderOptions } from '../web/fetch-page.js';
import { PAGES } from '../web/result-pages.js';
import type { PageRenderer } from '../web/page-renderer.js';
import { DEFAULT_MAX_TOKENS, PageDataDto, ReadPageDto } from './dto/read-page.dto.js';
import { Cursors } from './cursor.js';
import { dedented, windowOf } from './cursor-window.js';
import { checkRequest, refused } from './request-fields.js';
import type { ResultOf } from './result-fields.js';
import { ToolService, type Host, type ToolWork } from './run-tool.js';
import { refusal, type Enabled, type ToolDefinition } from './tool-definition.js';

/** The request for a page. */
export interface ReadPageRequest {
  /** Address, http or https. */
  url: string;
  /** What is wanted of the page, 1 to 400 characters: only the passages that bear on it are returned. Default: the page from the start. */
  query?: string;
  /** Most tokens of the content or the passages, estimated, 100..20,000. Default 4,000. */
  maxTokens?: number;
  /** `nextCursor` of the result before: reading goes on there. Not with `query`. */
  cursor?: string;
}

/** A page that was read; fields as in docs/reference.md. All of its text is a third party's: material to judge, never instructions. */
export interface ReadPageResult extends ResultOf<PageDataDto> {}

/** Passages that are looked for; `max_tokens` bounds them as well. */
const PASSAGES = { count: 30, bySection: true };
/** The parts that are kept, with their keys and the texts of their pages, characters; a plain bound. */
const MOST_PARTS = 4 * 1024 * 1024;

type PagePart = Required<Pick<ReadPageResult, 'content' | 'truncated'>> & Pick<ReadPageResult, 'nextCursor'>;

/**
 * Reads web pages: the main text as Markdown, or the passages that bear on a query. The tool `read_page`, usable without HTTP.
 * @publicApi
 */
export class PageService extends ToolService<ReadPageRequest, LoadedPage, ResolvedReadPageOptions> {
  private readonly load: ReturnType<typeof createPageLoader>;
  /** Parts that were shown lately, with the text of their page: cutting and sanitizing them costs more than the rest of a cached call. */
  private readonly parts = new LruMap<{ text: string; part: PagePart }>(
    MOST_PARTS,
    (key, { text, part }) => key.length + text.length + part.content.length,
  );

  constructor(host: Host, watcher: Watcher, renderer?: PageRenderer) {
    super(READ_PAGE, host, null);
    if (renderer) watcher.health.register(PAGES, renderer.name, true);
    const watch = watchGroup(PAGES, watcher);
    const { timeoutMs, maxBytes, pdf, allowHosts, denyRanges, resolve, userAgent, ca } = this.options;
    const fetch = { timeoutMs, maxBytes, allowHosts, denyRanges, resolve, userAgent, ca };
    this.load = createPageLoader(fetch, { pdf, renderer, watch });
  }

  /**
   * Reads a page.
   *
   * @throws InvalidRequestError for a field that is not valid, an address that does not lead to a public page or lies outside of the
   *   domains, and a cursor of a page that has changed; NotConfiguredError when the tool is off, or for a PDF without `readPage.pdf`;
   *   ContentNotFoundError (404, 410); ContentUnavailableError with a reason; UpstreamUnavailableError, UpstreamInvalidError,
   *   UpstreamTimeoutError; the caller's reason when it aborts
   */
  async read(request: ReadPageRequest, call: CallOptions = {}): Promise<ReadPageResult> {
    this.requireEnabled(request);
    const { url, query, maxTokens, cursor } = this.validate(request);
    if (!this.isAdmitted(url, call.domains)) throw notAdmitted();
    const page = await this.runWork(this.prepare({ url }, call.domains), call);
    // A cached page may be older than the host's lists.
    if (!this.isAdmitted(page.finalUrl, call.domains)) throw notAdmitted();
    const { finalUrl, title, site, language, publishedAt, contentType, cached, warnings } = page;
    const about = { finalUrl, title, site, language, publishedAt, contentType, cached, warnings };
    const result = { url: request.url, ...about };
    if (query === undefined) return { ...result, ...this.partOf(page, cursor, maxTokens) };
    const found = await passagesOf(page, query, maxTokens, call.signal);
    return { ...result, ...found, warnings: [...warnings, ...found.warnings] };
  }

  /** Pages are cached whole. What is shown of them depends on more than the address. */
  override identityOf(request: ReadPageRequest): readonly unknown[] {
    this.requireEnabled(request);
    const { url, query, maxTokens, cursor } = this.validate(request);
    return [url, query, maxTokens, cursor];
  }

  /** @param ofCaller domains of the caller: a page behind a redirect that leaves them is another result */
  protected prepare({ url }: ReadPageRequest, ofCaller?: DomainLists): ToolWork<LoadedPage> {
    const { deadlineMs } = this.options;
    const isAdmitted = (address: string): boolean => this.isAdmitted(address, ofCaller);
    const { includeDomains, excludeDomains } = ofCaller ?? {};
    return {
      key: ofCaller ? [url, includeDomains, excludeDomains] : [url],
      deadlineMs,
      run: (context) => this.load(url, isAdmitted, context),
    };
  }

  private validate(
    request: ReadPageRequest,
  ): Required<Pick<ReadPageRequest, 'url' | 'maxTokens'>> & ReadPageRequest {
    const { url, query, maxTokens = DEFAULT_MAX_TOKENS, cursor } = request;
    checkRequest(ReadPageDto, { ...request, maxTokens });
    if (query !== undefined && cursor !== undefined) throw refused('cursor', 'cannot be sent with query');
    const parsed = parseUrl(url.trim());
    if (!parsed || !/^https?:$/.test(parsed.protocol))
      throw refused('url', 'must be the http or https address of a page');
    if (parsed.username || parsed.password) throw refused('url', 'must not hold a user name or password');
    parsed.hash = '';
    return { url: parsed.href, query: query?.trim(), maxTokens, cursor };
  }

  private partOf(page: LoadedPage, cursor: string | undefined, maxTokens: number): PagePart {
    const { text, finalUrl, contentType } = page;
    const key = JSON.stringify([finalUrl, contentType, maxTokens, cursor]);
    const known = this.parts.get(key);
    if (known?.text === text) return known.part;
    const part = contentOf(page, cursor, maxTokens);
    this.parts.set(key, { text, part });
    return part;
  }

  private isAdmitted(url: string, ofCaller: DomainLists = {}): boolean {
    return isAdmitted(url, this.options) && isAdmitted(url, ofCaller);
  }
}

function contentOf(page: LoadedPage, cursor: string | undefined, maxTokens: number): PagePart {
  const cursors = new Cursors(page.text);
  const { content, next } = windowOf(page, cursors.positionOf(cursor), maxTokens);
  return {
    content: sanitizeMarkdown(content, { base: page.finalUrl }),
    truncated: next !== undefined,
    nextCursor: cursors.next(next),
  };
}

async function passagesOf(
  page: LoadedPage,
  query: string,
  maxTokens: number,
  signal?: AbortSignal,
): Promise<Required<Pick<ReadPageResult, 'passages' | 'truncated' | 'warnings'>>> {
  const { MAX_PIECES, rankPages } = await import('../search/select-passages.js');
  const hit = {
    url: page.finalUrl,
    title: page.title ?? '',
    snippet: '',
    passages: [],
    provider: page.provider,
  };
  const blocks = page.blocks.filter(({ kind }) => kind !== 'image');
  const none = { code: 'nothing_found', message: 'The page has none of the words of the query.' };
  if (blocks.length === 0) return { passages: [], truncated: false, warnings: [none] };
  const [ranked] = await rankPages(query, [hit], new Map([[hit, blocks]]), yielder(signal), PASSAGES);
  const cut = {
    code: 'page_cut',
    message: `Only the first ${MAX_PIECES} sentences of the page were searched.`,
  };
  const warnings = ranked!.isCut ? [cut] : [];
  const passages: NonNullable<ReadPageResult['passages']> = [];
  let rest = maxTokens;
  let score = 1;
  for (const { pieces, blocks: parts, match } of ranked!.passages) {
    if (match === 0) continue;
    const { headings } = (pieces.find(({ piece }) => piece.block.kind !== 'heading') ?? pieces[0]!).piece
      .block;
    const content = sanitizeMarkdown(passageText(page.text, parts), { base: page.finalUrl });
    rest -= roughTokens(content);
    if (rest < 0 && passages.length > 0) return { passages, truncated: true, warnings };
    score = Math.min(score, Math.round(match * 1000) / 1000);
    passages.push({ content, headings: headings.map(harmlessText), score });
  }
  if (passages.length === 0) warnings.push(none);
  return { passages, truncated: false, warnings };
}

/** A passage as the page has it: whole blocks as they are written there, others as text. */
function passageText(text: string, parts: readonly Block[]): string {
  // The heading above the passage is said by `headings`.
  const wholeParts = parts.filter(({ kind, end }, i) => i > 0 || kind !== 'heading' || end > 0);
  return wholeParts
    .map((block, i) => {
      const before = wholeParts[i - 1];
      const isNewTable = block.kind === 'row' && !goesOn(block, before) && block.columns!.length > 0;
      const head = isNewTable ? tableHead(block) : '';
      const isTight = goesOn(block, before) || (block.kind === 'item' && before?.kind === 'item');
      const written = writtenBlock(text, block);
      const isInList = wholeParts.slice(0, i).some(({ kind, end }) => kind === 'item' && end > 0);
      const shown = block.kind === 'code' && !isInList ? dedented(written) : written;
      return `${i === 0 ? '' : isTight ? '\n' : '\n\n'}${head}${shown}`;
    })
    .join('');
}

function writtenBlock(text: string, block: Block): string {
  if (block.end > 0) return text.slice(block.start, block.end);
  if (block.kind === 'code') return fenced(block.text, block.language);
  return escapedStart(escapedText(shownBlock(block)));
}

// Options

/** Options of `read_page`; all are optional. How pages are fetched is set apart from `search.pages`. */
export interface ReadPageOptions extends PageReaderOptions, DomainLists {
  /** Only pages of these domains and their subdomains are read, also after redirects. Default all. */
  includeDomains?: readonly string[];
  /** No page of these is read. Default none. */
  excludeDomains?: readonly string[];
  /**
   * Opens pages that need a browser, e.g. `jinaReader({ apiKey })`, `firecrawlScrape({ apiKey })` or `youExtract({ apiKey })`. Their addresses
   * leave this server. Default: none, such pages are 422.
   */
  renderer?: ProviderOption<PageRenderer>;
  /** For fetching one page, ms. Default 8,000. */
  timeoutMs?: number;
  /** Bytes of a page after inflating; only the beginning of a larger one is read, and a warning says so. Default 4 MiB. */
  maxBytes?: number;
  /** Time for a whole request, ms, 100..600,000. Default 30,000. */
  deadlineMs?: number;
  /** How long a page is cached, ms; 0: not at all. Default ten minutes. */
  cacheTtlMs?: number;
}

const DOMAINS = withDefault(array(string({ min: 1 })), []);

const READ_PAGE_SCHEMA = options({
  ...GUARDED_FETCH_FIELDS,
  timeoutMs: withDefault(integer(1), 8000),
  maxBytes: withDefault(integer(1), 4 * 1024 * 1024),
  pdf: PDF,
  includeDomains: DOMAINS,
  excludeDomains: DOMAINS,
  renderer: optional(
    withheld(check<ProviderOption<PageRenderer>>('a PageRenderer', (value) => Object(value) === value)),
  ),
  deadlineMs: withDefault(integer(100, 600_000), 30_000),
  cacheTtlMs: withDefault(integer(0, 365 * 86_400_000), 600_000),
});

/** {@link ReadPageOptions} with every default filled in. */
export type ResolvedReadPageOptions = Infer<typeof READ_PAGE_SCHEMA>;

// The tool

const RENDERER = port<PageRenderer>('PageRenderer', 'name', 'render');

async function pageService(
  host: Host & { readPage: Enabled<ResolvedReadPageOptions> },
  watcher: Watcher,
  moduleRef: ModuleRef,
): Promise<PageService> {
  const { renderer } = host.readPage;
  const pageRenderer =
    renderer && (await resolveProviderOption('readPage.renderer', RENDERER, renderer, moduleRef));
  return new PageService(host, watcher, pageRenderer);
}

/** The option `readPage`. */
export interface ReadPageOption {
  /** Settings of `read_page`, or true for the defaults. Default: the tool is off: no route, or 501 with `forRootAsync`. */
  readPage?: ReadPageOptions | boolean;
}

export const READ_PAGE: ToolDefinition<'read_page', PageService, ReadPageOption, ResolvedReadPageOptions> = {
  name: 'read_page',
  title: 'Read a web page',
  description:
    'Returns the main text of a page as Markdown, or, with `query`, only the passages that bear on it.',
  request: ReadPageDto,
  data: PageDataDto,
  answer: 'The page.',
  errors: {
    400: refusal(
      'url',
      'does not lead to a public web page',
      '; `url` does not lead to a public web page, to a host that could not be found, or to a domain that may not be read; `cursor` is of a page that has changed',
    ),
    404: {
      description: '`content_not_found`: the site answered 404 or 410.',
      code: 'content_not_found',
      message: 'There is no such page, or it has been removed.',
    },
    422: {
      description: `\`content_unavailable\` (\`details.reason\`: ${Object.keys(PAGE_REASONS).join(', ')}).`,
      code: 'content_unavailable',
      message: PAGE_REASONS.login_required,
      details: { reason: 'login_required' },
    },
  },
  option: { name: 'readPage', schema: READ_PAGE_SCHEMA, byDefault: false },
  service: PageService,
  provider: { inject: [RESOLVED_OPTIONS, WATCHER, ModuleRef], useFactory: pageService },
  agent: {
    description:
      'Read one web page as Markdown, e.g. a result of search_web: search first, then read. With query only the passages that bear on it.',
    advice: 'Call again with a lower max_tokens to read on from where it ends.',
  },
  run: async (service, request, call) => {
    const result = await service.read(request, call);
    return { result, method: result.passages ? 'passages' : 'content' };
  },
};
