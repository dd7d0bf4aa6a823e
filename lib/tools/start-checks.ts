import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { ContentSource } from '../content/content-source.js';
import { CONTENT_SOURCES, MODELS, SEARCH_PROVIDERS } from '../core/injection-tokens.js';
import { CHECK, type ChecksItself } from '../core/ports.js';
import { printable } from '../core/printable.js';
import type { Models } from '../model/model.providers.js';
import type { SearchProvider } from '../search/search-provider.js';

/**
 * Says at start what every request would fail with: a model without a key, a package or program that is not installed, a table that is not
 * there. The application does not wait for it.
 */
@Injectable()
export class StartChecks implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(
    @Inject(SEARCH_PROVIDERS) private readonly providers: readonly SearchProvider[],
    @Inject(CONTENT_SOURCES) private readonly sources: readonly ContentSource[],
    @Inject(MODELS) private readonly models?: Models,
  ) {}

  onApplicationBootstrap(): void {
    const { model, mapModel, visionModel } = this.models ?? {};
    const parts: object[] = [...this.providers, ...this.sources, model, mapModel, visionModel].filter(
      (part) => part !== undefined,
    );
    const { signal } = this.stopping;
    for (const part of new Set(parts))
      (part as Partial<ChecksItself>)[CHECK]?.(signal).catch((error: unknown) => {
        if (!signal.aborted) new Logger('ToolsModule').warn(printable((error as Error).message));
      });
  }

  onModuleDestroy(): void {
    this.stopping.abort(new Error('The application is being closed.'));
  }
}
