import { MissingPeerError } from './errors/index.js';

/**
 * Loads an optional peer when it is used.
 *
 * @param name of the package
 * @param user what needs it, as the error says it
 * @param load imports the package, by a literal name where bundlers shall see it
 * @throws MissingPeerError naming the install command where the package is not there; what the package throws as it loads
 */
export async function loadPeer<T>(name: string, user: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (isMissing(error)) throw new MissingPeerError(name, user);
    throw error;
  }
}

/** Whether an error of `import()` or `require` says that a package is not there. */
export function isMissing(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
