import { requireInteger, requireKnownKeys } from '../core/check-options.js';
import { InvalidOptionError } from '../core/errors.js';

/** Where Redis or Valkey is: an address, or the fields that `ioredis` takes (`host`, `port`, `password`, `tls`, …), or both. */
export interface JobsConnection {
  /** `redis://…` or `rediss://…`. */
  url?: string;
  [option: string]: unknown;
}

/** How this process works on jobs. */
export interface JobWorkersOptions {
  /** Jobs and steps of jobs at once, 1..256. Default 4. */
  concurrency?: number;
}

/** Options of `bullMqJobs`. */
export interface BullMqJobsOptions {
  /** Where Redis or Valkey is. */
  connection: JobsConnection;
  /** First part of every key in Redis, 1..64 letters, digits, `-`, `_`, `.`, `{`, `}`. Default `nestjs-tools`; on a cluster put it in braces. */
  prefix?: string;
  /** How this process works on jobs, or false: only other processes do (`ToolsWorkerModule`). */
  workers?: JobWorkersOptions | false;
  /** How long the outcome of a job can be fetched, ms, 1,000..2,592,000,000 (30 days). Default one hour. */
  resultTtlMs?: number;
  /** Time for a job from its first step, instead of the deadline of a request, ms, 1,000..86,400,000. Default one hour. */
  deadlineMs?: number;
  /** Jobs of one key that may wait to begin, 1..100,000. Default 100; beyond it 429. */
  maxWaitingPerKey?: number;
  /** Event streams of jobs that one key may have open in this process, 1..100,000. Default 100; beyond it 429. */
  maxStreamsPerKey?: number;
}

/** The options with every default filled in. */
export interface ResolvedJobsOptions {
  connection: JobsConnection;
  prefix: string;
  workers: Required<JobWorkersOptions> | false;
  resultTtlMs: number;
  deadlineMs: number;
  maxWaitingPerKey: number;
  maxStreamsPerKey: number;
}

/** The default, also for a worker process whose options say `workers: false`. */
export const DEFAULT_WORKERS: Required<JobWorkersOptions> = { concurrency: 4 };

const HOUR_MS = 3_600_000;
const MOST_PER_KEY = 100_000;

/** @throws InvalidOptionError saying what was expected and what came */
export function resolveJobsOptions(options: BullMqJobsOptions): ResolvedJobsOptions {
  requireKnownKeys('jobs', options, [
    'connection',
    'prefix',
    'workers',
    'resultTtlMs',
    'deadlineMs',
    'maxWaitingPerKey',
    'maxStreamsPerKey',
  ]);
  const { connection, prefix = 'nestjs-tools', resultTtlMs = HOUR_MS, deadlineMs = HOUR_MS } = options;
  const { maxWaitingPerKey = 100, maxStreamsPerKey = 100 } = options;
  if (typeof connection !== 'object' || connection === null || Array.isArray(connection))
    // An address may hold a password, so the value is not repeated.
    throw new InvalidOptionError(
      'jobs.connection',
      "an object, e.g. { url: 'redis://…' }",
      connection === undefined ? undefined : InvalidOptionError.WITHHELD,
    );
  const { url } = connection;
  if (url !== undefined && !(typeof url === 'string' && /^rediss?:\/\//.test(url)))
    throw new InvalidOptionError(
      'jobs.connection.url',
      'an address with redis:// or rediss://',
      InvalidOptionError.WITHHELD,
    );
  if (typeof prefix !== 'string' || !/^[\w.{}-]{1,64}$/.test(prefix))
    throw new InvalidOptionError('jobs.prefix', '1 to 64 letters, digits, `-`, `_`, `.`, `{`, `}`', prefix);
  return {
    connection,
    prefix,
    workers: resolveWorkers(options.workers),
    resultTtlMs: requireInteger('jobs.resultTtlMs', resultTtlMs, 1_000, 720 * HOUR_MS),
    deadlineMs: requireInteger('jobs.deadlineMs', deadlineMs, 1_000, 24 * HOUR_MS),
    maxWaitingPerKey: requireInteger('jobs.maxWaitingPerKey', maxWaitingPerKey, 1, MOST_PER_KEY),
    maxStreamsPerKey: requireInteger('jobs.maxStreamsPerKey', maxStreamsPerKey, 1, MOST_PER_KEY),
  };
}

function resolveWorkers(workers: BullMqJobsOptions['workers'] = {}): ResolvedJobsOptions['workers'] {
  if (workers === false) return false;
  requireKnownKeys('jobs.workers', workers, ['concurrency']);
  const { concurrency = DEFAULT_WORKERS.concurrency } = workers;
  return { concurrency: requireInteger('jobs.workers.concurrency', concurrency, 1, 256) };
}
