import { MissingPeerError, ToolsError, UpstreamTimeoutError } from '../errors/index.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { UpstreamHealth } from './upstream-health.js';

/** What watching a call needs. */
export interface Watcher {
  health: UpstreamHealth;
  telemetry: Telemetry;
}

/** A port whose implementations have a name and one method that asks upstream with the context as its last argument. */
type Port<M extends string> = { readonly name: string } & Record<M, (...args: never[]) => Promise<unknown>>;

/**
 * The same implementation of a port, with a span around each call of `method` and its outcome in the health registry. An answer that
 * the material is not there (404, 422) speaks for the upstream; a call that was cancelled says nothing about it.
 *
 * @param group whose upstream it is: a tool, or `model`
 */
export function watched<M extends string, T extends Port<M>>(
  target: T,
  method: M,
  group: string,
  { health, telemetry }: Watcher,
): T {
  const { name } = target;
  health.register(group, name);
  const call = async (...args: unknown[]): Promise<unknown> => {
    const { signal } = args.at(-1) as { signal: AbortSignal };
    const span = telemetry.startSpan(`${group} ${name}`, { attributes: { 'nestjs_tools.provider': name } });
    try {
      const answer = await span.run((): Promise<unknown> => Reflect.apply(target[method], target, args));
      health.succeeded(group, name);
      return answer;
    } catch (error) {
      // Whatever an aborted call threw, the reason for the abort is the truth.
      const reason: unknown = signal.aborted ? signal.reason : error;
      const cancelled = signal.aborted && !(reason instanceof UpstreamTimeoutError);
      span.fail(cancelled ? 'cancelled' : codeOf(reason));
      if (!cancelled && isItsFault(reason)) health.failed(group, name, codeOf(reason));
      else if (!cancelled) health.succeeded(group, name);
      throw error;
    } finally {
      span.end();
    }
  };
  // A proxy and not a copy: an implementation may have getters and private fields.
  return new Proxy(target, {
    get: (_, property) => {
      if (property === method) return call;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function isItsFault(error: unknown): boolean {
  return !(error instanceof ToolsError) || error.getStatus() >= 500;
}

function codeOf(error: unknown): string {
  if (error instanceof MissingPeerError) return 'not_installed';
  return error instanceof ToolsError ? error.code : 'failed';
}
