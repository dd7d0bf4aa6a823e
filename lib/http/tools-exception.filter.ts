import { Catch, Inject, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { pathOf, requestIdOf, type ToolRequest } from '../core/http-exchange.js';
import { errorResponse, logInternalError } from '../core/error-response.js';
import { ToolsError } from '../core/errors.js';
import type { MountedTools } from '../core/request-event.js';
import { CallReporter } from '../tools/request-log.js';
import { observationOf, otherRequest } from './request-observer.js';

/** Endpoints that are mounted, each with its registration, by server. */
export const MOUNTED = new WeakMap<object, Map<string, MountedTools>>();

/**
 * Writes the errors of the tools in the documented form. It sits on our controllers. A host may also make it global
 * (`app.useGlobalFilters(app.get(ToolsExceptionFilter))`): what goes wrong before routing, such as malformed JSON or a body that is too
 * large, then has the same form at the paths of the tools. At all other paths the global filter does what Nest does without it.
 *
 * A host with a global filter of its own asks {@link ToolsExceptionFilter.handles} there.
 * @publicApi
 */
@Catch()
@Injectable()
export class ToolsExceptionFilter extends BaseExceptionFilter implements ExceptionFilter {
  private toolPaths?: RegExp;

  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {
    super();
  }

  /** Whether a request came to a path of the tools, of any registration in the app. */
  handles(host: ArgumentsHost): boolean {
    if (host.getType() !== 'http') return false;
    const request = host.switchToHttp().getRequest<Partial<ToolRequest>>();
    if (observationOf(request)) return true;
    this.toolPaths ??= belowRoots(MOUNTED.get(this.adapterHost.httpAdapter)?.values() ?? []);
    return this.toolPaths.test(pathOf(request));
  }

  override catch(exception: unknown, host: ArgumentsHost): void {
    // A gateway or a resolver of the host handles its own errors.
    if (host.getType() !== 'http') throw exception;
    if (!this.handles(host)) return super.catch(exception, host);
    const http = host.switchToHttp();
    const request = http.getRequest<ToolRequest>();
    const response = http.getResponse<{ hasHeader?(name: string): boolean }>();
    const { httpAdapter } = this.adapterHost;
    const { body, headers } = errorResponse(exception, requestIdOf(request));
    // A guard of the host knows better than we how to authenticate.
    if (response.hasHeader?.('WWW-Authenticate') && !ToolsError.isInstance(exception))
      delete headers['WWW-Authenticate'];
    const observation = observationOf(request);
    const seen = observation ?? otherRequest(request);
    seen.fail(exception);
    if (!observation) this.reporter?.report(seen, body.statusCode, true);
    logInternalError(exception, body);
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response);
      return;
    }
    for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value);
    httpAdapter.reply(response, body, body.statusCode);
  }

  /** Found here and not injected: a host may provide this filter, or a subclass, in a module of its own. */
  private get reporter(): CallReporter | undefined {
    const found = [...this.modules.values()].find(({ providers }) => providers.has(CallReporter));
    return found?.providers.get(CallReporter)?.instance as CallReporter | undefined;
  }
}

/**
 * Matches the paths below those of every registration in the app, behind whatever prefix the host has. In any case of letters, as
 * Express does.
 */
function belowRoots(mounted: Iterable<MountedTools>): RegExp {
  const roots = new Set([...mounted].flatMap((tools) => tools.roots));
  const bases = [...roots].map((root) => root.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(bases.length === 0 ? '(?!)' : `/(?:${bases.join('|')})(?:/|$)`, 'i');
}
