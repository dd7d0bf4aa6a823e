import { jest } from '@jest/globals';
import { ToolsHealthIndicator, UpstreamHealth, watchGroup } from '../../lib/core/health.js';
import {
  ContentNotFoundError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../lib/core/errors.js';
import { NO_TELEMETRY } from '../../lib/core/telemetry.js';

describe('watched providers', () => {
  let now: number;
  let health: UpstreamHealth;
  let provider: { outcome: unknown };
  let search: (signal?: AbortSignal) => Promise<unknown>;

  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    // A system clock that jumps, here by a day with each call, changes nothing.
    let today = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => (today -= 86_400_000));
    health = new UpstreamHealth();
    health.register('search_web', 'fake');
    provider = { outcome: 'found' };
    const watch = watchGroup('search_web', { health, telemetry: NO_TELEMETRY });
    search = (signal = new AbortController().signal) =>
      watch('fake', signal, async () => {
        signal.throwIfAborted();
        if (provider.outcome instanceof Error) throw provider.outcome;
        return Promise.resolve(provider.outcome);
      }).catch((error: unknown) => error);
  });

  afterEach(() => jest.restoreAllMocks());

  const stateOf = (): unknown => health.snapshot().search_web!.fake;
  const status = (): unknown => new ToolsHealthIndicator(health).check().tools!.status;

  it('are unknown, and the tool up, before the first call', () => {
    expect(stateOf()).toEqual({ status: 'unknown', failures: 0 });
    expect(new ToolsHealthIndicator(health).check('web')).toEqual({
      web: {
        status: 'up',
        search_web: { status: 'up', upstreams: { fake: { status: 'unknown', failures: 0 } } },
      },
    });
  });

  it('are down after three failures in a row, and up again after one success', async () => {
    provider.outcome = new UpstreamUnavailableError('down');
    await search();
    await search();
    expect(status()).toBe('up');
    await search();
    expect(stateOf()).toMatchObject({ status: 'down', failures: 3, lastError: 'upstream_unavailable' });
    expect(status()).toBe('down');
    provider.outcome = 'found';
    await search();
    expect(stateOf()).toEqual({ status: 'up', failures: 0, lastCallAt: expect.any(Date) });
    expect(status()).toBe('up');
  });

  it('are unknown again 30 s after the last failure, so that a server can come back into rotation', async () => {
    provider.outcome = new TypeError('a fault of the provider');
    for (let i = 0; i < 3; i++) await search();
    expect(stateOf()).toMatchObject({ status: 'down', lastError: 'failed' });
    now += 30_000;
    expect(stateOf()).toMatchObject({ status: 'unknown', failures: 3 });
    expect(status()).toBe('up');
  });

  it('are up when they say that there is no such content', async () => {
    provider.outcome = new ContentNotFoundError('none');
    expect(await search()).toBe(provider.outcome);
    expect(stateOf()).toMatchObject({ status: 'up', failures: 0 });
  });

  it('are not blamed for a client that left, nor for the deadline of a request', async () => {
    const left = new AbortController();
    left.abort(new Error('the client left'));
    await search(left.signal);
    expect(stateOf()).toEqual({ status: 'unknown', failures: 0 });
    const late = new AbortController();
    late.abort(new UpstreamTimeoutError('too late'));
    await search(late.signal);
    expect(stateOf()).toEqual({ status: 'unknown', failures: 0 });
  });

  it('leave the tool up as long as one of them is', async () => {
    provider.outcome = new UpstreamUnavailableError('down');
    for (let i = 0; i < 3; i++) await search();
    health.register('search_web', 'other');
    expect(status()).toBe('up');
  });
});
