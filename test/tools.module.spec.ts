import { Controller, Get, Injectable, Module, type CanActivate } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  API_KEY_STORE,
  SearchService,
  SummarizerService,
  ToolsModule,
  type ApiKeyIdentity,
  type ApiKeyStore,
  type Content,
  type Summarizer,
  type Summary,
  type ToolsModuleOptions,
  type ToolsOptionsFactory,
  brave,
  documents,
  innertubeTranscripts,
  memoryTranscripts,
  searxng,
  supadataTranscripts,
  unpdfReader,
  wikipedia,
  you,
  youtubeiTranscripts,
  ytDlpTranscripts,
} from '../lib/index.js';
import { InvalidOptionError } from '../lib/core/errors.js';
import { OneContentSource, TwoPageProvider } from './support/fixtures.js';
import { ADAPTERS } from './support/adapters.js';
import { closeHosts, startHost } from './support/host.js';
import { resolveOptions } from '../lib/tools.options.js';
import { bullMqJobs } from '../lib/queue/index.js';
import { createPageReader } from '../lib/web/result-pages.js';
import { redisShared } from '../lib/redis/index.js';

const base: ToolsModuleOptions = { apiKeys: ['k'], contentSources: [new OneContentSource()] };

const compile = (imports: Parameters<typeof Test.createTestingModule>[0]['imports']) =>
  Test.createTestingModule({ imports })
    .setLogger(false as never)
    .compile();

@Injectable()
class KeyDatabase {
  find(key: string): ApiKeyIdentity | undefined {
    return key === 'from-database' ? { id: '1', name: 'database' } : undefined;
  }
}

@Module({ providers: [KeyDatabase], exports: [KeyDatabase] })
class DatabaseModule {}

@Injectable()
class DatabaseKeys implements ApiKeyStore {
  constructor(private readonly database: KeyDatabase) {}
  verify(key: string): ApiKeyIdentity | undefined {
    return this.database.find(key);
  }
}
Reflect.defineMetadata('design:paramtypes', [KeyDatabase], DatabaseKeys);

class ShoutingSummarizer implements Summarizer {
  readonly engine = 'shouting';
  readonly translates = true;
  summarize(content: Content): Promise<Summary> {
    return Promise.resolve({
      method: 'simple',
      text: content.segments[0]!.text.toUpperCase(),
      language: 'de',
      keyPoints: [],
      sections: [],
      engine: this.engine,
      warnings: [],
    });
  }
}

