import { setTimeout as sleep } from 'node:timers/promises';
import type * as McpSdk from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  ClientCapabilities,
  Server,
  ServerContext,
  StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { AgentTool, AgentWork, WorkElsewhere } from '../agents/agent-tools.js';
import type { AgentResult } from '../agents/agent-results.js';
import type { Caller } from '../auth/request-limits.js';
import type { ProgressEvent } from '../core/context.js';
import { JobNotFoundError, UpstreamUnavailableError } from '../core/errors.js';
import { isRecord } from '../core/schema.js';
import type { JobDto, JobIntake, JobState } from '../http/job-intake.js';
import type { ResolvedMcpOptions } from './mcp.options.js';
import { progressMessage } from './progress.js';

/** The extension Tasks of the revision 2026-07-28 (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The tool that may take longer than a client waits. */
const SLOW_TOOL = 'summarize_content';
/** How often clients should look at a task, ms. */
const POLL_MS = 2_000;
/** Jobs are looked at after these times while a client waits, ms; the last one repeats. */
const FIRST_LOOK_MS = 100;
const LOOKS_MS = 1_000;

/** Members of a task in every state. `ttlMs` counts from its creation. */
interface Task {
  taskId: string;
  status: 'working' | 'completed' | 'cancelled';
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number;
  pollIntervalMs: number;
  [member: string]: unknown;
}

/** The answer to a call that goes on as a task. */
export type CreatedTask = Task & { resultType: 'task'; content: never[] };

/** Calls of slow tools as tasks, which are jobs: they can be fetched later, and outlive the connection and the process. */
export class McpTasks {
  constructor(
    private readonly sdk: typeof McpSdk,
    private readonly jobs: JobIntake,
    private readonly tools: ReadonlyMap<string, AgentTool>,
    private readonly options: Pick<ResolvedMcpOptions, 'deadlineMs' | 'maxTextTokens'>,
  ) {}

  /** A call that may become a task; undefined where the client has not declared the extension on this request. */
  begin(context: ServerContext, owner: Caller, requestId: string): TaskCall | undefined {
    return declares(context) ? new TaskCall(this.jobs, owner, requestId, this.options.deadlineMs) : undefined;
  }

  /** Serves the methods of the extension. @param owner whose tasks */
  serve(server: Server, owner: string): void {
    const params = { params: TASK_PARAMS };
    server.setRequestHandler('tasks/get', params, async ({ taskId }, context) => {
      this.requireExtension(context);
      return this.detailed(await this.look(taskId, owner));
    });
    server.setRequestHandler('tasks/cancel', params, async ({ taskId }, context) => {
      this.requireExtension(context);
      const { status } = await this.look(taskId, owner);
      // What has ended stays as it is, and can still be fetched.
      if (isOpen(status)) await this.jobs.cancel(taskId, owner);
      return {};
    });
    // Tasks never ask for input, so that there is nothing to take over.
    server.setRequestHandler('tasks/update', params, async ({ taskId }, context) => {
      this.requireExtension(context);
      await this.look(taskId, owner);
      return {};
    });
  }

  private async look(id: string, owner: string): Promise<JobState> {
    const { ProtocolError, ProtocolErrorCode } = this.sdk;
    try {
      return await this.jobs.look(id, owner);
    } catch (error) {
      if (error instanceof JobNotFoundError)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'Task not found. It may have expired, belong to another key, or never have existed.',
        );
      if (error instanceof UpstreamUnavailableError)
        throw new ProtocolError(ProtocolErrorCode.InternalError, `${error.message} Ask again later.`);
      throw error;
    }
  }

  private detailed(job: JobState): Task {
    const task = taskOf(job, this.jobs.keptMs);
    const tool = this.tools.get(job.tool);
    if (task.status !== 'completed' || !tool) return task;
    return { ...task, result: callResult(tool.resultOf(job, this.options.maxTextTokens)) };
  }

  private requireExtension(context: ServerContext): void {
    if (declares(context)) return;
    const { MissingRequiredClientCapabilityError } = this.sdk;
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
    });
  }
}

/** One call of a client that understands tasks. */
class TaskCall {
  /** The answer, while the work has not ended. */
  created?: CreatedTask;

  constructor(
    private readonly jobs: JobIntake,
    private readonly owner: Caller,
    private readonly requestId: string,
    private readonly waitMs: number,
  ) {}

  /** Does slow work as a job, and waits for it as long as the client does. Where the queue is down it is done here. */
  async run(
    work: AgentWork,
    signal: AbortSignal,
    onProgress: (event: ProgressEvent) => void,
  ): Promise<WorkElsewhere | undefined> {
    if (work.tool !== SLOW_TOOL) return undefined;
    const { jobs, owner, requestId } = this;
    const until = performance.now() + this.waitMs;
    const first = await jobs.submit({ ...work, owner, requestId, noCache: false }).catch((error: unknown) => {
      if (error instanceof UpstreamUnavailableError) return undefined;
      throw error;
    });
    if (!first) return undefined;
    let job: JobDto | JobState = first;
    for (let pause = FIRST_LOOK_MS; isOpen(job.status); pause = LOOKS_MS) {
      const state = { ...job, changed_at: 'changed_at' in job ? job.changed_at : job.created_at };
      this.created = { ...taskOf(state, jobs.keptMs), resultType: 'task', content: [] };
      const left = until - performance.now();
      if (left <= 0) return 'continues';
      await sleep(Math.min(pause, left), undefined, { signal });
      // The queue may be down for a moment. The job is in it.
      job = await jobs.look(job.id, owner.id).catch(() => job);
      if (job.progress) onProgress(job.progress);
    }
    this.created = undefined;
    if (job.status === 'cancelled') throw new JobNotFoundError();
    return job;
  }
}

const isOpen = (status: JobState['status']): boolean => status === 'queued' || status === 'active';

/** Whether the client has declared the extension on this request. */
function declares({ mcpReq }: ServerContext): boolean {
  const { 'io.modelcontextprotocol/clientCapabilities': capabilities } = (mcpReq.envelope ?? {}) as {
    'io.modelcontextprotocol/clientCapabilities'?: ClientCapabilities;
  };
  return capabilities?.extensions?.[TASKS_EXTENSION] !== undefined;
}

/** A job that failed is a task that completed: its result says what went wrong. `failed` is for errors of the protocol. */
function taskOf({ id, status, created_at, changed_at, progress }: JobState, ttlMs: number): Task {
  return {
    taskId: id,
    status: isOpen(status) ? 'working' : status === 'cancelled' ? 'cancelled' : 'completed',
    ...(status === 'queued' ? { statusMessage: 'Waiting for its turn' } : {}),
    ...(progress ? { statusMessage: progressMessage(progress) } : {}),
    createdAt: created_at,
    lastUpdatedAt: changed_at,
    ttlMs,
    pollIntervalMs: POLL_MS,
  };
}

/** A result as MCP has it. */
export function callResult({ text, structured, isError }: AgentResult): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    structuredContent: structured,
    ...(isError ? { isError } : {}),
  };
}

/** The parameters of the methods. The SDK takes any implementation of Standard Schema. */
const TASK_PARAMS: StandardSchemaV1<unknown, { taskId: string }> = {
  '~standard': {
    version: 1,
    vendor: 'nestjs-tools',
    validate: (given) =>
      isRecord(given) && typeof given.taskId === 'string'
        ? { value: { taskId: given.taskId } }
        : { issues: [{ message: 'taskId must be a string' }] },
  },
};
