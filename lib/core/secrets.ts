/** Secrets of the options, as they are written and as they stand in an address. */
const known = new Set<string>();
/** Names of variables that hold secrets: models read their keys from there, and never show them to us. */
const SECRET_NAMES = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;
/** Shorter ones are words, and would hide parts of others, characters. */
const SHORTEST = 6;

let isEnvironmentRead = false;

/** Hides a value from now on in what {@link withoutSecrets} returns. Of an address its password is hidden. */
export function rememberSecret(value: string): void {
  const secret = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? passwordIn(value) : value.trim();
  // Marginalia's key for everybody is a word.
  if (secret.length < SHORTEST || secret === 'public') return;
  known.add(secret).add(encodeURIComponent(secret));
}

function passwordIn(address: string): string {
  try {
    return decodeURIComponent(new URL(address).password);
  } catch {
    return '';
  }
}

/** A text without the secrets of this process: those of the options, and those of variables whose names say so. */
export function withoutSecrets(text: string): string {
  if (!isEnvironmentRead) {
    isEnvironmentRead = true;
    for (const [name, value = ''] of Object.entries(process.env))
      if (SECRET_NAMES.test(name)) rememberSecret(value);
  }
  let shown = text;
  for (const secret of known) if (shown.includes(secret)) shown = shown.replaceAll(secret, '…');
  return shown;
}
