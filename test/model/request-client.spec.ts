import { withContext, type ToolContext } from '../../lib/core/context.js';
import { UpstreamTimeoutError } from '../../lib/core/errors.js';
import { RequestClient } from '../../lib/model/upstream.js';
import { REQUEST_MODEL_FIELDS, type RequestModelOptions } from '../../lib/model/options.js';
import { options, parseOption } from '../../lib/core/schema.js';
import { eventually } from '../support/eventually.js';

const refused = (headers: Record<string, string>) =>
  Object.assign(new Error('slow down'), {
    name: 'AI_APICallError',
    statusCode: 429,
    responseHeaders: headers,
  });

describe('RequestClient', () => {
  const clientOf = (given: RequestModelOptions = {}, kind: 'embeddings' | 'reranker' = 'embeddings') => {
    const resolved = parseOption('options', options(REQUEST_MODEL_FIELDS), { backOffMs: 1, ...given });
    return new RequestClient('some/model', resolved, kind);
  };
  const run = <T>(client: RequestClient, send: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal) => {
    const work = (context: ToolContext): Promise<T> =>
      client.run(
        {
          step: 'embed_documents',
          inputTokens: 100,
          isBudgeted: false,
          send: async (_ai, own) => ({ value: await send(own) }),
        },
        context,
      );
    return withContext(120_000, { signal }, work);
  };
  const forever = () => new Promise<never>(() => undefined);

  it('gives an attempt only so much time, aborts it, and says which kind of model was late', async () => {
    const signals: AbortSignal[] = [];
    const late = run(clientOf({ callTimeoutMs: 100, attempts: 2 }), (signal) => {
      signals.push(signal);
      return forever();
    });
    await expect(late).rejects.toThrow('The embedding model took longer than 100 ms.');
    await expect(late).rejects.toBeInstanceOf(UpstreamTimeoutError);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it.each([
    ['embeddings', 'The embedding model is limiting its calls.'],
    ['reranker', 'The reranking model is limiting its calls.'],
  ] as const)('names a model of the kind %s in its errors', async (kind, message) => {
    const client = clientOf({}, kind);
    await expect(run(client, () => Promise.reject(refused({ 'retry-after': '60' })))).rejects.toThrow(
      message,
    );
  });

  it('makes no more calls at the same time than allowed', async () => {
    const client = clientOf({ maxParallelCalls: 2 });
    const ends: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const send = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
    };
    const all = Promise.all([1, 2, 3, 4, 5].map(() => run(client, send)));
    for (let ended = 0; ended < 5; ended++) {
      await eventually(
        () => ends.length > ended,
        () => `${ends.length} calls have begun`,
      );
      ends[ended]!();
    }
    await all;
    expect(most).toBe(2);
  });

  it('starts no more calls in a minute than allowed', async () => {
    const client = clientOf({ callsPerMinute: 2 });
    const leaving = new AbortController();
    let sent = 0;
    const send = (): Promise<number> => Promise.resolve(++sent);
    await Promise.all([run(client, send), run(client, send)]);
    const third = run(client, send, leaving.signal);
    // What another client asks now is sent after anything that did not wait.
    await run(clientOf(), () => Promise.resolve());
    expect(sent).toBe(2);
    leaving.abort(new Error('left'));
    await expect(third).rejects.toThrow('left');
  });

  it('waits as long as a 429 says, and other calls to the model wait too', async () => {
    const client = clientOf();
    const sent: number[] = [];
    const send = (): Promise<string> => {
      sent.push(performance.now());
      return sent.length === 1
        ? Promise.reject(refused({ 'retry-after-ms': '200' }))
        : Promise.resolve('done');
    };
    const first = run(client, send);
    await eventually(
      () => sent.length > 0,
      () => 'nothing was sent',
    );
    await expect(Promise.all([first, run(client, send)])).resolves.toEqual(['done', 'done']);
    expect(sent).toHaveLength(3);
    for (const at of sent.slice(1)) expect(at - sent[0]!).toBeGreaterThanOrEqual(190);
  });
});
