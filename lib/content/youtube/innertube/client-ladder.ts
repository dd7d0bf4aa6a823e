import { ToolsError } from '../../../core/errors/index.js';
import type { ProviderContext } from '../transcript-provider.js';
import { mostTelling, outcomeOf, videoFailure } from '../video-failure.js';

/** One answer settles it: it is about the video or about this address, whatever the client. */
const SETTLED_BY_ONE = new Set([
  'private',
  'members_only',
  'live',
  'upcoming',
  'rate_limited',
  'captcha',
  'unreachable',
]);

/** One client alone may be wrong about these (retired, not for children's videos, …); two that agree are believed. */
const SETTLED_BY_TWO = new Set([
  'not_found',
  'age_restricted',
  'region_blocked',
  'no_captions',
  'low_speech',
  'truncated',
  'not_json',
  'unreadable',
  'consent',
  'server_error',
  'timeout',
]);

/** Whoever fails like this has seen the list of captions; what others say about there being none is then wrong. */
const SAW_CAPTIONS = new Set(['gated_captions', 'truncated']);
const DENIES_CAPTIONS = new Set(['not_found', 'no_captions', 'unplayable']);

/**
 * Tries one client profile after the other until one gives the words or the failures settle it; records each try.
 *
 * @throws the failure that tells most
 */
export async function tryClients<Client extends { name: string }, T>(
  clients: readonly Client[],
  context: ProviderContext,
  attempt: (client: Client) => Promise<T>,
): Promise<T> {
  const failures: ToolsError[] = [];
  for (const client of clients) {
    const since = performance.now();
    const record = (outcome: string): void =>
      context.attempt({ client: client.name, ms: Math.round(performance.now() - since), outcome });
    try {
      const result = await attempt(client);
      record('ok');
      return result;
    } catch (error) {
      context.signal.throwIfAborted();
      const outcome = outcomeOf(error);
      record(outcome);
      if (!(error instanceof ToolsError)) throw error;
      const agreeing = failures.filter((failure) => outcomeOf(failure) === outcome).length;
      failures.push(error);
      if (SETTLED_BY_ONE.has(outcome) || (SETTLED_BY_TWO.has(outcome) && agreeing > 0)) break;
    }
  }
  throw verdict(failures);
}

function verdict(failures: readonly ToolsError[]): ToolsError {
  const sawCaptions = failures.some((failure) => SAW_CAPTIONS.has(outcomeOf(failure)));
  const credible = failures.filter((failure) => !(sawCaptions && DENIES_CAPTIONS.has(outcomeOf(failure))));
  return mostTelling(credible) ?? videoFailure('unreadable');
}
