import { nextTurn } from './async.js';
import { Inject, Logger, type InjectionToken, type Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { UpstreamInvalidError, MissingPeerError } from './errors.js';
import { Issue, parseOption, type Schema } from './schema.js';
import { printable } from './printable.js';

/** A factory, with the dependencies that it needs from the host's container. */
export interface ProviderOptionFactory<T> {
  useFactory: (...dependencies: never[]) => T | Promise<T>;
  /** Tokens, in the order of the parameters. */
  inject?: readonly InjectionToken[];
}

/**
 * How a host gives its own implementation of a port: an instance, a class (its constructor is injected), or a factory.
 * Its dependencies must be visible to the module: exported by a module in `imports`, or global.
 */
export type ProviderOption<T> = T | Type<T> | ProviderOptionFactory<T>;

/**
 * The instance behind a {@link ProviderOption}. Classes and factories get their dependencies from the module's container.
 * @param option its path, e.g. `search.reranker`
 * @throws InvalidOptionError where it is no implementation of the port
 */
export async function resolveProviderOption<T extends object>(
  option: string,
  schema: Schema<T>,
  provided: ProviderOption<T>,
  moduleRef: ModuleRef,
): Promise<T> {
  return parseOption(option, schema, await instanceOf(provided, moduleRef));
}

async function instanceOf<T extends object>(provided: ProviderOption<T>, moduleRef: ModuleRef): Promise<T> {
  if (typeof provided === 'function') return moduleRef.create(provided);
  if (Object(provided) !== provided || !('useFactory' in provided)) return provided as T;
  const { useFactory, inject = [] } = provided;
  // A class made for this purpose lets the container resolve the dependencies, waiting for those that are still being built.
  class Dependencies {
    readonly values: unknown[];
    constructor(...values: unknown[]) {
      this.values = values;
    }
  }
  inject.forEach((token, index) => Inject(token)(Dependencies, undefined, index));
  const { values } = await moduleRef.create(Dependencies);
  return useFactory(...(values as never[]));
}

export async function resolveProviderOptions<T extends object>(
  option: string,
  schema: Schema<T>,
  list: readonly ProviderOption<T>[],
  moduleRef: ModuleRef,
): Promise<T[]> {
  const resolved: T[] = [];
  for (const [i, provided] of list.entries())
    resolved.push(await resolveProviderOption(`${option}[${i}]`, schema, provided, moduleRef));
  return resolved;
}

/**
 * What an implementation of a port, usually the host's own, returned. The log says what exactly is wrong; the client is not told.
 *
 * @param port e.g. `transcript provider`
 * @param name name of the implementation
 * @throws UpstreamInvalidError when it has the wrong shape
 */
export function portResult<T>(schema: Schema<T>, result: unknown, port: string, name: string): T {
  const read = schema.read(result);
  if (!(read instanceof Issue)) return read;
  const what = printable(`The ${port} "${name}" returned something that cannot be used`);
  new Logger('ToolsModule').warn(`${what}: ${read.describe()}.`);
  throw new UpstreamInvalidError(`${what}.`, { upstream: { upstream: name, code: 'invalid_result' } });
}

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
    // A large package holds the event loop while it loads: nothing else runs in that turn.
    await nextTurn();
    const loaded = await load();
    await nextTurn();
    return loaded;
  } catch (error) {
    if (isMissing(error, name)) throw new MissingPeerError(name, user);
    throw error;
  }
}

/** Name of the method by which a part says at start what every request would fail with. */
export const CHECK: unique symbol = Symbol.for('nestjs-tools:check');

/** A part that can tell at start that it cannot work. */
export interface ChecksItself {
  /** @throws an error whose message tells the host what to do */
  [CHECK](signal: AbortSignal): Promise<void>;
}

/** Whether an error of `import()` or `require` says that this package is not there, and not one that it needs itself. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if ((code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') || message === undefined) return false;
  // As Node says it, and as Yarn's Plug'n'Play does.
  return message.includes(`'${name}'`) || `${message}\n`.includes(`Required package: ${name}\n`);
}
