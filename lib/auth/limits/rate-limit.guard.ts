import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { proceed } from '../../core/async.js';
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
  /** Policies as they were written last, by name: most callers have the same limits. */
  private readonly written = new Map<string, WrittenPolicy>();

  constructor(@Inject(RequestLimits) private readonly limits: RequestLimits) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const tool = toolOf(context);
    if (!tool) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const taken = this.limits.take(callerOf(identityOf(request), request), tool, (states) => {
      const response = http.getResponse<object>();
      setResponseHeader(response, 'RateLimit-Policy', listed(states, this.policyOf));
      setResponseHeader(response, 'RateLimit', listed(states, restOf));
    });
    return proceed(taken, () => true);
  }

  private readonly policyOf = ({ policy, limit, windowSeconds }: LimitState): string => {
    const last = this.written.get(policy);
    if (last?.limit === limit && last.windowSeconds === windowSeconds) return last.text;
    const text = `"${policy}";q=${limit};w=${windowSeconds}`;
    this.written.set(policy, { limit, windowSeconds, text });
    return text;
  };
}

interface WrittenPolicy {
  limit: number;
  windowSeconds: number;
  text: string;
}

const restOf = ({ policy, remaining, resetSeconds }: LimitState): string =>
  `"${policy}";r=${remaining};t=${resetSeconds}`;

/** `join` for a list that nearly always has one item; it takes a microsecond itself. */
function listed(states: readonly LimitState[], write: (state: LimitState) => string): string {
  return states.reduce((list, state) => (list ? `${list}, ${write(state)}` : write(state)), '');
}
