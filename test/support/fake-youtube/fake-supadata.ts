import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer of the service: status, body and headers. */
export type SupadataAnswer = [status: number, body: unknown, headers?: Record<string, string>];

export interface FakeSupadata {
  url: string;
  requests: { path: string; query: URLSearchParams; key: string | undefined }[];
  close(): Promise<void>;
}

/** The transcript and video endpoints of supadata.ai; each path gives its answers in order, the last one again and again. */
export async function startFakeSupadata(answers: Record<string, SupadataAnswer[]>): Promise<FakeSupadata> {
  const requests: FakeSupadata['requests'] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
    const key = request.headers['x-api-key'];
    requests.push({ path: pathname, query: searchParams, key: typeof key === 'string' ? key : undefined });
    const queue = answers[pathname] ?? [[404, { error: 'not-found' }]];
    const [status, body, headers] = (queue.length > 1 ? queue.shift() : queue[0]) ?? [404, {}];
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
