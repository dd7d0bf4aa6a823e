import { hash } from 'node:crypto';
import type { JobRequest } from '../http/job-intake.js';

/** Name of the queue; BullMQ's keys are `<prefix>:jobs:…`, ours `<prefix>:job:…`. */
export const QUEUE_NAME = 'jobs';

/** The first part of a job's id: the same for equal requests of one owner. 128 bits, hexadecimal. */
export function equalityOf({ owner, tool, identity }: JobRequest): string {
  return hash('sha256', JSON.stringify([owner.id, tool, identity]), 'hex').slice(0, 32);
}

/** The id of the n-th job for equal requests; one follows another where that failed or was cancelled. */
export const jobIdOf = (equality: string, generation: string): string =>
  generation === '0' ? equality : `${equality}-${generation}`;

/** Whether a client can have got this id from us; parts of jobs have ids of another form. */
export const isJobId = (id: string): boolean => /^[0-9a-f]{32}(?:-[0-9a-z]{1,16})?$/.test(id);

/** The id of a part of a job. */
export const stepIdOf = (root: string, name: string): string =>
  `${root}.${hash('sha256', name, 'hex').slice(0, 24)}`;

/** Keys and channels in Redis beside BullMQ's own. */
export class JobKeys {
  constructor(private readonly prefix: string) {}

  /** Hash: what the job is at, whether it was cancelled, how its steps fare. */
  state = (id: string): string => this.of(id, 'state');
  /** Stream: what listeners are told. */
  events = (id: string): string => this.of(id, 'events');
  /** Hash: what has been decided and answered; outlives a job that fails, for the next of its kind. */
  journal = (scope: string): string => this.of(scope, 'journal');
  /** Hash: steps that failed in this job. */
  failures = (id: string): string => this.of(id, 'failures');
  /** Set: names of the steps that are done. */
  done = (id: string): string => this.of(id, 'done');
  /** String: number of the latest job for equal requests. */
  generation = (equality: string): string => this.of(equality, 'generation');
  /** Hash: the last turn of each owner; field `*`: the turn that has begun last. */
  turns = (): string => `${this.prefix}:job-turns`;
  /** Channel: ids of jobs that are cancelled. */
  cancellations = (): string => `${this.prefix}:job-cancellations`;

  private of(id: string, what: string): string {
    return `${this.prefix}:job:${id}:${what}`;
  }
}
