import { Controller, Get, Inject, Module, type DynamicModule, type Type } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule, type HealthCheckResult } from '@nestjs/terminus';
import { ToolsHealthIndicator } from '../../lib/index.js';

@Controller('health')
class HealthController {
  constructor(
    @Inject(HealthCheckService) private readonly health: HealthCheckService,
    @Inject(ToolsHealthIndicator) private readonly tools: ToolsHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check(): Promise<HealthCheckResult> {
    return this.health.check([() => this.tools.check()]);
  }
}

/** A host with the tools and a `/health` of Terminus, as our documentation writes it. */
export function terminusHost(tools: DynamicModule): Type<unknown> {
  @Module({ imports: [tools, TerminusModule.forRoot({ logger: false })], controllers: [HealthController] })
  class Host {}
  return Host;
}
