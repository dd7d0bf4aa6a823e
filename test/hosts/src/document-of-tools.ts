import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { apiKeySecurity } from 'nestjs-tools';

/** What the OpenAPI document that the host makes with its own `@nestjs/swagger` says of the tools. */
export function documentOfTools(app: INestApplication): object {
  const config = new DocumentBuilder()
    .addBearerAuth()
    .addApiKey(...apiKeySecurity())
    .build();
  const { paths, components } = SwaggerModule.createDocument(app, config);
  return {
    paths: Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith('/v1/tools/'))),
    schemas: components?.schemas,
    key: components?.securitySchemes?.ApiKeyAuth,
    securityBehindOwnGuard: paths['/session/tools/search_web']?.post?.security,
  };
}
