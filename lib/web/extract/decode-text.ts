/** How far a declaration may stand from the beginning (the HTML standard says 1,024 bytes; pages are laxer). */
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
  if (label === 'windows-1252') return decodeWindows1252(bytes);
  if (label !== undefined) return new TextDecoder(label).decode(bytes);
  try {
    // `stream`: a cut page may end inside a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return decodeWindows1252(bytes);
  }
}

/** The characters 0x80 to 0x9f of windows-1252. Its five holes stay control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Node 20's `TextDecoder` takes windows-1252 for Latin-1: quotation marks and dashes would become control characters. */
function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]!);
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
