import { ValidationPipe, type INestApplication } from '@nestjs/common';
import { performance } from 'node:perf_hooks';

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