describe('ToolsModule', () => {
  afterEach(closeHosts);

  it('offers both services without HTTP', async () => {
    const module = await compile([
      ToolsModule.forRoot({ ...base, search: { providers: [new TwoPageProvider()] } }),
    ]);
    const summary = await module.get(SummarizerService, { strict: false }).summarize({ contentId: 'coral' });
    expect(summary.engine).toBe('extractive');
    expect(summary.summary).not.toBe('');
    const found = await module.get(SearchService, { strict: false }).search({ query: 'coral' });
    expect(found.results!.length).toBeGreaterThan(0);
  });

  it.each<[string, () => ReturnType<typeof ToolsModule.forRootAsync>]>([
    ['useFactory', () => ToolsModule.forRootAsync({ useFactory: () => Promise.resolve(base) })],
    [
      'useClass',
      () => {
        @Injectable()
        class Options implements ToolsOptionsFactory {
          createToolsOptions(): ToolsModuleOptions {
            return base;
          }
        }
        return ToolsModule.forRootAsync({ useClass: Options });
      },
    ],
    [
      'useExisting',
      () => {
        @Injectable()
        class Options implements ToolsOptionsFactory {
          createToolsOptions(): ToolsModuleOptions {
            return base;
          }
        }
        @Module({ providers: [Options], exports: [Options] })
        class OptionsModule {}
        return ToolsModule.forRootAsync({ useExisting: Options, imports: [OptionsModule] });
      },
    ],
    [
      'inject and imports',
      () =>
        ToolsModule.forRootAsync({
          imports: [DatabaseModule],
          inject: [KeyDatabase],
          useFactory: (database: KeyDatabase) => ({
            ...base,
            apiKeys: { verify: (key: string) => database.find(key) },
          }),
        }),
    ],
  ])('takes its options by %s', async (_how, register) => {
    const module = await compile([register()]);
    const { summary } = await module
      .get(SummarizerService, { strict: false })
      .summarize({ contentId: 'coral' });
    expect(summary).not.toBe('');
  });

  it.each<[string, ToolsModuleOptions['apiKeys']]>([
    ['an instance', new DatabaseKeys(new KeyDatabase())],
    ['a class', DatabaseKeys],
    [
      'a factory',
      { useFactory: (database: KeyDatabase) => new DatabaseKeys(database), inject: [KeyDatabase] },
    ],
  ])('takes a port of the host as %s', async (_how, apiKeys) => {
    const module = await compile([ToolsModule.forRoot({ ...base, apiKeys, imports: [DatabaseModule] })]);
    const store = module.get<ApiKeyStore>(API_KEY_STORE, { strict: false });
    expect(await store.verify('from-database')).toMatchObject({ name: 'database' });
    expect(await store.verify('k')).toBeUndefined();
  });

  it('takes a summarizer of the host', async () => {
    const module = await compile([ToolsModule.forRoot({ ...base, summarizer: ShoutingSummarizer })]);
    const result = await module
      .get(SummarizerService, { strict: false })
      .summarize({ contentId: 'coral', outputLanguage: 'de' });
    expect(result.summary).toBe('CORAL REEFS ARE BUILT BY TINY ANIMALS CALLED POLYPS.');
    expect(result.outputLanguage.honoured).toBe(true);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'a misspelt option',
      { sumarize: {} },
      /unknown option `sumarize`. Did you mean `summarize`\? Known options: apiKeys, summarize/,
    ],
    [
      'an unknown length',
      { summarize: { length: 'huge' } },
      /`summarize\.length` must be one of short, medium, long, received the string "huge"/,
    ],
    [
      'a limit of zero',
      { limits: { requestsPerMinute: 0 } },
      /`limits\.requestsPerMinute` must be an integer from 1 to 1000000, received the number 0/,
    ],
    [
      'a ceiling out of range',
      { search: { maxTopN: 500 } },
      /`search\.maxTopN` must be an integer from 1 to 50/,
    ],
    ['an empty key', { apiKeys: [''] }, /`apiKeys\[0\]`/],
    ['a malformed hash', { apiKeys: [{ hash: 'md5:1' }] }, /`apiKeys\[0\]\.hash` must be `sha256:`/],
    ['an entry without key', { apiKeys: [{ name: 'x' }] }, /one of `key` and `hash`/],
    [
      'a malformed date',
      { apiKeys: [{ key: 'k', expiresAt: 'tomorrow' }] },
      /`apiKeys\[0\]\.expiresAt` must be an ISO 8601 date or a Date, received the string "tomorrow"/,
    ],
    [
      'an unknown tool',
      { apiKeys: [{ key: 'k', tools: ['search'] }] },
      /one of summarize_content, search_web/,
    ],
    [
      'an object that is not a provider',
      { search: { providers: [{}] } },
      /`search\.providers\[0\]` must be a SearchProvider \(missing: name, search\)/,
    ],
    [
      'an object that is not a store',
      { apiKeys: { verfy: 1 } },
      /`apiKeys` must be an ApiKeyStore \(missing: verify\)/,
    ],
  ])('refuses %s at start', async (_case, options, message) => {
    await expect(compile([ToolsModule.forRoot(options as ToolsModuleOptions)])).rejects.toThrow(message);
  });

  it.each<[string, unknown, string]>([
    ['apiKeys[0]', { apiKeys: [' secret-key '] }, 'secret-key'],
    ['apiKeys[0]', { apiKeys: [20240101987654] }, '20240101987654'],
    ['apiKeys[0].hash', { apiKeys: [{ hash: 'my-plain-secret' }] }, 'my-plain-secret'],
    ['apiKeys', { apiKeys: 'secret4' }, 'secret4'],
    ['apiKeys', { apiKeys: 20240101987654 }, '20240101987654'],
    ['shared', { shared: 'redis://:secret9@h' }, 'secret9'],
    ['cache', { cache: 'redis://:secret8@h' }, 'secret8'],
    ['limits.store', { limits: { store: 'redis://:secret7@h' } }, 'secret7'],
    ['apiKeys', { apiKeys: { 'secret-key': 'billing' } }, 'secret-key'],
    ['apiKeys[0]', { apiKeys: [{ 'secret-key': 'billing' }] }, 'secret-key'],
    ['apiKeys[0].key', { apiKeys: [{ key: 20240101987654 }] }, '20240101987654'],
    ['limits', { limits: 'redis://:secret5@h' }, 'secret5'],
    ['search.providers', { search: { providers: 'secret3' } }, 'secret3'],
    ['search.providers[0]', { search: { providers: ['brave'] } }, 'brave'],
  ])('names the option %s and never repeats what may be a secret: %j', async (option, options, secret) => {
    const error = await compile([ToolsModule.forRoot(options as ToolsModuleOptions)]).catch(
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(InvalidOptionError);
    const { message } = error as Error;
    expect(message).toContain(`option \`${option}\` must be `);
    expect(message).not.toContain(secret);
  });

  it('refuses a price of a search provider that is not there', async () => {
    const providers = [new TwoPageProvider()];
    await expect(
      compile([ToolsModule.forRoot({ search: { providers, prices: { 'two-page': 1 } } })]),
    ).rejects.toThrow(/`search\.prices` must be named by search providers: two-pages/);
    await expect(
      compile([ToolsModule.forRoot({ search: { providers, prices: { 'two-pages': -1 } } })]),
    ).rejects.toThrow(/search\.prices/);
  });

  it('takes a store whose own fields are all text', async () => {
    class HttpKeyStore {
      constructor(
        readonly url: string,
        readonly token: string,
      ) {}
      verify() {
        return undefined;
      }
    }
    const app = await compile([
      ToolsModule.forRoot({ apiKeys: new HttpKeyStore('https://keys.example', 't') }),
    ]);
    expect(app.get(API_KEY_STORE, { strict: false })).toBeInstanceOf(HttpKeyStore);
  });

  it('says that a key is not set', async () => {
    await expect(compile([ToolsModule.forRoot({ apiKeys: [undefined as never] })])).rejects.toThrow(
      /option `apiKeys\[0\]` must be .*, received nothing/,
    );
  });

  describe.each(ADAPTERS)('on %s', (_name, adapter) => {
    it('mounts at another path, with other guards, next to a second registration', async () => {
      class Open implements CanActivate {
        canActivate(): boolean {
          return true;
        }
      }
      const { http } = await startHost(
        [
          ToolsModule.forRoot({ ...base, path: 'first', apiKeys: ['1'] }),
          ToolsModule.forRoot({ ...base, path: 'second/tools', guards: [Open] }),
        ],
        adapter(),
      );
      const ask = (path: string) => http.post(`/${path}/summarize_content`).send({ content_id: 'coral' });
      await ask('first').expect(401);
      await ask('first').set('X-API-Key', '1').expect(200);
      await ask('second/tools').expect(200);
      await ask('v1/tools').expect(404);
    });

    it('mounts only the controllers that are wanted', async () => {
      const { http } = await startHost(
        [ToolsModule.forRoot({ ...base, controllers: ['search_web'] })],
        adapter(),
      );
      await http.post('/v1/tools/search_web').send({}).expect(401);
      await http.post('/v1/tools/summarize_content').send({}).expect(404);
    });

    it('gives tools that are off no route and no place in the OpenAPI document', async () => {
      const { app, http } = await startHost(
        [ToolsModule.forRoot({ ...base, summarize: false, readPage: true })],
        adapter(),
      );
      for (const tool of ['summarize_content', 'get_transcript', 'ask_video'])
        for (const method of ['post', 'get'] as const) await http[method](`/v1/tools/${tool}`).expect(404);
      await http.post('/v1/tools/read_page').expect(401);
      const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
      expect(Object.keys(paths)).toEqual(['/v1/tools/search_web', '/v1/tools/read_page']);
    });

    it('leaves the routes, pipes and errors of the host alone', async () => {
      @Controller('mine')
      class Mine {
        @Get()
        fail(): never {
          throw new Error('of the host');
        }
      }
      @Module({ controllers: [Mine] })
      class Host {}
      const { http } = await startHost([Host, ToolsModule.forRoot(base)], adapter());
      const { body } = await http.get('/mine').expect(500);
      expect(body).toEqual({ statusCode: 500, message: 'Internal server error' });
    });
  });
});

