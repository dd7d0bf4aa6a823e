import { Logger, type Provider } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { API_KEY_STORE, MOUNTED_TOOLS, RESOLVED_OPTIONS } from '../core/injection-tokens.js';
import { resolveProviderOption, type ProviderOption } from '../core/ports.js';
import { port, withheld } from '../core/schema.js';
import type { MountedTools } from '../core/request-event.js';
import { UpstreamUnavailableError } from '../core/errors.js';
import { FairQueue } from '../core/fair-queue.js';
import { printable } from '../core/printable.js';
import { MemoryApiKeyStore, type ApiKeyOption, type ApiKeyStore, type KeyFault } from './api-key-store.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import type { ConcurrencyOptions, ResolvedAuthOptions } from './auth.options.js';
import { RequestLimits } from './request-limits.js';

/** Hosts have given an object with keys for names. */
const STORE = withheld(port<ApiKeyStore>('ApiKeyStore', 'verify'));

const ADVICE: Record<KeyFault, string> = {
  'can be guessed': '`npx nestjs-tools-key` makes a random one.',
  'have expired': 'They are refused.',
  'have a comma or a blank': 'Give a list of several keys as an array. Some clients cannot send such a key.',
};

async function apiKeyStore(
  { apiKeys }: ResolvedAuthOptions,
  moduleRef: ModuleRef,
  mounted: MountedTools,
): Promise<ApiKeyStore> {
  const logger = new Logger('ToolsModule');
  const { access } = mounted;
  const isReached = mounted.tools.length > 0;
  if (isReached && access === 'open')
    logger.warn(
      'The tools are open to everybody who reaches this server, web pages included (option `guards` is an empty list).',
    );
  const isGiven = !Array.isArray(apiKeys) || apiKeys.length > 0;
  if (isReached && access !== 'keys' && isGiven)
    logger.warn(
      'The option `apiKeys` has no effect: `guards` has no ApiKeyGuard. List it too, or leave out `apiKeys`.',
    );
  if (!Array.isArray(apiKeys)) {
    const option = apiKeys as ProviderOption<ApiKeyStore>;
    return resolveProviderOption('apiKeys', STORE, option, moduleRef);
  }
  const store = new MemoryApiKeyStore(apiKeys as readonly ApiKeyOption[]);
  if (apiKeys.length === 0 && mounted.apiKeys)
    logger.warn('No API key is configured (option `apiKeys`): every request is refused.');
  for (const [fault, names] of access === 'keys' || !isReached ? store.faults : [])
    logger.warn(printable(`API keys that ${fault}: ${names.join(', ')}. ${ADVICE[fault]}`));
  return store;
}

/** The queue of requests: answers from the cache and shared work do not pass it. */
function workQueue({ total, perKey, queue, queueTimeoutMs }: Required<ConcurrencyOptions>): FairQueue {
  const refuse = (retryAfterSeconds: number): Error =>
    new UpstreamUnavailableError('The server is busy and its queue is full. Try again later.', {
      retryAfterSeconds,
    });
  return new FairQueue({ slots: total, perCaller: perKey, places: queue, waitMs: queueTimeoutMs, refuse });
}

export const AUTH_PROVIDERS: Provider[] = [
  { provide: API_KEY_STORE, useFactory: apiKeyStore, inject: [RESOLVED_OPTIONS, ModuleRef, MOUNTED_TOOLS] },
  {
    provide: RequestLimits,
    useFactory: ({ limits }: ResolvedAuthOptions) => new RequestLimits(limits),
    inject: [RESOLVED_OPTIONS],
  },
  {
    provide: FairQueue,
    useFactory: ({ limits: { concurrency } }: ResolvedAuthOptions) => concurrency && workQueue(concurrency),
    inject: [RESOLVED_OPTIONS],
  },
  ApiKeyGuard,
  RateLimitGuard,
];
