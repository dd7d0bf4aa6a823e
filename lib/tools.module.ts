import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { AUTH_PROVIDERS } from './auth/auth.providers.js';
import { CONTENT_PROVIDERS } from './content/content.providers.js';
import { ToolsHealthIndicator, UpstreamHealth, type JobsHealthSource, type Watcher } from './core/health.js';
import {
  API_KEY_STORE,
  JOBS_HEALTH,
  MOUNTED_TOOLS,
  RESOLVED_OPTIONS,
  SHARED_STATE,
  TELEMETRY,
  TOOLS_OPTIONS,
  WATCHER,
} from './core/injection-tokens.js';
import { InvalidOptionError } from './core/errors.js';
import { resolveProviderOption } from './core/ports.js';
import { port } from './core/schema.js';
import type { SharedState } from './core/shared-state.js';
import { loadTelemetry, type Telemetry } from './core/telemetry.js';
import { HTTP_PROVIDERS } from './http/tool.controller.js';
import { ToolsExceptionFilter } from './http/tools-exception.filter.js';
import { MODEL_PROVIDERS } from './model/model.providers.js';
import { TOOLS, toolsThatAreOn } from './tools/tools.js';
import { TOOLS_PROVIDERS } from './tools/tools.providers.js';
import {
  checkAsyncOptions,
  ConfigurableToolsModule,
  type ToolsModuleAsyncOptions,
  type ToolsModuleSyncOptions,
} from './tools.module-definition.js';
import { requireObject, resolveOptions, type ToolsModuleOptions } from './tools.options.js';

const SHARED = port<SharedState>(
  'SharedState such as redisShared({ url })',
  'cache',
  'limits',
  'leases',
  'calls',
  'health',
  'close',
);

async function sharedState(
  options: ToolsModuleOptions,
  moduleRef: ModuleRef,
): Promise<SharedState | undefined> {
  requireObject(options);
  const { shared } = options;
  if (shared === undefined) return undefined;
  return resolveProviderOption('shared', SHARED, shared, moduleRef);
}

/** Providers that every part of the module needs. */
const CORE_PROVIDERS: Provider[] = [
  { provide: SHARED_STATE, useFactory: sharedState, inject: [TOOLS_OPTIONS, ModuleRef] },
  { provide: RESOLVED_OPTIONS, useFactory: resolveOptions, inject: [TOOLS_OPTIONS, SHARED_STATE] },
  { provide: TELEMETRY, useFactory: loadTelemetry },
  UpstreamHealth,
  {
    provide: WATCHER,
    useFactory: (health: UpstreamHealth, telemetry: Telemetry): Watcher => ({ health, telemetry }),
    inject: [UpstreamHealth, TELEMETRY],
  },
  {
    provide: ToolsHealthIndicator,
    useFactory: (health: UpstreamHealth, shared?: SharedState, jobs?: JobsHealthSource) =>
      new ToolsHealthIndicator(health, shared, jobs),
    inject: [UpstreamHealth, SHARED_STATE, { token: JOBS_HEALTH, optional: true }],
  },
];

/** Without `forRoot` these stand in place of its providers. */
const WITHOUT_OPTIONS: Provider[] = [TOOLS_OPTIONS, MOUNTED_TOOLS].map((provide) => ({
  provide,
  useFactory: () => {
    throw new InvalidOptionError(
      'imports',
      '[ToolsModule.forRoot({ … })] or [ToolsModule.forRootAsync({ … })], not [ToolsModule]',
    );
  },
}));

/**
 * The tools as a module: controllers, guard, and the services behind them.
 *
 * @example
 * ToolsModule.forRoot({ apiKeys: [process.env.TOOLS_API_KEY] })
 * @publicApi
 */
@Module({
  providers: [
    ...WITHOUT_OPTIONS,
    ...CORE_PROVIDERS,
    ...AUTH_PROVIDERS,
    ...MODEL_PROVIDERS,
    ...CONTENT_PROVIDERS,
    ...TOOLS_PROVIDERS,
    ...HTTP_PROVIDERS,
  ],
  exports: [
    ...TOOLS.map(({ service }) => service),
    ApiKeyGuard,
    ToolsExceptionFilter,
    ToolsHealthIndicator,
    API_KEY_STORE,
    SHARED_STATE,
  ],
})
export class ToolsModule extends ConfigurableToolsModule {
  /**
   * Registers the tools with options that are known now. A tool that is off has no route and is not in the OpenAPI document.
   * @throws InvalidOptionError at start, saying what was expected and what came
   */
  static override forRoot(options: ToolsModuleSyncOptions = {}): DynamicModule {
    requireObject(options);
    const { controllers = true } = options;
    return super.forRoot({
      ...options,
      controllers: controllers === true ? toolsThatAreOn({ ...options }) : controllers,
    });
  }

  /**
   * Registers the tools with options that come from a factory, a class, or an existing provider.
   * @throws InvalidOptionError for an unknown name, or at start, as `forRoot`
   */
  static override forRootAsync(options: ToolsModuleAsyncOptions): DynamicModule {
    checkAsyncOptions(options);
    return super.forRootAsync(options);
  }
}
