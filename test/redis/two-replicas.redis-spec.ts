import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { startFakeLlm, type FakeLlm } from '../support/fake-llm/fake-llm.mjs';
import { sentenceOf } from '../support/fake-llm/talk.js';
import { killApis, startApi, type ApiProcess, type ApiSettings } from './api-process.js';
import { startRedis, type RedisServer } from './redis-server.mjs';
import { freshPrefix, REDIS_URL } from './sharing.js';

const TALKS = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [
    `talk00000${10 + i}`,
    {
      title: `Talk ${i}`,
      language: 'en',
      text: Array.from({ length: 120 }, (_, n) => sentenceOf(1000 * i + n)).join(' '),
    },
  ]),
);
const TALK_IDS = Object.keys(TALKS);

interface Body {
  data: { summary: string; cached: boolean; usage: { model_calls: number } };
}

describe('two replicas as two processes', () => {
  let llm: FakeLlm;
  let one: ApiProcess;
  let two: ApiProcess;

  let used = 0;
  /** Talks that no test has asked for yet. */
  const newTalks = (count: number): string[] => TALK_IDS.slice(used, (used += count));
  let prefix = '';
  const start = async (settings: Partial<ApiSettings> = {}): Promise<void> => {
    prefix = freshPrefix();
    const all = {
      redis: { url: REDIS_URL, prefix, timeoutMs: 1000 },
      llmUrl: llm.url,
      talks: TALKS,
      ...settings,
      // A busy machine is no reason for a second call.
      modelOptions: { stallTimeoutMs: 600_000, ...settings.modelOptions },
    };
    [one, two] = await Promise.all([startApi(all), startApi(all)]);
  };
  const bodyOf = async (response: Promise<Response>): Promise<Body['data']> => {
    const answer = await response;
    expect(answer.status).toBe(200);
    return ((await answer.json()) as Body).data;
  };
  const called = (times: number): Promise<void> =>
    eventually(
      () => llm.calls.length >= times,
      () => `${llm.calls.length} calls of the model; ${one.log()}${two.log()}`,
    );
  /** The model answers only when it is told to. @returns tells it */
  const holdModel = (): (() => void) => {
    let release = (): void => undefined;
    llm.settings.held = new Promise((resolve) => (release = resolve));
    return () => {
      llm.settings.held = undefined;
      release();
    };
  };
  /** Until a replica waits for the work of the other. */
  const awaited = async (url = REDIS_URL): Promise<void> => {
    const redis = new Redis(url);
    while (!/ name=nestjs-tools .* cmd=exists /.test(String(await redis.client('LIST'))));
    redis.disconnect();
  };

  beforeAll(async () => {
    llm = await startFakeLlm();
  });
  beforeEach(() => {
    llm.reset();
    Object.assign(llm.settings, { ttftMs: 0, fault: undefined, held: undefined });
  });
  afterAll(() => llm.close());

  describe('that share what they do', () => {
    beforeAll(() => start({ modelOptions: { attempts: 1, maxParallelCalls: 2 } }));
    afterAll(killApis);

    it('do the same once when they are asked at the same time, and never again while it is kept', async () => {
      const [talk] = newTalks(1);
      llm.settings.ttftMs = 300;
      const answers = await Promise.all(
        [one, two, one, two, one, two].map((api) => bodyOf(api.summarize(talk!))),
      );
      expect(llm.calls).toHaveLength(1);
      expect(new Set(answers.map(({ summary }) => summary)).size).toBe(1);
      expect(answers.map(({ usage }) => usage.model_calls).sort()).toEqual([0, 0, 0, 0, 0, 1]);
      expect(await bodyOf(two.summarize(talk!))).toMatchObject({ cached: true });
      expect(await bodyOf(one.summarize(talk!))).toMatchObject({ cached: true });
      expect(llm.calls).toHaveLength(1);
    });

    it('wait for each other, and answer both when one is done', async () => {
      const [talk] = newTalks(1);
      const release = holdModel();
      const first = one.summarize(talk!);
      await called(1);
      const second = two.summarize(talk!);
      await awaited();
      release();
      await Promise.all([bodyOf(first), bodyOf(second)]);
      expect(llm.calls).toHaveLength(1);
    });

    it('do it apart when the caller wants it fresh', async () => {
      const [talk] = newTalks(1);
      const fresh = { headers: { 'Cache-Control': 'no-cache' } };
      await Promise.all([bodyOf(one.summarize(talk!, fresh)), bodyOf(two.summarize(talk!, fresh))]);
      expect(llm.calls).toHaveLength(2);
    });

    it('let a key in 60 times a minute, in all', async () => {
      const [talk] = newTalks(1);
      const key = { headers: { 'X-API-Key': 'sixty-a-minute' } };
      await bodyOf(one.summarize(talk!, key));
      const answers = await Promise.all(
        Array.from({ length: 99 }, (_, i) => (i % 2 ? one : two).summarize(talk!, key)),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(59);
      expect(statuses.filter((status) => status === 429)).toHaveLength(40);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
    });

    it('serve one agent: list on one, call on the other, equal work over MCP and HTTP once, limits shared', async () => {
      const [talk] = newTalks(1);
      const { tools } = await one.mcp('tools/list');
      expect(tools).toMatchObject([{ name: 'summarize_content' }]);
      const call = { name: 'summarize_content', arguments: { content_id: talk } };
      const release = holdModel();
      const overHttp = one.summarize(talk!);
      await called(1);
      const overMcp = two.mcp('tools/call', call);
      await awaited();
      release();
      const { summary } = await bodyOf(overHttp);
      expect(await overMcp).toMatchObject({ structuredContent: { summary } });
      expect(llm.calls).toHaveLength(1);
      const results = await Promise.all(
        Array.from({ length: 70 }, (_, i) => (i % 2 ? one : two).mcp('tools/call', call, 'six-a-minute')),
      );
      expect(results.filter(({ isError }) => !isError)).toHaveLength(6);
    });

    it('take what a key has used of its day together', async () => {
      const [talk, another] = newTalks(2);
      const key = { headers: { 'X-API-Key': 'thousand-tokens-a-day' } };
      await bodyOf(one.summarize(talk!, key));
      const refused = await two.summarize(another!, key);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('x-should-retry')).toBe('false');
      expect(llm.calls).toHaveLength(1);
    });

    it('call the model no more often at once than they may together', async () => {
      llm.settings.ttftMs = 150;
      const talks = newTalks(6);
      await Promise.all(talks.map((id, i) => bodyOf((i % 2 ? one : two).summarize(id))));
      expect(llm.calls).toHaveLength(6);
      expect(llm.maxRunning).toBe(2);
    });

    it('take over when the client of the one that does the work has left', async () => {
      const [talk] = newTalks(1);
      llm.settings.ttftMs = 600_000;
      const leaving = new AbortController();
      const left = one.summarize(talk!, { signal: leaving.signal }).catch(() => 'left');
      await called(1);
      const waiting = two.summarize(talk!);
      await awaited();
      llm.settings.ttftMs = 0;
      leaving.abort();
      expect(await left).toBe('left');
      await bodyOf(waiting);
      expect(llm.calls.map(({ aborted }) => aborted)).toEqual([true, false]);
    });

    it('take over when the one that does the work fails', async () => {
      const [talk] = newTalks(1);
      const release = holdModel();
      llm.settings.fault = (index) => (index === 0 ? 'empty' : undefined);
      const first = one.summarize(talk!);
      await called(1);
      const second = two.summarize(talk!);
      await awaited();
      release();
      expect((await first).status).toBeGreaterThanOrEqual(500);
      await bodyOf(second);
      expect(llm.calls).toHaveLength(2);
    });

    it('take over when the one that does the work is killed', async () => {
      const [talk] = newTalks(1);
      llm.settings.ttftMs = 600_000;
      const lost = one.summarize(talk!).catch(() => 'lost');
      await called(1);
      const waiting = two.summarize(talk!);
      await awaited();
      llm.settings.ttftMs = 0;
      await one.kill();
      expect(await lost).toBe('lost');
      // The lease of a dead process runs out after five seconds.
      await bodyOf(waiting);
      expect(llm.calls).toHaveLength(2);
    });
  });

  describe('that have little time', () => {
    beforeAll(() => start({ summarize: { deadlineMs: 3000 } }));
    afterAll(killApis);

    it('wait for each other no longer than their own time', async () => {
      const [talk] = newTalks(1);
      llm.settings.ttftMs = 600_000;
      const first = one.summarize(talk!);
      await called(1);
      const second = await two.summarize(talk!);
      expect(second.status).toBe(504);
      expect((await first).status).toBe(504);
    });
  });

  describe('that have few calls', () => {
    beforeAll(() => start({ modelOptions: { callsPerMinute: 3 }, summarize: { deadlineMs: 3000 } }));
    afterAll(killApis);

    it('call the model no more often a minute than they may together', async () => {
      const answers = await Promise.all(newTalks(6).map((id, i) => (i % 2 ? one : two).summarize(id)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses.slice(3)).toEqual([504, 504, 504]);
      expect(statuses[0]).toBe(200);
      expect(llm.calls.length).toBeLessThanOrEqual(3);
    });
  });

  describe('whose Redis goes away', () => {
    let server: RedisServer;

    beforeAll(async () => {
      server = await startRedis();
      await start({ redis: { url: server.url } });
    });
    afterAll(async () => {
      await killApis();
      await server.stop();
    });

    it('go on alone, say so, and share again when it is back', async () => {
      const [talk, another, third] = newTalks(3);
      const release = holdModel();
      const first = one.summarize(talk!);
      await called(1);
      const second = two.summarize(talk!);
      await awaited(server.url);
      await server.stop();
      // The one that waited does the work itself; the one that had begun goes on.
      await called(2);
      release();
      await Promise.all([bodyOf(first), bodyOf(second)]);
      expect(llm.calls).toHaveLength(2);
      expect((await one.health()).tools).toMatchObject({
        status: 'up',
        shared: { status: 'down', detail: expect.stringContaining('Redis does not answer since') },
      });
      await bodyOf(one.summarize(another!));
      for (const { log } of [one, two]) expect(log().match(/Redis does not answer/g)).toHaveLength(1);
      server = await startRedis({ port: server.port });
      let up = false;
      const look = setInterval(() => {
        void Promise.all([one.health(), two.health()]).then((all) => {
          up = all.every(({ tools }) => tools.shared.status === 'up');
        });
      }, 50);
      await eventually(
        () => up,
        () => one.log(),
      ).finally(() => clearInterval(look));
      llm.reset();
      await Promise.all([one, two].map((api) => bodyOf(api.summarize(third!))));
      expect(llm.calls).toHaveLength(1);
    });

    it('stop as they should while it hangs', async () => {
      const [talk] = newTalks(1);
      server.pause();
      await bodyOf(one.summarize(talk!));
      await one.stop();
    });
  });
});
