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
