import { Catch, Inject, Injectable, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { printable, printableStack } from '../core/text/printable.js';
import { errorResponse } from '../core/error-body.js';
import { ClientClosedError } from '../core/errors.js';
import { requestIdOf } from '../core/http-exchange.js';
import { observationOf } from './request-observer.js';

/**
 * Writes every error in the documented form. It sits on our controllers; a host may also make it global
 * (`app.useGlobalFilters(app.get(ToolsExceptionFilter))`), so that what goes wrong before routing — malformed JSON, a body that is too
 * large, an unknown path — looks the same.
 * @publicApi
 */
@Catch()
@Injectable()
export class ToolsExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('ToolsModule');

  constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<object>();
    const response = http.getResponse<object>();
    const { httpAdapter } = this.adapterHost;
    observationOf(request)?.fail(exception);
    const { body, headers } = errorResponse(exception, requestIdOf(request));
    // Nobody is left to answer where the client has gone, and nothing went wrong.
    if (body.code === 'internal_error' && !(exception instanceof ClientClosedError))
      this.logger.error(printable(`${body.request_id} ${String(exception)}`), printableStack(exception));
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response);
      return;
    }
    for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value);
    httpAdapter.reply(response, body, body.statusCode);
  }
}
