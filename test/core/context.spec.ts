import { getEventListeners, setMaxListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fork, raceAbort, withContext, withFork, type ToolContext } from '../../lib/core/context.js';
import { InvalidContentIdError, UpstreamTimeoutError } from '../../lib/core/errors.js';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('withContext', () => {
  it('returns what the work returns', async () => {
    expect(await withContext(1000, {}, () => Promise.resolve(7))).toBe(7);
  });

  it('ends at the deadline with a time-out, even when the work goes on', async () => {
    await expect(withContext(30, {}, never)).rejects.toBeInstanceOf(UpstreamTimeoutError);
  });

  it('ends with the reason of the caller', async () => {
    const controller = new AbortController();
    const reason = new Error('client gone');
    const outcome = withContext(1000, { signal: controller.signal }, never);
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
  });

  it('does not start for a caller that has left', async () => {
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
      expect(context.remainingMs()).toBeGreaterThan(0);
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

describe('fork', () => {
  const parentOf = (signal: AbortSignal, remainingMs = 1000): ToolContext => ({
    signal,
    remainingMs: () => remainingMs,
    progress: () => undefined,
    requestId: 'r',
    noCache: true,
  });

  it('keeps everything of its parent but the signal and the time', () => {
    const parent = { ...parentOf(new AbortController().signal), noise: 7 };
    const { context, dispose } = fork(parent, { ms: 20 });
    expect(context).toMatchObject({ requestId: 'r', noCache: true, noise: 7, progress: parent.progress });
    expect(context.signal).not.toBe(parent.signal);
    expect(context.remainingMs()).toBeLessThanOrEqual(20);
    dispose();
  });

  it('has never more time than its parent', () => {
    const { context, dispose } = fork(parentOf(new AbortController().signal, 5), { ms: 1000 });
    expect(context.remainingMs()).toBe(5);
    dispose();
    const untimed = fork(parentOf(new AbortController().signal, 5));
    expect(untimed.context.remainingMs()).toBe(5);
    untimed.dispose();
  });

  it('is aborted with its parent and for its reason, also when that was before', () => {
    const parent = new AbortController();
    const child = fork(parentOf(parent.signal));
    const reason = new Error('client gone');
    parent.abort(reason);
    expect(child.context.signal.reason).toBe(reason);
    expect(fork(parentOf(parent.signal)).context.signal.reason).toBe(reason);
  });

  it('is aborted alone, and the first reason counts', () => {
    const parent = new AbortController();
    const child = fork(parentOf(parent.signal));
    child.abort(new Error('first'));
    child.abort(new Error('second'));
    expect(child.context.signal.reason).toEqual(new Error('first'));
    expect(parent.signal.aborted).toBe(false);
  });

  it('tells nothing to a child that has been disposed of, and leaves no listener and no timer', () => {
    const parent = new AbortController();
    const before = timers();
    const { context, dispose } = fork(parentOf(parent.signal), { ms: 1000 });
    expect(timers()).toBe(before + 1);
    dispose();
    expect(timers()).toBe(before);
    expect(getEventListeners(parent.signal, 'abort')).toHaveLength(0);
    parent.abort();
    expect(context.signal.aborted).toBe(false);
  });

  it('ends with the error that the caller made for its time', async () => {
    const late = new Error('too slow');
    const outcome = withFork(parentOf(new AbortController().signal), { ms: 5, onTimeout: () => late }, () =>
      never(),
    );
    await expect(outcome).rejects.toBe(late);
  });

  it('aborts the other steps of work that has failed, and only of that', async () => {
    const parent = parentOf(new AbortController().signal);
    const failed = new Error('one step failed');
    let signal = parent.signal;
    const outcome = withFork(parent, {}, (own) => {
      signal = own.signal;
      return Promise.all([never(), Promise.reject(failed)]);
    });
    await expect(outcome).rejects.toBe(failed);
    expect(signal.reason).toBe(failed);
    await withFork(parent, {}, (own) => Promise.resolve((signal = own.signal)));
    expect(signal.aborted).toBe(false);
  });

  it('says UpstreamTimeoutError where the caller made none', async () => {
    const outcome = withFork(parentOf(new AbortController().signal), { ms: 5 }, () => never());
    await expect(outcome).rejects.toBeInstanceOf(UpstreamTimeoutError);
  });

  it('survives the garbage collector, as a combined signal of Node 20 does not', async () => {
    const parent = new AbortController();
    setMaxListeners(0, parent.signal);
    const outcomes = Array.from({ length: 20 }, () =>
      withFork(parentOf(parent.signal), { ms: 20 }, () => never()).catch((error: unknown) => error),
    );
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    for (const error of await Promise.all(outcomes)) expect(error).toBeInstanceOf(UpstreamTimeoutError);
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
