/** Secrets of the options, as they are written and as they stand in an address. */
const known = new Set<string>();
/** Lengths of the secrets that begin with the same characters, the longest first: a host may have ten thousand keys that do. */
const lengthsOf = new Map<string, number[]>();
/** By the first two characters of a secret, each cut to eight bits: most places of a text begin none. */
const begins = new Uint8Array(65_536);
/** Names of variables that hold secrets: models read their keys from there, and never show them to us. */
const SECRET_NAMES = /(?:KEYS?|TOKENS?|SECRETS?|PASS(?:WORD)?|PWD)$/i;
/** Variables with an address, whose password is a secret. */
const ADDRESS_NAMES = /UR[IL]$/i;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;
/** Shorter ones are words, and would hide parts of others, characters; set by hand. */
const SHORTEST = 6;

let isEnvironmentRead = false;

/** Hides a value from now on in what {@link withoutSecrets} returns. Of an address its password is hidden. */
export function rememberSecret(value: string): void {
  for (const secret of formsOf(value.trim())) {
    // Marginalia's key for everybody is a word.
    if (secret.length < SHORTEST || secret === 'public') continue;
    known.add(secret);
    const start = secret.slice(0, SHORTEST);
    const lengths = lengthsOf.get(start) ?? [];
    if (lengths.includes(secret.length)) continue;
    const all = [...lengths, secret.length].sort((a, b) => b - a);
    lengthsOf.set(start, all);
    begins[placeOf(secret, 0)] = 1;
  }
}

const placeOf = (text: string, i: number): number =>
  ((text.charCodeAt(i) & 255) << 8) | (text.charCodeAt(i + 1) & 255);

/** A secret as it is written, and with and without percent-encoding. */
function formsOf(value: string): string[] {
  const isAddress = ADDRESS.test(value);
  if (isAddress && !URL.canParse(value)) return [];
  const written = isAddress ? new URL(value).password : value;
  try {
    const plain = isAddress ? decodeURIComponent(written) : written;
    return [written, plain, encodeURIComponent(plain)];
  } catch {
    // A per cent sign that encodes nothing, or half of a character.
    return [written];
  }
}

/** A text without the secrets of this process: those of the options, and those of variables whose names say so. */
export function withoutSecrets(text: string): string {
  if (!isEnvironmentRead) {
    isEnvironmentRead = true;
    for (const [name, value = ''] of Object.entries(process.env))
      if (SECRET_NAMES.test(name)) value.split(',').forEach(rememberSecret);
      else if (ADDRESS_NAMES.test(name) && ADDRESS.test(value)) rememberSecret(value);
  }
  let shown = '';
  let from = 0;
  for (let i = 0; i + SHORTEST <= text.length; i++) {
    if (begins[placeOf(text, i)] === 0) continue;
    const lengths = lengthsOf.get(text.slice(i, i + SHORTEST));
    const length = lengths?.find((count) => known.has(text.slice(i, i + count)));
    if (length === undefined) continue;
    shown += `${text.slice(from, i)}…`;
    from = i + length;
    i = from - 1;
  }
  return from === 0 ? text : shown + text.slice(from);
}
