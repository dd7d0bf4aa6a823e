import { arrayAt, numberAt, stringAt } from '../../core/json.js';
import {
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  orElse,
  record,
  string,
  withDefault,
} from '../../core/schema.js';
import { isPeriod, type Freshness } from '../freshness.js';
import type { SearchProvider, SearchQuery } from '../search-provider.js';
import {
  HOUR_SECONDS,
  httpProvider,
  type KeyedProviderOptions,
  type ProviderAnswer,
  type ProviderFailure,
} from './http-provider.js';
import { dateSpan, withSiteOperators } from './query-filters.js';
import { hit, list, markdownOrJsonText, texts } from './search-hits.js';

/** Options of {@link brave}. */
export interface BraveOptions extends KeyedProviderOptions {
  /** Country as two letters, or `ALL`, e.g. `US`. Default: Brave's (`US`). */
  country?: string;
  /** Default: Brave's (`moderate`). */
  safeSearch?: 'off' | 'moderate' | 'strict';
  /** Up to five more extracts of each page, which count as passages. Default true. */
  extraSnippets?: boolean;
}

/** Options of {@link braveLlmContext}. */
export interface BraveLlmContextOptions extends KeyedProviderOptions {
  /** Country as two letters, or `ALL`, e.g. `US`. Default: Brave's (`US`). */
  country?: string;
  /** Tokens of all passages together, 1,024 to 32,768. Default 8,192. */
  maxTokens?: number;
  /** How strictly passages are chosen. Default: Brave's (`balanced`). */
  threshold?: 'disabled' | 'strict' | 'lenient' | 'balanced';
}

/** Brave's limits on `q`. */
const MAX_CHARACTERS = 400;
const MAX_WORDS = 50;
const PERIODS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;
/** What both of Brave's searches have in common. */
const BRAVE = {
  label: 'Brave Search',
  root: 'https://api.search.brave.com',
  key: { variable: 'BRAVE_API_KEY', header: 'x-subscription-token' },
  filters: ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
  failure,
} as const;

const COUNTRY = optional(
  string({ pattern: /^(?:[a-z]{2}|all)$/i, expected: 'a country as two letters, e.g. US, or ALL' }),
);

/**
 * Brave web search.
 *
 * Wire format: `GET /res/v1/web/search` with `X-Subscription-Token` (Brave's API documentation; schemas of
 * `@brave/brave-search-mcp-server` 2.1.4). A wrong key is a 422 with the code `SUBSCRIPTION_TOKEN_INVALID`. A missing one is a
 * 422 `VALIDATION` that names the header.
 *
 * @throws InvalidOptionError
 */
export function brave(options: BraveOptions): SearchProvider {
  return httpProvider(options, {
    ...BRAVE,
    name: 'brave',
    fields: {
      country: COUNTRY,
      safeSearch: optional(oneOf('off', 'moderate', 'strict')),
      extraSnippets: withDefault(boolean(), true),
    },
    request: (query, { country, safeSearch, extraSnippets }) => ({
      path: '/res/v1/web/search',
      params: {
        ...commonParams(query, country),
        count: Math.min(query.count, 20),
        safesearch: safeSearch,
        text_decorations: false,
        result_filter: 'web',
        extra_snippets: extraSnippets || undefined,
      },
    }),
    response: object({
      type: oneOf('search'),
      // Absent when nothing was found.
      web: nullable(
        object({
          results: list(hit({ snippet: 'description', passages: 'extra_snippets', publishedAt: 'page_age' })),
        }),
      ),
    }),
    results: ({ web }) => web?.results ?? [],
  });
}

const NO_AGE: { age: string[] } = { age: [] };
const NO_SOURCES: Record<string, { age: string[] }> = {};

/**
 * Brave's passages for language models: the matching parts of each page, so that no page is read.
 *
 * Wire format: `GET /res/v1/llm/context`; a snippet is plain text, Markdown or JSON (schemas of
 * `@brave/brave-search-mcp-server` 2.1.4). Failures as for {@link brave}.
 *
 * @throws InvalidOptionError
 */
