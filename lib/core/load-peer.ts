import { MissingPeerError } from './errors.js';

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
    if (isMissing(error, name)) throw new MissingPeerError(name, user);
    throw error;
  }
}

/**
 * Checks at start that an optional peer is installed, without loading it.
 *
 * @throws MissingPeerError naming the install command
 */
export function requirePeer(name: string, user: string): void {
  // Jest may run the package as an ES module, which has no `require`; then the first use finds out.
  if (typeof require === 'undefined') return;
  try {
    require.resolve(name);
  } catch (error) {
    // A package for `import` alone is there, and cannot be resolved this way.
    if (isMissing(error, name)) throw new MissingPeerError(name, user);
  }
}

/** Whether an error of `import()` or `require` says that this package is not there, and not one that it needs itself. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if ((code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') || message === undefined) return false;
  // As Node says it, and as Yarn's Plug'n'Play does.
  return message.includes(`'${name}'`) || `${message}\n`.includes(`Required package: ${name}\n`);
}
