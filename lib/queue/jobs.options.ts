import {
  integer,
  object,
  oneOf,
  optional,
  options,
  parseOption,
  secret,
  string,
  union,
  withDefault,
  type Infer,
} from '../core/schema.js';

import { WEBHOOK_OPTIONS, type WebhookOptions } from './webhooks.js';

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
  /** Where callers may be told that a job or batch has ended. Default: `webhook` in a request is refused. */
  webhooks?: WebhookOptions;
  /** Event streams of jobs that one key may have open in this process, 1..100,000. Default 100; beyond it 429. */
  maxStreamsPerKey?: number;
}

/** The default, also for a worker process whose options say `workers: false`. */
export const DEFAULT_WORKERS: Required<JobWorkersOptions> = { concurrency: 4 };

const HOUR_MS = 3_600_000;
const ADDRESS = string({ pattern: /^rediss?:\/\/./, expected: 'an address with redis:// or rediss://' });
const WORKERS = options({ concurrency: withDefault(integer(1, 256), DEFAULT_WORKERS.concurrency) });

const FIELDS = options({
  // An address may hold a password.
  connection: object<JobsConnection>({ url: optional(secret(ADDRESS)) }),
  prefix: withDefault(
    string({ pattern: /^[\w.{}-]{1,64}$/, expected: '1 to 64 letters, digits, `-`, `_`, `.`, `{`, `}`' }),
    'nestjs-tools',
  ),
  workers: withDefault(union(oneOf(false), WORKERS), DEFAULT_WORKERS),
  resultTtlMs: withDefault(integer(1_000, 720 * HOUR_MS), HOUR_MS),
  deadlineMs: withDefault(integer(1_000, 24 * HOUR_MS), HOUR_MS),
  maxWaitingPerKey: withDefault(integer(1, 100_000), 100),
  maxStreamsPerKey: withDefault(integer(1, 100_000), 100),
  webhooks: optional(WEBHOOK_OPTIONS),
});

/** The options with every default filled in. */
export interface ResolvedJobsOptions extends Infer<typeof FIELDS> {
  /** How long anything about a job is kept at most, ms. */
  keptMs: number;
}

export const JOBS_OPTIONS = Symbol('jobs-options');

/** @throws InvalidOptionError naming the option, what was expected and what came */
export function resolveJobsOptions(options: BullMqJobsOptions): ResolvedJobsOptions {
  const parsed = parseOption('jobs', FIELDS, options);
  return { ...parsed, keptMs: parsed.resultTtlMs + parsed.deadlineMs };
}
