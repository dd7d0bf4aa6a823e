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
import { InvalidOptionError } from './core/errors.js';
import { MOUNTED_TOOLS, TOOLS_OPTIONS } from './core/injection-tokens.js';
import {
  anything,
  array,
  boolean,
  func,
  object,
  oneOf,
  options,
  optional,
  parseOption,
  port,
  string,
  union,
  withDefault,
} from './core/schema.js';
import type { MountedTools, ToolName } from './core/request-event.js';
import { otherMethodsController, toolController } from './http/tool.controller.js';
import { API_KEY_SECURITY, type Mount } from './http/tools-controller.decorator.js';
import { Authorization, resourceMetadata } from './mcp/authorization.js';
import { mcpController } from './mcp/mcp.controller.js';
import { resolveMcp, type McpOptions } from './mcp/mcp.options.js';
import { TOOLS } from './tools/tools.js';
import { EXTRA_NAMES, type ToolsModuleOptions } from './tools.options.js';

/** Settings that the module needs before any factory runs. In `forRootAsync` they stand next to `useFactory`. */
export interface ToolsModuleExtras {
  /** Path of the controllers, without the host's global prefix. Default `v1/tools`. */
  path?: string;
  /** Guards in place of `ApiKeyGuard`. To keep it, list it too. An empty list leaves the tools open. */
  guards?: readonly (Type<CanActivate> | CanActivate)[];
  /** Class decorators for the controllers, e.g. `[Public()]` where a global guard of the host must let the tools pass. Default none. */
  decorators?: readonly ClassDecorator[];
  /**
   * Name of the security scheme that the OpenAPI document asks for, or false for none. Default: `ApiKeyAuth` with `ApiKeyGuard` or a
   * subclass of it, none with other guards.
   */
  security?: string | false;
  /**
   * Which endpoints are mounted. True, the default: those of the tools that are on; in `forRootAsync` those of all tools, since nothing else is
   * known yet, and a tool that is off answers 501. False: none (inject the services). A list: the named ones.
   */
  controllers?: boolean | readonly ToolName[];
  /** Lets requests become jobs, e.g. `bullMqJobs({ … })` of `nestjs-tools/queue`. Default: every request is answered when it is done. */
  jobs?: JobsExtension;
  /**
   * Serves the tools to agents at `POST <path>/mcp` (Model Context Protocol, Streamable HTTP). Needs `@modelcontextprotocol/server`, which the
   * first request loads. With `controllers: false` this is the only endpoint. Default false.
   */
  mcp?: McpOptions | boolean;
  /** True: the services can be injected everywhere without importing the module. Default false. */
  isGlobal?: boolean;
  /** Modules whose exports the host's own classes and factories need. */
  imports?: ModuleMetadata['imports'];
}

/** Adds jobs to the module. A sub-path makes it, so that a host without jobs does not load their code. */
export interface JobsExtension {
  /** The endpoints of the jobs, for one registration. */
  controllers(mount: Mount): Type<unknown>[];
  /** Providers for them and for the tools' endpoints; they can inject everything that the module provides. */
  readonly providers: readonly Provider[];
}

/** Implemented by a host's class that gives the options (`useClass`, `useExisting`). */
export interface ToolsOptionsFactory {
  createToolsOptions(): ToolsModuleOptions | Promise<ToolsModuleOptions>;
}

/** Options of `ToolsModule.forRoot`. */
export type ToolsModuleSyncOptions = ToolsModuleOptions & ToolsModuleExtras;

/** Options of `ToolsModule.forRootAsync`: `useFactory`, `useClass` or `useExisting`, `inject`, `imports`, and the extras. */
export type ToolsModuleAsyncOptions = ConfigurableModuleAsyncOptions<
  ToolsModuleOptions,
  'createToolsOptions'
> &
  Omit<ToolsModuleExtras, 'imports'>;

const ASYNC_NAMES = ['useFactory', 'inject', 'useClass', 'useExisting', 'provideInjectionTokensFrom'];
const ASYNC_OPTIONS = options(
  Object.fromEntries([...ASYNC_NAMES, ...EXTRA_NAMES].map((name) => [name, anything()])),
);

/**
 * Options next to the factory would be silently ignored.
 * @throws InvalidOptionError for a name that `forRootAsync` does not take, or without anything that makes the options
 */
