import { Controller, Get, Inject } from '@nestjs/common';
import { ToolsHealthIndicator } from 'nestjs-tools';

/** What the health indicator says, at `/health`. Decorators are what TypeScript makes of them; here they are called. */
export class HealthController {
  constructor(tools) {
    this.tools = tools;
  }
  check() {
    return this.tools.check();
  }
}
Inject(ToolsHealthIndicator)(HealthController, undefined, 0);
Get()(
  HealthController.prototype,
  'check',
  Object.getOwnPropertyDescriptor(HealthController.prototype, 'check'),
);
Controller('health')(HealthController);
