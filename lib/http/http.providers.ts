import type { Provider } from '@nestjs/common';
import { InFlight } from './in-flight.js';
import { RequestObserver } from './request-observer.js';
import { ToolHandler } from './tool-handler.js';
import { ToolsExceptionFilter } from './tools-exception.filter.js';

/** What the controllers need. */
export const HTTP_PROVIDERS: Provider[] = [InFlight, RequestObserver, ToolHandler, ToolsExceptionFilter];
