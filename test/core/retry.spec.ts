import { getEventListeners } from 'node:events';
import { jest } from '@jest/globals';
import {
  CircuitOpenError,
  InvalidRequestError,
  ToolsError,
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../lib/core/errors.js';
import { withContext } from '../../lib/core/context.js';
import { retryAfterSeconds, withRetry, type RetryOptions } from '../../lib/core/upstream/retry.js';

/** Runs `withRetry` over scripted outcomes; tells when each attempt began, in ms from the start. */
async function run(
  script: (Error | string)[],
  options: RetryOptions = {},
  deadlineMs = 5000,
  signal?: AbortSignal,
) {
  const started = performance.now();
  const attempts: number[] = [];
  const outcome = await withContext(deadlineMs, { signal }, (context) =>
    withRetry(
      ({ number }) => {
        attempts.push(performance.now() - started);
        expect(number).toBe(attempts.length);
        const next = script[number - 1] ?? new Error('beyond the script');
        return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
      },
      context,
      { baseMs: 10, ...options },
    ),
  ).catch((error: unknown) => error);
  return { outcome, attempts };
}

const down = (retryAfterSeconds?: number): Error =>
  new UpstreamUnavailableError('down', { retryAfterSeconds });

describe('withRetry', () => {
  it('tries three times in all', async () => {
    const { outcome, attempts } = await run([
      down(),
      new UpstreamTimeoutError('late'),
      new UpstreamInvalidError('odd'),
    ]);
    expect(outcome).toBeInstanceOf(UpstreamInvalidError);
    expect(attempts).toHaveLength(3);
  });

  it('returns the first success, with growing waits before it', async () => {
    const { outcome, attempts } = await run([down(), down(), 'ok'], { baseMs: 40 });
    expect(outcome).toBe('ok');
    const [first = 0, second = 0, third = 0] = attempts;
    expect(second - first).toBeGreaterThanOrEqual(28);
    expect(third - second).toBeGreaterThanOrEqual(58);
  });

  it.each([
    new InvalidRequestError([{ field: 'x', message: 'x' }]),
    new ToolsError('rate_limited', 'x'),
    new ToolsError('internal_error', 'x'),
    new ToolsError('method_unavailable', 'x'),
    new UpstreamInvalidError('bad key', { shouldRetry: false }),
    new CircuitOpenError('resting', { retryAfterSeconds: 0 }),
    new TypeError('bug'),
  ])('tries once what a repetition does not help: $message', async (error) => {
    const { outcome, attempts } = await run([error, 'ok']);
    expect(outcome).toBe(error);
    expect(attempts).toHaveLength(1);
  });

  it('waits as long as the upstream asks', async () => {
    const { outcome, attempts } = await run([down(0.15), 'ok']);
    expect(outcome).toBe('ok');
    expect(attempts[1]).toBeGreaterThanOrEqual(145);
  });

  it('does not wait longer than its cap', async () => {
    const error = down(3600);
    const { outcome, attempts } = await run([error, 'ok'], {}, 10_000_000);
    expect(outcome).toBe(error);
    expect(attempts).toHaveLength(1);
  });

  it('does not begin a wait that the deadline would cut', async () => {
    const error = down(2);
    const { outcome, attempts } = await run([error, 'ok'], {}, 300);
    expect(outcome).toBe(error);
    expect(attempts).toHaveLength(1);
  });

  it('stops waiting when the caller leaves, and leaves no listener', async () => {
    const controller = new AbortController();
    const reason = new Error('client gone');
    setImmediate(() => controller.abort(reason));
    const { outcome, attempts } = await run([down(5), 'ok'], {}, 60_000, controller.signal);
    expect(outcome).toBe(reason);
    expect(attempts).toHaveLength(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});

describe('retryAfterSeconds', () => {
  const date = 'Sat, 21 Nov 2026 00:00:00 GMT';
  it.each([
    [{}, undefined],
    [{ 'retry-after': '2' }, 2],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': ' 1.5 ' }, 1.5],
    [{ 'retry-after': '2', 'retry-after-ms': '250' }, 0.25],
    [{ 'retry-after': '2', 'retry-after-ms': 'soon' }, 2],
    [{ 'retry-after': 'Sat, 21 Nov 2026 00:00:30 GMT' }, 30],
    [{ 'retry-after': 'Saturday, 21-Nov-26 00:00:30 GMT' }, 30],
    [{ 'retry-after': 'Fri, 20 Nov 2026 00:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': '1e9' }, undefined],
    [{ 'retry-after': '1, 2' }, undefined],
    [{ 'retry-after': 'later' }, undefined],
    [{ 'retry-after': '' }, undefined],
  ])('reads %j as %p', (headers, expected) => {
    expect(retryAfterSeconds(new Headers({ date, ...(headers as Record<string, string>) }))).toBe(expected);
  });

  it('goes by our clock for a date without the time of the upstream', () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(date));
    const headers = new Headers({ 'retry-after': 'Sat, 21 Nov 2026 00:00:30 GMT' });
    expect(retryAfterSeconds(headers)).toBe(30);
    jest.restoreAllMocks();
  });
});
