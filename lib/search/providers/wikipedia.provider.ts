import { at, stringAt } from '../../core/json.js';
import { object, oneOf, orElse, number, withDefault } from '../../core/schema.js';
import { LANGUAGES, type Language } from '../../core/text/languages.js';
import { cleanText, oneLine } from '../plain-text.js';
import { isWithin } from '../ranking/canonical-url.js';
import type { SearchProvider, SearchQuery } from '../search-provider.js';
import { concurrencyGate } from './concurrency-gate.js';
import {
  askProvider,
  retryAfter,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderProtocol,
} from './http-provider.js';
import { cutAtWord, domainList } from './narrowing.js';
import { contactAddress, providerOptions, userAgent, type ProviderOptions } from './provider-options.js';
import { list, text, type RawHit } from './search-hits.js';

/** Options of {@link wikipedia}. */
export interface WikipediaOptions extends ProviderOptions {
  /**
   * An e-mail address or a web page of yours, so that Wikimedia can reach you. Sent in the `User-Agent`. Without one, all
   * Wikimedia projects together answer this server 10 requests a minute; with one, 200. Default: none.
   */
  contact?: string;
  /** Language of the Wikipedia to search when the search has none. Default `en`. */
  language?: Language;
  /** Root of a MediaWiki of your own, above `/w/api.php`. Default: Wikipedia in the language. */
  baseUrl?: string;
}

/** Wikimedia's limit for unattended clients. */
const MAX_CONCURRENT = 3;
/** Limit of the extension that returns introductions. */
const MAX_EXTRACTS = 20;
/** `CirrusSearchMaxFullTextQueryLength`, characters. A longer query is refused. */
const MAX_QUERY = 300;

const RESPONSE = object({
  query: object({
    // An empty search still has an empty list.
    search: list(object({ pageid: orElse(number(), undefined), title: text, snippet: text })),
    pages: orElse(list(object({ pageid: orElse(number(), undefined), fullurl: text, extract: text })), []),
  }),
});

const WIKIPEDIA = { license: 'CC-BY-SA-4.0', attribution: 'Wikipedia contributors' };

/**
 * Wikipedia, without a key. The introduction of each article counts as its passage. Texts are CC BY-SA 4.0: each result names the
 * licence and whom to credit.
 *
 * Wire format: `GET /w/api.php?action=query` with `list=search` (order, snippets) and the same search as a generator (addresses,
 * introductions), in one request (MediaWiki's API help; tried against a running MediaWiki 1.39 with TextExtracts, not against
 * Wikipedia). Failures are 200 `{error: {code, info}}`. Limits: mediawiki.org Wikimedia_APIs/Rate_limits and wikitech-l of
 * 2026-03; CirrusSearch `extension.json` of 2026-08-07. Articles have no publication date, so freshness is not passed on.
 *
 * @throws InvalidOptionError
 */
export function wikipedia(options: WikipediaOptions = {}): SearchProvider {
  const {
    contact,
    language: byDefault,
    http,
  } = providerOptions('wikipedia', options, rootOf('en'), {
    contact: contactAddress,
    language: withDefault(oneOf(...LANGUAGES), 'en' as const),
  });
  const agent = userAgent(contact);
  const gate = concurrencyGate(MAX_CONCURRENT);

  return {
    name: 'wikipedia',
    narrows: ['language', 'includeDomains', 'excludeDomains'],
    askOnce: true,
    ...(contact === undefined
      ? {
          notice:
            'Wikipedia answers this server 10 requests a minute, and 200 when it knows a contact. Set `contact` to an e-mail address or a web page of yours (CONTACT).',
        }
      : {}),
    search: async (query, context) => {
      const baseUrl = options?.baseUrl === undefined ? rootOf(query.language ?? byDefault) : http.baseUrl;
      const host = new URL(baseUrl).hostname;
      // All results are on one host. When the filters exclude it, there is nothing to ask.
      const include = domainList(query.includeDomains);
      if ((include && !isWithin(host, include)) || isWithin(host, domainList(query.excludeDomains) ?? []))
        return { hits: [] };
      return gate(
        () => askProvider(protocolOf(baseUrl, agent, contact), { ...http, baseUrl }, query, context),
        context.signal,
      );
    },
  };
}

const rootOf = (language: Language): string => `https://${language}.wikipedia.org`;

function protocolOf(
  baseUrl: string,
  agent: string,
  contact: string | undefined,
): ProviderProtocol<{ query: Found }> {
  const credit = isWithin(new URL(baseUrl).hostname, ['wikipedia.org']) ? WIKIPEDIA : {};
  return {
    name: 'wikipedia',
    label: 'Wikipedia',
    request: (query) => request(query, agent),
    failure: (answer) => failure(answer, contact),
    response: RESPONSE,
    results: ({ query }) => hits(query, baseUrl).map((hit) => ({ ...hit, ...credit })),
  };
}

interface Found {
  search: { pageid: number | undefined; title: string; snippet: string }[];
  pages: { pageid: number | undefined; fullurl: string; extract: string }[];
}

function request(query: SearchQuery, agent: string) {
  const limit = Math.min(query.count, 50);
  const asked = cutAtWord(query.text, MAX_QUERY);
  return {
    path: '/w/api.php',
    params: {
      action: 'query',
      format: 'json',
      formatversion: 2,
      list: 'search',
      srsearch: asked,
      srlimit: limit,
      srprop: 'snippet',
      generator: 'search',
      gsrsearch: asked,
      gsrlimit: limit,
      prop: 'extracts|info',
      inprop: 'url',
      exintro: 1,
      explaintext: 1,
      exlimit: Math.min(limit, MAX_EXTRACTS),
    },
    headers: { 'user-agent': agent },
  };
}

function failure(answer: ProviderAnswer, contact: string | undefined): ProviderFailure | undefined {
  const { status, json } = answer;
  const retryAfterSeconds = retryAfter(answer);
  const setContact = contact === undefined ? ' Set `contact`: with one, Wikimedia allows 200 a minute.' : '';
  const tooMany: ProviderFailure = {
    kind: 'rate_limited',
    retryAfterSeconds,
    advice: `gets too many requests from this server.${setContact}`,
  };
  if (status === 403)
    return {
      kind: 'auth',
      advice: 'refuses this client. Set `contact`: Wikimedia’s policy asks for one in the User-Agent.',
    };
  if (status === 429) return tooMany;
  if (status !== 200 || at(json, 'error') === undefined) return undefined;
  const code = cleanText(stringAt(json, 'error', 'code') ?? '').slice(0, 60);
  if (code === 'ratelimited') return tooMany;
  const passing = /^(?:maxlag|readonly|cirrussearch-(?!query-too-long)|internal_api_error|search-error)/;
  return passing.test(code)
    ? { kind: 'unavailable', retryAfterSeconds, advice: `cannot search at the moment (${code}).` }
    : { kind: 'bad_request', advice: `refuses the search (${code}).` };
}

function hits({ search, pages }: Found, baseUrl: string): RawHit[] {
  const byId = new Map(pages.map((page) => [page.pageid, page]));
  return search.map(({ pageid, title, snippet }) => {
    const page = byId.get(pageid);
    const path = encodeURIComponent(title.replace(/ /g, '_'));
    return {
      url: page?.fullurl || (title && `${baseUrl}/wiki/${path}`),
      title,
      snippet: oneLine(snippet),
      passages: [cleanText(page?.extract ?? '')],
    };
  });
}
