import fc from 'fast-check';
import { AddressGuard, type AddressGuardOptions } from '../../lib/web/address-guard.js';

const PUBLIC = '93.184.216.34';
const never = new AbortController().signal;

/** Vets a URL with a resolver that knows only public addresses and counts what it is asked. */
async function vet(url: string, options: AddressGuardOptions = {}) {
  const asked: string[] = [];
  const guard = new AddressGuard({
    resolve: (host) => {
      asked.push(host);
      return Promise.resolve([PUBLIC]);
    },
    ...options,
  });
  const outcome = await (async () => guard.vet(guard.parse(url), never))().catch((error: unknown) => error);
  return { outcome, asked };
}

/** Loopback and the inside, in each notation that a URL can carry. */
const INSIDE = [
  ...['http://127.0.0.1/', 'http://127.1/', 'http://127.0.1/', 'http://2130706433/', 'http://0x7f000001/'],
  ...[
    'http://0x7f.0x0.0x0.0x1/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0177.1/',
    'http://017700000001/',
  ],
  ...['http://127.0.0.1./', 'http://0/', 'http://0.0.0.0/', 'http://0x0/', 'http://00000177.0.0.1/'],
  ...['http://①②⑦.⓪.⓪.①/', 'http://１２７.０.０.１/', 'http://127。0。0。1/', 'http://127%2e0%2e0%2e1/'],
  ...[
    'http://%31%32%37.0.0.1/',
    'http://%6c%6f%63%61%6c%68%6f%73%74/',
    'http:127.0.0.1',
    'http:\\\\127.0.0.1\\',
  ],
  ...[
    'http:/127.0.0.1/',
    'http:///127.0.0.1/',
    ' \t\nhttp://127.0.0.1/',
    'HTTP://127.0.0.1/',
    'http://127.0.0.1#@a.example/',
  ],
  ...[
    'http://127.0.0.1?@a.example/',
    'http://127.0.0.1\\@a.example/',
    'http://0xA9FEA9FE/',
    'http://2852039166/',
  ],
  ...[
    'http://169.254.169.254/latest/meta-data/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://10.1/',
  ],
  ...[
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
  ],
  ...[
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
  ],
  ...[
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fc00::1]/',
    'http://[ff02::1]/',
    'http://[::ffff:a9fe:a9fe]/',
  ],
  ...[
    'http://192.168.0.1/',
    'http://172.16.0.1/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
  ],
  ...['http://255.255.255.255/', 'http://4294967295/', 'http://192.0.2.1/', 'http://168.63.129.16/machine'],
  ...[
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://a.localhost/',
    'http://printer.local/',
  ],
  ...[
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://redis/',
    'http://router.home.arpa/',
    'http://x.onion/',
  ],
  ...[
    'http://ｌｏｃａｌｈｏｓｔ/',
    'http://ⓛocalhost/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'http://127.0.0.1:80/',
  ],
];

/** What is no address of a page at all. */
const NO_PAGE = [
  ...[
    '',
    'x',
    '//a.example/',
    '/etc/passwd',
    'file:///etc/passwd',
    'ftp://a.example/',
    'gopher://a.example/_x',
  ],
  ...[
    'data:text/html,hi',
    'javascript:alert(1)',
    'blob:http://a.example/1',
    'ws://a.example/',
    'dict://a.example:11211/',
  ],
  ...[
    'http://user@a.example/',
    'http://user:pass@a.example/',
    'http://:p@a.example/',
    'http://a.example@127.0.0.1/',
  ],
  ...[
    'http://',
    'http://?',
    'http://[',
    'http://[::1',
    'http://[fe80::1%25eth0]/',
    'http://[::1%lo]/',
    'http://a b.example/',
  ],
  ...[
    'http://256.256.256.256/',
    'http://1.2.3.4.5/',
    'http://0x100000000/',
    'http://08.1.1.1/',
    'http://a.example:99999/',
  ],
  ...[
    'http://a.example:-1/',
    'http://a\0.example/',
    'http://a%00.example/',
    `http://a.example/${'x'.repeat(9000)}`,
  ],
];

