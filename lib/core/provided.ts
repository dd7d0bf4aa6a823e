import { Inject, type InjectionToken, type Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';

/** A factory with what it needs from the host's container. */
export interface ProvidedFactory<T> {
  useFactory: (...dependencies: never[]) => T | Promise<T>;
  /** Tokens, in the order of the parameters. */
  inject?: readonly InjectionToken[];
}

/**
 * How a host gives its own implementation of a port: an instance, a class (its constructor is injected), or a factory.
 * What is injected must be visible to the module: exported by a module in `imports`, or global.
 */
export type Provided<T> = T | Type<T> | ProvidedFactory<T>;

/** The instance behind a {@link Provided}; classes and factories get their dependencies from the module's container. */
export async function resolveProvided<T extends object>(
  provided: Provided<T>,
  moduleRef: ModuleRef,
): Promise<T> {
  if (typeof provided === 'function') return moduleRef.create(provided);
  // What is none of the three is refused by whoever knows the option's name.
  if (Object(provided) !== provided || !('useFactory' in provided)) return provided as T;
  const { useFactory, inject = [] } = provided;
  // A class made for the occasion lets the container resolve the dependencies, waiting for those that are still being built.
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

/** {@link resolveProvided} over a list, in order. */
export async function resolveAllProvided<T extends object>(
  list: readonly Provided<T>[],
  moduleRef: ModuleRef,
): Promise<T[]> {
  const resolved: T[] = [];
  for (const provided of list) resolved.push(await resolveProvided(provided, moduleRef));
  return resolved;
}
