import { hash } from 'node:crypto';
import type { JobRequest } from '../http/job-intake.js';

/** Name of the queue; BullMQ's keys are `<prefix>:jobs:…`, ours `<prefix>:job:…`. */
export const QUEUE_NAME = 'jobs';

/** Goes up when journals are written in another form; a job that is resumed by another version then starts its journal anew. */
const JOURNAL_VERSION = 1;

/** The first part of a job's id: the same for equal requests of one owner. 128 bits, hexadecimal. */
export function requestHash({ owner, tool, identity }: JobRequest): string {
  return hash('sha256', JSON.stringify([owner.id, tool, identity]), 'hex').slice(0, 32);
}

/** The id of a job for equal requests; the attempt counts those that failed or were cancelled before it, from `0`. */
export const jobIdOf = (request: string, attempt: string): string =>
  attempt === '0' ? request : `${request}-${attempt}`;

/** Whether this can be the id of a job. Ids of steps have another form, and are no client's business. */
export const isJobId = (id: string): boolean => /^[0-9a-f]{32}(?:-[0-9a-z]{1,16})?$/.test(id);

/** The id of a step of a job. */
export const stepIdOf = (root: string, name: string): string =>
  `${root}.${hash('sha256', name, 'hex').slice(0, 24)}`;

/** Our keys and channels in Redis, next to BullMQ's own. */
export class JobKeys {
  constructor(private readonly prefix: string) {}

  /** Hash: how far the job is, whether it was cancelled, how its steps are doing. */
  state = (id: string): string => this.of(id, 'state');
  /** Stream: the events of the job. */
  events = (id: string): string => this.of(id, 'events');
  /** Hash: what has been decided and answered. It outlives a job that fails, for the next one for the same request. */
  journal = (scope: string): string => this.of(scope, `journal:${JOURNAL_VERSION}`);
  /** Hash: steps that failed in this job. */
  failures = (id: string): string => this.of(id, 'failures');
  /** Set: names of the steps that are done. */
  done = (id: string): string => this.of(id, 'done');
  /** String: attempt of the latest job for equal requests. */
  attempt = (request: string): string => this.of(request, 'attempt');
  /** Hash: the last turn of each owner, and the turn that has begun last. */
  turns = (): string => `${this.prefix}:job-turns`;
  /** Sorted set: ids of the owner's jobs that have not begun, by the time they were submitted. */
  waiting = (owner: string): string => `${this.prefix}:job-waiting:${owner}`;
  /** Channel: ids of jobs that are cancelled. */
  cancellations = (): string => `${this.prefix}:job-cancellations`;

  private of(id: string, what: string): string {
    return `${this.prefix}:job:${id}:${what}`;
  }
}
