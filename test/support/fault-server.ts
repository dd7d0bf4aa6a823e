import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** How an upstream can misbehave. */
export const FAULTS = [
  'hang before the head',
  'hang in the body',
  'drip',
  'reset',
  'reset in the body',
  'cut off JSON',
  'shorter than its length',
  'longer than its length',
  'HTML for JSON',
  'empty body',
  'no content',
  'null',
  'JSON of another shape',
  'not UTF-8',
  'gzip that is none',
  'gzip bomb',
  'endless body',
  'huge head',
  'status 400',
  'status 401',
  'status 403',
  'status 404',
  'status 429',
  'status 429, Retry-After 1',
  'status 429, Retry-After 3600',
  'status 500',
  'status 502',
  'status 503',
  'status 999',
  'not HTTP',
  'redirect to itself',
  'redirect to the metadata service',
] as const;
export type Fault = (typeof FAULTS)[number];

/** An upstream on loopback that misbehaves on command, counts its requests and knows which of them are still open. */
export class FaultServer {
  fault: Fault | 'none' = 'none';
  requests = 0;
  open = 0;
  private readonly server = http.createServer((_, response) => this.answer(response));

  /** @param good what it answers with where it is well */
  constructor(private readonly good: string) {}

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this.url;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer(response: http.ServerResponse): void {
    this.requests++;
    this.open++;
    response.once('close', () => this.open--);
    const { good } = this;
    const json = { 'Content-Type': 'application/json' };
    const status = /^status (\d+)(?:, Retry-After (\d+))?$/.exec(this.fault);
    if (status) {
      const wait = status[2] ? { 'Retry-After': status[2] } : {};
      response.writeHead(Number(status[1]), { ...json, ...wait }).end('{"error":"secret-of-the-upstream"}');
      return;
    }
    switch (this.fault) {
      case 'none':
        return void response.writeHead(200, json).end(good);
      case 'hang before the head':
        return;
      case 'hang in the body':
        return void response.writeHead(200, json).write(good.slice(0, 10));
      case 'drip': {
        response.writeHead(200, json);
        const timer = setInterval(() => response.write(' '), 20);
        return void response.once('close', () => clearInterval(timer));
      }
      case 'reset':
        return void response.socket!.resetAndDestroy();
      case 'reset in the body':
        response.writeHead(200, { ...json, 'Content-Length': good.length }).write(good.slice(0, 10));
        return void setImmediate(() => response.socket!.resetAndDestroy());
      case 'cut off JSON':
        return void response.writeHead(200, json).end(good.slice(0, good.length / 2));
      case 'shorter than its length':
        response.writeHead(200, { ...json, 'Content-Length': good.length + 50 }).write(good);
        return void setImmediate(() => response.destroy());
      case 'longer than its length':
        return raw(
          response,
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n${good}`,
        );
      case 'HTML for JSON':
        return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in</h1>');
      case 'empty body':
        return void response.writeHead(200, json).end();
      case 'no content':
        return void response.writeHead(204).end();
      case 'null':
        return void response.writeHead(200, json).end('null');
      case 'JSON of another shape':
        return void response.writeHead(200, json).end('{"results":{"0":[]},"hits":"none"}');
      case 'not UTF-8':
        return void response.writeHead(200, json).end(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
      case 'gzip that is none':
        return void response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(good);
      case 'gzip bomb':
        return void response
          .writeHead(200, { ...json, 'Content-Encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(50_000_000, 0x20)));
      case 'endless body': {
        response.writeHead(200, json);
        const chunk = Buffer.alloc(65_536, 0x20);
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on('drain', more);
        return more();
      }
      case 'huge head':
        return raw(response, `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(200_000)}\r\n\r\n${good}`);
      case 'not HTTP':
        return raw(response, 'SSH-2.0-OpenSSH_9.6\r\n');
      case 'redirect to itself':
        return void response.writeHead(302, { Location: '/search' }).end();
      case 'redirect to the metadata service':
        return void response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data/' }).end();
      default:
        throw new Error(`no such fault: ${this.fault}`);
    }
  }
}

function raw(response: http.ServerResponse, bytes: string): void {
  response.socket!.end(bytes);
}
