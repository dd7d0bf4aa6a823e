import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { identityOf, type GuardedRequest } from '../api-key.guard.js';
import { toolOf } from '../tool.decorator.js';
import { callerOf, RequestLimits } from './request-limits.js';

/**
 * Counts the request against the caller's limits and says in the headers what is left (`RateLimit`, `RateLimit-Policy` as in
 * draft-ietf-httpapi-ratelimit-headers-11, one item a limit). Callers are told apart by their key, or by address where the host has a
 * guard of its own.
 *
 * @throws RateLimitedError (429)
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    @Inject(RequestLimits) private readonly limits: RequestLimits,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const response = http.getResponse<object>();
    const tool = toolOf(context);
    if (!tool) return true;
    await this.limits.take(callerOf(identityOf(request), request.ip), tool, (states) => {
      const { httpAdapter } = this.adapterHost;
      const policies = states.map((s) => `"${s.policy}";q=${s.limit};w=${s.windowSeconds}`);
      const left = states.map((s) => `"${s.policy}";r=${s.remaining};t=${s.resetSeconds}`);
      httpAdapter.setHeader(response, 'RateLimit-Policy', policies.join(', '));
      httpAdapter.setHeader(response, 'RateLimit', left.join(', '));
    });
    return true;
  }
}
