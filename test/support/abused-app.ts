import { jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import {
  CONTENT_SOURCES,
  SEARCH_PROVIDERS,
  type ContentSource,
  type SearchProvider,
} from '../../lib/index.js';
import { AppModule } from '../../sample-app/app.module.js';
import { createApp } from '../../sample-app/create-app.js';
import { DocumentedErrorsFilter } from '../../sample-app/documented-errors.filter.js';
import { readSettings, type Settings } from '../../sample-app/settings.js';
import { DialCounter } from './dial-counter.js';
import { faultsOf } from './documented-error.js';
import { listen } from './host.js';
import { sendRaw, type RawRequest, type RawResponse } from './raw-http.js';

export const KEY = 'nt_abuse_0123456789abcdefghijklmnop';

/** Anew for each app: the providers in it are counted. */
const settings = (): Promise<Settings> => readSettings({ TOOLS_API_KEYS: KEY, YOUTUBE: 'off' });

/** The sample app as it is (Express), and the same module on Fastify. */
export const APPS: [string, () => Promise<INestApplication>][] = [
  ['Express', async () => createApp(await settings(), { logger: false })],
  [
    'Fastify',
    async () => {
      const adapter = new FastifyAdapter() as AbstractHttpAdapter;
      const app = await NestFactory.create(AppModule.register(await settings()), adapter, { logger: false });
      return app.useGlobalFilters(app.get(DocumentedErrorsFilter));
    },
  ],
];

/** The running sample app with counters on everything that costs: calls of providers and sources, and connections opened. */
export class AbusedApp {
  private readonly works: { mock: { calls: unknown[] } }[];
  private readonly dials: DialCounter;

  private constructor(
    readonly url: string,
    app: INestApplication,
  ) {
    this.works = [
      ...app.get<SearchProvider[]>(SEARCH_PROVIDERS, { strict: false }).map((p) => jest.spyOn(p, 'search')),
      ...app.get<ContentSource[]>(CONTENT_SOURCES, { strict: false }).map((s) => jest.spyOn(s, 'load')),
    ];
    this.dials = new DialCounter(() => [`:${new URL(url).port}`]);
  }

  static async start(make: () => Promise<INestApplication>): Promise<AbusedApp> {
    const { app, url } = await listen(await make());
    return new AbusedApp(url, app);
  }

  /** Calls of providers and sources, and connections opened so far. */
  get costs(): { works: number; dialled: string[] } {
    return {
      works: this.works.reduce((n, { mock }) => n + mock.calls.length, 0),
      dialled: this.dials.dialled,
    };
  }

  /** Sends a JSON request with the key, unless told otherwise. */
  send(request: RawRequest): Promise<RawResponse> {
    const headers = request.headers ?? [`X-API-Key: ${KEY}`, 'Content-Type: application/json'];
    return sendRaw(this.url, { path: '/v1/tools/search_web', ...request, headers });
  }

  /** Sends a request that must be refused in the documented form with one of the statuses and at no cost; the faults, if any. */
  async refused(request: RawRequest, statuses: readonly number[]): Promise<string[]> {
    const before = this.costs.works;
    const response = await this.send(request);
    const faults = faultsOf(response, [KEY]);
    if (!statuses.includes(response.status))
      faults.push(`status ${response.status}: ${response.body.slice(0, 200)}`);
    if (this.costs.works !== before) faults.push('the work was begun');
    return faults;
  }

  restore(): void {
    this.dials.restore();
  }
}
