import { InvalidOptionError } from '../core/errors/index.js';
import type { Language } from '../core/text/languages.js';
import { checkFreshness, type Freshness } from './freshness.js';

/** Results where the request does not say how many. */
export const DEFAULT_TOP_N = 5;

/** What a host may set for `search_web`; everything is optional. */
export interface SearchOptions {
  /** Time for a search without an answer, ms. Default 3000. */
  deadlineMs?: number;
  /** Time for a search with an answer, ms. Default 8000. */
  answerDeadlineMs?: number;
  /** A provider that has not answered after this many ms gets the next one started beside it. Default 400. */
  hedgeAfterMs?: number;
  /**
   * `first`: the providers are a chain, the first list that comes is used. `all`: every provider is asked at once and the
   * lists are fused; costs every provider's quota. Default `first`.
   */
  combine?: 'first' | 'all';
  /** Preferred language of the results. Default none. */
  language?: Language;
  /**
   * Only results of the last `day`, `week`, `month` or `year`, or of a range of days such as `{ from: '2026-01-01', to: '2026-01-31' }`
   * (one end is enough). Results without a date stay. Default: any time.
   */
  freshness?: Freshness;
  /** Only these domains and their subdomains. Default all. */
  includeDomains?: readonly string[];
  /** None of these. Default none. */
  excludeDomains?: readonly string[];
  /** Pages without passages that are read where a page reader is there. 0 turns reading off. Default 5. */
  readPages?: number;
  /** Time for reading pages in all, ms; what has not come by then is left out. Default 2000, at most half of what is left. */
  readMs?: number;
  /**
   * Whether a long conversational query (more than 12 words, or more than 8 with several sentences or politeness) is also searched by
   * its keywords, beside the search for the query as it is. Costs the providers' quota twice for such queries, and no time. Default true.
   */
  rewrite?: boolean;
  /** Passages that an answer may rest on. Default 8. */
  answerPassages?: number;
  /** Below this probability the outcome of an answer is `related` or `not_found`, 0..1. Default 0.5. */
  answerThreshold?: number;
  /** How long results and answers are kept in the cache, ms; 0 keeps none. Default five minutes. */
  cacheTtlMs?: number;
}

/** {@link SearchOptions} with every default filled in. */
export interface ResolvedSearchOptions {
  /** False: the tool is off, and every call is 501. */
  readonly enabled: boolean;
  readonly deadlineMs: number;
  readonly answerDeadlineMs: number;
  readonly hedgeAfterMs: number;
  readonly combine: 'first' | 'all';
  readonly language?: Language;
  readonly freshness?: Freshness;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  readonly readPages: number;
  readonly readMs: number;
  readonly rewrite: boolean;
  readonly answerPassages: number;
  readonly answerThreshold: number;
  readonly cacheTtlMs: number;
}

/**
 * Fills in the defaults of {@link SearchOptions}.
 * @throws InvalidOptionError
 */
export function resolveSearchOptions(options: SearchOptions = {}): ResolvedSearchOptions {
  const number = (name: keyof SearchOptions, fallback: number, least: number, most = Infinity): number => {
    const value = options[name] ?? fallback;
    if (typeof value !== 'number' || !Number.isFinite(value) || value < least || value > most) {
      const expected =
        most === Infinity ? `a number of at least ${least}` : `a number from ${least} to ${most}`;
      throw new InvalidOptionError(`search.${name}`, expected, value);
    }
    return value;
  };
  const combine = options.combine ?? 'first';
  if (combine !== 'first' && combine !== 'all') {
    throw new InvalidOptionError('search.combine', '"first" or "all"', combine);
  }
  const rewrite: unknown = options.rewrite ?? true;
  if (typeof rewrite !== 'boolean') throw new InvalidOptionError('search.rewrite', 'true or false', rewrite);
  return {
    enabled: true,
    deadlineMs: number('deadlineMs', 3000, 1),
    answerDeadlineMs: number('answerDeadlineMs', 8000, 1),
    hedgeAfterMs: number('hedgeAfterMs', 400, 0),
    combine,
    ...(options.language ? { language: options.language } : {}),
    ...(options.freshness === undefined
      ? {}
      : { freshness: checkFreshness('search.freshness', options.freshness) }),
    includeDomains: domains('includeDomains', options.includeDomains),
    excludeDomains: domains('excludeDomains', options.excludeDomains),
    readPages: number('readPages', 5, 0),
    readMs: number('readMs', 2000, 0),
    rewrite,
    answerPassages: number('answerPassages', 8, 1),
    answerThreshold: number('answerThreshold', 0.5, 0, 1),
    cacheTtlMs: number('cacheTtlMs', 300_000, 0),
  };
}

function domains(name: string, value: readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((d) => typeof d !== 'string')) {
    throw new InvalidOptionError(`search.${name}`, 'an array of host names', value);
  }
  // Some providers refuse a whole request because of one empty entry.
  return value.map((d) => d.trim()).filter((d) => d !== '');
}
