import {
  applyDecorators,
  Controller,
  UseFilters,
  UseGuards,
  VERSION_NEUTRAL,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import { RateLimitGuard } from '../auth/rate-limit.guard.js';
import { ApiHeader, ApiSecurity, ApiTags } from '../core/openapi.js';
import { RequestObserver } from './request-observer.js';
import { ToolsExceptionFilter } from './tools-exception.filter.js';

/** Where and how the controllers of one registration are mounted. */
export interface Mount {
  /** Path of the controllers without the host's global prefix. */
  path: string;
  /** In place of the key guard where the host has its own. */
  guards: readonly (Type<CanActivate> | CanActivate)[];
  /** Keeps operation ids apart where a host registers the module more than once; empty for the default path. */
  operationIdSuffix: string;
  /** Whether requests can become jobs. */
  jobs: boolean;
  /** The host's own class decorators. */
  decorators: readonly ClassDecorator[];
  /** Name of the security scheme in the OpenAPI document; false for none. */
  security: string | false;
}

export const API_KEY_SECURITY = 'ApiKeyAuth';

/**
 * Mounts a controller at its path, with our filter and guards on the class itself, so that nothing global is registered in the host.
 * Version-neutral: the version is in the path and nowhere else.
 */
export function ToolsController(mount: Mount): ClassDecorator {
  return applyDecorators(
    Controller({ path: mount.path, version: VERSION_NEUTRAL }),
    UseFilters(ToolsExceptionFilter),
    UseGuards(RequestObserver, ...mount.guards, RateLimitGuard),
    ...mount.decorators,
    ApiTags('tools'),
    ...(mount.security === false ? [] : [ApiSecurity(mount.security)]),
    ApiHeader({
      name: 'X-Request-Id',
      description: 'Id of the request, 1 to 128 visible ASCII characters; generated if it is absent.',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 128 },
    }),
    ApiHeader({
      name: 'Cache-Control',
      description: '`no-cache` skips the cache of the server.',
      required: false,
      schema: { type: 'string' },
    }),
  );
}

/**
 * The security scheme that the tools' routes ask for, as arguments of `DocumentBuilder.addApiKey`. Without it Swagger UI has no button
 * Authorize for them.
 *
 * @example
 * new DocumentBuilder().setTitle('My API').addApiKey(...apiKeySecurity()).build()
 */
export function apiKeySecurity(): [
  scheme: { type: 'apiKey'; in: 'header'; name: 'X-API-Key'; description: string },
  name: string,
] {
  return [
    { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Your API key.' },
    API_KEY_SECURITY,
  ];
}
