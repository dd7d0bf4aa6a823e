import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** The operation ids of the tools in the OpenAPI document that the host makes with its own `@nestjs/swagger`. */
export function operationIds(app: INestApplication): string[] {
  const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  return Object.keys(paths)
    .filter((path) => path.includes('/tools/'))
    .map((path) => paths[path]?.post?.operationId ?? '');
}
