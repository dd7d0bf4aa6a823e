import type { BeforeApplicationShutdown, Provider } from '@nestjs/common';
import { errorResponse } from '../../lib/core/error-response.js';
import { JobNotFoundError, UpstreamUnavailableError } from '../../lib/core/errors.js';
import { JOB_INTAKE } from '../../lib/core/injection-tokens.js';
import type { JobDto, JobIntake, JobRequest, JobState } from '../../lib/http/job-intake.js';
import type { JobsExtension } from '../../lib/tools.module-definition.js';
import { ToolCalls } from '../../lib/tools/tool-calls.js';
import { TOOLS } from '../../lib/tools/tools.js';

interface MemoryJob {
  state: JobState;
  owner: string;
  work: AbortController;
}

/** Jobs in the memory of one process, with the real tools behind them. */
export class MemoryJobs implements JobsExtension {
  /** True: the queue cannot be reached. */
  down = false;
  readonly jobs = new Map<string, MemoryJob>();
  readonly providers: readonly Provider[] = [
    {
      provide: JOB_INTAKE,
      useFactory: (calls: ToolCalls) => new MemoryIntake(calls, this),
      inject: [ToolCalls],
    },
  ];

  controllers(): [] {
    return [];
  }
}

class MemoryIntake implements JobIntake, BeforeApplicationShutdown {
  readonly keptMs = 60_000;

  constructor(
    private readonly calls: ToolCalls,
    private readonly all: MemoryJobs,
  ) {}

  beforeApplicationShutdown(): void {
    for (const { work } of this.all.jobs.values()) work.abort(new Error('the host stops'));
  }

  async submit({ tool: name, input, identity, owner, requestId }: JobRequest): Promise<JobDto> {
    if (this.all.down) throw new UpstreamUnavailableError('The queue of jobs cannot be reached.');
    const id = Buffer.from(JSON.stringify([owner.id, identity])).toString('base64url');
    const known = this.all.jobs.get(id);
    if (known) return known.state as JobDto;
    const now = new Date().toISOString();
    const state: JobState = { id, tool: name, status: 'active', created_at: now, changed_at: now };
    const work = new AbortController();
    this.all.jobs.set(id, { state, owner: owner.id, work });
    const tool = TOOLS.find((other) => other.name === name)!;
    const call = { caller: owner, queued: true, requestId, signal: work.signal };
    void this.calls
      .run(tool, input, call)
      .then(
        ({ data }) => ({ status: 'done' as const, result: { data, request_id: requestId } }),
        (error: unknown) => ({ status: 'failed' as const, error: errorResponse(error, requestId).body }),
      )
      .then((end) => {
        if (state.status === 'active') Object.assign(state, end);
      });
    return { ...state } as JobDto;
  }

  async look(id: string, owner: string): Promise<JobState> {
    const job = this.all.jobs.get(id);
    if (job?.owner !== owner) throw new JobNotFoundError();
    return { ...job.state };
  }

  async cancel(id: string, owner: string): Promise<void> {
    await this.look(id, owner);
    const { state, work } = this.all.jobs.get(id)!;
    state.status = 'cancelled';
    work.abort(new Error('cancelled'));
  }
}
