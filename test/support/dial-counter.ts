import net from 'node:net';

type Connect = typeof net.Socket.prototype.connect;

/**
 * Counts every TCP connection that this process opens to anywhere but the given addresses: whatever client it is made with, it
 * ends in `net.Socket.prototype.connect`.
 */
export class DialCounter {
  readonly dialled: string[] = [];
  private readonly original: Connect = net.Socket.prototype.connect;

  /** @param ignored `host:port` of the tests' own targets */
  constructor(ignored: () => readonly string[]) {
    const { dialled, original } = this;
    net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
      const target = describe(args);
      if (!ignored().some((known) => target.endsWith(known))) dialled.push(target);
      return (original as (...a: unknown[]) => net.Socket).apply(this, args);
    } as Connect;
  }

  restore(): void {
    net.Socket.prototype.connect = this.original;
  }
}

function describe(args: unknown[]): string {
  const first = Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0];
  if (typeof first === 'object' && first !== null) {
    const { host, port, path } = first as { host?: string; port?: number; path?: string };
    return path ?? `${host ?? 'localhost'}:${port}`;
  }
  return `${typeof args[1] === 'string' ? args[1] : 'localhost'}:${String(first)}`;
}