export function checkAsyncOptions(options: ToolsModuleAsyncOptions): void {
  const { useFactory, useClass, useExisting } = parseOption('forRootAsync', ASYNC_OPTIONS, options);
  if (!useFactory && !useClass && !useExisting)
    throw new InvalidOptionError('forRootAsync', 'given `useFactory`, `useClass` or `useExisting`');
}

const DEFAULT_PATH = 'v1/tools';

const TOOL_NAMES = TOOLS.map(({ name }) => name);

const EXTRAS = object({
  path: withDefault(string(), DEFAULT_PATH),
  guards: withDefault(array(anything<NonNullable<ToolsModuleExtras['guards']>[number]>()), [ApiKeyGuard]),
  decorators: withDefault(array(func<ClassDecorator>()), []),
  security: optional(union(oneOf(false), string({ min: 1 }))),
  controllers: withDefault(union(boolean(), array(oneOf(...TOOL_NAMES))), true),
  jobs: optional(
    port<JobsExtension>('JobsExtension such as bullMqJobs({ connection })', 'controllers', 'providers'),
  ),
  isGlobal: withDefault(boolean(), false),
});

/** The methods of `ApiKeyGuard` or a subclass of it. */
const keyGuardOf = (guard: Type<CanActivate> | CanActivate): ApiKeyGuard | undefined => {
  const methods: unknown = typeof guard === 'function' ? guard.prototype : guard;
  return methods === ApiKeyGuard.prototype || methods instanceof ApiKeyGuard
    ? (methods as ApiKeyGuard)
    : undefined;
};

/** Whether a guard looks keys up in the key store. A subclass with an `identify` of its own may not. */
const looksUpKeys = (guard: Type<CanActivate> | CanActivate): boolean =>
  keyGuardOf(guard)?.['identify'] === ApiKeyGuard.prototype['identify'];

function applyExtras(definition: DynamicModule, extras: ToolsModuleExtras): DynamicModule {
  const { imports = [] } = extras;
  const { path, guards, decorators, security, controllers, jobs, isGlobal } = parseOption('', EXTRAS, extras);
  const mount: Mount = {
    path,
    guards,
    operationIdSuffix: path === DEFAULT_PATH ? '' : `_${path.replace(/\W+/g, '_')}`,
    jobs: jobs !== undefined,
    decorators,
    security: security ?? (guards.some(keyGuardOf) ? API_KEY_SECURITY : false),
  };
  const offered = typeof controllers === 'boolean' ? (controllers ? TOOL_NAMES : []) : controllers;
  const mounted = TOOLS.filter(({ name }) => offered.includes(name));
  const mcp = resolveMcp(extras.mcp);
  const paths = [...mounted.map(({ name }) => name), ...(mcp ? [mcp.path] : [])];
  const allPaths = [...paths, ...(jobs && mounted.length > 0 ? ['jobs', 'batches'] : [])];
  const root = path.replace(/^\/{1,20}|\/{1,20}$/g, '');
  const reached = mcp && mounted.length === 0 ? TOOL_NAMES : mounted.map(({ name }) => name);
  const signIn =
    mcp?.authorization &&
    new Authorization(mcp.authorization, `/${path}/${mcp.path}`.replace(/\/{2,}/g, '/'), reached);
  const mountedTools: MountedTools = {
    tools: reached,
    // With sign-in alone, a host needs no key.
    apiKeys: reached.length > 0 && guards.some(looksUpKeys) && !(signIn && mounted.length === 0),
    roots: root === '' ? allPaths : [root],
    paths: allPaths.map((name) => `/${path}/${name}`.replace(/\/{2,}/g, '/')),
    access: guards.some(keyGuardOf) || signIn ? 'keys' : guards.length > 0 ? 'own' : 'open',
  };
  return {
    ...definition,
    global: isGlobal,
    imports: [...(definition.imports ?? []), ...imports],
    providers: [
      ...(definition.providers ?? []),
      { provide: MOUNTED_TOOLS, useValue: mountedTools },
      ...(jobs?.providers ?? []),
      ...(signIn ? [resourceMetadata(signIn)] : []),
    ],
    controllers: [
      ...mounted.map((tool) => toolController(tool, mount)),
      ...(mcp
        ? [mcpController(signIn ? { ...mount, guards: signIn.guards(guards) } : mount, mcp, reached)]
        : []),
      ...(mounted.length > 0 ? (jobs?.controllers(mount) ?? []) : []),
      ...(paths.length > 0 ? [otherMethodsController(paths, mount)] : []),
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
