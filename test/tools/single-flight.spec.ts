import { SingleFlight } from '../../lib/core/single-flight.js';
import { withContext, type CallOptions, type ToolContext } from '../../lib/core/context.js';

const deferred = <T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
} => {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
};

describe('SingleFlight', () => {
  let flights: SingleFlight<string>;
  beforeEach(() => (flights = new SingleFlight()));

  const run = (
    key: string,
    work: (context: ToolContext) => Promise<string>,
    options: CallOptions = {},
    deadlineMs = 5000,
  ): Promise<string> =>
    withContext(5000, options, (context) => flights.run(key, context, options.admit, deadlineMs, work));

  it('does equal work once and different work each', async () => {
    let calls = 0;
    const work = (): Promise<string> => Promise.resolve(`result ${++calls}`);
    const results = await Promise.all([run('a', work), run('a', work), run('b', work)]);
    expect(results).toEqual(['result 1', 'result 1', 'result 2']);
    expect(flights['flights'].size).toBe(0);
  });

  it('keeps neither results nor errors', async () => {
    let calls = 0;
    const work = (): Promise<string> =>
      calls++ === 0 ? Promise.reject(new Error('once')) : Promise.resolve('then');
    await expect(Promise.all([run('a', work), run('a', work)])).rejects.toThrow('once');
    expect(await run('a', work)).toBe('then');
    expect(calls).toBe(2);
  });

  it('tells every waiter of every step', async () => {
    const { promise, resolve } = deferred<string>();
    const heard: string[] = [];
    let report: ToolContext['progress'] = () => undefined;
    const work = (context: ToolContext): Promise<string> => {
      report = context.progress;
      return promise;
    };
    const calls = ['one', 'two'].map((name) =>
      run('a', work, { onProgress: ({ stage }) => heard.push(`${name} ${stage}`) }),
    );
    await Promise.resolve();
    report({ stage: 'transcript' });
    resolve('done');
    await Promise.all(calls);
    expect(heard).toEqual(['one transcript', 'two transcript']);
  });

  it('lets one waiter leave without a trace and aborts with the last', async () => {
    let aborted: unknown;
    const work = ({ signal }: ToolContext): Promise<string> =>
      new Promise(() => signal.addEventListener('abort', () => (aborted = signal.reason)));
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) => run('a', work, { signal }));
    calls.forEach((call) => void call.catch(() => undefined));
    await Promise.resolve();
    first.abort(new Error('first'));
    await expect(calls[0]).rejects.toThrow('first');
    expect(aborted).toBeUndefined();
    expect(flights['flights'].size).toBe(1);
    second.abort(new Error('second'));
    await expect(calls[1]).rejects.toThrow('second');
    expect(aborted).toEqual(new Error('second'));
    expect(flights['flights'].size).toBe(0);
  });

  it('starts anew for whoever comes after the last has left', async () => {
    const controller = new AbortController();
    const left = run('a', () => new Promise(() => undefined), { signal: controller.signal });
    const ended = expect(left).rejects.toThrow('left');
    await Promise.resolve();
    controller.abort(new Error('left'));
    await ended;
    expect(await run('a', () => Promise.resolve('fresh'))).toBe('fresh');
  });

  it('ends at its own deadline, not at the first waiter’s', async () => {
    await expect(run('a', () => new Promise(() => undefined), {}, 20)).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
    expect(flights['flights'].size).toBe(0);
  });
});
