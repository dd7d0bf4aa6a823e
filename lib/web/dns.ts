import { lookup, promises } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * All addresses of a name, e.g. `['93.184.216.34']`.
 *
 * Rejects if there are none. `signal` fires when the answer is no longer needed.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>;

/** Once one family of addresses has arrived, the other has this long (the resolution delay of RFC 8305), ms. */
const SECOND_FAMILY_MS = 50;

/**
 * Asks DNS servers for the addresses of a name, both families at once.
 *
 * For names that a stranger chose. The system's look-up (`dns.lookup`) cannot be cancelled and holds one of the process's two slots for
 * it. `/etc/hosts` and search domains are not used: they are about the machine's own network, where such names must not lead.
 *
 * @param servers addresses of DNS servers, e.g. `192.0.2.1:5353`. Default: those of the machine
 * @param timeoutMs time for each server, which is asked once, ms
 */
export function dnsResolve(servers?: readonly string[], timeoutMs = 1000): Resolve {
  return async (host, signal) => {
    signal.throwIfAborted();
    // One for each look-up: `cancel` ends all queries of its resolver.
    const resolver = new promises.Resolver({ timeout: timeoutMs, tries: 1 });
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const families = [resolver.resolve4(host), resolver.resolve6(host)];
      await Promise.any(families);
      // Addresses that come later are not dialled, so they need not be vetted either.
      const late = sleep(SECOND_FAMILY_MS, [], { ref: false });
      const found = await Promise.all(families.map((family) => Promise.race([family.catch(() => []), late])));
      return found.flat();
    } catch (error) {
      signal.throwIfAborted();
      throw (error as AggregateError).errors[0];
    } finally {
      signal.removeEventListener('abort', cancel);
      resolver.cancel();
    }
  };
}

/**
 * Asks the system, so that `/etc/hosts` and search domains count. For names that the host itself has named.
 *
 * The callback form on purpose: it is the one call that tracing and service meshes hook.
 */
export const systemResolve: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookup(host, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });
