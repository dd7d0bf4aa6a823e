import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { SHARED_STATE } from '../tokens.js';
import type { SharedState } from './shared-state.js';

/** Closes what is shared when the host has stopped: after the last request in flight has ended. */
@Injectable()
export class SharingLifecycle implements OnApplicationShutdown {
  constructor(@Optional() @Inject(SHARED_STATE) private readonly shared?: SharedState) {}

  async onApplicationShutdown(): Promise<void> {
    await this.shared?.close();
  }
}
