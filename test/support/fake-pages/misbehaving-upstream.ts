import type { Socket } from 'node:net';
import { type FakePages, fakeRawPages } from './fake-pages.js';

const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** How an upstream can fail, as bytes on a socket; each is said once per connection, after the request has come. */
export const MISBEHAVIOURS = {
  hang: () => undefined,
  'hang after the head': (socket) => socket.write(`${json}content-length: 10\r\n\r\n`),
  drip: (socket) => {
    socket.write(`${json}content-length: 100000\r\n\r\n`);
    const drip = setInterval(() => socket.write(' '), 5);
    socket.on('close', () => clearInterval(drip));
  },
  'drip of head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write('x: y\r\n'), 5);
    socket.on('close', () => clearInterval(drip));
  },
  reset: (socket) => socket.resetAndDestroy(),
  'reset in the body': (socket) =>
    socket.write(`${json}content-length: 10\r\n\r\n{"a":`, () =>
      setTimeout(() => socket.resetAndDestroy(), 10),
    ),
  'close without an answer': (socket) => socket.end(),
  truncated: (socket) => socket.end(`${json}content-length: 100\r\n\r\n{"a":1`),
  'truncated chunk': (socket) => socket.end(`${json}transfer-encoding: chunked\r\n\r\nff\r\n{"a":1`),
  'no HTTP': (socket) => socket.end('220 smtp.example ESMTP\r\n'),
  'two lengths': (socket) => socket.end(`${json}content-length: 1\r\ncontent-length: 5\r\n\r\n{"a":`),
  'not gzip': (socket) => socket.end(`${json}content-encoding: gzip\r\ncontent-length: 7\r\n\r\n{"a":1}`),
  oversize: (socket) => {
    socket.write(`${json}\r\n`);
    const more = (): void => {
      while (!socket.destroyed && socket.write('x'.repeat(65_536)));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  },
  'HTML for JSON': (socket) => socket.end(`${json}content-length: 15\r\n\r\n<html>sorry</ht`),
  'half of the JSON': (socket) => socket.end(`${json}content-length: 6\r\n\r\n{"a":1`),
  'nothing for JSON': (socket) => socket.end(`${json}content-length: 0\r\n\r\n`),
  'longer than it says': (socket) => socket.end(`${json}content-length: 7\r\n\r\n{"a":1}{"b":2}`),
  redirect: (socket) =>
    socket.end('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 2\r\n\r\nhi'),
  'service unavailable': (socket) =>
    socket.end('HTTP/1.1 503 Service Unavailable\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n'),
} satisfies Record<string, (socket: Socket) => unknown>;

export type Misbehaviour = keyof typeof MISBEHAVIOURS;

/** A misbehaving upstream, and the sockets that a request came on. */
export interface MisbehavingUpstream extends FakePages {
  asked: Socket[];
}

/**
 * An upstream on loopback that misbehaves in one way on every connection. `asked` rather than `open` tells whether a call
 * was let go: after an aborted request `fetch` at once opens a spare connection, which stays idle for four seconds.
 */
export async function misbehavingUpstream(kind: Misbehaviour): Promise<MisbehavingUpstream> {
  const speak: (socket: Socket) => unknown = MISBEHAVIOURS[kind];
  const asked: Socket[] = [];
  const upstream = await fakeRawPages((socket) => {
    socket.once('data', () => {
      asked.push(socket);
      speak(socket);
    });
  });
  return Object.assign(upstream, { asked });
}
