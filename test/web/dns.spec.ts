import { lookup } from 'node:dns/promises';
import { setMaxListeners } from 'node:events';
import { dnsResolve } from '../../lib/web/dns.js';
import { createGuardedFetch } from '../../lib/web/guarded-fetch.js';
import { FakeDns } from '../support/fake-dns.js';

const NAMES: Record<string, string[]> = {
  'both.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'four.example': ['93.184.216.34', '93.184.216.35'],
  'six.example': ['2606:2800:220:1::1'],
  'inside.example': ['93.184.216.34', '10.0.0.1'],
  'gone.example': [],
};

describe('dnsResolve', () => {
  let dns: FakeDns;
  let servers: string[];
  beforeEach(async () => {
    dns = new FakeDns((name) => NAMES[name]);
    servers = [await dns.listen()];
  });
  afterEach(() => dns.close());

  it.each(['both.example', 'four.example', 'six.example'])('gives every address of %s', async (name) => {
    const found = await dnsResolve(servers)(name, new AbortController().signal);
    expect(found.sort()).toEqual(NAMES[name]!.sort());
  });

  it('rejects where a name does not exist', async () => {
    await expect(dnsResolve(servers)('gone.example', new AbortController().signal)).rejects.toThrow();
  });

  it('asks a silent server once for each family, and gives up after its time', async () => {
    const resolve = dnsResolve(servers, 50);
    await expect(resolve('silent.example', new AbortController().signal)).rejects.toMatchObject({
      code: 'ETIMEOUT',
    });
    expect(dns.asked).toEqual(['silent.example', 'silent.example']);
  });

  it('ends at once when nobody waits any more', async () => {
    const controller = new AbortController();
    const waiting = dnsResolve(servers, 60_000)('silent.example', controller.signal);
    const reason = new Error('left');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('leaves the look-ups of the rest of the process alone, however many names are silent', async () => {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    let settled = 0;
    const silent = Array.from({ length: 100 }, (_, i) =>
      dnsResolve(servers, 60_000)(`s${i}.example`, controller.signal).catch(() => settled++),
    );
    await lookup('localhost');
    expect(settled).toBe(0);
    controller.abort(new Error('enough'));
    await Promise.all(silent);
  });

  it('is what guarded fetches ask by default, and one address that is not public refuses the name', async () => {
    const fetch = createGuardedFetch({ resolve: dnsResolve(servers) });
    const { signal } = new AbortController();
    await expect(fetch('http://inside.example/', signal)).rejects.toMatchObject({
      reason: 'blocked_address',
    });
  });
});
