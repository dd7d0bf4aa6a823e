import type { SharedState } from '../sharing/index.js';
import type { JobsHealth, JobsHealthSource } from './jobs-health.js';
import type { UpstreamHealth, UpstreamState } from './upstream-health.js';

/** Health in the form that `@nestjs/terminus` takes from an indicator: `{ [key]: { status, … } }`. */
export type ToolsHealthResult = Record<
  string,
  { status: 'up' | 'down'; [detail: string]: 'up' | 'down' | GroupHealth }
>;

/** Health of one tool, of the models, of reading pages, or of what processes share (`shared`, `jobs`, which have no upstreams). */
export interface GroupHealth {
  /** `down`: every upstream of the group is, or what is shared cannot be reached, or `jobs` has no worker. */
  status: 'up' | 'down';
  upstreams: Record<string, UpstreamState>;
  /** What is wrong with `shared` or `jobs`. */
  detail?: string;
  /** Of `jobs`: processes that work on them. Absent while nobody can tell. */
  workers?: number;
  /** Of `jobs`: jobs and parts of jobs that nobody has begun. Absent while nobody can tell. */
  waiting?: number;
}

/** Groups that a tool can do without: a search whose pages cannot be read answers from snippets. */
const DISPENSABLE: ReadonlySet<string> = new Set(['pages']);

/**
 * Says which providers are up, from how their last calls went: it asks nobody and spends nothing. Works with `@nestjs/terminus`
 * (`health.check([() => tools.check()])`) and without it.
 * @publicApi
 */
export class ToolsHealthIndicator {
  /**
   * @param shared what replicas share, if anything
   * @param jobs the queue of jobs, if there is one
   */
  constructor(
    private readonly health: UpstreamHealth,
    private readonly shared?: Pick<SharedState, 'health'>,
    private readonly jobs?: JobsHealthSource,
  ) {}

  /**
   * `down` when a tool or the model has upstreams and all of them are down; pages that cannot be read are told and count as little as
   * their absence costs. An upstream is down after three failures in a row, for 30 s after the last. What replicas share and the
   * queue of jobs have entries of their own and never bring the whole down: each process goes on answering by itself.
   * @param key name of the entry; default `tools`
   */
  check(key = 'tools'): ToolsHealthResult {
    const groups = Object.entries(this.health.snapshot()).map(([name, upstreams]): [string, GroupHealth] => {
      const states = Object.values(upstreams);
      const down = states.length > 0 && states.every(({ status }) => status === 'down');
      return [name, { status: down ? 'down' : 'up', upstreams }];
    });
    const down = groups.some(([name, { status }]) => status === 'down' && !DISPENSABLE.has(name));
    return {
      [key]: {
        status: down ? 'down' : 'up',
        ...Object.fromEntries(groups),
        ...(this.shared ? { shared: healthOf(this.shared.health()) } : {}),
        ...(this.jobs ? { jobs: healthOf(this.jobs.health()) } : {}),
      },
    };
  }
}

function healthOf({ up, ...seen }: JobsHealth): GroupHealth {
  return { status: up ? 'up' : 'down', upstreams: {}, ...seen };
}
