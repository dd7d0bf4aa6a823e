import { hash } from 'node:crypto';
import {
  Inject,
  Injectable,
  type CanActivate,
  type ExecutionContext,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiKeyGuard, askHost, type GuardedRequest } from '../auth/api-key.guard.js';
import type { ApiKeyIdentity } from '../auth/api-key-store.js';
import { lazy } from '../core/async.js';
import { InvalidApiKeyError, ToolsError } from '../core/errors.js';
import { pathOf, requestIdOf } from '../core/http-exchange.js';
import { RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import { isRecord } from '../core/schema.js';
import type { ToolName } from '../core/request-event.js';
import { isLoopback, parseUrl } from '../core/url.js';
import { optionsOf, type HostOptions } from '../tools/tool-definition.js';
import { TOOLS } from '../tools/tools.js';
import type { AuthorizationSettings } from './mcp.options.js';
import { RefusedToken, type AccessToken } from './token-verifier.js';

/** Where clients look for the metadata of a protected resource (RFC 9728, section 3). The path of the resource may follow. */
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const TOOL_SCOPE = 'tools:';

/** What an adapter tells about the address that a client has used. `protocol` follows `trust proxy`. */
interface AddressedRequest extends GuardedRequest {
  url: string;
  originalUrl?: string;
  protocol?: string;
  body?: unknown;
}

/**
 * The MCP endpoint as an OAuth resource server (MCP specification 2026-07-28, "Authorization"): what it says about itself, which tokens
 * it accepts, and what it answers to others.
 */
export class Authorization {
  /** Path of the endpoint with the host's global prefix, as soon as a request has shown it. */
  private path: string;
  private readonly verifier = lazy(async () => {
    const { tokenVerifier } = await import('./token-verifier.js');
    return tokenVerifier(this.settings);
  });

  /**
   * @param path of the endpoint without the host's global prefix
   * @param tools of the endpoint
   */
  constructor(
    private readonly settings: AuthorizationSettings,
    private readonly mountPath: string,
    private tools: readonly ToolName[],
  ) {
    this.path = mountPath;
  }

  /**
   * The guards of the endpoint: the key guard also accepts access tokens. A host without a key guard has one added behind its own guards.
   * @param given classes of guards; an instance stays as it is
   */
  guards(given: readonly (Type<CanActivate> | CanActivate)[]): (Type<CanActivate> | CanActivate)[] {
    const guards = given.map((guard) => (isKeyGuardClass(guard) ? signInGuard(guard, this) : guard));
    return given.some(isKeyGuardClass) ? guards : [...guards, signInGuard(ApiKeyGuard, this)];
  }

  /** Whether a bearer token may be an access token: a JWT, or any where the host verifies tokens itself. */
  mayBeToken(token: string): boolean {
    return this.settings.verify !== undefined || isJwt(token);
  }

  private get scopes(): readonly string[] {
    return this.settings.scopes ?? this.tools.map((tool) => TOOL_SCOPE + tool);
  }

  /** @throws MissingPeerError where `jose` is needed and not installed */
  async start(options: HostOptions): Promise<void> {
    if (!this.settings.verify) await this.verifier();
    // Nobody is asked for the scopes of tools that are off.
    const on = TOOLS.filter((tool) => optionsOf(tool, options).enabled);
    this.tools = this.tools.filter((name) => on.some((tool) => tool.name === name));
  }

  /** The caller behind an access token. @throws ToolsError `invalid_token` or `insufficient_scope`, UpstreamUnavailableError */
  async identify(token: string, request: AddressedRequest): Promise<ApiKeyIdentity> {
    this.path = pathOf(request);
    try {
      const { verify: hostVerifier } = this.settings;
      if (hostVerifier) {
        const identity = await askHost('access token', 'token verifier', requestIdOf(request), () =>
          hostVerifier(token, request),
        );
        if (!identity) throw new RefusedToken('The access token is not valid.');
        return identity;
      }
      const verify = await this.verifier();
      const accepted = await verify(token, this.audience(request));
      this.requireScopes(accepted, request);
      return this.identity(accepted);
    } catch (error) {
      if (error instanceof RefusedToken) throw this.refusal(request, error.message);
      throw error;
    }
  }

  /** The 401 for a request without a credential, or with a token that is refused for a reason. */
  refusal(request: AddressedRequest, reason?: string): ToolsError {
    const fault: Record<string, string> =
      reason === undefined ? {} : { error: 'invalid_token', error_description: reason };
    const headers = this.challenge(request, { ...fault, scope: this.scopes.join(' ') });
    const signIn =
      'Sign in: send an access token as `Authorization: Bearer`, or an API key in the header X-API-Key.';
    return new ToolsError(reason === undefined ? 'missing_api_key' : 'invalid_token', reason ?? signIn, {
      headers,
    });
  }

  /** The metadata of the resource at an address; undefined where it is not there. */
  metadata(request: AddressedRequest): object | undefined {
    const suffix = pathOf(request).slice(WELL_KNOWN.length).replace(/\/$/, '');
    const path = this.settings.resource && parseUrl(this.settings.resource)?.pathname.replace(/\/$/, '');
    if (suffix !== '' && suffix !== path && !suffix.endsWith(this.mountPath)) return undefined;
    const { issuer, resourceName } = this.settings;
    return {
      resource: this.resource(request, suffix || this.path),
      authorization_servers: issuer,
      ...(this.scopes.length > 0 ? { scopes_supported: this.scopes } : {}),
      bearer_methods_supported: ['header'],
      resource_name: resourceName,
    };
  }

  private resource(request: AddressedRequest, path = pathOf(request)): string {
    return this.settings.resource ?? originOf(request) + path;
  }

  /**
   * Who a token must be for. A client chooses the header `Host`. So the address of the request counts on loopback only; otherwise a token
   * that was issued for another server could be used here under that server's name.
   */
  private audience(request: AddressedRequest): readonly string[] {
    const { audience, resource } = this.settings;
    if (audience) return audience;
    if (resource) return [resource, resource.replace(/\/$/, '')];
    const named = this.resource(request);
    if (isLoopback(new URL(named).hostname)) return [named];
    throw new RefusedToken(
      'The server does not know its public address. Its operator can set `mcp.authorization.resource`.',
    );
  }

  /** All missing scopes in one challenge: a client signs in again for each. */
  private requireScopes({ scopes }: AccessToken, request: AddressedRequest): void {
    const general = this.scopes.filter((scope) => !scope.startsWith(TOOL_SCOPE));
    const called = `${TOOL_SCOPE}${calledTool(request.body)}`;
    const needed = this.scopes.includes(called) ? [...general, called] : general;
    if (needed.every((scope) => scopes.includes(scope))) return;
    const scope = needed.join(' ');
    const message = `The access token lacks a scope. This request needs: ${scope}.`;
    const headers = this.challenge(request, { error: 'insufficient_scope', scope });
    throw new ToolsError('insufficient_scope', message, { headers });
  }

  private identity({ issuer, subject, clientId, scopes }: AccessToken): ApiKeyIdentity {
    const allowed = this.tools.filter(
      (tool) => !this.scopes.includes(TOOL_SCOPE + tool) || scopes.includes(TOOL_SCOPE + tool),
    );
    return {
      id: hash('sha256', `${issuer}\n${subject}`, 'hex').slice(0, 16),
      name: clientId === undefined || clientId === subject ? subject : `${subject} (${clientId})`,
      tools: allowed,
    };
  }

  /** A challenge of RFC 6750 with the address of the metadata (RFC 9728, section 5.1). */
  private challenge(
    request: AddressedRequest,
    parameters: Readonly<Record<string, string>>,
  ): Record<'WWW-Authenticate', string> {
    const { origin, pathname } = new URL(this.resource(request));
    const path = pathname === '/' ? '' : pathname.replace(/\/$/, '');
    const all = { resource_metadata: origin + WELL_KNOWN + path, ...parameters };
    const pairs = Object.entries(all).filter(([, value]) => value !== '');
    const shown = pairs.map(([name, value]) => `${name}="${value.replace(/[^\x20-\x7e]|["\\]/g, '')}"`);
    return { 'WWW-Authenticate': `Bearer ${shown.join(', ')}` };
  }
}

function calledTool(message: unknown): string | undefined {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params)) return undefined;
  return typeof message.params.name === 'string' ? message.params.name : undefined;
}

