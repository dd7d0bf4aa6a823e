import { callersOf } from '../../core/context.js';
import { FairQueue } from '../../core/fair-queue.js';
import { isAdmitted, isWithin } from '../../core/domains.js';
import { object, oneOf, optional, orElse, number } from '../../core/schema.js';
import { cutAtBlanks } from '../../text/cut-at-blanks.js';
import { LANGUAGES, type Language } from '../../text/languages.js';
import { functionWords } from '../../text/word-lists.js';
import type { SearchProvider, SearchQuery } from '../search-provider.js';
import { contactAddress, httpProvider, userAgent, type ProviderOptions } from './http-provider.js';
import { hitList, hitText } from './search-hits.js';

/** Options of {@link wikipedia}. */
export interface WikipediaOptions extends ProviderOptions {
  /**
   * An e-mail address or a web page of yours, so that Wikimedia can reach you. Sent in the `User-Agent`. Without one, all
   * Wikimedia projects together answer this server 10 requests a minute; with one, 200. Default: none.
   */
  contact?: string;
  /** Language of the Wikipedia to search when neither the search nor its words name one. Default `en`. */
  language?: Language;
  /** Root of a MediaWiki of your own, above `/w/api.php`. Default: Wikipedia in the language. */
  baseUrl?: string;
}

/** Wikimedia's limit for unattended clients (its robot policy, 2026). */
const MAX_CONCURRENT = 3;
/** Limit of `exlimit` (MediaWiki's TextExtracts, 2026). */
const MAX_EXTRACTS = 20;
/** `CirrusSearchMaxFullTextQueryLength`, characters (MediaWiki's CirrusSearch, 2026). A longer query is refused. */
const MAX_QUERY = 300;

const SET_CONTACT =
  'Wikipedia answers this server 10 requests a minute, and 200 when it knows a contact. Set `contact` to an e-mail address or a web page of yours (CONTACT).';
const WIKIPEDIA = { license: 'CC-BY-SA-4.0', attribution: 'Wikipedia contributors' };

/**
 * Wikipedia, without a key. The introduction of each article counts as its passage. Texts are CC BY-SA 4.0: each result names the
 * licence and whom to credit.
 *
 * CirrusSearch wants each word of a query on the page, `how` and `do` too. So function words are left out, a misspelling is corrected
 * by Wikipedia (`srenablerewrites`), and where no page has all words, pages with some of them are searched: a second request.
 *
 * Wire format: `GET /w/api.php?action=query` with `list=search` (order, snippets) and the same search as a generator (addresses,
 * introductions), in one request (MediaWiki's API help; tried against a running MediaWiki 1.39 with TextExtracts, not against
 * Wikipedia). Failures are 200 `{error: {code, info}}`. Limits: mediawiki.org Wikimedia_APIs/Rate_limits and wikitech-l of
 * 2026-03; CirrusSearch `extension.json` of 2026-08-07. Articles have no publication date, so freshness is not passed on.
 *
 * @throws InvalidOptionError
 */
