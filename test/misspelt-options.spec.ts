import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Test } from '@nestjs/testing';
import {
  brave,
  documents,
  innertubeTranscripts,
  memoryTranscripts,
  searxng,
  supadataTranscripts,
  ToolsModule,
  unpdfReader,
  wikipedia,
  you,
  youtubeiTranscripts,
  ytDlpTranscripts,
  type ToolsModuleOptions,
} from '../lib/index.js';
import { InvalidOptionError } from '../lib/core/errors.js';
import { bullMqJobs } from '../lib/queue/index.js';
import { createPageReader } from '../lib/web/result-pages.js';
import { redisShared } from '../lib/redis/index.js';

const model = createOpenAICompatible({ name: 'fake', baseURL: 'http://127.0.0.1:9/v1' })('fake-model');
const apiKey = 'secret-of-the-host';
const url = 'http://127.0.0.1:9';

async function start(options: object): Promise<void> {
  const tools = ToolsModule.forRootAsync({ useFactory: () => options });
  await (await Test.createTestingModule({ imports: [tools] }).compile()).close();
}

describe('a misspelt option of the module is refused at start', () => {
  it.each<[string, string, object]>([
    ['sumarize', 'summarize', { sumarize: {} }],
    ['guard', 'guards', { guard: [] }],
    ['summarize.lenght', 'length', { summarize: { lenght: 'short' } }],
    ['search.proivders', 'providers', { search: { proivders: [] } }],
    ['search.pages.allowHost', 'allowHosts', { search: { pages: { allowHost: [] } } }],
    ['youtube.transcript', 'transcripts', { youtube: { transcript: [] } }],
    ['youtube.requestTimeout', 'requestTimeoutMs', { youtube: { requestTimeout: 1 } }],
    ['limits.requestPerMinute', 'requestsPerMinute', { limits: { requestPerMinute: 1 } }],
    ['limits.tools.searchWeb', 'search_web', { limits: { tools: { searchWeb: 1 } } }],
    ['limits.concurrency.perkey', 'perKey', { limits: { concurrency: { perkey: 1 } } }],
    ['apiKeys[0].expires', 'expiresAt', { apiKeys: [{ key: 'k', expires: '2030-01-01' }] }],
    ['apiKeys[0].limits.daylyTokens', 'dailyTokens', { apiKeys: [{ key: 'k', limits: { daylyTokens: 1 } }] }],
    ['modelOptions.contextToken', 'contextTokens', { model, modelOptions: { contextToken: 8192 } }],
    [
      'mapModelOptions.maxParalelCalls',
      'maxParallelCalls',
      { model, mapModel: model, mapModelOptions: { maxParalelCalls: 1 } },
    ],
    [
      'visionModelOptions.maxOutputToken',
      'maxOutputTokens',
      { model, visionModel: model, visionModelOptions: { maxOutputToken: 1 } },
    ],
    ['budget.token', 'tokens', { model, budget: { token: 1 } }],
    ['hooks.onusage', 'onUsage', { hooks: { onusage: () => undefined } }],
    ['shutdown.grace', 'graceMs', { shutdown: { grace: 1 } }],
    ['providers', 'search.providers` or `listVideos.providers', { providers: [] }],
    ['documents', 'search.providers', { documents: [] }],
    ['transcripts', 'youtube.transcripts', { transcripts: [] }],
    ['requestsPerMinute', 'limits.requestsPerMinute', { requestsPerMinute: 60 }],
    ['rateLimit', 'limits.requestsPerMinute', { rateLimit: 60 }],
  ])('%s, with the name that was meant: %s', async (path, nearest, options) => {
    const starting = start(options);
    await expect(starting).rejects.toThrow(InvalidOptionError);
    await expect(starting).rejects.toThrow(
      `unknown option \`${path}\`. Did you mean \`${nearest}\`? Known options: `,
    );
  });

  it('forRootAsync without anything that makes the options', () => {
    expect(() => ToolsModule.forRootAsync({})).toThrow(
      'option `forRootAsync` must be given `useFactory`, `useClass` or `useExisting`',
    );
  });

  it('and beside a factory, or given by one that comes too late for it', async () => {
    const useFactory = (): ToolsModuleOptions => ({});
    expect(() => ToolsModule.forRootAsync({ useFactory, controler: false } as never)).toThrow(
      'unknown option `forRootAsync.controler`. Did you mean `controllers`?',
    );
    expect(() => ToolsModule.forRootAsync({ useFactory, search: false } as never)).toThrow(
      'unknown option `forRootAsync.search`',
    );
    expect(() => ToolsModule.forRoot({ controllers: ['web_search'] as never })).toThrow(
      '`controllers[0]` must be one of summarize_content, search_web, read_page',
    );
    const late = ToolsModule.forRootAsync({ useFactory: () => ({ path: 'tools' }) as never });
    await expect(Test.createTestingModule({ imports: [late] }).compile()).rejects.toThrow(
      '`path` must be passed next to `useFactory`, not returned by the factory',
    );
  });

  it('but not what belongs to a class of the host', async () => {
    class Settings {
      readonly logRequests = false;
      readonly environment = 'test';
    }
    await expect(start(new Settings())).resolves.toBeUndefined();
    await expect(
      start({
        hooks: new (class Billing {
          account = 'a';
          onUsage(): void {}
        })(),
      }),
    ).resolves.toBeUndefined();
  });
});

