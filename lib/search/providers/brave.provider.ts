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
import { httpProvider, type KeyedProviderOptions } from './http-provider.js';
import { dateSpan, withSiteOperators } from './query-filters.js';
import { hit, hitList, hitTexts } from './search-hits.js';

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

/** Limits of `q`, characters and words (Brave's documentation, 2026). */
const MAX_CHARACTERS = 400;
const MAX_WORDS = 50;
const PERIODS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;
const BRAVE = {
  label: 'Brave Search',
  root: 'https://api.search.brave.com',
  key: { variable: 'BRAVE_API_KEY', header: 'x-subscription-token' },
  filters: ['language', 'freshness', 'dateRange', 'includeDomains', 'excludeDomains'],
  failures: [
    { says: /"(?:SUBSCRIPTION_TOKEN_[A-Z]+|x-subscription-token)"/, kind: 'auth' },
    {
      says: /"OPTION_NOT_IN_PLAN"/,
      kind: 'auth',
      advice:
        'says that the plan of this key does not include an option. Raise the plan, or set `extraSnippets: false`.',
    },
    { status: 429, says: /"QUOTA_LIMITED"/, kind: 'quota' },
  ],
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
          results: hitList(
            hit({ snippet: 'description', passages: ['extra_snippets'], publishedAt: ['page_age'] }),
          ),
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
      grounding: object({ generic: hitList(hit({ passages: ['snippets'] })) }),
      sources: orElse(record(orElse(object({ age: hitTexts }), NO_AGE)), NO_SOURCES),
    }),
    results: ({ grounding, sources }) =>
      grounding.generic.map((found) => ({
        ...found,
        passages: found.passages?.map(withoutJson),
        // The age in three forms, one of them an ISO date.
        publishedAt: sources[found.url]?.age.find((age) => /^\d{4}-\d{2}-\d{2}/.test(age)),
      })),
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

/** The values of structured data with their names, a line each; any other text as it is. */
function withoutJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const lines: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      const isShown = typeof value === 'string' ? !/^[a-z]+:\/\//i.test(value) : typeof value === 'number';
      const shown = String(value);
      if (isShown && !name.startsWith('@')) lines.push(/[.!?]$/.test(shown) ? shown : `${name}: ${shown}`);
      return value;
    });
  } catch {
    // Markdown that begins with a bracket, such as a link.
    return text;
  }
  return lines.join('\n\n');
}
