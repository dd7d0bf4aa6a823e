import { isUtf8 } from 'node:buffer';

/** How far a declaration may stand from the beginning (the HTML standard says 1,024 bytes; pages are laxer); set by hand. */
const PRESCAN_BYTES = 4096;

/**
 * The text of a page: by byte order mark, else the charset of `Content-Type`, else (HTML only) of a `meta` tag, else UTF-8
 * where the bytes are valid UTF-8, else windows-1252, as the Encoding and HTML standards have it. Never throws: bytes
 * that mean nothing become U+FFFD.
 *
 * @param contentType the value of the header, with its parameters
 */
export function decodeText(bytes: Buffer, contentType: string | null | undefined, isHtml: boolean): string {
  const label =
    byteOrderMark(bytes) ??
    known(/charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? '')?.[1]) ??
    (isHtml ? declared(bytes) : undefined);
  // A cut page may end inside a character. Without `stream`, Node 20 takes windows-1252 for Latin-1.
  const decode = (encoding: string, fatal = false): string =>
    new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
  // Four times as fast as a TextDecoder.
  if ((label ?? 'utf-8') === 'utf-8' && isUtf8(bytes)) return bytes.toString().replace(/^\uFEFF/, '');
  if (label !== undefined) return decode(label);
  try {
    return decode('utf-8', true);
  } catch {
    return decode('windows-1252');
  }
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function declared(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, PRESCAN_BYTES).toString('latin1');
  for (const [tag] of head.matchAll(/<(?:meta|\?xml)\s[^<>]{1,400}/gi)) {
    const found = known(/(?:charset|encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]+)/i.exec(tag)?.[1]);
    // A page whose declaration can be read as ASCII is not UTF-16, even if it says so.
    if (found !== undefined) return found.startsWith('utf-16') ? 'utf-8' : found;
  }
  return undefined;
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
