import { Test } from '@nestjs/testing';
import { ToolsModule } from '../../lib/index.js';
import { bullMqJobs, ToolsWorkerModule, type BullMqJobsOptions } from '../../lib/queue/index.js';

const connection = { url: 'redis://127.0.0.1:6379' };

describe('the options of jobs', () => {
  it.each<[string, object, string]>([
    ['no connection', {}, '`jobs.connection` must be an object'],
    ['an address alone', { connection: 'redis://a:secret@b' }, '`jobs.connection` must be an object'],
    ['another scheme', { connection: { url: 'http://a' } }, '`jobs.connection.url` must be an address'],
    ['a misspelt option', { connection, worker: {} }, 'unknown option `jobs.worker`'],
    ['a prefix with a colon', { connection, prefix: 'a:b' }, '`jobs.prefix` must be 1 to 64'],
    ['no worker at all', { connection, workers: { concurrency: 0 } }, 'an integer from 1 to 256'],
    ['results for no time', { connection, resultTtlMs: 0 }, '`jobs.resultTtlMs` must be an integer'],
    ['no time for a job', { connection, deadlineMs: 10 }, '`jobs.deadlineMs` must be an integer'],
  ])('are refused: %s', (_name, options, message) => {
    expect(() => bullMqJobs(options as BullMqJobsOptions)).toThrow(message);
  });

  it('keep a password out of the message', () => {
    const wrong = { connection: { url: 'rdis://user:secret@host' } };
    expect(() => bullMqJobs(wrong)).toThrow(/^(?!.*secret).*jobs\.connection\.url/);
  });

  it('of the module are refused when they were not made by anything that has jobs', () => {
    expect(() => ToolsModule.forRoot({ jobs: { connection } as never })).toThrow(
      '`jobs` must be a JobsExtension',
    );
  });

  it('are needed by a worker', () => {
    expect(() => ToolsWorkerModule.forRoot({})).toThrow('option `jobs` must be bullMqJobs({ … })');
  });
});

describe('a worker', () => {
  it('has no endpoints, and starts while Redis is down', async () => {
    const jobs = bullMqJobs({ connection: { url: 'redis://127.0.0.1:9' }, workers: false });
    const definition = ToolsWorkerModule.forRoot({ apiKeys: ['k'], search: false, jobs });
    const [tools] = definition.imports as { controllers: unknown[] }[];
    expect(tools!.controllers).toEqual([]);
    const module = await Test.createTestingModule({ imports: [definition] })
      .setLogger(false as never)
      .compile();
    await module.init();
    await module.close();
  });
});
