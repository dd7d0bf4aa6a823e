import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ForbiddenToolError, InvalidApiKeyError, MissingApiKeyError } from '../core/errors/index.js';
import { API_KEY_STORE } from '../core/tokens.js';
import type { ToolName } from '../core/tool-names.js';
import type { ApiKeyIdentity, ApiKeyStore } from './api-key-store.js';
import { TOOL_METADATA } from './tool.decorator.js';

/** The parts of a request that the guards read; Express and Fastify both have them. */
export interface GuardedRequest {
  headers: Record<string, string | string[] | undefined>;
  ip?: string;
  [IDENTITY]?: ApiKeyIdentity;
}

const IDENTITY = Symbol.for('nestjs-tools:api-key-identity');

/** Who made this request; undefined where the host put another guard in place of ours. */
export function identityOf(request: object): ApiKeyIdentity | undefined {
  return (request as GuardedRequest)[IDENTITY];
}

/**
 * Lets a request through when its `X-API-Key` is valid and may use the tool. Runs before validation and before anything upstream.
 * A host changes a step by overriding a protected method.
 *
 * @throws MissingApiKeyError, InvalidApiKeyError (401), ForbiddenToolError (403)
 * @publicApi
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(@Inject(API_KEY_STORE) protected readonly store: ApiKeyStore) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const key = this.extractKey(request);
    if (!key) throw new MissingApiKeyError();
    const identity = await this.store.verify(key);
    if (!identity) throw new InvalidApiKeyError();
    const tool = Reflect.getMetadata(TOOL_METADATA, context.getHandler()) as ToolName | undefined;
    if (tool && identity.tools && !identity.tools.includes(tool)) throw new ForbiddenToolError(tool);
    request[IDENTITY] = identity;
    return true;
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
