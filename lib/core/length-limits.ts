/**
 * The longest strings that come in from outside, in UTF-16 units: one table for every border. Later stages can then be superlinear in a
 * title, and nobody's page or database holds the event loop. {@link LONGEST.other} is the default of `string()` in `core/schema`, so that no
 * string of a schema is without a limit.
 *
 * Other borders: bodies of requests (the host's HTTP adapter), of pages and upstreams in bytes (`web/guarded-fetch`, `core/upstream/request`),
 * replies of models by their allowed tokens (`model/client`), JSON in depth (`core/json`), fields of requests (`tools/dto`).
 */
export const LONGEST = {
  /** Titles of pages, videos and chapters. Longer ones are cut. */
  title: 300,
  /** Names of channels, authors and licences. Longer ones are cut. */
  name: 200,
  /** Addresses. Results with a longer one are left out: cut, it would lead elsewhere. */
  address: 2000,
  /** BCP 47 tags. Longer ones are refused. */
  language: 35,
  /** Results of one search of one provider, by number: at most 50 are asked for. Further ones are left out. */
  results: 100,
  /** Extracts of results. Longer ones are cut. */
  snippet: 2000,
  /** Texts of one page. Longer ones are cut. */
  passage: 300_000,
  /** Passages of one page, by number. Further ones are left out. */
  passages: 100,
  /** Descriptions of videos. Longer ones are cut. */
  description: 20_000,
  /** Chapters of one video, by number. Further ones are left out. */
  chapters: 1000,
  /** Whole documents and transcripts of the host, and results in caches. Longer ones are refused. */
  document: 10_000_000,
  /** Everything else. Longer ones are refused. */
  other: 10_000,
} as const;
