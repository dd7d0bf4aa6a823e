import { parseUrl } from '../../core/url.js';

/** Query parameters that say where a reader came from and not what the page is. */
const TRACKING =
  /^(?:utm_\w+|gclid|gclsrc|dclid|fbclid|msclkid|yclid|igshid|mc_cid|mc_eid|ref|ref_src|ref_url|referrer|spm|cmpid|_ga)$/i;

/**
 * The key under which two addresses count as the same page: scheme, `www.`, `m.`, `amp.`, default port, fragment, tracking
 * parameters, order of parameters, the percent-encoding of characters, `index.html` and a trailing slash make no difference. A key, not an address to open.
 * Text that is not an http(s) address is only trimmed. Idempotent.
 */
export function canonicalUrl(address: string): string {
  const url = parseUrl(address.trim());
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return address.trim();
  // URL drops only the default port of its own scheme, and http is about to become https.
  const port = url.port === '80' || url.port === '443' ? '' : url.port;
  const host = url.hostname
    .toLowerCase()
    .replace(/\.{1,20}$/, '')
    .replace(SAME_HOST, '');
  const parameters = [...url.searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .map((parameter) => new URLSearchParams([parameter]).toString())
    .sort();
  const query = parameters.join('&');
  const path = withoutIndex(url.pathname.split('/').map(reencoded).join('/'));
  return `https://${host}${port ? `:${port}` : ''}${path}${query ? `?${query}` : ''}`;
}

const SAME_HOST = /^(?:(?:www|m|mobile|amp)\.(?=[^.]+\.))+/;
const SAME_PART = /^(?:(?:index|default)\.(?:html?|php|aspx?)|amp)?$/i;

function withoutIndex(path: string): string {
  const parts = path.split('/');
  while (parts.length > 1 && SAME_PART.test(parts.at(-1)!)) parts.pop();
  return parts.join('/');
}

/** A part of a path in one percent-encoding: `caf%c3%a9` and `café`, `a,b` and `a%2Cb` are the same. Bytes that are not UTF-8 stay. */
function reencoded(part: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(part));
  } catch {
    return part.replace(/%[\da-f]{2}/gi, (byte) => byte.toUpperCase());
  }
}
