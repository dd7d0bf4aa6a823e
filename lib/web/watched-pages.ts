import type { UpstreamHealth } from '../core/health.js';
import type { FailedPage, PageReader } from './page-reader.js';

/** Its place in the health registry: there is one web, whatever the page. */
const GROUP = 'pages';
const UPSTREAM = 'web';

/** Failures of a page that may as well be failures of the way to it. */
const NOT_REACHED: ReadonlySet<FailedPage['reason']> = new Set(['timeout', 'unavailable']);

/**
 * The same page reader, with the outcome of each round in the health registry. One page that answers, with whatever, shows that pages can
 * be reached; a round in which none did counts as one failure.
 */
export function watchedPages(reader: PageReader, health: UpstreamHealth): PageReader {
  health.register(GROUP, UPSTREAM);
  return {
    async read(urls, context) {
      const round = await reader.read(urls, context);
      const tried = round.failed.filter(({ reason }) => reason !== 'blocked_address');
      const lost = tried.find(({ reason }) => NOT_REACHED.has(reason));
      const reached = round.pages.length > 0 || tried.some(({ reason }) => !NOT_REACHED.has(reason));
      if (reached) health.succeeded(GROUP, UPSTREAM);
      else if (lost) health.failed(GROUP, UPSTREAM, lost.reason);
      return round;
    },
  };
}
