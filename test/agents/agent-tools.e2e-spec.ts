import { AIMessage, type ToolMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { generateText, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { readFile } from 'node:fs/promises';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { documents, ToolsModule, type RequestEvent } from '../../lib/index.js';
import { agentTools, agentOpenApi } from '../../lib/agents/index.js';
import { closeHosts, startHost } from '../support/host.js';
import { OneContentSource } from '../support/fixtures.js';
import { PAGES } from '../search/search.fixtures.js';
import { TOOL_NAMES } from '../../lib/core/request-event.js';
import { lenientArguments, fieldsOf, plainSchema, strictSchema } from '../../lib/agents/tool-arguments.js';
import { SEARCH_WEB } from '../../lib/tools/search-web.js';
import { GET_TRANSCRIPT } from '../../lib/tools/get-transcript.js';
import { SUMMARIZE_CONTENT } from '../../lib/tools/summarize-content.js';
import { AgentTools } from '../../lib/agents/agent-tools.js';
import { resolveOptions } from '../../lib/tools.options.js';

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

type Json = Record<string, unknown>;

describe('the OpenAPI document for agent platforms', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    document = JSON.parse(await readFile('openapi.json', 'utf8')) as OpenAPIObject;
  });
  const made = () => agentOpenApi(document, { serverUrl: 'https://tools.example.com/' });
  const operations = () => Object.values(made().paths).map((item) => (item as { post: Json }).post);

  it('is valid, and has the tools under their own names', async () => {
    expect(await new Validator().validate(JSON.stringify(made(), null, 2))).toMatchObject({
      valid: true,
    });
    expect(Object.keys(made().paths)).toEqual(TOOL_NAMES.map((name) => `/v1/tools/${name}`));
    expect(operations().map(({ operationId }) => operationId)).toEqual(TOOL_NAMES);
  });

  it('has what GPT Actions, Open WebUI and LibreChat ask for', () => {
    expect(made()).toMatchObject({
      servers: [{ url: 'https://tools.example.com' }],
      security: [{ BearerAuth: [] }, { ApiKeyAuth: [] }],
    });
    for (const operation of operations()) {
      expect(operation.parameters).toBeUndefined();
      expect(operation['x-openai-isConsequential']).toBe(false);
    }
    const descriptions = [
      ...JSON.stringify(made()).matchAll(/"(?:description|summary)":"((?:[^"\\]|\\.)*)"/g),
    ];
    expect(descriptions.length).toBeGreaterThan(10);
    for (const [, text] of descriptions) expect(text!.length).toBeLessThanOrEqual(300);
  });

  it('says what answers hold, and refers to nothing', () => {
    expect(JSON.stringify(made())).not.toContain('$ref');
    const [{ responses }] = operations() as [{ responses: Json }];
    expect(responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: { properties: { data: { properties: { summary: { type: 'string' } } } } },
        },
      },
    });
  });

  it('asks for requests that the tools accept', () => {
    const bodies = operations().map(
      ({ requestBody }) => requestBody as { content: Record<string, { schema: Json }> },
    );
    const search = bodies[1]!.content['application/json']!.schema as { properties: Json; required: string[] };
    expect(search.required).toEqual(['query']);
    expect(Object.keys(search.properties)).toContain('include_domains');
    expect(search.properties.top_n).toMatchObject({ minimum: 1, maximum: 20 });
    // A default for what is required would make a model leave it out.
    expect((search.properties.query as Json).default).toBeUndefined();
  });

  it('has a title and a version where the document has empty ones, as DocumentBuilder makes it', () => {
    const untitled = { ...document, info: { title: '', version: '' } };
    const { info } = agentOpenApi(untitled, { serverUrl: 'https://tools.example.com' });
    expect(info).toMatchObject({ title: 'Tools', version: '1.0' });
  });

  it('does not change the document that it is given', () => {
    const before = JSON.stringify(document);
    made();
    expect(JSON.stringify(document)).toBe(before);
  });

  it.each([['/'], ['tools.example.com'], ['ftp://tools.example.com'], ['']])(
    'refuses %j as an address',
    (serverUrl) => {
      expect(() => agentOpenApi(document, { serverUrl })).toThrow('`serverUrl` must be an absolute address');
    },
  );

  it('refuses a document without the tools', () => {
    const other = { openapi: '3.0.0', info: {}, paths: { '/own': {} } };
    expect(() => agentOpenApi(other, { serverUrl: 'https://tools.example.com' })).toThrow(
      'a document with the tools',
    );
  });
});

const SEARCH = fieldsOf(SEARCH_WEB.request);
const read = (args: unknown) => lenientArguments(args, SEARCH);

