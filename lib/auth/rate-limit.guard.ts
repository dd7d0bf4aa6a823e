import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { REQUEST_LIMITER } from '../core/tokens.js';
import { identityOf, type GuardedRequest } from './api-key.guard.js';
import type { RequestLimiter } from './request-limiter.js';

/**
 * Counts the request against the caller's limit and says in the headers what is left (`RateLimit`, `RateLimit-Policy` as in
 * draft-ietf-httpapi-ratelimit-headers-11). Callers are told apart by their key, or by address where the host has a guard of its own.
 *
 * @throws RateLimitedError (429)
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    @Inject(REQUEST_LIMITER) private readonly limiter: RequestLimiter | undefined,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.limiter) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const response = http.getResponse<object>();
    const caller = identityOf(request)?.id ?? request.ip ?? 'unknown';
    await this.limiter.take(caller, (state) => {
      const { httpAdapter } = this.adapterHost;
      httpAdapter.setHeader(
        response,
        'RateLimit-Policy',
        `"requests";q=${state.limit};w=${state.windowSeconds}`,
      );
      httpAdapter.setHeader(response, 'RateLimit', `"requests";r=${state.remaining};t=${state.resetSeconds}`);
    });
    return true;
  }
}
