import type { UpstreamHealth, UpstreamState } from './upstream-health.js';

/** Health in the form that `@nestjs/terminus` takes from an indicator: `{ [key]: { status, … } }`. */
export type ToolsHealthResult = Record<
  string,
  { status: 'up' | 'down'; [detail: string]: 'up' | 'down' | GroupHealth }
>;

/** Health of one tool, or of the model. */
export interface GroupHealth {
  /** `down`: every upstream of the group is. */
  status: 'up' | 'down';
  upstreams: Record<string, UpstreamState>;
}

/**
 * Says which providers are up, from how their last calls went: it asks nobody and spends nothing. Works with `@nestjs/terminus`
 * (`health.check([() => tools.check()])`) and without it.
 * @publicApi
 */
export class ToolsHealthIndicator {
  constructor(private readonly health: UpstreamHealth) {}

  /**
   * `down` when a tool has upstreams and all of them are down; an upstream is down after three failures in a row, for 30 s after the last.
   * @param key name of the entry; default `tools`
   */
  check(key = 'tools'): ToolsHealthResult {
    const groups = Object.entries(this.health.snapshot()).map(([name, upstreams]): [string, GroupHealth] => {
      const states = Object.values(upstreams);
      const down = states.length > 0 && states.every(({ status }) => status === 'down');
      return [name, { status: down ? 'down' : 'up', upstreams }];
    });
    const down = groups.some(([, { status }]) => status === 'down');
    return { [key]: { status: down ? 'down' : 'up', ...Object.fromEntries(groups) } };
  }
}
