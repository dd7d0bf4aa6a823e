import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * What of IPv4 is not public unicast: every block of the IANA special-purpose registry (RFC 6890 and its updates) that
 * no web page lives in, multicast, the reserved rest, and one public address that a cloud answers from inside.
 */
const NON_PUBLIC_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; also a cloud's metadata service
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's own services, reachable from every machine there
  '169.254.0.0/16', // link-local; the usual metadata service
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments; also a cloud's metadata service
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/**
 * IPv6 goes by allow list: global unicast only. That alone shuts out loopback, mapped, compatible and translated IPv4
 * (`::/8`, `64:ff9b::/96`), unique local, link-local, site-local, multicast and segment routing.
 */
const GLOBAL_V6 = ['2000::/3'];

/** What of 2000::/3 is special: tunnels that carry an IPv4 address inside, protocol assignments, documentation. */
const NON_PUBLIC_V6 = [
  '2001::/23', // IETF protocol assignments: Teredo, benchmarking, ORCHID, drone ids
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
];

/** Made with the first address that is looked at. */
let lists: { nonPublicV4: BlockList; globalV6: BlockList; nonPublicV6: BlockList } | undefined;

/**
 * Whether `address` is a public unicast address, one that a page on the open web may live at. Strict and fail-closed:
 * anything that is not plain dotted-decimal IPv4 or IPv6 without a zone is not public. Other notations of IPv4 (decimal,
 * octal, hex, short forms) do not come here: the URL parser has turned them into this one.
 */
export function isPublicAddress(address: string): boolean {
  lists ??= {
    nonPublicV4: rangeList(NON_PUBLIC_V4),
    globalV6: rangeList(GLOBAL_V6),
    nonPublicV6: rangeList(NON_PUBLIC_V6),
  };
  const { nonPublicV4, globalV6, nonPublicV6 } = lists;
  if (isIPv4(address)) return !nonPublicV4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !nonPublicV6.check(address, 'ipv6');
}

/**
 * A list of CIDR ranges or single addresses of either family, for `check`.
 * @throws TypeError naming the entry that is none
 */
export function rangeList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    const bits = family === 'ipv4' ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN;
    if ((family === 'ipv6' && !isIPv6(address)) || address.includes('%') || !(length <= bits))
      throw new TypeError(`not an address or CIDR range: ${range}`);
    list.addSubnet(address, length, family);
  }
  return list;
}
