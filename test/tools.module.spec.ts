import { Controller, Get, Injectable, Module, type CanActivate } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
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
} from '../lib/index.js';
import { InvalidOptionError } from '../lib/core/errors.js';
import { OneContentSource, TwoPageProvider } from './support/fixtures.js';
import { ADAPTERS } from './support/adapters.js';
import { closeHosts, startHost } from './support/host.js';

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
