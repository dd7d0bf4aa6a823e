import { randomBytes } from 'node:crypto';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { eventually } from '../support/eventually.js';
import { JobClient, type SentEvent } from './job-client.js';
import { startProcess, type ToolsProcess } from './start-process.mjs';

/** Two APIs and three workers, each a process of its own, behind one Redis. */
describe('jobs over several processes', () => {
  let llm: FakeLlm;
  let apis: ToolsProcess[];
  let workers: ToolsProcess[];
  let one: JobClient;
  let two: JobClient;
  const env: Record<string, string> = {};
  let videos = 0;

  /** A video that no other test has asked for. */
  const video = (words: number): string => `words-${words}-${++videos}`;
  const worker = () => startProcess({ ...env, ROLE: 'worker' });
  const freshWorkers = async (): Promise<void> => {
    await Promise.all(workers.splice(0).map((one) => one.stop()));
    workers = await Promise.all([worker(), worker(), worker()]);
  };

  beforeAll(async () => {
    llm = await startFakeLlm();
    Object.assign(env, {
      REDIS_URL: process.env.REDIS_URL,
      LLM_URL: llm.url,
      PREFIX: `test-${randomBytes(4).toString('hex')}`,
      CACHE: 'off',
      // A busy machine is no reason for a second call.
      MODEL_OPTIONS: JSON.stringify({ stallTimeoutMs: 600_000 }),
    });
    const api = () => startProcess({ ...env, ROLE: 'api' });
    const started = await Promise.all([api(), api(), worker(), worker(), worker()]);
    apis = started.slice(0, 2);
    workers = started.slice(2);
    one = new JobClient(apis[0]!.url);
    two = new JobClient(apis[1]!.url);
  });

  beforeEach(() => {
    llm.reset();
    Object.assign(llm.settings, { ttftMs: 0, tokensPerSecond: Infinity, fault: undefined, held: undefined });
  });

  afterAll(async () => {
    await Promise.all([...apis, ...workers].map((one) => one.stop()));
    await llm.close();
  });

  it('answer what the plain request answers', async () => {
    const body = { content_id: video(3000), output_language: 'en' };
    const path = await one.accepted(body);
    const { status, result } = await one.ended(path);
    expect(status).toBe('done');
    const plain = (await (await two.summarize(body)).json()) as { data: object };
    expect(Object.keys(result!)).toEqual(Object.keys(plain));
    expect((result as typeof plain).data).toEqual(plain.data);
  });

  it('fail with what the plain request fails with', async () => {
    llm.settings.fault = () => ({ name: 'refused', status: 400, error: { message: 'no' } });
    const body = { content_id: video(3000) };
    const { status, error } = await one.ended(await one.accepted(body, { 'X-Request-Id': 'mine' }));
    expect(status).toBe('failed');
    const plain = await two.summarize(body, { 'X-Request-Id': 'mine' });
    expect(error).toEqual(await plain.json());
  });

  it('are seen in the health of every API: workers and waiting jobs', async () => {
    expect(await two.healthOnce(({ workers }) => workers === 3)).toMatchObject({
      status: 'up',
      jobs: { status: 'up', waiting: 0 },
    });
    llm.settings.ttftMs = 600_000;
    const paths = await Promise.all(
      Array.from({ length: 10 }, () => one.accepted({ content_id: video(1000) })),
    );
    // Three workers of two at a time.
    await two.healthOnce(({ waiting }) => waiting === 4);
    await eventually(
      () => llm.calls.length >= 6,
      () => `${llm.calls.length} calls`,
    );
    expect(llm.calls).toHaveLength(6);
    for (const path of paths) await one.cancel(path);
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
    const left = await two.healthOnce(({ workers }) => workers === 0);
    expect(left).toMatchObject({ status: 'up', jobs: { status: 'down', detail: 'no worker is there' } });
    await freshWorkers();
    await two.healthOnce(({ status, workers }) => status === 'up' && workers === 3);
  });

  it('refuse at once what the plain request refuses before it works', async () => {
    const response = await one.submit({ content_id: 'words-1', method: 'none' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.json()).toMatchObject({ code: 'invalid_request' });
  });

  it('are one job for equal requests of one key, whichever process takes them', async () => {
    llm.settings.ttftMs = 300;
    const body = { content_id: video(3000) };
    const paths = await Promise.all([one.accepted(body), two.accepted(body), one.accepted(body)]);
    expect(new Set(paths).size).toBe(1);
    await one.ended(paths[0]!);
    expect(await two.accepted(body)).toBe(paths[0]);
    expect(llm.calls).toHaveLength(1);
    const fresh = await two.accepted(body, { 'Cache-Control': 'no-cache' });
    expect(fresh).not.toBe(paths[0]);
    await two.ended(fresh);
    expect(llm.calls).toHaveLength(2);
  });

  it('are seen by their own key only', async () => {
    const path = await one.accepted({ content_id: video(3000) });
    const stranger = new JobClient(apis[0]!.url, 'key-b');
    for (const response of [await stranger.get(path), await stranger.cancel(path)]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'job_not_found' });
    }
    expect((await new JobClient(apis[0]!.url, 'wrong').get(path)).status).toBe(401);
    expect((await one.ended(path)).status).toBe('done');
  });

  it('are tried anew when asked for after a failure', async () => {
    const body = { content_id: video(3000) };
    llm.settings.fault = () => ({ name: 'refused', status: 400, error: { message: 'no' } });
    const failed = await one.accepted(body);
    expect((await one.ended(failed)).status).toBe('failed');
    llm.settings.fault = undefined;
    const again = await one.accepted(body);
    expect(again).not.toBe(failed);
    expect((await one.ended(again)).status).toBe('done');
    expect((await one.job(failed)).status).toBe('failed');
  });

  it('stream what happens, and go on at another process where a listener was cut off', async () => {
    llm.settings.tokensPerSecond = 200;
    const path = await one.accepted({ content_id: video(3000) });
    const before: SentEvent[] = [];
    for await (const event of one.events(path)) {
      before.push(event);
      if (event.event === 'delta') break;
    }
    const after: SentEvent[] = [];
    for await (const event of two.events(path, before.at(-1)!.id)) after.push(event);
    const whole: SentEvent[] = [];
    for await (const event of two.events(path)) whole.push(event);
    expect([...before, ...after]).toEqual(whole);
    expect(before[0]).toMatchObject({ event: 'progress', data: { stage: 'transcript' } });
    expect(after.at(-1)!.event).toBe('result');
    expect(after.at(-1)!.data).toEqual((await one.job(path)).result);
    expect(after.filter(({ event }) => event === 'delta').length).toBeGreaterThan(1);
  });

  it('are cancelled down to the socket of the model, and can be asked for again', async () => {
    llm.settings.ttftMs = 600_000;
    const body = { content_id: video(150_000), method: 'recursive' };
    const path = await one.accepted(body);
    await eventually(
      () => llm.running >= 6,
      () => `${llm.running} calls`,
    );
    const told: SentEvent[] = [];
    const listening = (async () => {
      for await (const event of two.events(path)) told.push(event);
    })();
    expect((await two.cancel(path)).status).toBe(204);
    await eventually(
      () => llm.running === 0,
      () => `${llm.running} calls`,
    );
    await listening;
    expect(told.at(-1)).toMatchObject({ event: 'error', data: { code: 'job_not_found' } });
    expect((await one.get(path)).status).toBe(404);
    const begun = llm.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(llm.calls).toHaveLength(begun);
    llm.settings.ttftMs = 0;
    const again = await one.accepted(body);
    expect(again).not.toBe(path);
    expect((await one.ended(again)).status).toBe('done');
  });

  it('of one key do not keep those of another waiting', async () => {
    const answers: (() => void)[] = [];
    llm.settings.fault = () => {
      llm.settings.held = new Promise((resolve) => answers.push(resolve));
      return undefined;
    };
    const asked = (count: number) =>
      eventually(
        () => answers.length === count,
        () => `${answers.length} calls instead of ${count}`,
      );
    const other = new JobClient(apis[1]!.url, 'key-b');
    const many = Array.from({ length: 40 }, () => video(2000));
    const few = Array.from({ length: 8 }, () => video(2000));
    // One by one, so that each has the turn of its place.
    const paths: string[] = [];
    for (const content_id of many) paths.push(await one.accepted({ content_id }));
    await asked(6);
    for (const content_id of few) paths.push(await other.accepted({ content_id }));
    // Each answer leaves one slot free: the next call says whose job got it.
    for (let done = 1; done <= 42; done++) {
      answers[done - 1]!();
      await asked(6 + done);
    }
    for (const answer of answers) answer();
    await Promise.all(paths.map((path, i) => (i < many.length ? one : other).ended(path)));
    const order = llm.calls.map(({ prompt }) => (few.some((id) => prompt.includes(id)) ? 'few' : 'many'));
    const turns = few.flatMap(() => ['many', 'few']);
    expect(order).toEqual([...Array(6).fill('many'), ...turns, ...Array(26).fill('many')]);
  });

  it('give up after few calls when the model is down', async () => {
    llm.settings.fault = () => 'server_error';
    const path = await one.accepted({ content_id: video(150_000), method: 'recursive' });
    const { status, error } = await one.ended(path);
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'upstream_unavailable' });
    // Three tries for each part that was under way, and not for all 25 parts.
    expect(llm.calls.length).toBeLessThan(75);
  });

  it('read everything where the window of the model turns out to be smaller than assumed', async () => {
    await freshWorkers();
    Object.assign(llm.settings, { contextTokens: 8192, countsOutput: true });
    const { status, result } = await one.ended(
      await one.accepted({ content_id: video(30_000), method: 'recursive' }),
    );
    Object.assign(llm.settings, { contextTokens: 128_000, countsOutput: false });
    expect(status).toBe('done');
    expect(result).toMatchObject({ data: { method: 'recursive', coverage: 1 } });
    // These remember the small window for ten minutes.
    await freshWorkers();
  });

  it('survive a worker that is killed in the middle of the text: another one starts again', async () => {
    const path = await one.accepted({ content_id: video(3000) });
    llm.settings.tokensPerSecond = 40;
    const told: SentEvent[] = [];
    for await (const event of one.events(path)) {
      told.push(event);
      if (event.event !== 'delta') continue;
      await Promise.all(workers.splice(0).map((worker) => worker.kill()));
      llm.settings.tokensPerSecond = Infinity;
      workers.push(await worker());
      break;
    }
    const after: SentEvent[] = [];
    for await (const event of two.events(path, told.at(-1)!.id)) after.push(event);
    const again = after.findIndex(({ data }) => data['stage'] === 'rewrite');
    expect(again).toBeGreaterThanOrEqual(0);
    expect(after.slice(again).some(({ event }) => event === 'delta')).toBe(true);
    expect(after.at(-1)!.event).toBe('result');
    expect(llm.calls).toHaveLength(2);
  });

  it('are given back by a worker that is stopped, and done by another', async () => {
    llm.settings.ttftMs = 600_000;
    const path = await one.accepted({ content_id: video(3000) });
    await eventually(
      () => llm.running === 1,
      () => `${llm.running} calls`,
    );
    llm.settings.ttftMs = 0;
    const next = await worker();
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    workers.push(next);
    expect((await one.ended(path)).status).toBe('done');
    expect(llm.calls).toHaveLength(2);
  });
});