describe('a misspelt option of a factory is refused at once', () => {
  it.each<[string, string, () => unknown]>([
    ['searxng.bseUrl', 'url', () => searxng({ url, bseUrl: url } as never)],
    ['searxng.baseUrl', 'url', () => searxng({ baseUrl: url } as never)],
    ['brave.apikey', 'apiKey', () => brave({ apikey: apiKey } as never)],
    ['you.safesearch', 'safeSearch', () => you({ safesearch: 'off' } as never)],
    ['wikipedia.lang', 'language', () => wikipedia({ lang: 'de' } as never)],
    ['documents.nmae', 'name', () => documents([], { nmae: 'a' } as never)],
    ['documents[0].content', 'text', () => documents([{ url, title: 'A', content: 'The text.' } as never])],
    ['innertubeTranscripts.potoken', 'poToken', () => innertubeTranscripts({ potoken: {} } as never)],
    ['youtubeiTranscripts.client', 'clients', () => youtubeiTranscripts({ client: [] } as never)],
    ['ytDlpTranscripts.bin', 'binary', () => ytDlpTranscripts({ bin: 'x' } as never)],
    ['supadataTranscripts.apikey', 'apiKey', () => supadataTranscripts({ apikey: apiKey } as never)],
    ['search.pages.maxByte', 'maxBytes', () => createPageReader({ maxByte: 1 } as never)],
    ['unpdfReader.maxPage', 'maxPages', () => unpdfReader({ maxPage: 1 } as never)],
    ['redisShared.timeout', 'timeoutMs', () => redisShared({ url: 'redis://x', timeout: 5 } as never)],
    ['jobs.resultTtl', 'resultTtlMs', () => bullMqJobs({ connection: {}, resultTtl: 5 } as never)],
  ])('%s, with the name that was meant: %s', (path, nearest, make) => {
    expect(make).toThrow(InvalidOptionError);
    expect(make).toThrow(`unknown option \`${path}\`. Did you mean \`${nearest}\`? Known options: `);
    expect(make).not.toThrow(/secret-of-the-host/);
  });

  it('without a guess where no name is like it', () => {
    expect(() => brave({ apiKey, zzz: 1 } as never)).toThrow(
      'unknown option `brave.zzz`. Known options: apiKey, country, safeSearch, extraSnippets, baseUrl, fetch, timeoutMs, retries',
    );
  });

  it('but not what a transcript has besides, which is the data of the host', () => {
    const videos = { dQw4w9WgXcQ: { text: 'What was said.', id: 7 } };
    expect(() => memoryTranscripts(videos)).not.toThrow();
  });
});