export function wikipedia(options: WikipediaOptions = {}): SearchProvider {
  const { contact, language = 'en', baseUrl } = options ?? {};
  const rootOf = (query: SearchQuery): string =>
    baseUrl?.replace(/\/{1,20}$/, '') ?? `https://${query.language ?? language}.wikipedia.org`;
  /** The Wikipedia that the search names, or that its words tell, or the default one; the first that the filters admit. */
  const inLanguage = async (
    query: SearchQuery,
  ): Promise<(SearchQuery & { language: Language }) | undefined> => {
    const { toldLanguage } = await import('../../text/detect-language.js');
    return [query.language ?? toldLanguage(query.text) ?? language, query.language ?? language]
      .map((language) => ({ ...query, language }))
      .find((asked) => isAdmitted(rootOf(asked), asked));
  };
  const tooMany =
    'gets too many requests from this server.' +
    (contact === undefined ? ' Set `contact`: with one, Wikimedia allows 200 a minute.' : '');
  const provider = httpProvider(options, {
    name: 'wikipedia',
    label: 'Wikipedia',
    root: `https://${language}.wikipedia.org`,
    fields: { contact: contactAddress, language: optional(oneOf(...LANGUAGES)) },
    filters: ['language', 'includeDomains', 'excludeDomains'],
    request: (query) => {
      const limit = Math.min(query.count, 50);
      const asked = cutAtBlanks(query.text, MAX_QUERY)[0]!.replace(/ OR$/, '');
      return {
        root: rootOf(query),
        path: '/w/api.php',
        params: {
          action: 'query',
          format: 'json',
          formatversion: 2,
          list: 'search',
          srsearch: asked,
          srlimit: limit,
          srprop: 'snippet',
          srenablerewrites: 1,
          generator: 'search',
          gsrsearch: asked,
          gsrlimit: limit,
          gsrenablerewrites: 1,
          prop: 'extracts|info',
          inprop: 'url',
          exintro: 1,
          explaintext: 1,
          exlimit: Math.min(limit, MAX_EXTRACTS),
        },
        headers: { 'user-agent': userAgent(contact) },
      };
    },
    failures: [
      {
        status: 403,
        kind: 'auth',
        advice: 'refuses this client. Set `contact`: Wikimedia’s policy asks for one in the User-Agent.',
      },
      { status: 429, kind: 'rate_limited', advice: tooMany },
      { status: 200, says: /^\{"error":\{"code":"ratelimited"/, kind: 'rate_limited', advice: tooMany },
      { status: 200, says: PASSING, kind: 'unavailable' },
      { status: 200, says: /^\{"error":/, kind: 'bad_request' },
    ],
    response: object({
      query: object({
        // An empty search still has an empty list.
        search: hitList(object({ pageid: PAGE_ID, title: hitText, snippet: hitText })),
        pages: orElse(hitList(object({ pageid: PAGE_ID, fullurl: hitText, extract: hitText })), []),
      }),
    }),
    results: ({ query: { search, pages } }, query) => {
      const root = rootOf(query);
      const credit = isWithin(new URL(root).hostname, ['wikipedia.org']) ? WIKIPEDIA : {};
      const byId = new Map(pages.map((page) => [page.pageid, page]));
      return search.map(({ pageid, title, snippet }) => {
        const page = byId.get(pageid);
        const path = encodeURIComponent(title.replace(/ /g, '_'));
        const url = page?.fullurl || (title && `${root}/wiki/${path}`);
        return { url, title, snippet, passages: [page?.extract ?? ''], ...credit };
      });
    },
  });
  const queue = new FairQueue({ slots: MAX_CONCURRENT });
  return {
    ...provider,
    ...(contact === undefined ? { notice: SET_CONTACT } : {}),
    search: async (query, context) => {
      // All results are on one host. When the filters exclude it, there is nothing to ask.
      const asked = await inLanguage(query);
      if (!asked) return { hits: [] };
      const words = await askedWords(query.text, asked.language);
      const applicant = { callers: () => callersOf(context), signal: context.signal };
      const search = (text: string) =>
        queue.run(applicant, () => provider.search({ ...asked, text }, context));
      const found = await search(words.length > 0 ? words.join(' ') : query.text);
      return found.hits.length > 0 || words.length < 2 ? found : search(words.join(' OR '));
    },
  };
}

/** The words of a query but for its function words; none where it is a search expression or consists of function words. */
async function askedWords(text: string, language: Language): Promise<string[]> {
  if (/["\u201c\u201d\u201e]|(?:^|\s)[-!~]/.test(text)) return [];
  // Loaded with the first search, not with the host.
  const { emphasizedWords } = await import('../ranking/query-terms.js');
  const functional = functionWords(language);
  const isFunctional = (word: string): boolean => functional.has(word.toLowerCase());
  const emphasized = new Set(emphasizedWords(text, isFunctional).values());
  const words = text.match(/[\p{L}\p{M}\p{N}]+(?:[-'\u2019.,/+][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
  return words.filter((word) => !isFunctional(word) || emphasized.has(word));
}

/** Errors of the moment. */
const PASSING =
  /^\{"error":\{"code":"(?:maxlag|readonly|cirrussearch-(?!query-too-long)|internal_api_error|search-error)/;
const PAGE_ID = orElse(number(), undefined);
