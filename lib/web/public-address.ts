import ipaddr from 'ipaddr.js';
import { isIPv4, isIPv6 } from 'node:net';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network address and the length of its prefix. */
type Range = readonly [Address, number];

/** Public by every registry, but a cloud's own services answer there to each of its machines (Azure). */
const CLOUD_SERVICES = ['168.63.129.16'];
/** All IPv6 addresses of the public internet so far. This alone shuts out every way to put an IPv4 address into an IPv6 one but 6to4. */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3');

/**
 * Whether `address` is a public unicast address, one where a page of the open web may be. Strict: only plain dotted-decimal IPv4 and IPv6
 * without a zone can be public. Other notations of IPv4 (decimal, octal, hex, short forms) do not get here: the URL parser has converted
 * them. The ranges are those of `ipaddr.js` (the IANA special-purpose registries, RFC 6890 and its updates).
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
