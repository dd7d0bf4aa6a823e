import { RESOLVED_OPTIONS } from '../../lib/core/injection-tokens.js';
import { options as schemaOf, integer, withDefault } from '../../lib/core/schema.js';
import { ResultDto } from '../../lib/tools/dto/shared.dto.js';
import { Field, OptionalField, RequiredField, text } from '../../lib/tools/request-fields.js';
import { ToolService, type Host, type ToolWork } from '../../lib/tools/run-tool.js';
import type { ToolDefinition } from '../../lib/tools/tool-definition.js';
import { TOOLS } from '../../lib/tools/tools.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import type * as McpHost from '../support/mcp-host.js';
import { faultsOfMarkdown, faultsOfText, HOSTILE } from '../support/rendered.js';

// A tool that no other file knows: its fields have names that nobody has heard of.

class PeekDto {
  static readonly sample = { riddle: 'What is a reef?' };

  @RequiredField(text(5000), 'Any words.')
  riddle!: string;
}

class ScrapDto {
  @Field('Words.', 'Reefs.', { agents: 'shortened' })
  wording!: string;

  @Field('Where it is.', 'https://reef.example/', { text: 'address' })
  whereabouts!: string;

  @Field('Words that stay whole.', 'Reefs.', { source: 'nickname' })
  label!: string;
}

class VerdictDto {
  @Field('Markdown.', '**Reefs**', { text: 'markdown', agents: 'shortened' })
  prose!: string;

  @Field('Words.', ['a'], { type: [String] })
  asides!: string[];
}

class PeekDataDto extends ResultDto {
  @Field('The riddle again.', 'What is a reef?', { text: 'echo' })
  riddle_again!: string;

  @Field('The verdict.', VerdictDto, { source: null })
  verdict!: VerdictDto;

  @Field('Scraps.', [ScrapDto], { agents: 'shortened' })
  scraps!: ScrapDto[];

  @Field('Numbered in the verdict.', [ScrapDto])
  numbered!: ScrapDto[];

  @Field('For programs.', 'x', { agents: 'hidden' })
  innards!: string;

  @OptionalField('Often empty.', ['x'], { type: [String], absentWhenEmpty: true })
  oddities?: string[];

  @Field('Data of a form that the caller chose.', {}, { type: 'object', additionalProperties: true })
  shape!: object;

  @Field('Whether more follows.', false, { agents: 'raised' })
  goes_on!: boolean;

  @OptionalField('Send it for more.', 'x', { agents: 'dropped' })
  bookmark?: string;
}

interface Riddle {
  riddle: string;
}

/** What strangers wrote. */
let said: string[] = [];
const MARKDOWN =
  '**Reefs** are [built](https://reef.example/a) by `Coral<T>`:\n\n```\nconst reef = 1;\n```\n\n- item';

class PeekService extends ToolService<Riddle, object, { cacheTtlMs: number }> {
  constructor(host: Host) {
    super(PEEK, host);
  }

  peek(request: Riddle, call: object): Promise<object> {
    return this.answer(request, call);
  }

  protected prepare({ riddle }: Riddle): ToolWork<object> {
    return {
      key: [riddle, said],
      deadlineMs: 10_000,
      run: async ({ progress }) => {
        progress({ stage: 'peek' });
        const scraps = said.map((text) => ({
          wording: text,
          whereabouts: `https://reef.example/${text}`,
          nickname: text,
        }));
        const names = ['query', 'question', 'answer', 'markdown', 'content', 'url', 'output', 'riddle_again'];
        return {
          riddleAgain: riddle,
          prose: [MARKDOWN, ...said].join('\n\n'),
          asides: said,
          scraps,
          numbered: scraps,
          innards: said[0],
          oddities: [],
          shape: { ...Object.fromEntries(names.map((name) => [name, said])), deep: [{ query: said[0] }] },
          goesOn: false,
          bookmark: said[0],
          warnings: said.map((message) => ({ code: 'odd', message })),
        };
      },
    };
  }
}

const PEEK: ToolDefinition<never, PeekService, { peek?: boolean }, { cacheTtlMs: number }> = {
  name: 'peek_riddle' as never,
  title: 'Peek',
  description: 'Peeks.',
  request: PeekDto,
  data: PeekDataDto,
  answer: 'What was seen.',
  errors: {},
  option: {
    name: 'peek',
    schema: schemaOf({ cacheTtlMs: withDefault(integer(0), 0) }),
    byDefault: false,
  },
  service: PeekService,
  provider: { inject: [RESOLVED_OPTIONS] },
  agent: { description: 'Peeks.', advice: 'Peek again.' },
  run: async (service, request, call) => ({ result: await service.peek(request as Riddle, call) }),
};

type Json = Record<string, unknown>;

