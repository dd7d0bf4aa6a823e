import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Webhook } from 'standardwebhooks';
import { BatchQueue } from '../../lib/queue/batch-queue.js';
import { JobRedis } from '../../lib/queue/job-redis.js';
import { resolveJobsOptions } from '../../lib/queue/jobs.options.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { FakeUpstream, type FakeAnswer, type RecordedRequest } from '../support/fake-search/fake-upstream.js';
import { eventually } from '../support/eventually.js';
import { JobClient } from './job-client.js';
import { startProcess, type ToolsProcess } from './start-process.mjs';

interface Batch {
  id: string;
  state: string;
  counts: { total: number; queued: number; active: number; done: number; failed: number };
  items: { index: number; state: string; result?: { data: object }; error?: object }[];
  next_cursor?: string;
  list_cursor?: string;
  warnings?: { code: string; message: string }[];
  webhook?: { state: string; attempts: number; error?: string };
  code?: string;
  details?: { field: string; message: string }[];
}

const secret = (): string => `whsec_${randomBytes(24).toString('base64')}`;
const [OLD, NEW, OTHER] = [secret(), secret(), secret()];

/** An API and two workers, each a process of its own, behind one Redis. */
describe('batches over several processes', () => {
  let llm: FakeLlm;
  let receiver: FakeUpstream;
  let answer: FakeAnswer;
  let api: ToolsProcess;
  let workers: ToolsProcess[] = [];
  let client: JobClient;
  const env: Record<string, string> = {};
  let videos = 0;
  const video = (words = 300): string => `words-${words}-${++videos}`;
  const inputs = (count: number): object[] => Array.from({ length: count }, () => ({ content_id: video() }));

  beforeAll(async () => {
    llm = await startFakeLlm();
    receiver = await FakeUpstream.start(() => answer);
    const { host } = new URL(receiver.url);
    Object.assign(env, {
      REDIS_URL: process.env.REDIS_URL,
      LLM_URL: llm.url,
      PREFIX: `test-${randomBytes(4).toString('hex')}`,
      MODEL_OPTIONS: JSON.stringify({ stallTimeoutMs: 600_000 }),
      SHARED: 'on',
      HOOK_URL: `${receiver.url}/hook`,
      JOBS: JSON.stringify({
        webhooks: { domains: ['127.0.0.1'], allowHosts: [host], secrets: { main: [OLD, NEW], other: OTHER } },
      }),
      LIMITS: JSON.stringify({ tools: { get_transcript: 2 } }),
    });
    api = await startProcess({ ...env, ROLE: 'api' });
    client = new JobClient(api.url);
    workers = await Promise.all([1, 2].map(() => startProcess({ ...env, ROLE: 'worker' })));
  });
  beforeEach(() => {
    llm.reset();
    receiver.reset();
    answer = { body: {} };
    Object.assign(llm.settings, { ttftMs: 0, tokensPerSecond: Infinity, fault: undefined, held: undefined });
  });
  afterAll(async () => {
    await Promise.all([api, ...workers].map((one) => one.stop()));
    await llm.close();
    await receiver.close();
  });

  const post = (body: object, key = 'key-a', headers: object = {}): Promise<Response> =>
    fetch(`${api.url}/v1/tools/batches`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const accepted = async (body: object): Promise<string> => {
    const response = await post({ tool: 'summarize_content', ...body });
    const text = await response.text();
    if (response.status !== 202) throw new Error(`${response.status} ${text}`);
    return response.headers.get('location')!;
  };
  const look = async (path: string): Promise<Batch> => (await (await client.get(path)).json()) as Batch;
  const when = async (path: string, is: (batch: Batch) => boolean): Promise<Batch> => {
    for (const end = performance.now() + 120_000; ;) {
      const batch = await look(path);
      if (is(batch)) return batch;
      if (performance.now() > end) throw new Error(`Still not: ${JSON.stringify(batch)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const ended = (path: string): Promise<Batch> => when(path, ({ state }) => state === 'done');
  const heard = async (path: string, count = 1): Promise<RecordedRequest[]> => {
    const found = (): RecordedRequest[] => receiver.requests.filter((request) => request.path === path);
    await eventually(
      () => found().length >= count,
      () => `${found().length} requests to ${path}`,
    );
    return found();
  };

  it('answer each item as the plain request does, and refuse one without the others', async () => {
    const good = video();
    const bad = { content_id: video(), lenght: 'short' };
    const path = await accepted({ inputs: [{ content_id: good }, bad, 'no body', { content_id: video() }] });
    expect(path).toMatch(/^\/v1\/tools\/batches\/[0-9a-f]{32}$/);
    const { counts, items, next_cursor } = await ended(path);
    expect(counts).toEqual({ total: 4, queued: 0, active: 0, done: 2, failed: 2 });
    expect(next_cursor).toBeUndefined();
    expect(items.map(({ index, state }) => [index, state])).toEqual([
      [0, 'done'],
      [1, 'failed'],
      [2, 'failed'],
      [3, 'done'],
    ]);
    const plain = (await (await client.summarize({ content_id: good })).json()) as {
      data: { summary: string };
    };
    expect(items[0]!.result!.data).toMatchObject({ summary: plain.data.summary });
    expect(items[1]!.error).toMatchObject({ code: 'invalid_request', details: [{ field: 'lenght' }] });
    expect(items[2]!.error).toMatchObject({ code: 'invalid_request', details: [{ field: 'body' }] });
  });

  it('refuse every hostile item alone', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`) as object;
    const hostile: unknown[] = [null, [], [[]], 0, '', 'x'.repeat(20_000), deep, { content_id: deep }];
    const ids = [{ $ne: null }, 'http://169.254.169.254/', '--exec=id', 'a'.repeat(20_000)];
    for (const content_id of ids) hostile.push({ content_id, source_type: 'file' });
    hostile.push(JSON.parse('{"__proto__":{"content_id":"words-300-x"}}'));
    const { counts, items } = await ended(await accepted({ inputs: [...hostile, { content_id: video() }] }));
    expect(counts).toMatchObject({ done: 1, failed: hostile.length });
    expect(items.at(-1)).toMatchObject({ state: 'done' });
    for (const { error } of items.slice(0, -1)) expect(error).toMatchObject({ code: 'invalid_request' });
  });

  it('run over the videos of a list, with common fields', async () => {
    const path = await accepted({ list: { channel: '@talks', max_results: 2 }, input: { length: 'short' } });
    const { items } = await ended(path);
    expect(items.map(({ result }) => (result!.data as { content: { id: string } }).content.id)).toEqual([
      'words-300-a',
      'words-300-b',
    ]);
    const missing = await post({ tool: 'summarize_content', list: { channel: '@nobody' } });
    expect(missing.status).toBe(404);
  });

  it('take all videos of a list, and say where it broke off', async () => {
    const all = await ended(await accepted({ list: { channel: '@many' } }));
    expect(all.counts).toMatchObject({ total: 40, done: 40 });
    expect(all).not.toHaveProperty('warnings');
    expect(all).not.toHaveProperty('list_cursor');
    const broken = await ended(await accepted({ list: { channel: '@breaks-off' } }));
    expect(broken).toMatchObject({ counts: { total: 1 }, warnings: [{ code: 'list_incomplete' }] });
    expect(broken.warnings![0]!.message).not.toContain('next_cursor');
    expect(broken.list_cursor).toMatch(/^1\./);
  });

  it('take the rest of a long list in another batch', async () => {
    const list = { channel: '@many', max_results: 25 };
    const first = await ended(await accepted({ list }));
    expect(first).toMatchObject({ counts: { total: 25 }, next_cursor: '20' });
    const rest = await ended(await accepted({ list: { ...list, cursor: first.list_cursor } }));
    expect(rest.counts).toMatchObject({ total: 15, done: 15 });
    expect(rest).not.toHaveProperty('list_cursor');
  });

  it('come in pages', async () => {
    const path = await accepted({ inputs: inputs(25) });
    const first = await ended(path);
    expect(first.items).toHaveLength(20);
    const second = await look(`${path}?cursor=${first.next_cursor}`);
    expect(second.items.map(({ index }) => index)).toEqual([20, 21, 22, 23, 24]);
    expect(second).not.toHaveProperty('next_cursor');
    expect((await client.get(`${path}?cursor=x`)).status).toBe(400);
  });

  it.each([
    [{ inputs: [] }, 'inputs', /must be a list of 1 to 100 bodies of the tool, received an array of 0$/],
    [{ inputs: Array.from({ length: 101 }, () => ({})) }, 'inputs', /received an array of 101$/],
    [{}, 'inputs', /is required, or list/],
    [{ inputs: [{}], list: {} }, 'inputs', /cannot be sent with list/],
    [{ inputs: [{}], input: {} }, 'input', /is for list/],
    [{ tool: 'summarise', inputs: [{}] }, 'tool', /must be one of summarize_content, /],
    [{ list: { channel: '@talks', max_results: 101 } }, 'list.max_results', /must not be greater than 100/],
    [{ list: { channel: 'talks' } }, 'list.channel', /^list.channel must be the URL, ID or handle/],
    [
      { inputs: [{}], webhook: { url: 'http://169.254.169.254/' } },
      'webhook.url',
      /on one of the domains of this server: 127.0.0.1/,
    ],
    [{ inputs: [{}], webhook: { url: 'https://127.0.0.1.evil.example/' } }, 'webhook.url', /domains/],
    [
      { inputs: [{}], webhook: { url: 'https://127.0.0.1/', secret_name: 'none' } },
      'webhook.secret_name',
      /must be one of main, other/,
    ],
    [{ inputs: [{}], webhook: { uri: 'https://127.0.0.1/' } }, 'webhook.uri', /did you mean url\?/],
  ])('are refused as a whole: %j', async (body, field, message) => {
    const response = await post({ tool: 'summarize_content', ...body });
    expect(response.status).toBe(400);
    const { code, details } = (await response.json()) as Batch;
    expect(code).toBe('invalid_request');
    expect(details).toEqual([{ field, message: expect.stringMatching(message) as unknown }]);
  });

  it('are seen and cancelled by their own key only', async () => {
    const path = await accepted({ inputs: inputs(1) });
    const stranger = new JobClient(api.url, 'key-b');
    for (const response of [await stranger.get(path), await stranger.cancel(path)])
      expect(response.status).toBe(404);
    expect((await look(path)).counts.total).toBe(1);
  });

  it('are one batch for equal requests, and a new one after a failure', async () => {
    const body = { inputs: inputs(2) };
    const path = await accepted(body);
    expect(await accepted(body)).toBe(path);
    await ended(path);
    expect(await accepted(body)).toBe(path);
    const failing = { inputs: [...inputs(1), { content_id: 5 }] };
    const failed = await accepted(failing);
    await ended(failed);
    const again = await accepted(failing);
    expect(again).not.toBe(failed);
    await ended(again);
  });

  it('stop when they are cancelled', async () => {
    llm.settings.ttftMs = 600_000;
    const path = await accepted({ inputs: inputs(10) });
    await when(path, ({ counts }) => counts.active === 4);
    expect((await client.cancel(path)).status).toBe(204);
    expect((await client.get(path)).status).toBe(404);
    await eventually(
      () => llm.calls.every(({ aborted }) => aborted),
      () => JSON.stringify(llm.calls.map(({ aborted }) => aborted)),
    );
    expect(llm.calls).toHaveLength(4);
    llm.settings.ttftMs = 0;
    // The workers are free again.
    await ended(await accepted({ inputs: inputs(4) }));
    expect((await client.get(path)).status).toBe(404);
  });

  it('run anew when they are submitted again after a cancel, or after they were forgotten', async () => {
    const redis = new Redis(env.REDIS_URL!);
    const body = { inputs: inputs(2) };
    const paths = [await accepted(body)];
    await ended(paths[0]!);
    expect((await client.cancel(paths[0]!)).status).toBe(204);
    paths.push(await accepted(body));
    expect((await ended(paths[1]!)).items.every(({ result }) => result)).toBe(true);
    await redis.del(`${env.PREFIX}:batch:${paths[1]!.split('/').at(-1)}`);
    redis.disconnect();
    paths.push(await accepted(body));
    expect((await ended(paths[2]!)).items.every(({ result }) => result)).toBe(true);
    expect(new Set(paths).size).toBe(3);
  });

  it('are one batch for equal requests at the same moment', async () => {
    const body = { inputs: inputs(2) };
    const paths = await Promise.all([1, 2, 3, 4].map(() => accepted(body)));
    expect(new Set(paths).size).toBe(1);
    const { counts } = await ended(paths[0]!);
    expect(counts).toMatchObject({ total: 2, done: 2 });
  });

  it('are made anew where a process was killed before it queued their items', async () => {
    const redis = new Redis(env.REDIS_URL!);
    const prefix = `${env.PREFIX}-killed`;
    const host = await startProcess({ ...env, PREFIX: prefix, ROLE: 'api' });
    try {
      const headers = { 'X-API-Key': 'key-a', 'Content-Type': 'application/json' };
      const body = JSON.stringify({ tool: 'summarize_content', inputs: inputs(2) });
      const submitted = async (): Promise<string> => {
        const response = await fetch(`${host.url}/v1/tools/batches`, { method: 'POST', headers, body });
        return ((await response.json()) as Batch).id;
      };
      const id = await submitted();
      const key = `${prefix}:batch:${id}`;
      const meta = JSON.parse((await redis.hget(key, 'meta'))!) as object;
      const createdAt = new Date(Date.now() - 61_000).toISOString();
      const grow = (): Promise<number> => redis.hset(key, 'meta', JSON.stringify({ ...meta, createdAt }));
      const lose = async (): Promise<number> => redis.del(...(await redis.keys(`*${id}-0`)));
      await grow();
      expect(await submitted()).toBe(id);
      await redis.hset(key, 'meta', JSON.stringify(meta));
      expect(await lose()).toBeGreaterThan(0);
      expect(await submitted()).toBe(id);
      await grow();
      expect(await submitted()).not.toBe(id);
    } finally {
      redis.disconnect();
      await host.stop();
    }
  });

  it('have items that cannot be cancelled alone', async () => {
    llm.settings.ttftMs = 600_000;
    const path = await accepted({ inputs: inputs(2) });
    await when(path, ({ counts }) => counts.active === 2);
    const item = `${path.replace('batches', 'jobs')}-0`;
    expect((await client.get(item)).status).toBe(404);
    expect((await client.cancel(item)).status).toBe(404);
    expect((await look(path)).counts.active).toBe(2);
    expect((await client.cancel(path)).status).toBe(204);
  });

  it('keep every result from their end on, however long they wait', async () => {
    const short = { ...env, PREFIX: `${env.PREFIX}-short`, RESULT_TTL_MS: '4000', CONCURRENCY: '1' };
    const host = await startProcess({ ...short, ROLE: 'all' });
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    llm.settings.fault = () => {
      llm.settings.held = calls++ > 0 ? held : undefined;
      return undefined;
    };
    try {
      const own = new JobClient(host.url);
      const response = await fetch(`${host.url}/v1/tools/batches`, {
        method: 'POST',
        headers: { 'X-API-Key': 'key-a', 'Content-Type': 'application/json' },
        body: JSON.stringify({ tool: 'summarize_content', inputs: inputs(3) }),
      });
      const path = response.headers.get('location')!;
      const seen = async (): Promise<Batch> => (await (await own.get(path)).json()) as Batch;
      const until = async (done: number): Promise<Batch> => {
        for (const end = performance.now() + 30_000; ;) {
          const batch = await seen();
          if (batch.counts.done >= done) return batch;
          if (performance.now() > end) throw new Error(JSON.stringify(batch));
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      await until(1);
      // Longer than a result is kept.
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      release();
      const { items } = await until(3);
      expect(items.map(({ result }) => typeof result)).toEqual(['object', 'object', 'object']);
    } finally {
      release();
      await host.stop();
    }
  });

  it('run anew when they are submitted again after their results have expired', async () => {
    const short = { ...env, PREFIX: `${env.PREFIX}-brief`, RESULT_TTL_MS: '1000' };
    const host = await startProcess({ ...short, ROLE: 'all' });
    try {
      const own = new JobClient(host.url);
      const body = JSON.stringify({ tool: 'summarize_content', inputs: inputs(2) });
      const headers = { 'X-API-Key': 'key-a', 'Content-Type': 'application/json' };
      const submitted = async (): Promise<string> =>
        (await fetch(`${host.url}/v1/tools/batches`, { method: 'POST', headers, body })).headers.get(
          'location',
        )!;
      const seen = async (path: string): Promise<Batch> => (await (await own.get(path)).json()) as Batch;
      const results = (batch: Batch): boolean => batch.items.some(({ result }) => result);
      const path = await submitted();
      let batch = await seen(path);
      while (batch.state !== 'done') batch = await seen(path);
      expect(results(batch)).toBe(true);
      while (results(batch)) batch = await seen(path);
      expect(batch.counts).toMatchObject({ total: 2, done: 2 });
      const again = await submitted();
      expect(again).not.toBe(path);
      let second = await seen(again);
      while (second.state !== 'done') second = await seen(again);
      expect(second.items.every(({ result }) => result)).toBe(true);
    } finally {
      await host.stop();
    }
  });

  it('leave nothing behind where they are cancelled as their last item ends', async () => {
    const options = { connection: { url: env.REDIS_URL! }, prefix: `${env.PREFIX}-race` };
    const redis = new JobRedis({ bullmq: undefined as never, Redis }, resolveJobsOptions(options));
    const { commands, keys } = redis;
    const id = randomBytes(16).toString('hex');
    const meta = { tool: 'summarize_content', owner: { id: 'a' }, total: 1, requestId: 'r', createdAt: '' };
    await commands.hset(keys.batch(id), 'meta', JSON.stringify(meta));
    const read = commands.hgetall.bind(commands);
    commands.hgetall = (async (key: string) => {
      const found = await read(key);
      await commands.del(keys.batch(id), keys.batchEnds(id));
      return found;
    }) as never;
    const added: unknown[] = [];
    const jobs = { queue: { add: (...job: unknown[]) => Promise.resolve(added.push(job)) } };
    const batches = new BatchQueue(redis, jobs as never, resolveJobsOptions(options), { hooks: {} });
    const job = { id: `${id}-0`, data: { ...meta, batch: id } };
    await batches.noteEnd(job as never, { body: {} as never });
    expect(await commands.keys(`${options.prefix}:*`)).toEqual([]);
    expect(added).toEqual([]);
    redis.onApplicationShutdown();
  });

  it('take turns with other callers', async () => {
    llm.settings.ttftMs = 100;
    const path = await accepted({ inputs: inputs(40) });
    const other = new JobClient(api.url, 'key-b');
    await other.ended(await other.accepted({ content_id: video() }));
    expect((await look(path)).counts.queued).toBeGreaterThan(10);
    await ended(path);
  });

  it('count each item against the limits when it begins', async () => {
    const response = await post({ tool: 'get_transcript', inputs: inputs(5) }, 'key-b');
    const path = response.headers.get('location')!;
    const stranger = new JobClient(api.url, 'key-b');
    const counts = async (): Promise<Batch['counts']> =>
      ((await (await stranger.get(path)).json()) as Batch).counts;
    let seen = await counts();
    while (seen.done < 2) seen = await counts();
    // Two a minute: the others wait for the next one.
    const alone = await fetch(`${api.url}/v1/tools/get_transcript`, {
      method: 'POST',
      headers: { 'X-API-Key': 'key-b', 'Content-Type': 'application/json' },
      body: JSON.stringify({ content_id: video() }),
    });
    expect(alone.status).toBe(429);
    expect(await counts()).toEqual({ total: 5, queued: 3, active: 0, done: 2, failed: 0 });
    expect((await stranger.cancel(path)).status).toBe(204);
  });

  it('lose nothing when a worker dies', async () => {
    llm.settings.ttftMs = 600_000;
    const path = await accepted({ inputs: inputs(12) });
    await when(path, ({ counts }) => counts.active === 4);
    await workers.shift()!.kill();
    llm.settings.ttftMs = 0;
    await workers.shift()!.kill();
    workers = await Promise.all([1, 2].map(() => startProcess({ ...env, ROLE: 'worker' })));
    const { counts, items } = await ended(path);
    expect(counts).toEqual({ total: 12, queued: 0, active: 0, done: 12, failed: 0 });
    expect(items.every(({ result }) => result)).toBe(true);
    await heard('/hook');
  });

  it('end with a signed webhook that both secrets verify, and with the hook of the host', async () => {
    const webhook = { url: `${receiver.url}/done?of=batch` };
    const path = await accepted({ inputs: [...inputs(2), {}], webhook });
    const [request] = await heard('/done');
    const { id, webhook: delivered } = await when(path, (batch) => batch.webhook !== undefined);
    expect(delivered).toEqual({ state: 'delivered', attempts: 1 });
    const event = {
      type: 'batch.completed',
      timestamp: expect.any(String) as unknown,
      data: { id, tool: 'summarize_content', state: 'done', total: 3, done: 2, failed: 1 },
    };
    const headers = request!.headers as Record<string, string>;
    const raw = JSON.stringify(request!.json);
    for (const one of [OLD, NEW]) expect(new Webhook(one).verify(raw, headers)).toEqual(event);
    expect(() => new Webhook(OTHER).verify(raw, headers)).toThrow('No matching signature found');
    expect(() => new Webhook(NEW).verify(raw.replace('"done":2', '"done":3'), headers)).toThrow();
    expect(headers['webhook-id']).toBe(`msg_${id}`);
    expect(Object.keys(headers)).not.toContain('x-api-key');
    const hooks = await heard('/hook');
    expect(hooks.map(({ json }) => json)).toContainEqual({
      id,
      tool: 'summarize_content',
      total: 3,
      done: 2,
      failed: 1,
      key: { id: expect.any(String) as unknown, name: expect.any(String) as unknown },
    });
  });

  it('try a webhook again, with the same id, and say how it went', async () => {
    answer = { status: 500, body: 'secret of the receiver' };
    const webhook = { url: `${receiver.url}/again`, secret_name: 'other' };
    const path = await accepted({ inputs: inputs(1), webhook });
    const pending = await when(path, (batch) => batch.webhook !== undefined);
    expect(pending.webhook).toEqual({
      state: 'pending',
      attempts: 1,
      error: 'The page answered with the status 500.',
    });
    answer = { body: {} };
    const [first, second] = await heard('/again', 2);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    new Webhook(OTHER).verify(JSON.stringify(second!.json), second!.headers as Record<string, string>);
    expect((await when(path, (batch) => batch.webhook!.state === 'delivered')).webhook!.attempts).toBe(2);
  });

  it('are told once where the receiver took the webhook, whatever its answer holds', async () => {
    answer = { headers: { 'content-encoding': 'zstd' }, body: 'ok' };
    const path = await accepted({ inputs: inputs(1), webhook: { url: `${receiver.url}/odd` } });
    const { webhook } = await when(path, (batch) => batch.webhook !== undefined);
    expect(webhook).toEqual({ state: 'delivered', attempts: 1 });
  });

  it('give a webhook up whose receiver is gone, and follow no redirect', async () => {
    answer = { status: 410 };
    const gone = await accepted({ inputs: inputs(1), webhook: { url: `${receiver.url}/gone` } });
    expect((await when(gone, ({ webhook }) => webhook !== undefined)).webhook).toMatchObject({
      state: 'failed',
    });
    answer = { status: 302, headers: { location: `${receiver.url}/elsewhere` } };
    const moved = await accepted({ inputs: inputs(1), webhook: { url: `${receiver.url}/moved` } });
    expect((await when(moved, ({ webhook }) => webhook !== undefined)).webhook).toMatchObject({
      state: 'pending',
    });
    expect(receiver.requests.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it('end single jobs with a webhook as well', async () => {
    const body = { content_id: video(), webhook: { url: `${receiver.url}/job` } };
    const path = await client.accepted(body);
    const [request] = await heard('/job');
    const raw = JSON.stringify(request!.json);
    const event = new Webhook(NEW).verify(raw, request!.headers as Record<string, string>);
    const id = path.split('/').at(-1);
    expect(event).toMatchObject({
      type: 'job.completed',
      data: { id, tool: 'summarize_content', state: 'done' },
    });
    expect((await client.job(path)).status).toBe('done');
    expect((await client.summarize(body)).status).toBe(400);
    const refused = await client.submit({ ...body, webhook: { url: 'https://example.org/' } });
    expect(refused.status).toBe(400);
  });
});
