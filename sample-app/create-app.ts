import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { AppModule } from './app.module.js';
import { DocumentedErrorsFilter } from './documented-errors.filter.js';
import { openApiDocument } from './openapi-document.js';
import { secured, servePage } from './serve-page.js';
import type { Settings } from './settings.js';

/**
 * The sample app, ready to listen: the page to try the tools on at `/`, Swagger UI at `/docs`, the OpenAPI document at `/openapi.json`.
 * Errors before routing, such as malformed JSON, have the error body of the tools too.
 */
export async function createApp(
  settings: Settings,
  options: NestApplicationOptions = {},
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.register(settings), options);
  app.useGlobalFilters(app.get(DocumentedErrorsFilter));
  app.enableShutdownHooks();
  app.use(secured);
  servePage(app, settings);
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'nestjs-tools',
    // The key is gone when the tab is closed or loaded again.
    swaggerOptions: { persistAuthorization: false, tryItOutEnabled: true },
  });
  return app;
}
