import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { proceed } from '../../core/maybe-promise.js';
import { setResponseHeader } from '../../core/response-header.js';
import { identityOf, type GuardedRequest } from '../api-key.guard.js';
import { toolOf } from '../tool.decorator.js';
import { callerOf, RequestLimits, type LimitState } from './request-limits.js';

/**
 * Counts the request against the caller's limits and says in the headers what is left (`RateLimit`, `RateLimit-Policy` as in
 * draft-ietf-httpapi-ratelimit-headers-11, one item a limit). Callers are told apart by their key, or by address where the host has a
 * guard of its own.
 *
 * @throws RateLimitedError (429)
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(@Inject(RequestLimits) private readonly limits: RequestLimits) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const tool = toolOf(context);
    if (!tool) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const taken = this.limits.take(callerOf(identityOf(request), request), tool, (states) => {
      const response = http.getResponse<object>();
      setResponseHeader(response, 'RateLimit-Policy', states.map(policyOf).join(', '));
      setResponseHeader(response, 'RateLimit', states.map(restOf).join(', '));
    });
    return proceed(taken, () => true);
  }
}

const policyOf = ({ policy, limit, windowSeconds }: LimitState): string =>
  `"${policy}";q=${limit};w=${windowSeconds}`;

const restOf = ({ policy, remaining, resetSeconds }: LimitState): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`;