const originOf = ({ headers, protocol = 'http' }: AddressedRequest): string =>
  parseUrl(`${protocol}://${String(headers.host ?? '')}`)?.origin ?? 'http://localhost';

/**
 * The key guard of the MCP endpoint with sign-in: `X-API-Key` is a key. A bearer token in the form of a JWT is an access token, and so is any
 * other that the host's `verify` knows; the rest are keys.
 *
 * @param Base the guard of the tools
 */
function signInGuard(Base: Type<ApiKeyGuard>, authorization: Authorization): Type<ApiKeyGuard> {
  const identifiesItself = Base.prototype.identify !== ApiKeyGuard.prototype['identify'];
  @Injectable()
  class SignInGuard extends Base {
    protected override async identify(
      request: AddressedRequest,
      context: ExecutionContext,
    ): Promise<ApiKeyIdentity | undefined> {
      const token = request.headers['x-api-key'] === undefined ? this.extractKey(request) : undefined;
      if (token === undefined || !authorization.mayBeToken(token)) return super.identify(request, context);
      let refusal: unknown;
      const owner = (): Promise<ApiKeyIdentity | undefined> =>
        authorization.identify(token, request).catch((error: unknown) => {
          if (!ToolsError.isInstance(error) || error.code !== 'invalid_token') throw error;
          refusal = error;
          return undefined;
        });
      // A key is known by the host's own store, so that it does not reach a verifier that asks others.
      const isKey = !isJwt(token) && !identifiesItself;
      const known = await this.verifyCounted(request, async () => {
        if (!isKey) return owner();
        const look = () =>
          askHost('API key', 'key store', requestIdOf(request), () => this.store.verify(token));
        return (await look()) ?? owner();
      });
      if (known) return known;
      if (isJwt(token) || !identifiesItself) throw refusal;
      return (await super.identify(request, context)) ?? Promise.reject(refusal as Error);
    }

    protected override onRefused(error: unknown, context: ExecutionContext): unknown {
      const request = context.switchToHttp().getRequest<AddressedRequest>();
      if (ToolsError.isInstance(error) && error.code === 'missing_api_key')
        return authorization.refusal(request);
      if (error instanceof InvalidApiKeyError) return authorization.refusal(request, error.message);
      return super.onRefused(error, context);
    }
  }
  return SignInGuard;
}

