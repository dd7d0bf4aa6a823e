import {
  UnauthorizedException,
  ValidationPipe,
  type ArgumentsHost,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { BaseExceptionFilter, Reflector } from '@nestjs/core';
import { performance } from 'node:perf_hooks';
import { ToolsExceptionFilter } from 'nestjs-tools';
import { IS_PUBLIC } from './app.module.js';

/** Everything needs a login that nobody has, but for what is public. */
class LoginGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.getAllAndOverride(IS_PUBLIC, [context.getHandler(), context.getClass()])) return true;
    throw new UnauthorizedException('Please log in');
  }
}

/** The host's own filter, which hands over what belongs to the tools. */
class HostFilter extends BaseExceptionFilter {
  constructor(
    app: INestApplication,
    private readonly tools: ToolsExceptionFilter,
  ) {
    super(app.getHttpAdapter());
  }

  override catch(exception: unknown, host: ArgumentsHost): void {
    if (this.tools.handles(host)) this.tools.catch(exception, host);
    else super.catch(exception, host);
  }
}

/**
 * Sets a host up as strictly as hosts do, listens on a free loopback port, and tells the runner where; closes the app when standard
 * input ends. The process must then end by itself: nothing of ours may keep it alive.
 *
 * @param describeDocument what the host's OpenAPI document says of the tools, where it has one
 * @param strict whether the host has a global `ValidationPipe`, which needs `class-transformer`
 */
export async function runHost(
  create: () => Promise<INestApplication>,
  describeDocument?: (app: INestApplication) => object,
  strict = true,
): Promise<void> {
  const start = performance.now();
  const app = await create();
  app.useGlobalGuards(new LoginGuard(app.get(Reflector)));
  app.useGlobalFilters(new HostFilter(app, app.get(ToolsExceptionFilter)));
  if (strict)
    app.useGlobalPipes(
      new ValidationPipe({
        whitelist: true,
        forbidNonWhitelisted: true,
        transform: true,
        transformOptions: { enableImplicitConversion: true },
      }),
    );
  await app.listen(0, '127.0.0.1');
  const bootMs = Math.round(performance.now() - start);
  process.stdout.write(
    `${JSON.stringify({ url: await app.getUrl(), bootMs, document: describeDocument?.(app) })}\n`,
  );
  process.stdin.resume().once('end', () => {
    app.close().catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exitCode = 1;
    });
  });
}
