import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

const TYPE_A = 1;
const TYPE_AAAA = 28;

/** A DNS server on loopback (RFC 1035, UDP only) that knows some names, has none for others, and is silent about the rest. */
export class FakeDns {
  /** Names in the order in which they were asked, once for each family. */
  readonly asked: string[] = [];
  private readonly socket: Socket = createSocket('udp4');

  /** @param addressesOf addresses of a name; undefined: no answer at all */
  constructor(private readonly addressesOf: (name: string) => string[] | undefined) {}

  /** @returns the address for `setServers` */
  async listen(): Promise<string> {
    this.socket.on('message', (query, { port, address }) => {
      const { name, type, end } = readQuestion(query);
      this.asked.push(name);
      const addresses = this.addressesOf(name);
      if (addresses) this.socket.send(answerTo(query, end, type, addresses), port, address);
    });
    this.socket.bind(0, '127.0.0.1');
    await once(this.socket, 'listening');
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): void {
    this.socket.close();
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at]! > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
    at += 1 + query[at]!;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(query: Buffer, questionEnd: number, type: number, addresses: string[]): Buffer {
  const records = addresses
    .filter((address) => (isIPv4(address) ? TYPE_A : TYPE_AAAA) === type)
    .map((address) => recordOf(address, type));
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2); // NXDOMAIN, or no error
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, query.subarray(12, questionEnd), ...records]);
}

/** The name is a pointer to the question; the time to live is 0. */
function recordOf(address: string, type: number): Buffer {
  const bytes = type === TYPE_A ? address.split('.').map(Number) : expanded(address);
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, Buffer.from(bytes)]);
}

function expanded(address: string): number[] {
  const [head = '', tail = ''] = address.split('::').map((half) => half.replace(/^$/, ''));
  const groups = (half: string): string[] => (half === '' ? [] : half.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  return [...groups(head), ...zeros, ...groups(tail)].flatMap((group) => {
    const value = parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