const isKeyGuardClass = (guard: Type<CanActivate> | CanActivate): guard is Type<ApiKeyGuard> =>
  guard === ApiKeyGuard || (typeof guard === 'function' && guard.prototype instanceof ApiKeyGuard);

const isJwt = (token: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/** Paths that are taken, by adapter: two registrations of the module share one root document, that of the first. */
const TAKEN = new WeakMap<object, Authorization[]>();

/**
 * Answers `GET /.well-known/oauth-protected-resource`, also with the path of the endpoint behind it. These addresses stand at the root of the
 * server, whatever global prefix the host has. So they are routes of the adapter and not of a controller.
 */
export function resourceMetadata(authorization: Authorization): Type<OnModuleInit> {
  @Injectable()
  class ResourceMetadata implements OnModuleInit {
    constructor(
      @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
      @Inject(RESOLVED_OPTIONS) private readonly options: HostOptions,
    ) {}

    async onModuleInit(): Promise<void> {
      await authorization.start(this.options);
      const { httpAdapter } = this.host;
      const known = TAKEN.get(httpAdapter);
      if (known) return void known.push(authorization);
      const all = [authorization];
      TAKEN.set(httpAdapter, all);
      const answer = (request: AddressedRequest, response: object): void => {
        const document = all.map((entry) => entry.metadata(request)).find((found) => found !== undefined);
        httpAdapter.setHeader(response, 'Access-Control-Allow-Origin', '*');
        httpAdapter.setHeader(response, 'Cache-Control', document ? 'public, max-age=300' : 'no-store');
        const missing = { statusCode: 404, error: 'Not Found', message: 'No resource has this address.' };
        httpAdapter.reply(response, document ?? missing, document ? 200 : 404);
      };
      const isFastify = httpAdapter.getType() === 'fastify';
      if (isFastify) httpAdapter.get(WELL_KNOWN, answer);
      // Express 4 and 5 spell a wildcard in two ways.
      const below = isFastify
        ? `${WELL_KNOWN}/*`
        : (/^\/\.well-known\/oauth-protected-resource(?:\/.*)?$/ as unknown as string);
      httpAdapter.get(below, answer);
    }
  }
  return ResourceMetadata;
}
