import {
  HttpException,
  Inject,
  Injectable,
  Logger,
  Optional,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { raceTimeout, type MaybePromise } from '../core/async.js';
import {
  InvalidApiKeyError,
  ToolsError,
  type ToolsErrorOptions,
  UpstreamUnavailableError,
  withoutStack,
} from '../core/errors.js';
import { logThrown, thrownFault } from '../core/failures.js';
import { requestIdOf, toolOf } from '../core/http-exchange.js';
import { API_KEY_STORE } from '../core/injection-tokens.js';
import type { ToolName } from '../core/request-event.js';
import { faultOf, valid } from '../core/schema.js';
import { printable } from '../core/printable.js';
import { IDENTITY_SCHEMA } from './auth.options.js';
import { MemoryApiKeyStore, type ApiKeyIdentity, type ApiKeyStore } from './api-key-store.js';
import { network, RequestLimits, type Caller } from './request-limits.js';

/** The parts of a request that the guards read; Express and Fastify both have them. */
export interface GuardedRequest {
  headers: Record<string, string | string[] | undefined>;
  ip?: string;
}

/** A key store, or a verifier of tokens, that is slower than this counts as down, ms; a plain bound. */
const TIMEOUT_MS = 5_000;

const unchecked = (what: string, options: ToolsErrorOptions = {}): UpstreamUnavailableError =>
  new UpstreamUnavailableError(`The ${what} cannot be checked at the moment.`, options);

/**
 * Asks code of the host whose a credential is.
 * @param what is checked, for the caller; `name` of who checks it, for the log
 * @throws UpstreamUnavailableError when it fails or is too slow; its own HttpException
 */
export async function askHost<T>(
  what: string,
  name: string,
  requestId: string,
  ask: () => MaybePromise<T>,
): Promise<T> {
  try {
    return await raceTimeout(ask(), TIMEOUT_MS);
  } catch (error) {
    if (error instanceof HttpException) throw error;
    const failure = unchecked(what, { cause: error, upstream: thrownFault(name, error) });
    logThrown(failure, requestId);
    throw failure;
  }
}

const IDENTITY = new WeakMap<object, ApiKeyIdentity>();

/** The caller of this request; undefined if the host replaced `ApiKeyGuard` with another guard. */
export function identityOf(request: object): ApiKeyIdentity | undefined {
  return IDENTITY.get(request);
}

/** The caller that is counted for a request: the owner of its key, else its address. */
export function callerOf(request: { readonly ip?: string }): Caller {
  return identityOf(request) ?? { id: network(request.ip ?? 'unknown') };
}

/**
 * An identity from the host's own store or guard. The log says what is wrong with one that cannot be used.
 * @throws UpstreamUnavailableError
 */
function checkedIdentity(returned: ApiKeyIdentity): ApiKeyIdentity {
  const identity = valid(IDENTITY_SCHEMA, returned);
  if (identity) return identity as ApiKeyIdentity;
  const fault = printable(faultOf(IDENTITY_SCHEMA, returned, 'the value')!);
  new Logger('ToolsModule').error(
    `The key store or guard returned an identity that cannot be used: ${fault}.`,
  );
  throw unchecked('API key');
}

export function checkTool({ tools }: ApiKeyIdentity, tool: ToolName): void {
  if (tools && !tools.includes(tool))
    throw new ToolsError('forbidden_tool', `This API key may not use ${tool}.`);
}

/**
 * Lets a request through when its API key is valid and may use the tool. Runs before validation and before any upstream call.
 *
 * A host changes a step by overriding it: `extractKey` for another header, `identify` for another kind of credential, `onRefused` for
 * other errors.
 *
 * @example
 * class BearerGuard extends ApiKeyGuard {
 *   protected override async identify(request: GuardedRequest): Promise<ApiKeyIdentity | undefined> {
 *     const user = await verifyJwt(request.headers.authorization);
 *     return user && { id: user.sub, name: user.email };
 *   }
 * }
 * ToolsModule.forRoot({ guards: [BearerGuard] });
 *
 * @throws ToolsError `missing_api_key`, InvalidApiKeyError (401), ToolsError `forbidden_tool` (403), RateLimitedError (429) where the host limits
 *   the wrong keys of one address, UpstreamUnavailableError (503) when the key store fails
 * @publicApi
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(API_KEY_STORE) protected readonly store: ApiKeyStore,
    @Optional() @Inject(RequestLimits) private readonly limits?: RequestLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    try {
      const returned = await this.identify(request, context);
      if (!returned) throw withoutStack(() => new InvalidApiKeyError());
      const identity = checkedIdentity(returned);
      IDENTITY.set(request, identity);
      const tool = toolOf(context);
      if (tool) checkTool(identity, tool);
      return true;
    } catch (error) {
      throw this.onRefused(error, context);
    }
  }

  /**
   * Identifies the caller; undefined when the credentials are not valid. Limits, jobs, logs and `onUsage` go by its `id`.
   *
   * The default looks up the key of `extractKey` in the store. Where refused keys are limited, an address that has shown too many of them
   * is refused without a look-up.
   *
   * @throws ToolsError `missing_api_key` when there is no key
   */
  protected async identify(
    request: GuardedRequest,
    _context: ExecutionContext,
  ): Promise<ApiKeyIdentity | undefined> {
    const key = this.extractKey(request);
    if (!key)
      throw withoutStack(
        () => new ToolsError('missing_api_key', 'Send your API key in the header X-API-Key.'),
      );
    const look = () => askHost('API key', 'key store', requestIdOf(request), () => this.store.verify(key));
    const identity = await this.verifyCounted(request, look);
    const why = !identity && this.store instanceof MemoryApiKeyStore ? this.store.whyRefused(key) : undefined;
    if (why) throw new InvalidApiKeyError({ cause: new Error(why) });
    return identity;
  }

  /**
   * Checks a credential. One that is refused counts against the client's address, where the host limits those.
   * @internal
   */
  verifyCounted(
    request: GuardedRequest,
    verify: () => Promise<ApiKeyIdentity | undefined>,
  ): MaybePromise<ApiKeyIdentity | undefined> {
    return this.limits ? this.limits.verifyCounted(request, verify) : verify();
  }

  /**
   * The key of a request: the header `X-API-Key`, else `Authorization: Bearer <key>`. Undefined where there is neither. A header that was
   * sent twice arrives joined with a comma and is no valid key.
   */
  protected extractKey({ headers }: GuardedRequest): string | undefined {
    const header = headers['x-api-key'];
    if (header) return typeof header === 'string' ? header : undefined;
    const { authorization } = headers;
    return typeof authorization === 'string' ? /^Bearer +(\S+)$/i.exec(authorization)?.[1] : undefined;
  }

  /** The error that is thrown in place of one that refuses the request. Default: the same. */
  protected onRefused(error: unknown, _context: ExecutionContext): unknown {
    return error;
  }
}