describe('the options of operation', () => {
  it('have sane defaults', () => {
    expect(resolveOptions({})).toMatchObject({ hooks: {}, logRequests: true, shutdown: { graceMs: 10_000 } });
  });

  it.each<[string, ToolsModuleOptions]>([
    ['hooks.onRequest', { hooks: { onRequest: () => undefined } as never }],
    ['hooks.onUsage', { hooks: { onUsage: 'log' as never } }],
    ['logRequests', { logRequests: 'no' as never }],
    ['shutdown.graceMs', { shutdown: { graceMs: -1 } }],
    ['shutdown.grace', { shutdown: { grace: 5 } as never }],
    ['apiKeys[0].limits.requestsPerMinute', { apiKeys: [{ key: 'k', limits: { requestsPerMinute: 0 } }] }],
    ['apiKeys[0].limits.concurrency', { apiKeys: [{ key: 'k', limits: { concurrency: 0.5 } }] }],
    ['apiKeys[0].limits.total', { apiKeys: [{ key: 'k', limits: { total: 1 } as never }] }],
  ])('name what is wrong: %s', (option, options) => {
    expect(() => resolveOptions(options)).toThrow(`option \`${option}\``);
  });

  it.each([[null], ['k'], [[]]])('must be an object and not %j', (given) => {
    const message = 'option `options` must be an object';
    expect(() => ToolsModule.forRoot(given as never)).toThrow(message);
    expect(() => resolveOptions(given as never)).toThrow(message);
  });

  it.each([[null], [undefined], ['k']])('must be an object, also from a factory: %j', async (given) => {
    const module = ToolsModule.forRootAsync({ useFactory: () => given as never });
    await expect(Test.createTestingModule({ imports: [module] }).compile()).rejects.toThrow(
      'option `options` must be an object',
    );
  });

  it.each(['schlüssel', 'key\n', ' key', 'kéy'])('refuse a key that clients cannot send: %j', (key) => {
    expect(() => resolveOptions({ apiKeys: [key] })).toThrow('a non-empty string of ASCII characters');
    expect(() => resolveOptions({ apiKeys: [{ key }] })).toThrow('option `apiKeys[0].key`');
  });

  it('refuse null where options belong', () => {
    expect(() => resolveOptions({ youtube: null as never })).toThrow('option `youtube` must be an object');
  });

  it('say that a tool may also be on or off, and that a switch is one', () => {
    expect(() => resolveOptions({ transcript: 'yes' as never })).toThrow(
      'option `transcript` must be true, false or an object, received the string "yes"',
    );
    expect(() => ToolsModule.forRoot({ isGlobal: 'true' as never })).toThrow(
      'option `isGlobal` must be true or false',
    );
  });

  it.each([
    ['search.reranker', { search: { reranker: 'sk-of-the-reranker' } }],
    ['readPage.renderer', { readPage: { renderer: 'sk-of-the-renderer' } }],
    ['search.providers', { search: { providers: 'sk-of-the-provider' } }],
  ])(
    'do not repeat a text in place of the implementation of a port (%s): it may be a key',
    (option, given) => {
      const resolve = () => resolveOptions({ apiKeys: ['k'], ...given } as never);
      expect(resolve).toThrow(`option \`${option}\``);
      expect(resolve).not.toThrow('sk-of');
    },
  );

  it.each([
    ['apiKeys[0]', `sha256:${'0'.repeat(64)}`],
    ['apiKeys[0].key', { key: 'sha256:abc' }],
  ])('refuse a hash in place of a key (%s), with a hint, and do not repeat it', (option, key) => {
    const resolve = () => resolveOptions({ apiKeys: [key] });
    expect(resolve).toThrow(`option \`${option}\``);
    expect(resolve).toThrow("{ hash: 'sha256:…' }");
    expect(resolve).not.toThrow('0000');
  });
});

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
