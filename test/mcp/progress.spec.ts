import { jest } from '@jest/globals';
import type { AgentCall, AgentTool } from '../../lib/agents/agent-tools.js';
import { mcpEndpoint } from '../../lib/mcp/mcp-endpoint.js';
import { resolveMcp } from '../../lib/mcp/mcp.options.js';
import { modern, modernHeaders } from '../support/mcp-host.js';

const OTHERS = [
  'setTimeout',
  'clearTimeout',
  'setImmediate',
  'clearImmediate',
  'nextTick',
  'queueMicrotask',
] as const;

describe('progress over MCP', () => {
  afterEach(() => void jest.useRealTimers());

  it('comes at least every ten seconds while nothing new happens, and ends with the result', async () => {
    jest.useFakeTimers({ doNotFake: [...OTHERS, 'performance', 'Date', 'hrtime'] });
    let started!: (call: AgentCall) => void;
    let finish!: () => void;
    const begun = new Promise<AgentCall>((resolve) => (started = resolve));
    const tool: AgentTool = {
      name: 'slow',
      title: 'Slow',
      description: 'Slow.',
      inputSchema: { type: 'object', properties: {} },
      strictInputSchema: { type: 'object', properties: {} },
      outputSchema: { type: 'object' },
      call: (_args, call) => {
        started(call);
        return new Promise((resolve) => {
          finish = () => resolve({ text: 'done', structured: {}, isError: false });
        });
      },
    };
    const endpoint = await mcpEndpoint({ list: [tool], cancel: () => undefined }, resolveMcp(true)!);
    const headers = modernHeaders('tools/call', 'slow');
    const body = modern('tools/call', { name: 'slow', arguments: {}, _meta: { progressToken: 'p' } });
    const exchange = { caller: { id: 'x' }, requestId: 'r', signal: new AbortController().signal };
    const answering = endpoint.answer({ headers, url: '/' }, body, exchange);
    const { onProgress } = await begun;
    for (const stage of ['search', 'plan', 'finding', 'list']) onProgress!({ stage });
    jest.advanceTimersByTime(30_000);
    finish();
    const text = await (await answering).text();
    jest.advanceTimersByTime(30_000);
    const messages = [...text.matchAll(/^data: (.+)$/gm)].map(
      ([, data]) => JSON.parse(data!) as { params?: { progress: number; message: string }; result?: object },
    );
    const reported = messages.filter(({ params }) => params).map(({ params }) => params!);
    expect(reported.map(({ progress }) => progress)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(reported.slice(0, 4).map(({ message }) => message)).toEqual([
      'Searching',
      'Planning',
      'Reading sources',
      'Listing the videos',
    ]);
    expect(messages.at(-1)!.result).toBeDefined();
    await endpoint.close();
  });
});
