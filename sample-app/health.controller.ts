import { Controller, Get, Inject, ServiceUnavailableException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ToolsHealthIndicator } from '../lib/index.js';

/** `GET /health`: 200, or 503 when every upstream of a tool is down. Asks nobody, so that a container may ask it often. */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(@Inject(ToolsHealthIndicator) private readonly tools: ToolsHealthIndicator) {}

  @Get()
  health(): object {
    const health = this.tools.check();
    if (health['tools']!.status === 'down') throw new ServiceUnavailableException(health);
    return health;
  }
}
