import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { InvalidOptionError } from '../core/errors.js';
import { raceAbort } from '../core/context.js';
import { dnsResolve, systemResolve, type Resolve } from './dns.js';
import { isPublicAddress, rangeCheck } from './public-address.js';
import { BlockedAddressError, PageUnavailableError } from './web.errors.js';
import { isWebPort } from './web-ports.js';

/** Which addresses may be connected to. Everything is optional. */
export interface AddressGuardOptions {
  /**
   * Hosts that are allowed wherever they are, e.g. `intranet.example`, `*.intranet.example`, `127.0.0.1:8080`,
   * `[::1]:8080`. Compared with the host in the URL, not with the addresses that it resolves to; without a port, any port. Still only
   * `http` and `https`. Default: none.
   */
  allowHosts?: readonly string[];
  /** Ports allowed besides those of `isWebPort`. Default: none. */
  allowPorts?: readonly number[];
  /** Addresses or CIDR ranges that are refused besides the non-public ones, e.g. the host's own public addresses, its NAT64 prefix. */
  denyRanges?: readonly string[];
  /**
   * Resolves names. Called once a hop; the addresses that it returns are vetted, and no others are connected to. Default: names of
   * `allowHosts` are looked up by the system (`dns.lookup`, with `/etc/hosts` and search domains), all others by the machine's DNS
   * servers alone, once, within a second.
   */
  resolve?: Resolve;
}

/** Where a URL leads. Only these addresses have been vetted, so no others may be connected to for it. */
export interface VettedTarget {
  /** The host of the URL, lower-case, without brackets or final dot. */
  host: string;
  port: number;
  addresses: LookupAddress[];
}

interface AllowedHost {
  host: string;
  subdomains: boolean;
  port?: number;
}

/** Names that stay inside or lead nowhere (RFC 6761, RFC 6762, RFC 7686, RFC 9476, ICANN's `internal`): not even looked up. */
const SPECIAL_NAMES = new Set(['alt', 'internal', 'local', 'localhost', 'onion']);

const MAX_URL_LENGTH = 8192;

/** Decides whether the address of a page may be connected to. One for many fetches; keeps no state. */
export class AddressGuard {
  private readonly allowedHosts: AllowedHost[];
  private readonly allowedPorts: Set<number>;
  private readonly isDenied: (address: string) => boolean;
  private readonly resolve: Resolve;
  private readonly resolveAllowed: Resolve;

  /** @throws InvalidOptionError */
  constructor(options: AddressGuardOptions = {}) {
    this.allowedHosts = (options.allowHosts ?? []).map(parseAllowedHost);
    this.allowedPorts = new Set(options.allowPorts ?? []);
    for (const port of this.allowedPorts)
      if (!Number.isInteger(port) || port < 1 || port > 65_535)
        throw new InvalidOptionError('allowPorts', 'port numbers 1..65535', port);
    try {
      this.isDenied = rangeCheck(options.denyRanges ?? []);
    } catch {
      throw new InvalidOptionError('denyRanges', 'addresses or CIDR ranges', options.denyRanges);
    }
    this.resolve = options.resolve ?? dnsResolve();
    this.resolveAllowed = options.resolve ?? systemResolve;
  }

  /** Parses a URL. Its addresses have yet to be vetted. @throws BlockedAddressError */
  parse(address: string, base?: URL): URL {
    if (address.length > MAX_URL_LENGTH)
      throw new BlockedAddressError('The address of the page is too long.');
    let url: URL;
    try {
      url = new URL(address, base);
    } catch (cause) {
      throw new BlockedAddressError('The address of the page is not a valid URL.', { cause });
    }
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new BlockedAddressError('Only pages with http or https addresses are fetched.');
    if (url.username !== '' || url.password !== '')
      throw new BlockedAddressError('Addresses with a user name or password are not fetched.');
    return url;
  }

  /**
   * Resolves the host of `url` once and vets every address: a single one that is not public refuses the whole name,
   * since the next lookup could choose it.
   *
   * @throws BlockedAddressError, PageUnavailableError when the name does not resolve, the signal's reason
   */
  async vet(url: URL, signal: AbortSignal): Promise<VettedTarget> {
    const host = bareHost(url.hostname);
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    const trusted = this.allowedHosts.some((allowed) => allows(allowed, host, port));
    if (!trusted) {
      if (!isWebPort(port) && !this.allowedPorts.has(port))
        throw new BlockedAddressError('Pages are not fetched from this port.');
      if (isIP(host) === 0 && isSpecialName(host)) throw new BlockedAddressError();
    }
    const found = isIP(host) === 0 ? await this.lookUp(host, trusted, signal) : [host];
    const addresses = found.map((address): LookupAddress => ({ address, family: isIP(address) }));
    const usable = ({ address, family }: LookupAddress): boolean =>
      family !== 0 && (trusted || (isPublicAddress(address) && !this.isDenied(address)));
    if (!addresses.every(usable)) throw new BlockedAddressError();
    return { host, port, addresses };
  }

  private async lookUp(host: string, trusted: boolean, signal: AbortSignal): Promise<string[]> {
    const resolve = trusted ? this.resolveAllowed : this.resolve;
    const found = await raceAbort(resolve(host, signal), signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new PageUnavailableError('The name of the page does not resolve.', { cause });
    });
    if (found.length === 0) throw new PageUnavailableError('The name of the page does not resolve.');
    return found;
  }
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** A name without a dot is the inside's too: no page lives at a bare top-level domain. */
function isSpecialName(host: string): boolean {
  const labels = host.split('.');
  return labels.length === 1 || SPECIAL_NAMES.has(labels.at(-1) ?? '') || host.endsWith('.home.arpa');
}

function allows({ host, subdomains, port }: AllowedHost, asked: string, askedPort: number): boolean {
  if (port !== undefined && port !== askedPort) return false;
  return subdomains ? asked.endsWith(`.${host}`) : asked === host;
}

function parseAllowedHost(entry: string): AllowedHost {
  const refuse = (): never => {
    throw new InvalidOptionError('allowHosts', '`host`, `host:port` or `*.host`', entry);
  };
  if (typeof entry !== 'string') return refuse();
  const subdomains = entry.startsWith('*.');
  const rest = subdomains ? entry.slice(2) : entry;
  const bracketed = isIP(rest) === 6 ? `[${rest}]` : rest;
  const [, written = refuse(), port] = /^(\[[^\]]+\]|[^:/@?#\\\s*]+)(?::(\d{1,5}))?$/.exec(bracketed) ?? [];
  try {
    // The very parser that reads the pages' addresses, so that both sides are written alike.
    const host = bareHost(new URL(`http://${written}/`).hostname);
    return { host, subdomains, ...(port === undefined ? {} : { port: Number(port) }) };
  } catch {
    return refuse();
  }
}
