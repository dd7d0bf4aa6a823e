import type { Server } from 'node:http';
import type { INestApplication, Type, DynamicModule } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type TestAgent from 'supertest/lib/agent.js';
import { eventually } from './eventually.js';

export interface RunningHost {
  app: INestApplication;
  http: TestAgent;
  /** Address of the server, e.g. for clients that leave in the middle. */
  url: string;
}

const running: INestApplication[] = [];

/** Boots a host on a free loopback port; `closeHosts` stops it. */
export async function startHost(
  imports: (DynamicModule | Type<unknown>)[],
  adapter: AbstractHttpAdapter = new ExpressAdapter(),
  setUp: (app: INestApplication) => void = () => undefined,
): Promise<RunningHost> {
  const module = await Test.createTestingModule({ imports }).compile();
  module.useLogger(false);
  const app = module.createNestApplication(adapter);
  setUp(app);
  return listen(app);
}

/** Listens on a free loopback port with an app that is already made. */
export async function listen(app: INestApplication): Promise<RunningHost> {
  running.push(app);
  await app.init();
  if (app.getHttpAdapter().getType() === 'fastify')
    await (app as NestFastifyApplication).getHttpAdapter().getInstance().ready();
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return { app, http: request(url), url };
}

/**
 * Counts the requests that a host gets, for tests in which one has to share work with another, or to stand in a line, before something else
 * happens. The returned function waits for so many.
 */
export function countArrivals({ app }: RunningHost): (count: number) => Promise<void> {
  let arrived = 0;
  (app.getHttpServer() as Server).on('request', () => arrived++);
  return async (count) => {
    await eventually(
      () => arrived >= count,
      () => `${arrived} requests`,
    );
    // From here to their work stand the parser of the body and some promises, but no timer and nobody else.
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
}

/** Stops every host that was started; for `afterEach` or `afterAll`. */
export async function closeHosts(): Promise<void> {
  await Promise.all(
    running.splice(0).map((app) => {
      // A connection that a client keeps open for its next request would hold up the end for seconds.
      (app.getHttpServer() as Server).closeAllConnections();
      return app.close();
    }),
  );
}
