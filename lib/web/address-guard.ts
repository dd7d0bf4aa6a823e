import { lookup, type LookupAddress } from 'node:dns';
import { type BlockList, isIP, isIPv4 } from 'node:net';
import { InvalidOptionError } from '../core/errors/index.js';
import { raceAbort } from '../core/tool-context.js';
import { isPublicAddress, rangeList } from './public-address.js';
import { BlockedAddressError, PageUnavailableError } from './web.errors.js';
import { isWebPort } from './web-ports.js';

/** All addresses of a name, e.g. `['93.184.216.34']`; rejects where there are none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Which addresses may be dialled. Everything is optional. */
export interface AddressGuardOptions {
  /**
   * Hosts that are allowed wherever they are, e.g. `intranet.example`, `*.intranet.example`, `127.0.0.1:8080`,
   * `[::1]:8080`. Compared with the host in the URL, not with what it resolves to; without a port, any port. Only `http`
   * and `https` still. Default: none.
   */
  allowHosts?: readonly string[];
  /** Ports allowed besides those of `isWebPort`. Default: none. */
  allowPorts?: readonly number[];
  /** Addresses or CIDR ranges refused besides the non-public ones, e.g. the host's own public addresses, its NAT64 prefix. */
  denyRanges?: readonly string[];
  /**
   * Resolves names. Default: the system's resolver (`dns.lookup`, so that `/etc/hosts` and search rules hold as they do
   * everywhere on the machine). Called once a hop; what it returns is vetted and then dialled as it is.
   */
  resolve?: Resolve;
}

/** Where a URL leads, vetted: these addresses and no others may be dialled for it. */
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

/** Decides whether the address of a page may be dialled. One for many fetches; keeps no state. */
export class AddressGuard {
  private readonly allowedHosts: AllowedHost[];
  private readonly allowedPorts: Set<number>;
  private readonly denied: BlockList;
  private readonly resolve: Resolve;

  /** @throws InvalidOptionError */
  constructor(options: AddressGuardOptions = {}) {
    this.allowedHosts = (options.allowHosts ?? []).map(parseAllowedHost);
    this.allowedPorts = new Set(options.allowPorts ?? []);
    for (const port of this.allowedPorts)
      if (!Number.isInteger(port) || port < 1 || port > 65_535)
        throw new InvalidOptionError('allowPorts', 'port numbers 1..65535', port);
    try {
      this.denied = rangeList(options.denyRanges ?? []);
    } catch {
      throw new InvalidOptionError('denyRanges', 'addresses or CIDR ranges', options.denyRanges);
    }
    this.resolve = options.resolve ?? systemResolve;
  }

  /** A URL that may be looked up; its address is still to be vetted. @throws BlockedAddressError */
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
    const found = isIP(host) === 0 ? await this.lookUp(host, signal) : [host];
    const addresses = found.map((address): LookupAddress => ({ address, family: isIP(address) }));
    const usable = ({ address, family }: LookupAddress): boolean =>
      family !== 0 && (trusted || (isPublicAddress(address) && !this.isDenied(address)));
    if (!addresses.every(usable)) throw new BlockedAddressError();
    return { host, port, addresses };
  }

  private isDenied(address: string): boolean {
    return this.denied.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }

  private async lookUp(host: string, signal: AbortSignal): Promise<string[]> {
    const found = await raceAbort(this.resolve(host), signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new PageUnavailableError('The name of the page does not resolve.', { cause });
    });
    if (found.length === 0) throw new PageUnavailableError('The name of the page does not resolve.');
    return found;
  }
}

/** The callback form on purpose: it is the one call that tracing and service meshes hook for outgoing names. */
function systemResolve(host: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });
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
