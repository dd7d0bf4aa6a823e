/** Secrets of the options, as they are written and as they stand in an address; the longest first, since one may begin with another. */
let known: string[] = [];
/** Names of variables that hold secrets: models read their keys from there, and never show them to us. */
const SECRET_NAMES = /(?:KEYS?|TOKENS?|SECRETS?|PASS(?:WORD)?|PWD)$/i;
/** Variables with an address, whose password is a secret. */
const ADDRESS_NAMES = /UR[IL]$/i;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;
/** Shorter ones are words, and would hide parts of others, characters. */
const SHORTEST = 6;

let isEnvironmentRead = false;

/** Hides a value from now on in what {@link withoutSecrets} returns. Of an address its password is hidden. */
export function rememberSecret(value: string): void {
  for (const secret of formsOf(value.trim()))
    // Marginalia's key for everybody is a word.
    if (secret.length >= SHORTEST && secret !== 'public' && !known.includes(secret)) known.push(secret);
  known = known.sort((a, b) => b.length - a.length);
}

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
  let shown = text;
  for (const secret of known) if (shown.includes(secret)) shown = shown.replaceAll(secret, '…');
  return shown;
}
