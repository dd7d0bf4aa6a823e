import fc from 'fast-check';
import { isPublicAddress, rangeCheck } from '../../lib/web/address-guard.js';

/** First and last address of every block that is not public, and the neighbours just outside that are. */
const V4_BLOCKS: [first: string, last: string, before: string | undefined, after: string | undefined][] = [
  ['0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255', undefined],
  ['240.0.0.0', '255.255.255.255', undefined, undefined],
];

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.9.9.9', '93.184.216.34', '142.250.74.78', '151.101.1.69', '104.16.132.229'],
  ...['185.199.108.153', '198.35.26.96', '208.80.154.224', '100.0.0.1', '172.217.16.142', '192.30.255.113'],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001:80b::200e', '2620:0:861:ed1a::1'],
  ...['2400:cb00:2048:1::6810:84e5', '2001:200::1', '2001:470::1', '2003::1', '2600::', '3ffe:ffff::1'],
  ...[
    '2c0f:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2800::',
    '2000::1',
    '3fff:1000::1',
    '2001:db7::1',
    '2001:db9::',
  ],
];

const NOT_PUBLIC = [
  // Loopback, unspecified, and IPv4 inside IPv6 in each of the ways.
  ...[
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::0.0.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
  ],
  ...['::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8', '::FFFF:0808:0808'],
  ...[
    '::ffff:0:127.0.0.1',
    '::ffff:0:8.8.8.8',
    '64:ff9b::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b::a9fe:a9fe',
  ],
  ...[
    '64:ff9b:1::1',
    '64:ff9b:1:ffff::',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:c0a8:101::',
    '2002:808:808::1',
  ],
  ...['2002:a9fe:a9fe::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:7f00:1::', '2001:1::1'],
  ...['2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:20::1', '2001:2f:ffff::', '2001:30::1'],
  ...['2001:1ff:ffff:ffff::', '2001:db8::', '2001:db8::1', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ...['3fff::', '3fff:fff:ffff::1', '100::1', '100:0:0:1::1', '200::1', '400::', '1fff:ffff::1', '4000::1'],
  ...['5f00::1', '8000::1', 'a000::1', 'e000::1', 'fc00::1', 'fc00:ffff::', 'fd00::1', 'fd00:ec2::254'],
  ...['fd20:ce::254', 'fdff:ffff:ffff:ffff::', 'fe80::1', 'fe80::ffff:ffff', 'febf::1', 'fec0::1', 'feff::1'],
  ...[
    'ff00::',
    'ff01::1',
    'ff02::1',
    'ff02::fb',
    'ff05::2',
    'ff0e::1',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ],
  // Zones, even on public addresses.
  ...['fe80::1%eth0', 'fe80::1%1', '::1%lo', '2606:4700:4700::1111%eth0'],
  // Well-known addresses of machines that talk to their own kind.
  ...['127.0.0.1', '127.1.2.3', '127.255.255.254', '169.254.169.254', '169.254.170.2', '169.254.169.253'],
  ...['100.100.100.200', '192.0.0.192', '192.0.0.8', '192.0.0.170', '168.63.129.16', '10.0.0.1', '10.96.0.1'],
  ...[
    '172.17.0.1',
    '172.20.10.1',
    '192.168.0.1',
    '192.168.1.254',
    '192.168.99.100',
    '0.0.0.0',
    '255.255.255.255',
  ],
  // What is no address in the one strict notation; the URL parser never lets these through.
  ...[
    '',
    ' ',
    'localhost',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.01',
  ],
  ...[
    '1.1.1.1 ',
    ' 1.1.1.1',
    '1.1.1.1.',
    '01.1.1.1',
    '1.1.1',
    '1.1.1.1.1',
    '1.1.1.256',
    '1.1.1.-1',
    '1.1.1.1/32',
  ],
  ...[
    '1.1.1.1:80',
    '[2606:4700:4700::1111]',
    '2606:4700:4700:::1111',
    '2606:4700::g',
    '::ffff:1.1.1.256',
    '+1.1.1.1',
  ],
  ...['１.１.１.１', '1。1。1。1', '8.8.8.8\n', '8.8.8.8\0', '0:0:0:0:0:ffff:8.8.8.8', '1e1.1.1.1'],
];

describe('isPublicAddress', () => {
  it.each(V4_BLOCKS)('refuses %s to %s and accepts the neighbours', (first, last, before, after) => {
    expect([first, last].map(isPublicAddress)).toEqual([false, false]);
    for (const neighbour of [before, after]) if (neighbour) expect(isPublicAddress(neighbour)).toBe(true);
  });

  it.each(PUBLIC)('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each(NOT_PUBLIC)('refuses %j', (address) => expect(isPublicAddress(address)).toBe(false));

  it('refuses every IPv4 address inside IPv6, however it is carried', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::'), (v4, prefix) => {
        expect(isPublicAddress(prefix + v4)).toBe(false);
      }),
    );
  });

  it('accepts of IPv6 only what begins with 2 or 3', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const address = groups.map((g) => g.toString(16)).join(':');
        const first = groups[0] ?? 0;
        const special =
          (first === 0x2001 && ((groups[1] ?? 0) < 0x200 || groups[1] === 0xdb8)) ||
          first === 0x2002 ||
          (first === 0x3fff && (groups[1] ?? 0) < 0x1000);
        expect(isPublicAddress(address)).toBe(first >= 0x2000 && first <= 0x3fff && !special);
      }),
    );
  });

  it('agrees with arithmetic on any IPv4 address', () => {
    const blocks = V4_BLOCKS.map(([first, last]) => [value(first), value(last)] as const);
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const inside = blocks.some(([first, last]) => value(address) >= first && value(address) <= last);
        expect(isPublicAddress(address)).toBe(!inside);
      }),
    );
  });

  it('is never true for anything that is no address', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(isPublicAddress(`${text}x`)).toBe(false)));
  });
});

describe('rangeCheck', () => {
  it.each(['10.0.0.0/33', '10.0.0/8', '::/129', 'fe80::1%eth0/64', 'host', '10.0.0.0/', '10.0.0.0/-1'])(
    'refuses %s',
    (range) => expect(() => rangeCheck([range])).toThrow(TypeError),
  );

  it('takes single addresses and ranges of both families', () => {
    const isInList = rangeCheck(['10.1.0.0/16', '8.8.8.8', '2a00:1450::/32']);
    expect(isInList('10.1.255.255')).toBe(true);
    expect(isInList('10.2.0.0')).toBe(false);
    expect(isInList('8.8.8.8')).toBe(true);
    expect(isInList('2a00:1450:4001::1')).toBe(true);
  });
});

function value(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}
