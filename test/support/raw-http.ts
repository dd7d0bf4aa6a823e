import net from 'node:net';

/** What came back over a raw socket. */
export interface RawResponse {
  /** 0 where the server closed the connection without an answer. */
  status: number;
  /** Names in lower case; the last of equal ones. */
  headers: Record<string, string>;
  body: string;
  /** The body as JSON, undefined where it is none. */
  json: unknown;
}

/** A request as its bytes go out. */
export interface RawRequest {
  method?: string;
  path?: string;
  /** Header lines, in order and as they are: doubles, odd names and missing ones included. `Host` and `Connection: close` are added. */
  headers?: readonly string[];
  body?: string | Buffer;
  /** False: no `Content-Length` is added. */
  length?: boolean;
  /** Bytes after the head in place of `body`, for chunked and other framings. */
  framed?: Buffer | string;
  /** Half-closes the connection after the last byte. Default true where the framing is off. */
  end?: boolean;
}

/** Sends a request byte by byte as told, which no HTTP client would, and reads the answer to the end. */
export function sendRaw(url: string, request: RawRequest, timeoutMs = 120_000): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const { method = 'POST', path = '/', headers = [], body = '', framed } = request;
  const payload = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${hostname}:${port}`, 'Connection: close', ...headers];
  if (framed === undefined && request.length !== false) lines.push(`Content-Length: ${payload.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(Number(port), hostname);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no complete answer within ${timeoutMs} ms: ${lines.slice(0, 1).join()}`));
    }, timeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parse(Buffer.concat(chunks)));
    };
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', done);
    // A server that refuses a body half-way resets the connection; what it said before counts.
    socket.on('error', done);
    socket.on('close', done);
    socket.write(head);
    if (framed === undefined) socket.write(payload);
    else socket.write(framed);
    if (request.end) socket.end();
  });
}

function parse(bytes: Buffer): RawResponse {
  const border = bytes.indexOf('\r\n\r\n');
  if (border < 0) return { status: 0, headers: {}, body: '', json: undefined };
  const [first = '', ...lines] = bytes.subarray(0, border).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  let rest = bytes.subarray(border + 4);
  if (headers['transfer-encoding'] === 'chunked') rest = unchunk(rest);
  const body = rest.toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = undefined;
  }
  return { status: Number(first.split(' ')[1]), headers, body, json };
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 4 + size;
  }
  return Buffer.concat(parts);
}

/** A body in chunked transfer coding. */
export function chunked(body: string | Buffer, size = 7): Buffer {
  const bytes = Buffer.from(body);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}
