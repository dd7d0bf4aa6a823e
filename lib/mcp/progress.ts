import type { ServerContext } from '@modelcontextprotocol/server';
import type { ProgressEvent } from '../core/context.js';

/** Progress is reported at least this often while work goes on, ms; clients give up after 10 s of silence at the earliest; set by hand. */
const HEARTBEAT_MS = 8_000;

/** Progress notifications of one call: strictly increasing, none after the result, none where the client did not ask for them. */
export class ProgressReports {
  private readonly token: string | number | undefined;
  private readonly heartbeat?: NodeJS.Timeout;
  private progress = 0;
  private message = 'Working';
  private ended = false;

  constructor(private readonly context: ServerContext) {
    this.token = context.mcpReq._meta?.progressToken;
    if (this.token !== undefined) this.heartbeat = setInterval(() => this.send(), HEARTBEAT_MS).unref();
  }

  report(event: ProgressEvent): void {
    // Text as it is written comes in hundreds of pieces, and whole with the result.
    if (event.text !== undefined) return;
    const message = progressMessage(event);
    if (message === this.message) return;
    this.message = message;
    this.send();
  }

  end(): void {
    this.ended = true;
    clearInterval(this.heartbeat);
  }

  private send(): void {
    if (this.ended || this.token === undefined) return;
    const params = { progressToken: this.token, progress: ++this.progress, message: this.message };
    // A client that has left gets no more events, and its signal ends its call.
    this.context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }
}

export function progressMessage({ stage, done, total }: ProgressEvent): string {
  const count = total === undefined ? '' : ` (${done ?? 0} of ${total})`;
  return `${STAGES[stage] ?? stage}${count}`;
}

const STAGES: Readonly<Record<string, string>> = {
  transcript: 'Reading the transcript',
  download: 'Fetching the sound',
  transcribe: 'Recognising speech',
  summarize: 'Summarizing',
  map: 'Reading the parts',
  write: 'Writing the summary',
  data: 'Filling in the fields',
  rewrite: 'Writing it again',
  frames: 'Looking at pictures',
  search: 'Searching',
  read: 'Reading',
  results: 'Reading sources',
  answer: 'Writing the answer',
};
