import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A request as it arrived over the wire. */
export interface RecordedRequest {
  method: string;
  path: string;
  params: URLSearchParams;
  headers: IncomingMessage['headers'];
  /** The JSON body, where there is one. */
  json: Record<string, unknown>;
  /** True once the client has closed the connection before it was answered. */
  abandoned: boolean;
}

/** An answer as it goes over the wire, or a fault in place of one. */
export type FakeAnswer =
  | { status?: number; headers?: Record<string, string>; body?: unknown }
  /** Never answers. */
  | { fault: 'hang' }
  /** Sends the head and half a body, then nothing more. */
  | { fault: 'hang-in-body' }
  /** Closes the connection without a word. */
  | { fault: 'reset' }
  /** Announces more bytes than it sends, then closes the connection. */
  | { fault: 'cut-off' };

/** How a service answers a request when nothing is wrong with it. */
export type Service = (request: RecordedRequest) => FakeAnswer;

/** An HTTP server on loopback that speaks one provider's wire format and fails as scripted. */
export class FakeUpstream {
  readonly requests: RecordedRequest[] = [];
  private readonly scripted: FakeAnswer[] = [];

  private constructor(
    private readonly server: Server,
    private readonly service: Service,
    readonly url: string,
  ) {}

  static async start(service: Service): Promise<FakeUpstream> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const fake = new FakeUpstream(
      server,
      service,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    server.on('request', (incoming, response) => {
      void recordOf(incoming).then((request) => {
        fake.requests.push(request);
        response.on('close', () => (request.abandoned = !response.writableFinished));
        send(response, fake.scripted.shift() ?? service(request));
      });
    });
    return fake;
  }

  /** The next answers, in order; after them the service works again. */
  script(...answers: FakeAnswer[]): void {
    this.scripted.push(...answers);
  }

  /** How the service answers a request when nothing is scripted. */
  answerTo(request: RecordedRequest): FakeAnswer {
    return this.service(request);
  }

  /** Forgets requests and scripted answers. */
  reset(): void {
    this.requests.length = 0;
    this.scripted.length = 0;
  }

  get lastRequest(): RecordedRequest {
    const last = this.requests.at(-1);
    if (!last) throw new Error('The fake upstream has had no request.');
    return last;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A `fetch` that sends every request to another origin, as a proxy would. For providers that must keep their own address. */
export function redirectedTo(origin: string): (url: string, init: RequestInit) => Promise<Response> {
  // The one of now: a test may replace the global one later.
  const send = fetch;
  return (url, init) => {
    const { pathname, search } = new URL(url);
    return send(`${origin}${pathname}${search}`, init);
  };
}

async function recordOf(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const url = new URL(incoming.url ?? '/', 'http://fake');
  const isJson = /^application\/json/.test(incoming.headers['content-type'] ?? '');
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    params: url.searchParams,
    headers: incoming.headers,
    json: isJson && body !== '' ? (JSON.parse(body) as Record<string, unknown>) : {},
    abandoned: false,
  };
}

function send(response: ServerResponse, answer: FakeAnswer): void {
  if (!('fault' in answer)) {
    const isText = typeof answer.body === 'string';
    response.writeHead(answer.status ?? 200, {
      'content-type': isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      ...answer.headers,
    });
    response.end(isText ? answer.body : answer.body === undefined ? '' : JSON.stringify(answer.body));
    return;
  }
  if (answer.fault === 'hang') return;
  if (answer.fault === 'reset') {
    response.destroy();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '4096' });
  response.write('{"results":[{"url":"https://example.com/');
  // Only after the head has left, or the client would see a connection that never answered.
  if (answer.fault === 'cut-off') setImmediate(() => response.destroy());
}