describe('the arguments of a model', () => {
  it.each([
    [
      { query: 'x', top_n: '5' },
      { query: 'x', top_n: 5 },
    ],
    [
      { query: 'x', top_n: ' 5.0 ' },
      { query: 'x', top_n: 5 },
    ],
    [
      { query: 'x', llm_answer: 'True' },
      { query: 'x', llm_answer: true },
    ],
    [
      { query: 'x', llm_answer: 'false' },
      { query: 'x', llm_answer: false },
    ],
    [{ query: 'x', top_n: null, language: undefined }, { query: 'x' }],
    [{ query: 1984 }, { query: '1984' }],
    [
      { query: 'x', language: ' EN ' },
      { query: 'x', language: 'en' },
    ],
    [{ include_domains: 'a.example, b.example' }, { include_domains: ['a.example', 'b.example'] }],
    [{ include_domains: '["a.example"]' }, { include_domains: ['a.example'] }],
    [{ include_domains: '' }, { include_domains: [] }],
  ])('%j are read as %j', (given, input) => {
    expect(read(given)).toEqual({ input, notes: [] });
  });

  it.each([
    [{ top_n: 'five' }],
    [{ top_n: '1e3' }],
    [{ top_n: 2.5 }],
    [{ llm_answer: 'yes' }],
    [{ query: { text: 'x' } }],
    [{ language: 'Klingon' }],
  ])('%j are left to the validation of the request', (given) => {
    expect(read(given)).toEqual({ input: given, notes: [] });
  });

  it('names what it ignores, with the nearest known name', () => {
    const { input, notes } = read({ query: 'x', topn: 3, toolCallId: 'abc', __proto__: { a: 1 } });
    expect(input).toEqual({ query: 'x' });
    expect(notes).toEqual(['Unknown arguments were ignored: "topn" (did you mean top_n?), "toolCallId".']);
  });

  it('names at most five of them', () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`argument${i}${'x'.repeat(100)}`, i]),
    );
    expect(read(many).notes[0]!.length).toBeLessThan(400);
    expect(read(many).notes[0]).toMatch(/ and 195 more\.$/);
  });

  it.each([[undefined], [null], ['text'], [5], [[{ query: 'x' }]]])('%j are no arguments', (given) => {
    expect(read(given)).toEqual({ input: {}, notes: [] });
  });

  it('have numbers as text in fields of whole and of broken numbers', () => {
    const { request } = GET_TRANSCRIPT;
    const given = { content_id: 'x', from_seconds: '5', to_seconds: ' 7.5 ', max_tokens: '300' };
    expect(lenientArguments(given, fieldsOf(request))).toEqual({
      input: { content_id: 'x', from_seconds: 5, to_seconds: 7.5, max_tokens: 300 },
      notes: [],
    });
  });

  it('accepts fields that a model does not see', () => {
    const { request } = SUMMARIZE_CONTENT;
    const given = { content_id: 'x', source_type: 'youtube' };
    expect(lenientArguments(given, fieldsOf(request))).toEqual({ input: given, notes: [] });
  });

  it('never throw', () => {
    fc.assert(fc.property(fc.anything(), (given) => void read(given)));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...SEARCH.map(({ name }) => name)), fc.anything()),
        (given) => void read(given),
      ),
    );
  });
});

describe('schemas for models', () => {
  it('keep the constraints of the request in the plain form', () => {
    expect(plainSchema(SEARCH)).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 400 },
        top_n: { type: 'integer', minimum: 1, maximum: 20, default: 5, description: 'Number of results' },
        llm_answer: { type: 'boolean', default: false, description: 'true: an answer instead of results' },
        language: { type: 'string', enum: ['en', 'pt', 'es', 'it', 'de', 'fr'], description: 'Of the pages' },
        freshness: {
          type: 'string',
          enum: ['day', 'week', 'month', 'year'],
          description: 'Published within',
        },
        include_domains: { type: 'array', items: { type: 'string' }, maxItems: 20 },
        exclude_domains: { type: 'array', items: { type: 'string' }, maxItems: 20 },
        output_schema: {
          type: 'string',
          description: 'With llm_answer: JSON Schema of wanted data, as string',
        },
      },
      required: ['query'],
    });
  });

  it('say the constraints in words in the strict form, where every field is required and may be null', () => {
    const strict = strictSchema(SEARCH) as { properties: Record<string, object>; required: string[] };
    expect(strict).toMatchObject({ type: 'object', additionalProperties: false });
    expect(strict.required).toEqual(Object.keys(strict.properties));
    expect(strict.properties).toMatchObject({
      query: { type: 'string', description: 'at most 400 characters' },
      top_n: { type: ['integer', 'null'], description: 'Number of results. 1 to 20, null: 5' },
      freshness: { type: ['string', 'null'], enum: ['day', 'week', 'month', 'year', null] },
      include_domains: { type: ['array', 'null'], items: { type: 'string' }, description: 'at most 20' },
    });
    expect(JSON.stringify(strict)).not.toMatch(/"(minimum|maximum|minLength|maxLength|maxItems|default)":/);
  });
});

/** Tokens of JSON, estimated as a quarter of its characters. */
const tokensOf = (value: unknown): number => JSON.stringify(value).length / 4;

describe('the list of all tools', () => {
  const options = resolveOptions({
    readPage: true,
    transcript: true,
    askVideo: true,
    research: true,
    listVideos: true,
  });
  const none = {} as never;
  const { list } = new AgentTools(none, none, none, { ...options });

  it('costs a model at most 1,350 tokens', () => {
    const read = list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(read).toHaveLength(TOOL_NAMES.length);
    expect(tokensOf(read)).toBeLessThanOrEqual(1350);
  });

  it('has output schemas of names and types only', () => {
    const schemas = list.map(({ outputSchema }) => outputSchema);
    expect(JSON.stringify(schemas)).not.toMatch(/"(?:description|example|default|maximum|minLength)":/);
    expect(tokensOf(schemas)).toBeLessThanOrEqual(1900);
  });
});
