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

/** A worker whose Redis is `connection`, and answers to what it listens to when `listening` settles. */
function workerOn(connection: EventEmitter, listening: Promise<() => void>, workers: object | false) {
  const connect = jest.fn((_settings: object) => connection);
  const listen = jest.fn(() => listening);
  const keys = { cancellations: () => 'cancellations' };
  const redis = { connect, keys, listen, peers: { bullmq: { Worker: FakeWorker } } };
  const parts = [redis, {}, {}, {}, { workers, prefix: 'p' }, { shutdown: { graceMs: 100 } }];
  const worker = new JobWorker(...(parts as unknown as ConstructorParameters<typeof JobWorker>));
  return { connect, listen, worker };
}

const CONCURRENCY = { concurrency: 2 };

describe('a host with workers', () => {
  let connection: EventEmitter;
  const stopListening = jest.fn();

  beforeEach(() => {
    connection = new EventEmitter();
    FakeWorker.made.length = 0;
    stopListening.mockReset();
  });

  it('works from when Redis is there, once however often that comes back', async () => {
    const { worker, connect } = workerOn(connection, Promise.resolve(stopListening), CONCURRENCY);
    worker.onApplicationBootstrap();
    // A connection that is made when it is first used would never be: nothing else uses this one.
    expect(connect).toHaveBeenCalledWith({ maxRetriesPerRequest: null, lazyConnect: false });
    expect(FakeWorker.made).toHaveLength(0);
    connection.emit('ready');
    connection.emit('ready');
    expect(FakeWorker.made).toHaveLength(1);
    await Promise.resolve();
    await worker.beforeApplicationShutdown();
    expect(FakeWorker.made[0]!.close).toHaveBeenCalledTimes(1);
    expect(stopListening).toHaveBeenCalledTimes(1);
  });

  it('begins no work when Redis comes back while the host is being stopped', async () => {
    const { worker, listen } = workerOn(connection, Promise.resolve(stopListening), CONCURRENCY);
    worker.onApplicationBootstrap();
    await worker.beforeApplicationShutdown();
    connection.emit('ready');
    expect(FakeWorker.made).toHaveLength(0);
    expect(listen).not.toHaveBeenCalled();
  });

  it('does not go on listening where it began to as the host was stopped', async () => {
    let begin: (stop: () => void) => void = () => undefined;
    const listening = new Promise<() => void>((resolve) => (begin = resolve));
    const { worker } = workerOn(connection, listening, CONCURRENCY);
    worker.onApplicationBootstrap();
    connection.emit('ready');
    await worker.beforeApplicationShutdown();
    begin(stopListening);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopListening).toHaveBeenCalledTimes(1);
  });

  it('does not connect if it has no workers', () => {
    const { worker, connect } = workerOn(connection, Promise.resolve(stopListening), false);
    worker.onApplicationBootstrap();
    expect(connect).not.toHaveBeenCalled();
  });
});
