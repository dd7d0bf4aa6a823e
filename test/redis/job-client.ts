import type { GroupHealth } from '../../lib/core/health.js';
import type { JobDto } from '../../lib/http/job-intake.js';

/** One event of a job's stream. */
export interface SentEvent {
  id: string | undefined;
  event: string;
  data: Record<string, unknown>;
}

/** What a client does with jobs, over real HTTP. */
export class JobClient {
  constructor(
    private readonly url: string,
    private readonly key = 'key-a',
  ) {}

  /** Submits a summary. @param headers in addition to the key's */
  submit(body: object, headers: Record<string, string> = {}): Promise<Response> {
    return this.summarize(body, { Prefer: 'respond-async', ...headers });
  }

  /** The plain request. */
  summarize(body: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}/v1/tools/summarize_content`, {
      method: 'POST',
      headers: { 'X-API-Key': this.key, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Submits a summary that is accepted, and gives the path of the job. */
  async accepted(body: object, headers: Record<string, string> = {}): Promise<string> {
    const response = await this.submit(body, headers);
    const text = await response.text();
    if (response.status !== 202) throw new Error(`${response.status} ${text}`);
    return response.headers.get('location')!;
  }

  /** What the health indicator says of the whole and of the queue, once that is as it is waited for. */
  async healthOnce(
    as: (jobs: GroupHealth) => boolean,
    ms = 120_000,
  ): Promise<{ status: string; jobs: GroupHealth }> {
    const end = performance.now() + ms;
    for (;;) {
      const { tools } = (await (await this.get('/health')).json()) as {
        tools: { status: string; jobs: GroupHealth };
      };
      if (as(tools.jobs)) return tools;
      if (performance.now() > end) throw new Error(`Still not: ${JSON.stringify(tools)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, { headers: { 'X-API-Key': this.key, ...headers } });
  }

  cancel(path: string): Promise<Response> {
    return fetch(this.url + path, { method: 'DELETE', headers: { 'X-API-Key': this.key } });
  }

  async job(path: string): Promise<JobDto> {
    return (await (await this.get(path)).json()) as JobDto;
  }

  /** The job once it has ended. */
  async ended(path: string): Promise<JobDto> {
    for await (const { event } of this.events(path)) if (event === 'result' || event === 'error') break;
    return this.job(path);
  }

  /** The events of the job, until it ends or the caller stops reading. */
  async *events(path: string, lastEventId?: string): AsyncGenerator<SentEvent> {
    const last: Record<string, string> = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
    const response = await this.get(path, { Accept: 'text/event-stream', ...last });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = parse(text.slice(0, end));
        text = text.slice(end + 2);
        if (event) yield event;
      }
    }
  }
}

function parse(block: string): SentEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    }),
  );
  const event = fields.get('event');
  if (event === undefined) return undefined;
  return { id: fields.get('id'), event, data: JSON.parse(fields.get('data')!) as Record<string, unknown> };
}
