/**
 * The URL that a text is; undefined for any other text. Not `URL.canParse`: that of Node 20 refuses hosts such as `münchen.example` once
 * V8 has optimized the call.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Whether a value is the text of an http or https address. */
export const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:$/.test(parseUrl(value)?.protocol ?? '');

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1|::ffff:127(?:\.\d{1,3}){3})$/i;

/** Whether a host name or an address means this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
