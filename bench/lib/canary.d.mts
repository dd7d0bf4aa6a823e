import type * as Library from '../../lib/index.js';

export interface CanaryReport {
  name: string;
  /** `ok`, `not configured`, or the kind of the failure. */
  outcome: string;
  ms?: number;
  facts: string;
  differences: string[];
}

export function runCanary(
  lib: Omit<typeof Library, 'default'> & {
    ENVIRONMENT_PROVIDERS: unknown;
    WEB_CLIENT: unknown;
    withContext: unknown;
    upstreamFaults: unknown;
  },
  options: {
    env: Record<string, string | undefined>;
    only?: readonly string[];
    query: string;
    videoId: string;
    send?: (url: string, init: RequestInit) => Promise<Response>;
  },
): Promise<CanaryReport[]>;

export function asMarkdown(
  reports: readonly CanaryReport[],
  about: { version: string; date: string },
): string;

export function hasFailed(reports: readonly CanaryReport[]): boolean;

export function documentedServices(): { name: string; cells: string[] }[];
