import type { ToolsModuleSyncOptions } from '../../lib/index.js';
import { eventually } from '../support/eventually.js';
import { ADAPTERS, closeHosts } from '../support/host.js';
import { MemoryJobs } from '../support/memory-jobs.js';
import { modern, modernHeaders, startMcpHost } from '../support/mcp-host.js';
import { SlowSource } from '../support/slow-source.js';

const TASKS = 'io.modelcontextprotocol/tasks';
const DECLARED = {
  'io.modelcontextprotocol/clientCapabilities': { extensions: { [TASKS]: {} } },
};

interface Answer {
  result?: Record<string, unknown> & { capabilities?: object; content?: unknown };
  error?: { code: number; message: string; data?: unknown };
}

describe.each(ADAPTERS)('MCP Tasks on %s', (_name, adapter) => {
  afterEach(closeHosts);

  const host = async (options: ToolsModuleSyncOptions = {}) => {
    const source = new SlowSource();
    const jobs = new MemoryJobs();
    const { url } = await startMcpHost(adapter(), {
      apiKeys: ['a-key', 'another-key'],
      contentSources: [source],
      mcp: { deadlineMs: 100 },
      jobs,
      ...options,
    });
    const ask = async (
      method: string,
      params: Record<string, unknown>,
      { key = 'a-key', declared = true } = {},
    ): Promise<Answer> => {
      const headers = {
        ...modernHeaders(method, (params.name ?? params.taskId) as string | undefined),
        'x-api-key': key,
      };
      const body = modern(method, { ...params, ...(declared ? { _meta: DECLARED } : {}) });
      const answer = await fetch(`${url}/v1/tools/mcp`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Answer;
    };
    const summarize = (options?: { declared: boolean }): Promise<Answer> =>
      ask('tools/call', { name: 'summarize_content', arguments: { content_id: 'slow' } }, options);
    return { source, jobs, ask, summarize };
  };

  it('gives a summary that takes too long as a task, which its owner can fetch later', async () => {
    const { source, jobs, ask, summarize } = await host();
    const { result: created } = await summarize();
    await source.begun(1);
    expect(created).toMatchObject({
      resultType: 'task',
      taskId: expect.any(String),
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUpdatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      ttlMs: 60_000,
      pollIntervalMs: 2000,
    });
    for (const member of ['task', 'result', 'error', 'structuredContent'])
      expect(created).not.toHaveProperty(member);
    const { taskId } = created!;
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({
      resultType: 'complete',
      taskId,
      status: 'working',
    });
    source.loads[0]!.finish();
    await eventually(
      () => jobs.jobs.get(taskId as string)!.state.status === 'done',
      () => 'the job does not end',
    );
    const task = await ask('tasks/get', { taskId });
    expect(task.result).toMatchObject({ resultType: 'complete', status: 'completed' });
    // An equal call finds the job that has ended.
    const again = await summarize();
    expect(again.result).toMatchObject({ resultType: 'complete', structuredContent: { method: 'simple' } });
    expect(task.result!.result).toEqual({
      content: again.result!.content,
      structuredContent: again.result!.structuredContent,
    });
    expect(source.loads).toHaveLength(1);
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' });
  });

  it('answers at once where the work ends in time, and never makes tasks of other tools', async () => {
    const { source, jobs, ask, summarize } = await host({ mcp: { deadlineMs: 60_000 } });
    const asked = summarize();
    await source.begun(1);
    source.loads[0]!.finish();
    expect((await asked).result).toMatchObject({ resultType: 'complete', structuredContent: {} });
    expect(jobs.jobs.size).toBe(1);
    const { result } = await ask('tools/call', { name: 'search_web', arguments: { query: 'cells' } });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { query: 'cells' } });
    expect(jobs.jobs.size).toBe(1);
  });

  it('shows a task to nobody but its owner, and to no client without the extension', async () => {
    const { ask, summarize } = await host();
    const { taskId } = (await summarize()).result!;
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update']) {
      const foreign = await ask(method, { taskId, inputResponses: {} }, { key: 'another-key' });
      expect([method, foreign.error?.code]).toEqual([method, -32602]);
      const undeclared = await ask(method, { taskId, inputResponses: {} }, { declared: false });
      expect([method, undeclared.error]).toEqual([
        method,
        expect.objectContaining({
          code: -32021,
          data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
        }),
      ]);
    }
    expect((await ask('tasks/get', { taskId: 'made-up' })).error?.message).toMatch(/^Task not found/);
    expect((await ask('tasks/update', { taskId, inputResponses: {} })).result).toMatchObject({
      resultType: 'complete',
    });
    for (const method of ['tasks/list', 'tasks/result'])
      expect([method, (await ask(method, { taskId })).error?.code]).toEqual([method, -32601]);
  });

  it('cancels the work of a task', async () => {
    const { source, ask, summarize } = await host();
    const { taskId } = (await summarize()).result!;
    await source.begun(1);
    const { result } = await ask('tasks/cancel', { taskId });
    expect(result).toMatchObject({ resultType: 'complete' });
    expect(result).not.toHaveProperty('status');
    expect(source.loads[0]!.signal.aborted).toBe(true);
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
    expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  });

  it('has the error of a tool as the result of a task that completed', async () => {
    const { ask, jobs, summarize } = await host();
    const { taskId } = (await summarize()).result!;
    Object.assign(jobs.jobs.get(taskId as string)!.state, {
      status: 'failed',
      error: { statusCode: 504, code: 'upstream_timeout', message: 'Too slow.', request_id: 'r' },
    });
    expect((await ask('tasks/get', { taskId })).result).toMatchObject({
      status: 'completed',
      result: {
        isError: true,
        structuredContent: { error: { code: 'upstream_timeout', next: 'Call again later.' } },
      },
    });
  });

  it('is not used by clients that do not declare it, and the work is done here while the queue is down', async () => {
    const { jobs, summarize } = await host();
    const still = { isError: true, structuredContent: { error: { code: 'still_working' } } };
    expect((await summarize({ declared: false })).result).toMatchObject(still);
    jobs.down = true;
    expect((await summarize()).result).toMatchObject(still);
    expect(jobs.jobs.size).toBe(0);
  });

  it('is offered where the host has jobs', async () => {
    const { ask } = await host();
    expect((await ask('server/discover', {})).result!.capabilities).toEqual({
      tools: {},
      extensions: { [TASKS]: {} },
    });
    const { ask: askWithout, summarize } = await host({ jobs: undefined });
    expect((await askWithout('server/discover', {})).result!.capabilities).toEqual({ tools: {} });
    expect((await askWithout('tasks/get', { taskId: 'x' })).error?.code).toBe(-32601);
    expect((await summarize()).result).toMatchObject({ isError: true });
  });
});
