import { getEventListeners } from 'node:events';
import { InvalidContentIdError, UpstreamTimeoutError } from '../../lib/core/errors/index.js';
import { raceAbort, withContext } from '../../lib/core/tool-context.js';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('withContext', () => {
  it('returns what the work returns', async () => {
    expect(await withContext(1000, {}, () => Promise.resolve(7))).toBe(7);
  });

  it('ends at the deadline with a time-out, even when the work goes on', async () => {
    const started = performance.now();
    await expect(withContext(30, {}, never)).rejects.toBeInstanceOf(UpstreamTimeoutError);
    expect(performance.now() - started).toBeLessThan(300);
  });

  it('ends with the reason of the caller', async () => {
    const controller = new AbortController();
    const reason = new Error('client gone');
    const outcome = withContext(1000, { signal: controller.signal }, never);
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
  });

  it('does not begin for a caller who has left', async () => {
    let begun = false;
    const outcome = withContext(1000, { signal: AbortSignal.abort(new Error('gone')) }, async () => {
      begun = true;
    });
    await expect(outcome).rejects.toThrow('gone');
    expect(begun).toBe(false);
  });

  it('gives the reason of the abort in place of what an aborted step throws, but keeps errors of the tools', async () => {
    const run = (error: Error): Promise<unknown> =>
      withContext(20, {}, async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        throw error;
      });
    await expect(run(new Error('socket hang up'))).rejects.toBeInstanceOf(UpstreamTimeoutError);
    const before = withContext(1000, {}, () => Promise.reject(new InvalidContentIdError('an ID')));
    await expect(before).rejects.toBeInstanceOf(InvalidContentIdError);
    await expect(withContext(1000, {}, () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
  });

  it.each([
    ['returns', () => Promise.resolve()],
    ['throws', () => Promise.reject(new Error('x'))],
    [
      'throws at once',
      () => {
        throw new Error('x');
      },
    ],
    ['hangs until the deadline', () => never<void>()],
  ])('leaves no timer and no listener behind when the work %s', async (_case, work) => {
    const { signal } = new AbortController();
    const before = timers();
    let inner: AbortSignal | undefined;
    await withContext(20, { signal }, (context) => {
      inner = context.signal;
      return work();
    }).catch(() => undefined);
    await Promise.resolve();
    // Fewer where one of the runner's own has gone meanwhile.
    expect(timers()).toBeLessThanOrEqual(before);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(inner && getEventListeners(inner, 'abort')).toHaveLength(0);
  });

  it('counts down to zero', async () => {
    await withContext(1000, {}, (context) => {
      expect(context.remainingMs()).toBeGreaterThan(900);
      expect(context.remainingMs()).toBeLessThanOrEqual(1000);
      return Promise.resolve();
    });
    const after = await withContext(1, {}, (context) => Promise.resolve(context));
    await new Promise((resolve) => setTimeout(resolve, 3));
    expect(after.remainingMs()).toBe(0);
  });

  it.each([Infinity, 2 ** 31, 1e12])(
    'takes a deadline of %d ms for a long one, not for none',
    async (deadline) => {
      const outcome = await withContext(
        deadline,
        {},
        () => new Promise((resolve) => setTimeout(resolve, 10, 'done')),
      );
      expect(outcome).toBe('done');
    },
  );

  it('reports progress, whatever the reporter throws', async () => {
    const events: unknown[] = [];
    const onProgress = (event: unknown): void => {
      events.push(event);
      throw new Error('reporter');
    };
    await withContext(1000, { onProgress, requestId: 'r', noCache: true }, (context) => {
      context.progress({ stage: 'search', done: 1, total: 2 });
      expect(context).toMatchObject({ requestId: 'r', noCache: true });
      return Promise.resolve();
    });
    expect(events).toEqual([{ stage: 'search', done: 1, total: 2 }]);
  });
});

describe('raceAbort', () => {
  it('rejects at once when the signal has fired, and swallows what comes later', async () => {
    const late = Promise.reject(new Error('late'));
    await expect(raceAbort(late, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });

  it('leaves no listener on a signal that outlives many calls, and many at once are no cause for a warning', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    await withContext(1000, {}, async ({ signal }) => {
      await Promise.all(Array.from({ length: 50 }, () => raceAbort(Promise.resolve(), signal)));
      await new Promise((resolve) => setImmediate(resolve));
      // The one that is left is the context's own.
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    });
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});
