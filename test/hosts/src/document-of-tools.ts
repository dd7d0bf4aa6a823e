import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** What the OpenAPI document that the host makes with its own `@nestjs/swagger` says of the tools. */
export function documentOfTools(app: INestApplication): object {
  const { paths, components } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  return {
    paths: Object.fromEntries(Object.entries(paths).filter(([path]) => path.includes('/tools/'))),
    schemas: components?.schemas,
  };
}
