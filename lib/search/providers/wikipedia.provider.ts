import { InvalidOptionError } from '../../core/errors/index.js';
import { LANGUAGES, type Language } from '../../core/text/languages.js';
import type { SearchProvider, SearchProviderResult, SearchQuery } from '../search-provider.js';
import { concurrencyGate } from './concurrency-gate.js';
import { isObject, listIn, numberIn, objectIn, textIn, type JsonObject } from './json-fields.js';
import { cleanText, oneLine } from '../plain-text.js';
import {
  oneOf,
  providerOptions,
  resolveOptions,
  type ProviderOptions,
  type OptionCheck,
} from './provider-options.js';
import { askProvider, retryAfter, type ProviderAnswer, type ProviderFailure } from './provider-request.js';
import { domainList, isWithin } from './query-filters.js';
import { hitsOf } from './search-hits.js';

export interface WikipediaOptions extends ProviderOptions {
  /**
   * Where the wiki's operators can reach you, an e-mail address or a web page. Goes into the `User-Agent`, which
   * Wikimedia's policy asks for; without one, expect tighter limits.
   */
  contact?: string;
  /** Language of the Wikipedia that is searched where the query names none; default `en`. */
  language?: Language;
  /** A MediaWiki of your own: the address its `/w/api.php` lies under; default: Wikipedia's in the language. */
  baseUrl?: string;
}

/** Wikimedia asks unattended clients for at most three requests at a time. */
const MAX_CONCURRENT = 3;
/** The extension that gives the introductions serves twenty a request. */
const MAX_EXTRACTS = 20;

/**
 * Wikipedia, without a key. The introduction of each article counts as its passage.
 *
 * Wire format: `GET /w/api.php?action=query` with `list=search` (order, snippets, total) and the same search as a generator
 * (addresses, introductions), in one request (MediaWiki's API help; tried against a running MediaWiki 1.39 with TextExtracts,
 * not against Wikipedia itself). Failures come as 200 `{error: {code, info}}` with a `MediaWiki-API-Error` header. Articles
 * carry no publication date, so freshness is not passed on. Texts are CC BY-SA: keep the link.
 *
 * @throws InvalidOptionError
 */
export function wikipedia(options: WikipediaOptions = {}): SearchProvider {
  const { contact, language: defaultLanguage = 'en' } = providerOptions('wikipedia', options, rootOf('en'), {
    contact: contactAddress,
    language: oneOf(...LANGUAGES),
  });
  const userAgent = `nestjs-tools/0.1 (${contact ?? 'server-side search tool; no contact configured'}) Node.js/${process.versions.node}`;
  const byLanguage = (language: Language) => resolveOptions('wikipedia', options, rootOf(language));
  const gate = concurrencyGate(MAX_CONCURRENT);

  return {
    name: 'wikipedia',
    search: async (query, context) => {
      const language = query.language ?? defaultLanguage;
      const resolved = byLanguage(language);
      const host = new URL(resolved.baseUrl).hostname;
      // All results lie on one host: where the filters shut it out, there is nothing to ask for.
      const include = domainList(query.includeDomains);
      if ((include && !isWithin(host, include)) || isWithin(host, domainList(query.excludeDomains) ?? []))
        return { hits: [] };
      const protocol = {
        name: 'wikipedia',
        label: 'Wikipedia',
        request: (asked: SearchQuery) => request(asked, userAgent),
        failure,
        read: (json: unknown, asked: SearchQuery) => read(json, asked, resolved.baseUrl),
      };
      return gate(() => askProvider(protocol, resolved, query, context), context.signal);
    },
  };
}

const rootOf = (language: Language): string => `https://${language}.wikipedia.org`;

/** It goes into a header, in brackets. */
const contactAddress: OptionCheck<string> = (option, value) => {
  if (value !== undefined && !/^[\x21-\x27\x2a-\x7e]{3,200}$/.test(value))
    throw new InvalidOptionError(option, 'an e-mail address or a web address', value);
  return value;
};

function request(query: SearchQuery, userAgent: string) {
  const limit = Math.min(query.count, 50);
  return {
    path: '/w/api.php',
    params: {
      action: 'query',
      format: 'json',
      formatversion: 2,
      list: 'search',
      srsearch: query.text,
      srlimit: limit,
      srprop: 'snippet',
      srinfo: 'totalhits',
      generator: 'search',
      gsrsearch: query.text,
      gsrlimit: limit,
      prop: 'extracts|info',
      inprop: 'url',
      exintro: 1,
      explaintext: 1,
      exlimit: Math.min(limit, MAX_EXTRACTS),
    },
    headers: { 'user-agent': userAgent },
  };
}

function failure(answer: ProviderAnswer): ProviderFailure | undefined {
  if (answer.status === 403)
    return {
      kind: 'auth',
      advice:
        'refuses this client: set `contact` so that the User-Agent names someone, as Wikimedia’s policy asks.',
    };
  const { error } = objectIn(answer.json);
  if (answer.status !== 200 || !isObject(error)) return undefined;
  const code = textIn(error.code);
  const retryAfterSeconds = retryAfter(answer);
  if (code === 'ratelimited') return { kind: 'rate_limited', retryAfterSeconds };
  return /^(?:maxlag|readonly|cirrussearch-|internal_api_error|search-error)/.test(code)
    ? {
        kind: 'unavailable',
        retryAfterSeconds,
        advice: `cannot search at the moment (${cleanText(code).slice(0, 60)}).`,
      }
    : { kind: 'bad_request', advice: `refuses the search (${cleanText(code).slice(0, 60)}).` };
}

function read(json: unknown, query: SearchQuery, baseUrl: string): SearchProviderResult | undefined {
  const body = objectIn(json);
  const found = objectIn(body.query);
  // A search without a match still lists an empty `search`; an answer without `query` at all is not one.
  const results = listIn(found.search);
  if (!results) return undefined;
  const pages = new Map<unknown, JsonObject>(
    (listIn(found.pages) ?? []).filter(isObject).map((page) => [page.pageid, page]),
  );
  const hits = hitsOf(results, query.count, (item) => {
    const page = pages.get(item.pageid) ?? {};
    const title = textIn(item.title);
    return {
      url:
        textIn(page.fullurl) || (title && `${baseUrl}/wiki/${encodeURIComponent(title.replace(/ /g, '_'))}`),
      title,
      snippet: oneLine(textIn(item.snippet)),
      passages: [cleanText(textIn(page.extract))],
    };
  });
  const total = numberIn(objectIn(found.searchinfo).totalhits);
  return hits && { hits, ...(total === undefined ? {} : { totalResults: total }) };
}
