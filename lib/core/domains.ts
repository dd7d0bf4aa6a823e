import { parseUrl } from './url.js';

/** Domains with their subdomains: only those included, if there are any, and none of those excluded. */
export interface DomainLists {
  includeDomains?: readonly string[];
  excludeDomains?: readonly string[];
}

/** A domain as it is compared: lower case, without scheme, path, port, `*.`, `www.` and a full stop at its end. May be empty. */
export function bareDomain(domain: string): string {
  return domain
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .split(/[/:?#]/, 1)[0]!
    .replace(/^(?:\*\.|www\.|\.)/, '')
    .replace(/\.$/, '');
}

/** True when a host is one of the domains or lies below one. Empty domains are ignored. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  return domains.some((entry) => {
    const domain = bareDomain(entry);
    return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
  });
}

export function isOnDomain(address: string, domains: readonly string[]): boolean {
  const host = (parseUrl(address)?.hostname ?? '').replace(/\.$/, '').replace(/^www\./, '');
  return host !== '' && isWithin(host, domains);
}

export function isAdmitted(
  address: string,
  { includeDomains = [], excludeDomains = [] }: DomainLists,
): boolean {
  if (includeDomains.length > 0 && !isOnDomain(address, includeDomains)) return false;
  return excludeDomains.length === 0 || !isOnDomain(address, excludeDomains);
}