export function braveLlmContext(options: BraveLlmContextOptions): SearchProvider {
  return httpProvider(options, {
    ...BRAVE,
    name: 'brave-llm-context',
    option: 'braveLlmContext',
    fields: {
      country: COUNTRY,
      maxTokens: withDefault(integer(1024, 32_768), 8192),
      threshold: optional(oneOf('disabled', 'strict', 'lenient', 'balanced')),
    },
    request: (query, { country, maxTokens, threshold }) => ({
      path: '/res/v1/llm/context',
      params: {
        ...commonParams(query, country),
        count: Math.min(query.count, 50),
        maximum_number_of_urls: Math.min(query.count, 50),
        maximum_number_of_tokens: maxTokens,
        context_threshold_mode: threshold,
      },
    }),
    response: object({
      grounding: object({ generic: list(hit({ passages: 'snippets' })) }),
      sources: orElse(record(orElse(object({ age: texts }), NO_AGE)), NO_SOURCES),
    }),
    results: ({ grounding, sources }) =>
      grounding.generic.map((found) => ({
        ...found,
        // The age in three forms, one of them an ISO date.
        publishedAt: sources[found.url]?.age.find((age) => /^\d{4}-\d{2}-\d{2}/.test(age)),
      })),
    texts: { passage: markdownOrJsonText },
  });
}

function commonParams(query: SearchQuery, country: string | undefined): Record<string, string | undefined> {
  const asked = query.text.split(/\s+/).slice(0, MAX_WORDS).join(' ');
  const filtered = withSiteOperators({ ...query, text: asked }, MAX_CHARACTERS);
  return {
    q: filtered.split(/\s+/).length > MAX_WORDS ? asked : filtered,
    country: country?.toUpperCase(),
    // Brave knows Portuguese only by country.
    search_lang: query.language === 'pt' ? 'pt-br' : query.language,
    freshness: query.freshness && freshnessOf(query.freshness),
  };
}

function freshnessOf(freshness: Freshness): string {
  return isPeriod(freshness) ? PERIODS[freshness] : dateSpan(freshness);
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  if (answer.status === 429) return rateLimit(answer);
  if (answer.status !== 422 && answer.status !== 400) return undefined;
  const code = stringAt(answer.json, 'error', 'code') ?? '';
  const aboutKey = arrayAt(answer.json, 'error', 'meta', 'errors').some((problem) =>
    arrayAt(problem, 'loc').includes('x-subscription-token'),
  );
  if (aboutKey || code.startsWith('SUBSCRIPTION_TOKEN_')) return { kind: 'auth' };
  return code === 'OPTION_NOT_IN_PLAN'
    ? {
        kind: 'auth',
        advice:
          'says that the plan of this key does not include an option. Raise the plan, or set `extraSnippets: false`.',
      }
    : undefined;
}

/**
 * Brave counts in two windows, a second and a month: `X-RateLimit-Remaining: 0, 14523` with `X-RateLimit-Reset: 1, 1419704`
 * (seconds). The empty window decides whether waiting helps. Without the headers, the body's `meta` says so: `quota_current`
 * against `quota_limit`.
 *
 * Source: Brave's documentation of the response headers; a 429 body as quoted in chatwise issue 1296.
 */
function rateLimit({ headers, json }: ProviderAnswer): ProviderFailure {
  const remaining = numbersOf(headers.get('x-ratelimit-remaining'));
  const reset = numbersOf(headers.get('x-ratelimit-reset'));
  const waits = reset.filter((_, window) => remaining[window] === 0);
  const limit = numberAt(json, 'error', 'meta', 'quota_limit') ?? 0;
  const used = numberAt(json, 'error', 'meta', 'quota_current') ?? 0;
  const wait = waits.length > 0 ? Math.max(...waits) : undefined;
  const monthIsUsedUp =
    stringAt(json, 'error', 'code') === 'QUOTA_LIMITED' ||
    (wait ?? 0) > HOUR_SECONDS ||
    (limit > 0 && used >= limit);
  return monthIsUsedUp
    ? {
        kind: 'quota',
        advice: 'has used up this month’s quota of the key. Raise the plan or its spending limit.',
      }
    : { kind: 'rate_limited', retryAfterSeconds: wait ?? 1 };
}

function numbersOf(header: string | null): number[] {
  return (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^\d+$/.test(part))
    .map(Number);
}
