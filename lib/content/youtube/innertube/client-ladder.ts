import { ToolsError } from '../../../core/errors.js';
import type { ProviderContext } from '../transcript-provider.js';
import { mostTelling, outcomeOf, videoFailure } from '../video-failure.js';

/** Failures that one client settles: they are about the video or about this server's address. */
const SETTLED_BY_ONE = new Set([
  'private',
  'members_only',
  'live',
  'upcoming',
  'rate_limited',
  'captcha',
  'unreachable',
]);

/** Failures that a single client may get wrong (a retired client, a children's video). Two clients that agree settle them. */
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

/** A client that fails like this has seen captions, so a client that denies them is wrong. */
const SAW_CAPTIONS = new Set(['gated_captions', 'truncated']);
const DENIES_CAPTIONS = new Set(['not_found', 'no_captions', 'unplayable']);

/**
 * Tries one client profile after the other until one returns the transcript or the failures settle the outcome. Records each
 * try in `details.attempts`. An error that is not a `ToolsError` counts as that client's failure only.
 *
 * @throws ToolsError the failure that says most about the video
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
      const agreeing = failures.filter((failure) => outcomeOf(failure) === outcome).length;
      failures.push(ToolsError.isInstance(error) ? error : videoFailure('refused', { cause: error }));
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
