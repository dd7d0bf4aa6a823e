import {
  ConfigurableModuleBuilder,
  type CanActivate,
  type ConfigurableModuleAsyncOptions,
  type ConfigurableModuleCls,
  type DynamicModule,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { requireKnownKeys, requireOneOf, requirePort } from './core/check-options.js';
import { TOOLS_OPTIONS } from './core/injection-tokens.js';
import { TOOL_NAMES, type ToolName } from './core/tool-names.js';
import { searchWebController } from './http/search-web.controller.js';
import { summarizeContentController } from './http/summarize-content.controller.js';
import type { Mount } from './http/mount-controller.js';
import { EXTRA_NAMES, type ToolsModuleOptions } from './tools.options.js';

/** What must be known when the module is defined, before any factory runs; given beside the options, also in `forRootAsync`. */
export interface ToolsModuleExtras {
  /** Path of the controllers, without the host's global prefix. Default `v1/tools`. */
  path?: string;
  /** Guards in place of `ApiKeyGuard`; list it as well to keep it. An empty list leaves the tools open. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Which endpoints are mounted: all, none (inject the services instead), or those named. Default true. */
  controllers?: boolean | readonly ToolName[];
  /** Lets requests become jobs, e.g. `bullMqJobs({ … })` of `nestjs-tools/queue`. Default: every request is answered when it is done. */
  jobs?: JobsExtension;
  /** True: the services can be injected everywhere without importing the module. Default false. */
  isGlobal?: boolean;
  /** Modules whose exports the host's own classes and factories need. */
  imports?: ModuleMetadata['imports'];
}

/** What adds jobs to the module; made by a sub-path, so that a host without jobs loads nothing of them. */
export interface JobsExtension {
  /** The endpoints of the jobs, for one registration. */
  controllers(mount: Mount): Type<unknown>[];
  /** What they and the endpoints of the tools need; may inject whatever the module has. */
  readonly providers: readonly Provider[];
}

/** Implemented by a host's class that gives the options (`useClass`, `useExisting`). */
export interface ToolsOptionsFactory {
  createToolsOptions(): ToolsModuleOptions | Promise<ToolsModuleOptions>;
}

/** What `ToolsModule.forRoot` takes. */
export type ToolsModuleSyncOptions = ToolsModuleOptions & ToolsModuleExtras;

/** What `ToolsModule.forRootAsync` takes: `useFactory`, `useClass` or `useExisting`, `inject`, `imports`, and the extras. */
export type ToolsModuleAsyncOptions = ConfigurableModuleAsyncOptions<
  ToolsModuleOptions,
  'createToolsOptions'
> &
  Omit<ToolsModuleExtras, 'imports'>;

/**
 * Options that stand beside the factory would be left aside without a word.
 * @throws InvalidOptionError for a name that `forRootAsync` does not take
 */
export function checkAsyncOptions(options: ToolsModuleAsyncOptions): void {
  const names = ['useFactory', 'inject', 'useClass', 'useExisting', 'provideInjectionTokensFrom'] as const;
  requireKnownKeys('forRootAsync', options, [...names, ...EXTRA_NAMES]);
}

const DEFAULT_PATH = 'v1/tools';

const CONTROLLERS: Record<ToolName, (mount: Mount) => Type<unknown>> = {
  summarize_content: summarizeContentController,
  search_web: searchWebController,
};

function applyExtras(definition: DynamicModule, extras: ToolsModuleExtras): DynamicModule {
  const {
    path = DEFAULT_PATH,
    guards = [ApiKeyGuard],
    controllers = true,
    isGlobal = false,
    imports = [],
    jobs,
  } = extras;
  if (jobs !== undefined) requirePort('jobs', 'JobsExtension', jobs, ['controllers', 'providers']);
  const mount: Mount = {
    path,
    guards,
    operationIdSuffix: path === DEFAULT_PATH ? '' : `_${path.replace(/\W+/g, '_')}`,
    jobs: jobs !== undefined,
  };
  const mounted = controllers === true ? TOOL_NAMES : controllers === false ? [] : controllers;
  return {
    ...definition,
    global: isGlobal,
    imports: [...(definition.imports ?? []), ...imports],
    providers: [...(definition.providers ?? []), ...(jobs?.providers ?? [])],
    controllers: [
      ...mounted.map((tool) => CONTROLLERS[requireOneOf('controllers', tool, TOOL_NAMES)](mount)),
      ...(mounted.length > 0 ? (jobs?.controllers(mount) ?? []) : []),
    ],
  };
}

// Every exported type is named: an inferred one would carry an import attribute into the declarations, which TypeScript before 5.3
// cannot read. `alwaysTransient` keeps two registrations apart however alike their options are.
const builder = new ConfigurableModuleBuilder<ToolsModuleOptions>({
  optionsInjectionToken: TOOLS_OPTIONS,
  alwaysTransient: true,
})
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createToolsOptions')
  .setExtras<ToolsModuleExtras>(
    Object.fromEntries(EXTRA_NAMES.map((name) => [name, undefined])) as ToolsModuleExtras,
    applyExtras,
  )
  .build();

export const ConfigurableToolsModule: ConfigurableModuleCls<
  ToolsModuleOptions,
  'forRoot',
  'createToolsOptions',
  ToolsModuleExtras
> = builder.ConfigurableModuleClass;
