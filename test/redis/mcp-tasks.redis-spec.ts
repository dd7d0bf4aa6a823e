import { randomUUID } from 'node:crypto';
import { bullMqJobs } from '../../lib/queue/index.js';
import { eventually } from '../support/eventually.js';
import { ADAPTERS, closeHosts } from '../support/host.js';
import { modern, modernHeaders, startMcpHost } from '../support/mcp-host.js';
import { SlowSource } from '../support/slow-source.js';
import { REDIS_URL } from './sharing.js';

const DECLARED = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

/** Tasks of MCP on the real queue, in a process that takes requests and works on jobs. */
describe.each(ADAPTERS)('MCP Tasks on BullMQ, on %s', (_name, adapter) => {
  afterEach(closeHosts);

  const host = async () => {
    const source = new SlowSource();
    const { url } = await startMcpHost(adapter(), {
      apiKeys: ['a-key', 'another-key'],
      contentSources: [source],
      mcp: { deadlineMs: 1000 },
      jobs: bullMqJobs({ connection: { url: REDIS_URL }, prefix: randomUUID() }),
    });
    const ask = async (method: string, params: Record<string, unknown>, key = 'a-key') => {
      const name = (params.name ?? params.taskId) as string;
      const answer = await fetch(`${url}/v1/tools/mcp`, {
        method: 'POST',
        headers: { ...modernHeaders(method, name), 'x-api-key': key },
        body: JSON.stringify(modern(method, { ...params, _meta: DECLARED })),
      });
      const text = await answer.text();
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as {
        result?: Record<string, unknown>;
        error?: { code: number };
      };
    };
    /** Calls until there is a task: where Redis is slow, the answer is "still working" first. */
    const begin = async () => {
      const params = { name: 'summarize_content', arguments: { content_id: 'slow' } };
      for (;;) {
        const { result } = await ask('tools/call', params);
        if (result!.resultType === 'task') return result!;
        expect(result).toMatchObject({ structuredContent: { error: { code: 'still_working' } } });
      }
    };
    /** Looks at the task until it has ended. */
    const end = async (taskId: unknown) => {
      for (;;) {
        const { result } = await ask('tasks/get', { taskId });
        if (result!.status !== 'working') return result!;
      }
    };
    return { source, ask, begin, end };
  };

  it('are fetched by their owner when the job has ended', async () => {
    const { source, ask, begin, end } = await host();
    const { taskId, ...created } = await begin();
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 7_200_000 });
    await source.begun(1);
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
    expect((await ask('tasks/get', { taskId }, 'another-key')).error?.code).toBe(-32602);
    source.loads[0]!.finish();
    expect(await end(taskId)).toMatchObject({
      taskId,
      status: 'completed',
      result: { structuredContent: { summary: expect.any(String) } },
    });
    expect(source.loads).toHaveLength(1);
  });

  it('stay cancelled for their owner, and end the work', async () => {
    const { source, ask, begin } = await host();
    const { taskId } = await begin();
    await source.begun(1);
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    await eventually(
      () => source.loads[0]!.signal.aborted,
      () => 'the work goes on',
    );
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({
      taskId,
      status: 'cancelled',
      createdAt: expect.stringMatching(/^\d{4}-/),
    });
    expect((await ask('tasks/get', { taskId }, 'another-key')).error?.code).toBe(-32602);
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  });
});
