import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { setResponseHeader, toolOf } from '../core/http-exchange.js';
import { callerOf, type GuardedRequest } from './api-key.guard.js';
import { MINUTE, RequestLimits, type LimitState } from './request-limits.js';

/**
 * Counts the request against the caller's limits and says in the headers what is left (`RateLimit`, `RateLimit-Policy` as in
 * draft-ietf-httpapi-ratelimit-headers-11, one item a limit). Callers are counted by their key, or by address where the host has a
 * guard of its own.
 *
 * @throws RateLimitedError, BudgetUsedUpError (429)
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(@Inject(RequestLimits) private readonly limits: RequestLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const tool = toolOf(context);
    if (!tool) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    await this.limits.take(callerOf(request), tool, (states) => {
      const response = http.getResponse<object>();
      setResponseHeader(response, 'RateLimit-Policy', states.map(policyOf).join(', '));
      setResponseHeader(response, 'RateLimit', states.map(restOf).join(', '));
    });
    return true;
  }
}

const policyOf = ({ policy, limit }: LimitState): string => `"${policy}";q=${limit};w=${MINUTE}`;

const restOf = ({ policy, remaining, resetSeconds }: LimitState): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`;
