import type { LookupAddress } from 'node:dns';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { InvalidOptionError } from '../core/errors.js';
import { parseUrl } from '../core/url.js';
import { raceAbort } from '../core/context.js';
import { dnsResolve, systemResolve, type Resolve } from './dns.js';
import { WebError } from './web.errors.js';

/** Which addresses may be connected to. Everything is optional. */
export interface AddressGuardOptions {
  /**
   * Hosts that are allowed wherever they are, e.g. `intranet.example`, `*.intranet.example`, `127.0.0.1:8080`,
   * `[::1]:8080`. Compared with the host in the URL, not with the addresses that it resolves to; without a port, any port. Still only
   * `http` and `https`. Default: none.
   */
  allowHosts?: readonly string[];
  /** Addresses or CIDR ranges that are refused in addition to the non-public ones, e.g. the host's own public addresses, its NAT64 prefix. */
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

/** Longest address, characters. RFC 9110, 4.1 asks for 8,000 bytes at least. */
export const MAX_URL_LENGTH = 8192;
/** What resolvers say of a name that does not exist, or has no address. */
const UNKNOWN_NAME: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'ENODATA']);

/** Decides whether the address of a page may be connected to. One for many fetches; keeps no state. */
export class AddressGuard {
  private readonly allowedHosts: AllowedHost[];
  private readonly isDenied: (address: string) => boolean;
  private readonly resolve: Resolve;
  private readonly resolveAllowed: Resolve;

  /** @throws InvalidOptionError */
  constructor(options: AddressGuardOptions = {}) {
    this.allowedHosts = (options.allowHosts ?? []).map(parseAllowedHost);
    try {
      this.isDenied = rangeCheck(options.denyRanges ?? []);
    } catch {
      throw new InvalidOptionError('denyRanges', 'addresses or CIDR ranges', options.denyRanges);
    }
    this.resolve = options.resolve ?? dnsResolve();
    this.resolveAllowed = options.resolve ?? systemResolve;
  }

  /** Parses a URL. Its addresses have yet to be vetted. @throws WebError (`blocked_address`) */
  parse(address: string, base?: URL): URL {
    if (address.length > MAX_URL_LENGTH) throw blocked('The address of the page is too long.');
    const url = parseUrl(address, base);
    if (!url) throw blocked('The address of the page is not a valid URL.');
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw blocked('Only pages with http or https addresses are fetched.');
    if (url.username !== '' || url.password !== '')
      throw blocked('Addresses with a user name or password are not fetched.');
    return url;
  }

  /**
   * Resolves the host of `url` once and vets every address: a single one that is not public refuses the whole name,
   * since the next lookup could choose it.
   *
   * @throws WebError (`blocked_address`; `unavailable` when the name does not resolve), the signal's reason
   */
  async vet(url: URL, signal: AbortSignal): Promise<VettedTarget> {
    const host = bareHost(url.hostname);
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    const trusted = this.allowedHosts.some((allowed) => allows(allowed, host, port));
    if (!trusted) {
      if (!isWebPort(port)) throw blocked('Pages are not fetched from this port.');
      if (isIP(host) === 0 && isSpecialName(host)) throw blocked();
    }
    const found = isIP(host) === 0 ? await this.lookUp(host, trusted, signal) : [host];
    const addresses = found.map((address): LookupAddress => ({ address, family: isIP(address) }));
    const usable = ({ address, family }: LookupAddress): boolean =>
      family !== 0 && (trusted || (isPublicAddress(address) && !this.isDenied(address)));
    if (!addresses.every(usable))
      throw blocked(undefined, {
        isHostUnknown: isIP(host) === 0,
        upstream: { upstream: 'dns', code: 'address_not_public' },
      });
    return { host, port, addresses };
  }

  private async lookUp(host: string, trusted: boolean, signal: AbortSignal): Promise<string[]> {
    const resolve = trusted ? this.resolveAllowed : this.resolve;
    const found = await raceAbort(resolve(host, signal), signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      const { code } = cause as { code?: string };
      const isHostUnknown = UNKNOWN_NAME.has(code);
      const upstream = { upstream: 'dns', ...(code === undefined ? {} : { code }) };
      throw new WebError('unavailable', 'The name of the page does not resolve.', {
        cause,
        isHostUnknown,
        upstream,
      });
    });
    if (found.length === 0) throw new WebError('unavailable', 'The name of the page does not resolve.');
    return found;
  }
}

function blocked(
  message = 'The address does not lead to a public web page.',
  about?: ConstructorParameters<typeof WebError>[2],
): WebError {
  return new WebError('blocked_address', message, about);
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** A name without a dot belongs to a private network too: no page lives at a bare top-level domain. */
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

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network address and the length of its prefix. */
type Range = readonly [Address, number];

/** Public by every registry, but a cloud's own services answer there to each of its machines (Azure). */
const CLOUD_SERVICES = ['168.63.129.16'];
/** All IPv6 addresses of the public internet so far. This alone shuts out every way to put an IPv4 address into an IPv6 one but 6to4. */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether `address` is a public unicast address. Strict: only plain dotted-decimal IPv4 and IPv6 without a zone can be public. The ranges
 * are those of `ipaddr.js` (the IANA special-purpose registries, RFC 6890 and its updates).
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed?.range() !== 'unicast') return false;
  return isInRange(parsed, GLOBAL_UNICAST_V6) || (isIPv4(address) && !CLOUD_SERVICES.includes(address));
}

/**
 * A check for CIDR ranges and single addresses of either family.
 * @throws TypeError naming the entry that is neither
 */
export function rangeCheck(ranges: readonly string[]): (address: string) => boolean {
  const parsed = ranges.map(parseRange);
  return (address) => {
    const asked = parseAddress(address);
    return asked !== undefined && parsed.some((range) => isInRange(asked, range));
  };
}

function isInRange(address: Address, [network, length]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, length);
}

function parseAddress(address: string): Address | undefined {
  const strict = isIPv4(address) || (isIPv6(address) && !address.includes('%'));
  return strict ? ipaddr.parse(address) : undefined;
}

function parseRange(range: string): Range {
  const [address = '', prefix] = range.split('/');
  const network = parseAddress(address);
  const bits = network?.kind() === 'ipv4' ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
  if (!network || !(length <= bits)) throw new TypeError(`not an address or CIDR range: ${range}`);
  return [network, length];
}

/**
 * Ports above 1023 at which well-known services that are not web pages listen. Browsers refuse many of them ("bad ports"
 * of the WHATWG Fetch standard); the data stores are added because a GET whose path a stranger chooses is a command to
 * some of them.
 */
const SERVICE_PORTS = new Set([
  1433, 1434, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061,
  5432, 5672, 5900, 5984, 5985, 5986, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  7000, 7001, 8086, 8500, 9042, 9092, 9160, 9200, 9300, 10080, 10250, 10255, 11211, 15672, 27017, 27018,
  27019, 28015, 50000, 61616,
]);

/** Whether pages may be fetched from `port` by default: 80, 443 and every port from 1024 up without another well-known service. */
function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1024 && port <= 65_535 && !SERVICE_PORTS.has(port));
}
