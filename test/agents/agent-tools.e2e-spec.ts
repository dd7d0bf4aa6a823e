import { AIMessage, type ToolMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { documents, ToolsModule, type RequestEvent } from '../../lib/index.js';
import { agentTools } from '../../lib/agents/index.js';
import { closeHosts, startHost } from '../support/host.js';
import { OneContentSource } from '../support/fixtures.js';
import { PAGES } from '../search/search.fixtures.js';

describe('the tools for language models in the same process', () => {
  const events: RequestEvent[] = [];
  const host = async () => {
    const tools = ToolsModule.forRoot({
      contentSources: [new OneContentSource()],
      search: { providers: [documents(PAGES)], maxTopN: 30 },
      limits: { tools: { summarize_content: 1 } },
      controllers: false,
      hooks: { onUsage: (event) => void events.push(event) },
    });
    return (await startHost([tools])).app;
  };
  beforeEach(() => void events.splice(0));
  afterEach(closeHosts);

  it('are described for every vendor, with strict schemas where the vendor has them', async () => {
    const tools = agentTools(await host());
    const names = ['summarize_content', 'search_web'];
    const strict = expect.objectContaining({ additionalProperties: false, required: expect.any(Array) });
    expect(tools.openai().map(({ name }) => name)).toEqual(names);
    expect(tools.openai()[1]).toMatchObject({
      type: 'function',
      name: 'search_web',
      strict: true,
      parameters: strict,
    });
    expect(tools.openaiChat()[1]).toMatchObject({
      type: 'function',
      function: { strict: true, parameters: strict },
    });
    expect(tools.anthropic()[1]).toMatchObject({ name: 'search_web', input_schema: strict, strict: true });
    const { functionDeclarations } = tools.gemini()[0]!;
    expect(functionDeclarations.map(({ name }) => name)).toEqual(names);
    // The host's own ceiling.
    expect(functionDeclarations[1]!.parametersJsonSchema).toMatchObject({
      properties: { top_n: { maximum: 30 } },
    });
  });

  it('are called by name, with arguments as an object or as JSON', async () => {
    const tools = agentTools(await host(), { caller: 'user-1' });
    const stages: string[] = [];
    const onProgress = ({ stage }: { stage: string }): void => void stages.push(stage);
    const found = await tools.call('search_web', '{"query":"Vesuvius","top_n":"1","language":null}', {
      onProgress,
    });
    expect(found).toMatchObject({ isError: false, structured: { results: [{ title: 'Mount Vesuvius' }] } });
    expect(stages).toContain('search');
    expect(await tools.call('search_web', 'no JSON')).toMatchObject({
      isError: true,
      structured: { error: { code: 'invalid_request' } },
    });
    await expect(tools.call('no_such', {})).rejects.toThrow('the tools are summarize_content, search_web');
    expect(events.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['search_web', 'ok'],
      ['search_web', 'invalid_request'],
    ]);
  });

  it('count against the limits of their caller', async () => {
    const app = await host();
    const call = (caller: string) =>
      agentTools(app, { caller }).call('summarize_content', { content_id: 'coral' });
    expect((await call('one')).isError).toBe(false);
    expect(await call('one')).toMatchObject({
      isError: true,
      structured: { error: { code: 'rate_limited' } },
    });
    expect((await call('two')).isError).toBe(false);
  });

  it('end when they are cancelled', async () => {
    const tools = agentTools(await host());
    const cancelled = await tools.call('search_web', { query: 'x' }, { signal: AbortSignal.abort() });
    expect(cancelled.isError).toBe(true);
  });

  it('run in the AI SDK', async () => {
    const tools: ToolSet = await agentTools(await host()).aiSdk();
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    };
    const prompts: string[] = [];
    const model = new MockLanguageModelV3({
      doGenerate: ({ prompt, tools: given }) => {
        prompts.push(JSON.stringify(prompt));
        const first = prompts.length === 1;
        expect(given!.map(({ name }) => name)).toEqual(['summarize_content', 'search_web']);
        const input = '{"query":"Who discovered cells?"}';
        return Promise.resolve({
          content: first
            ? [{ type: 'tool-call', toolCallId: '1', toolName: 'search_web', input }]
            : [{ type: 'text', text: 'Robert Hooke.' }],
          finishReason: { unified: first ? 'tool-calls' : 'stop', raw: undefined },
          usage,
          warnings: [],
        });
      },
    });
    const { text } = await generateText({ model, tools, prompt: 'Who?', stopWhen: stepCountIs(2) });
    expect(text).toBe('Robert Hooke.');
    expect(prompts[1]).toContain('Robert Hooke discovered cells in 1665');
  });

  it('run in LangChain', async () => {
    const tools: StructuredToolInterface[] = await agentTools(await host()).langchain();
    const search = tools.find(({ name }) => name === 'search_web')!;
    expect(await search.invoke({ query: 'Who discovered cells?' })).toContain('Robert Hooke');
    const { tool_calls } = new AIMessage({
      content: '',
      tool_calls: [{ type: 'tool_call', id: '1', name: 'search_web', args: { query: 'Vesuvius', top_n: 1 } }],
    });
    const answer: unknown = await search.invoke(tool_calls![0]!);
    expect((answer as ToolMessage).content).toContain('buried Pompeii');
  });

  it('need at least one tool that is on, and known options', async () => {
    const off = await startHost([ToolsModule.forRoot({ summarize: false, search: false })]);
    expect(() => agentTools(off.app)).toThrow('this host has no tool for an agent');
    const app = await host();
    expect(() => agentTools(app, { callr: 'x' } as object)).toThrow(
      'unknown option `agentTools.callr`. Did you mean `caller`?',
    );
  });
});
