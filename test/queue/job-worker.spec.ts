import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { JobWorker } from '../../lib/queue/job-worker.js';

/** BullMQ's worker, but for its work. */
class FakeWorker extends EventEmitter {
  static readonly made: FakeWorker[] = [];
  readonly close = jest.fn(() => Promise.resolve());

  constructor() {
    super();
    FakeWorker.made.push(this);
  }
}

/** A worker whose Redis is `connection`. */
function workerOn(connection: EventEmitter, workers: object | false) {
  const connect = jest.fn((_settings: object) => connection);
  const redis = { connect, peers: { bullmq: { Worker: FakeWorker } } };
  const parts = [redis, {}, {}, { workers, prefix: 'p' }, { shutdown: { graceMs: 100 } }];
  const worker = new JobWorker(...(parts as unknown as ConstructorParameters<typeof JobWorker>));
  return { connect, worker };
}

const CONCURRENCY = { concurrency: 2 };

describe('a host with workers', () => {
  let connection: EventEmitter;

  beforeEach(() => {
    connection = new EventEmitter();
    FakeWorker.made.length = 0;
  });

  it('works from when Redis is there, once however often that comes back', async () => {
    const { worker, connect } = workerOn(connection, CONCURRENCY);
    worker.onApplicationBootstrap();
    // A connection that is made when it is first used would never be: nothing else uses this one.
    expect(connect).toHaveBeenCalledWith({ maxRetriesPerRequest: null, lazyConnect: false });
    expect(FakeWorker.made).toHaveLength(0);
    connection.emit('ready');
    connection.emit('ready');
    expect(FakeWorker.made).toHaveLength(1);
    await worker.beforeApplicationShutdown();
    expect(FakeWorker.made[0]!.close).toHaveBeenCalledTimes(1);
  });

  it('begins no work when Redis comes back while the host is being stopped', async () => {
    const { worker } = workerOn(connection, CONCURRENCY);
    worker.onApplicationBootstrap();
    await worker.beforeApplicationShutdown();
    connection.emit('ready');
    expect(FakeWorker.made).toHaveLength(0);
  });

  it('does not connect if it has no workers', () => {
    const { worker, connect } = workerOn(connection, false);
    worker.onApplicationBootstrap();
    expect(connect).not.toHaveBeenCalled();
  });
});
