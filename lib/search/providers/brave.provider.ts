import type { SearchProvider, SearchQuery } from '../search-provider.js';
import { braveRateLimit } from './brave-rate-limit.js';
import { listIn, objectIn, textIn, textsIn } from './json-fields.js';
import { oneLine } from '../plain-text.js';
import {
  flag,
  key,
  oneOf,
  providerOptions,
  text,
  type KeyedProviderOptions,
  wholeNumber,
} from './provider-options.js';
import { httpProvider, type ProviderAnswer, type ProviderFailure } from './provider-request.js';
import { withSiteOperators } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface BraveOptions extends KeyedProviderOptions {
  /** Two letters, e.g. `US`; default: Brave's (`US`). */
  country?: string;
  /** Default: Brave's (`moderate`). */
  safeSearch?: 'off' | 'moderate' | 'strict';
  /** Up to five further extracts a result, for plans that have them; default false. */
  extraSnippets?: boolean;
}

export interface BraveLlmContextOptions extends KeyedProviderOptions {
  /** Two letters, e.g. `US`; default: Brave's (`US`). */
  country?: string;
  /** Tokens of passages in all, 1,024 to 32,768; default 8,192. */
  maxTokens?: number;
  /** How strictly passages are chosen; default: Brave's (`balanced`). */
  threshold?: 'disabled' | 'strict' | 'lenient' | 'balanced';
}

const BASE_URL = 'https://api.search.brave.com';
/** Brave's own limits on `q`. */
const MAX_CHARACTERS = 400;
const MAX_WORDS = 50;
const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;

/**
 * Brave web search: titles and descriptions.
 *
 * Wire format: `GET /res/v1/web/search`, `X-Subscription-Token` (Brave's API documentation and its MCP server). A wrong
 * key is a 422 with the code `SUBSCRIPTION_TOKEN_INVALID`, a missing one a 422 `VALIDATION` that names the header; `web`
 * is absent when nothing was found. 429: see `braveRateLimit`. No call to the live service was made.
 *
 * @throws InvalidOptionError
 */
export function brave(options: BraveOptions): SearchProvider {
  const { apiKey, country, safeSearch, extraSnippets, http } = providerOptions('brave', options, BASE_URL, {
    apiKey: key('BRAVE_API_KEY'),
    country: text,
    safeSearch: oneOf('off', 'moderate', 'strict'),
    extraSnippets: flag,
  });
  return httpProvider(
    {
      name: 'brave',
      label: 'Brave Search',
      secret: apiKey,
      request: (query) => ({
        path: '/res/v1/web/search',
        params: {
          ...commonParams(query, country),
          count: Math.min(query.count, 20),
          safesearch: safeSearch,
          text_decorations: false,
          result_filter: 'web',
          extra_snippets: extraSnippets || undefined,
        },
        headers: { 'x-subscription-token': apiKey },
      }),
      failure,
      read: (json, query) => {
        const body = objectIn(json);
        if (body.type !== 'search') return undefined;
        if (body.web === undefined || body.web === null) return { hits: [] };
        const results = listIn(objectIn(body.web).results);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => ({
            url: item.url,
            title: item.title,
            snippet: oneLine(textIn(item.description)),
            passages: textsIn(item.extra_snippets).map(oneLine),
            publishedAt: item.page_age,
          }));
        return hits && { hits };
      },
    },
    http,
  );
}

/**
 * Brave's passages for language models: of each page the parts that match, so that no page need be read.
 *
 * Wire format: `GET /res/v1/llm/context` (Brave's API documentation; no call to the live service was made). Failures as
 * for `brave`.
 *
 * @throws InvalidOptionError
 */
export function braveLlmContext(options: BraveLlmContextOptions): SearchProvider {
  const {
    apiKey,
    country,
    maxTokens = 8192,
    threshold,
    http,
  } = providerOptions('braveLlmContext', options, BASE_URL, {
    apiKey: key('BRAVE_API_KEY'),
    country: text,
    maxTokens: wholeNumber(1024, 32_768),
    threshold: oneOf('disabled', 'strict', 'lenient', 'balanced'),
  });
  return httpProvider(
    {
      name: 'brave-llm-context',
      label: 'Brave Search',
      secret: apiKey,
      request: (query) => ({
        path: '/res/v1/llm/context',
        params: {
          ...commonParams(query, country),
          count: Math.min(query.count, 50),
          maximum_number_of_urls: Math.min(query.count, 50),
          maximum_number_of_tokens: maxTokens,
          context_threshold_mode: threshold,
        },
        headers: { 'x-subscription-token': apiKey },
      }),
      failure,
      read: (json, query) => {
        const grounding = objectIn(json).grounding;
        const results = listIn(objectIn(grounding).generic);
        const sources = objectIn(objectIn(json).sources);
        const hits =
          results &&
          hitsOf(results, query.count, (item) => {
            const passages = textsIn(item.snippets).map(oneLine);
            return {
              url: item.url,
              title: item.title,
              snippet: passages[0]?.slice(0, 300),
              passages,
              publishedAt: textsIn(objectIn(sources[textIn(item.url)]).age).find((age) =>
                /^\d{4}-\d{2}-\d{2}/.test(age),
              ),
            };
          });
        return hits && { hits };
      },
    },
    http,
  );
}

function commonParams(query: SearchQuery, country: string | undefined): Record<string, string | undefined> {
  const words = query.text.split(/\s+/);
  const asked = words.length > MAX_WORDS ? words.slice(0, MAX_WORDS).join(' ') : query.text;
  const filtered = withSiteOperators({ ...query, text: asked }, MAX_CHARACTERS);
  return {
    q: filtered.split(/\s+/).length > MAX_WORDS ? asked : filtered,
    country,
    // Brave knows Portuguese only by country.
    search_lang: query.language === 'pt' ? 'pt-br' : query.language,
    freshness: query.freshness && FRESHNESS[query.freshness],
  };
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  if (answer.status === 429) return braveRateLimit(answer);
  if (answer.status !== 422 && answer.status !== 400) return undefined;
  const error = objectIn(objectIn(answer.json).error);
  const aboutKey = (listIn(objectIn(error.meta).errors) ?? []).some((problem) =>
    (listIn(objectIn(problem).loc) ?? []).includes('x-subscription-token'),
  );
  if (aboutKey || /^SUBSCRIPTION_TOKEN_/.test(textIn(error.code))) return { kind: 'auth' };
  return error.code === 'OPTION_NOT_IN_PLAN'
    ? {
        kind: 'auth',
        advice:
          'says that the plan of this key does not include what was asked: raise the plan or leave the option out.',
      }
    : undefined;
}
