import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to Redis on which answers take as long as they are told to. */
export interface SlowLink {
  url: string;
  /** Every answer is held back for this long, ms. */
  delayMs: number;
  /** Bytes that have been sent to Redis. */
  sent: number;
  /** Ends all connections: what was held back on them never arrives. */
  dropConnections(): void;
  close(): void;
}

/** Listens on a free loopback port and passes on to the Redis at `port`. */
export async function slowLinkTo(port: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let before: Promise<void> = Promise.resolve();
    client.on('data', (chunk) => (link.sent += chunk.length)).pipe(upstream);
    upstream.on('data', (chunk) => {
      // An answer that is held back for minutes must not keep the tests from ending.
      const due = new Promise<void>((resolve) => setTimeout(resolve, link.delayMs).unref());
      // In order, also when the delay has become shorter.
      before = Promise.all([before, due]).then(() => void client.write(chunk));
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const link: SlowLink = {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    sent: 0,
    dropConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      server.close();
      link.dropConnections();
    },
  };
  return link;
}