describe('AddressGuard', () => {
  it.each(INSIDE)('refuses %s without asking the resolver', async (url) => {
    const { outcome, asked } = await vet(url);
    expect(outcome).toMatchObject({ reason: 'blocked_address' });
    expect(asked).toEqual([]);
  });

  it.each(NO_PAGE)('refuses %j', async (url) => {
    const { outcome, asked } = await vet(url);
    expect(outcome).toMatchObject({ reason: 'blocked_address' });
    expect(asked).toEqual([]);
  });

  it.each([
    ['http://a.example/x?y#z', 'a.example', 80],
    ['https://A.Example/', 'a.example', 443],
    ['https://a.example.:8443/', 'a.example', 8443],
    ['http://münchen.example:8080/', 'xn--mnchen-3ya.example', 8080],
    ['http://127.0.0.1.nip.example:3000/', '127.0.0.1.nip.example', 3000],
  ])('lets %s pass to the address it resolves to', async (url, host, port) => {
    const { outcome, asked } = await vet(url);
    expect(outcome).toEqual({ host, port, addresses: [{ address: PUBLIC, family: 4 }] });
    expect(asked).toEqual([host]);
  });

  it.each([
    ['http://8.8.8.8/', '8.8.8.8', 4],
    ['http://0x08080808/', '8.8.8.8', 4],
    ['http://[2606:4700:4700::1111]/', '2606:4700:4700::1111', 6],
  ])('lets the public literal %s pass without asking the resolver', async (url, address, family) => {
    const { outcome, asked } = await vet(url);
    expect(outcome).toMatchObject({ addresses: [{ address, family }] });
    expect(asked).toEqual([]);
  });

  it.each([
    [['127.0.0.1']],
    [[PUBLIC, '10.0.0.1']],
    [['10.0.0.1', PUBLIC]],
    [[PUBLIC, '::1']],
    [[PUBLIC, '2606:4700::1', 'fe80::1%eth0']],
    [[PUBLIC, 'not an address']],
    [['::ffff:93.184.216.34']],
  ])('refuses a name with the addresses %j', async (addresses) => {
    const { outcome } = await vet('http://a.example/', { resolve: () => Promise.resolve(addresses) });
    expect(outcome).toMatchObject({ reason: 'blocked_address' });
    for (const address of addresses) expect((outcome as Error).message).not.toContain(address);
  });

  it('says that a name does not resolve, without the words of the resolver', async () => {
    for (const resolve of [
      () => Promise.resolve([]),
      () => Promise.reject(new Error('ESERVFAIL 10.0.0.53')),
    ]) {
      const { outcome } = await vet('http://a.example/', { resolve });
      expect(outcome).toMatchObject({ reason: 'unavailable' });
      expect((outcome as Error).message).not.toContain('10.0.0.53');
    }
  });

  it.each([1, 22, 23, 25, 110, 143, 445, 587, 993, 3306, 5432, 6379, 9200, 11211, 27017])(
    'refuses the port %i',
    async (port) => {
      expect((await vet(`http://a.example:${port}/`)).outcome).toMatchObject({ reason: 'blocked_address' });
    },
  );

  it.each([80, 443, 1024, 3000, 8000, 8080, 8081, 8443, 8888, 34_567, 65_535])(
    'allows the port %i',
    async (port) => {
      expect((await vet(`http://a.example:${port}/`)).outcome).toMatchObject({ port });
    },
  );

  it('refuses the ranges that the host denies', async () => {
    const denyRanges = ['93.184.216.0/24', '2606:4700::/32'];
    expect((await vet('http://a.example/', { denyRanges })).outcome).toMatchObject({
      reason: 'blocked_address',
    });
    expect((await vet('http://[2606:4700::1]/', { denyRanges })).outcome).toMatchObject({
      reason: 'blocked_address',
    });
    expect((await vet('http://8.8.8.8/', { denyRanges })).outcome).not.toBeInstanceOf(Error);
  });

  it.each([
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/', true],
    ['127.0.0.1:8080', 'http://2130706433:8080/', true],
    ['127.0.0.1:8080', 'http://127.0.0.1:8081/', false],
    ['127.0.0.1:8080', 'http://127.0.0.2:8080/', false],
    ['127.0.0.1', 'http://127.0.0.1:25/', true],
    ['::1', 'http://[::1]:81/', true],
    ['[::1]:8080', 'http://[0:0::1]:8080/', true],
    ['[::1]:8080', 'http://[::1]/', false],
    ['intranet.example', 'http://intranet.example/', true],
    ['Intranet.Example.', 'http://INTRANET.example./', true],
    ['intranet.example', 'http://www.intranet.example/', false],
    ['intranet.example', 'http://xintranet.example/', false],
    ['*.intranet.example', 'http://www.intranet.example/', true],
    ['*.intranet.example', 'http://intranet.example/', false],
    ['localhost', 'http://localhost:3000/', true],
    ['wiki', 'https://wiki/', true],
    ['10.0.0.1', 'http://a.example/', false],
  ])('with %s allowed, %s is allowed: %s', async (allowed, url, expected) => {
    const { outcome } = await vet(url, {
      allowHosts: [allowed],
      resolve: () => Promise.resolve(['10.0.0.1']),
    });
    expect(!(outcome instanceof Error)).toBe(expected);
  });

  it('checks the options when it is made', () => {
    for (const entry of [
      '',
      '*',
      '*.',
      'http://a.example',
      'a.example/x',
      'a b',
      'u@a',
      'a:b',
      '10.0.0.0/8',
      '[::1',
    ])
      expect(() => new AddressGuard({ allowHosts: [entry] })).toThrow('option `allowHosts`');
    expect(() => new AddressGuard({ denyRanges: ['10.0.0.0/99'] })).toThrow('option `denyRanges`');
  });

  it('throws nothing but its own errors, whatever the address', async () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string().map((s) => `http://${s}/`),
      fc.ipV6().map((a) => `http://[${a}]/`),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (url) => {
        const { outcome } = await vet(url);
        if (outcome instanceof Error) expect(outcome).toMatchObject({ reason: 'blocked_address' });
      }),
    );
  });
});