const isWeb = (url: string): boolean => /^(?:https?:|ftp:|mailto:|\/\/)/.test(url);

/** What is live in the strings of a value. */
function faultsOf(value: unknown, name = ''): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([member, inner]) =>
      member === 'riddle_again' && inner === said
        ? []
        : faultsOf(inner, Array.isArray(value) ? name : member),
    );
  if (typeof value !== 'string') return [];
  const faults = [...(name === 'prose' ? [] : faultsOfText(value)), ...faultsOfMarkdown(value, isWeb)];
  return faults.map((fault) => `${name}: ${fault} in ${JSON.stringify(value).slice(0, 300)}`);
}

describe('a tool that only its definition knows, on Fastify', () => {
  let host: RunningHost;
  let modern: typeof McpHost.modern;
  let modernHeaders: typeof McpHost.modernHeaders;
  let tools: { call(name: string, args: object, how?: object): Promise<{ text: string; structured: Json }> };

  beforeAll(async () => {
    (TOOLS as unknown as unknown[]).push(PEEK);
    // The module reads the definitions when it is loaded.
    const { ToolsModule } = await import('../../lib/index.js');
    ({ modern, modernHeaders } = await import('../support/mcp-host.js'));
    const { agentTools } = await import('../../lib/agents/index.js');
    const module = ToolsModule.forRoot({
      apiKeys: ['a-key'],
      mcp: { outputSchemas: true },
      logRequests: false,
      peek: true,
    } as never);
    host = await startHost([module], new FastifyAdapter());
    tools = agentTools(host.app) as never;
  });
  afterAll(async () => {
    await closeHosts();
    (TOOLS as unknown as unknown[]).pop();
  });

  const post = (riddle: string, accept = 'application/json') =>
    host.http.post('/v1/tools/peek_riddle').set('X-API-Key', 'a-key').set('Accept', accept).send({ riddle });

  const overMcp = async (
    riddle: string,
  ): Promise<{ content: { text: string }[]; structuredContent: Json }> => {
    const call = modern('tools/call', { name: 'peek_riddle', arguments: { riddle } });
    const sent = host.http.post('/v1/tools/mcp').set(modernHeaders('tools/call', 'peek_riddle')).send(call);
    return (await sent).body.result as { content: { text: string }[]; structuredContent: Json };
  };

  it('hands on nothing live, and repeats the request as it came', async () => {
    for (let i = 0; i < HOSTILE.length; i += 10) {
      said = HOSTILE.slice(i, i + 10);
      const riddle = said.join(' ').trim();
      const plain = await post(riddle);
      expect(plain.status).toBe(200);
      const data = plain.body.data as Json;
      const { riddle_again, ...others } = data;
      expect(riddle_again).toBe(riddle);
      expect(faultsOf(others)).toEqual([]);
      expect((data.verdict as Json).prose).toContain(MARKDOWN);
      expect(data).not.toHaveProperty('oddities');
      const { text: events } = await post(riddle, 'text/event-stream');
      const result = JSON.parse(/event: result\ndata: (.*)/.exec(events)![1]!) as { data: Json };
      expect(result.data).toEqual(data);
      const agent = await overMcp(riddle);
      expect(faultsOf(agent.structuredContent)).toEqual([]);
      expect(faultsOf(agent.content[0]!.text, 'prose')).toEqual([]);
      const called = await tools.call('peek_riddle', { riddle });
      expect(faultsOf(called.structured)).toEqual([]);
      expect(faultsOf(called.text, 'prose')).toEqual([]);
    }
  });

  it('gives agents what they need: short lists and texts, no field for programs, no bookmark behind a cut', async () => {
    said = Array<string>(8).fill('Corals build reefs. '.repeat(20));
    const how = { maxTextTokens: 6000 };
    const { structured } = await tools.call('peek_riddle', { riddle: 'Why?' }, how);
    expect(structured).toMatchObject({
      riddle_again: 'Why?',
      goes_on: true,
      notice: expect.stringContaining('Peek again.'),
    });
    expect(structured).not.toHaveProperty('innards');
    expect(structured).not.toHaveProperty('bookmark');
    expect(structured.scraps as Json[]).toHaveLength(1);
    expect(structured.numbered).toHaveLength(8);
    expect(structured.numbered).toContainEqual({
      wording: expect.stringMatching(/…$/),
      whereabouts: expect.any(String),
      label: said[0],
    });
    expect(structured.shape).toMatchObject({ answer: said });
    const listed = await host.http
      .post('/v1/tools/mcp')
      .set(modernHeaders('tools/list'))
      .send(modern('tools/list'));
    const schema = JSON.stringify(listed.body);
    expect(schema).toContain('riddle_again');
    expect(schema).not.toContain('innards');
  });
});
