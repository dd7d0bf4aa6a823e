import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';

/** How a page answers; a string is the body of a 200 `text/html`. */
export type FakePage = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** Strangers' pages on a real loopback socket, with a count of the connections and the requests as they came. */
export interface FakePages {
  /** `http://127.0.0.1:port`, without a final slash. */
  origin: string;
  /** `127.0.0.1:port`, as `allowHosts` takes it. */
  host: string;
  port: number;
  connections: number;
  requests: { path: string; headers: IncomingMessage['headers'] }[];
  /** Sockets still open. */
  open: Set<Socket>;
  close(): Promise<void>;
}

/** Serves `pages` by path; an unknown path is 404. With `tls`, over https. */
export async function fakePages(
  pages: Record<string, FakePage>,
  tls?: { key: string; cert: string },
): Promise<FakePages> {
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '/';
    state.requests.push({ path, headers: request.headers });
    const page = pages[path.split('?', 1)[0] ?? path];
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<p>nothing here');
    else if (typeof page === 'string')
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    else page(request, response);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const state = await listening(server, tls ? 'https' : 'http');
  return state;
}

/** A server that speaks what it likes on each connection: broken HTTP, half an answer, nothing. */
export async function fakeRawPages(speak: (socket: Socket) => void): Promise<FakePages> {
  return listening(createTcpServer(speak), 'http');
}

async function listening(server: Server | TcpServer, scheme: string): Promise<FakePages> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const state: FakePages = {
    origin: `${scheme}://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    port,
    connections: 0,
    requests: [],
    open: new Set(),
    close: () => {
      for (const socket of state.open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  server.on('connection', (socket: Socket) => {
    state.connections++;
    state.open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => state.open.delete(socket));
  });
  return state;
}
