import {
  HttpException,
  Inject,
  Injectable,
  Optional,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import {
  ForbiddenToolError,
  InvalidApiKeyError,
  MissingApiKeyError,
  UpstreamUnavailableError,
} from '../core/errors.js';
import { isThenable, proceed, type MaybePromise, raceTimeout } from '../core/async.js';
import type { ToolName } from '../core/tool-names.js';
import { RequestSlot } from '../core/request-slot.js';
import { API_KEY_STORE } from '../core/injection-tokens.js';
import type { ApiKeyIdentity, ApiKeyStore } from './api-key-store.js';
import { RequestLimits } from './limits/request-limits.js';
import { toolOf } from './tool.decorator.js';

/** The parts of a request that the guards read; Express and Fastify both have them. */
export interface GuardedRequest {
  headers: Record<string, string | string[] | undefined>;
  ip?: string;
}

/** A store that is slower than this counts as down, ms. */
const STORE_TIMEOUT_MS = 5_000;

const IDENTITY = new RequestSlot<ApiKeyIdentity>('api-key-identity');

/** Who made this request; undefined where the host put another guard in place of ours. */
export function identityOf(request: object): ApiKeyIdentity | undefined {
  return IDENTITY.get(request);
}

/**
 * Lets a request through when its `X-API-Key` is valid and may use the tool. Runs before validation and before anything upstream.
 * A host changes a step by overriding a protected method.
 *
 * @throws MissingApiKeyError, InvalidApiKeyError (401), ForbiddenToolError (403), RateLimitedError (429) after too many wrong keys from one
 *   address where the host limits them, UpstreamUnavailableError (503) when the store fails: without it nobody is let in
 * @publicApi
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(API_KEY_STORE) protected readonly store: ApiKeyStore,
    @Optional() @Inject(RequestLimits) private readonly limits?: RequestLimits,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const key = this.extractKey(request);
    if (!key) throw new MissingApiKeyError();
    const tool = toolOf(context);
    if (this.limits?.limitsFailedKeys) return this.admitCounting(request, key, tool, this.limits);
    return proceed(this.verify(key), (identity) => this.admit(request, identity, tool));
  }

  /** Where refused keys are counted: the key store is not asked for an address that has shown too many of them. */
  private async admitCounting(
    request: GuardedRequest,
    key: string,
    tool: ToolName | undefined,
    limits: RequestLimits,
  ): Promise<boolean> {
    const identity = await limits.verifyCounted(request.ip ?? 'unknown', () => this.verify(key));
    return this.admit(request, identity, tool);
  }

  private admit(
    request: GuardedRequest,
    identity: ApiKeyIdentity | undefined,
    tool: ToolName | undefined,
  ): boolean {
    if (!identity) throw new InvalidApiKeyError();
    if (tool && identity.tools && !identity.tools.includes(tool)) throw new ForbiddenToolError(tool);
    IDENTITY.set(request, identity);
    return true;
  }

  private verify(key: string): MaybePromise<ApiKeyIdentity | undefined> {
    const failed = (error: unknown): never => {
      if (error instanceof HttpException) throw error;
      throw new UpstreamUnavailableError('The API key cannot be checked at the moment.', { cause: error });
    };
    try {
      const identity = this.store.verify(key);
      if (!isThenable(identity)) return checked(identity);
      return raceTimeout(identity, STORE_TIMEOUT_MS).then(checked).catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  /**
   * The key of a request, as it is: the server has taken spaces and tabs around it off, and `trim` would forgive a no-break space as
   * well. A header sent twice arrives joined with a comma and is no valid key.
   */
  protected extractKey(request: GuardedRequest): string | undefined {
    const header = request.headers['x-api-key'];
    return typeof header === 'string' ? header || undefined : undefined;
  }
}

/** An empty list of rows is truthy: what is no identity lets nobody in. */
function checked(identity: ApiKeyIdentity | undefined): ApiKeyIdentity | undefined {
  if (!identity || typeof identity.id === 'string') return identity;
  throw new TypeError('The ApiKeyStore returned something that is no identity: `id` must be a string.');
}
