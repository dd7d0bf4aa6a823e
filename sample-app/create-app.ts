import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SwaggerModule } from '@nestjs/swagger';
import { ToolsExceptionFilter } from '../lib/index.js';
import { AppModule } from './app.module.js';
import { openApiDocument } from './openapi-document.js';
import type { Settings } from './settings.js';

/**
 * The sample app, ready to listen: Swagger UI at `/docs`, the document at `/openapi.json`, and our error body for whatever goes wrong
 * before routing.
 */
export async function createApp(
  settings: Settings,
  options: NestApplicationOptions = {},
): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule.register(settings), options);
  app.useGlobalFilters(app.get(ToolsExceptionFilter));
  app.enableShutdownHooks();
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'nestjs-tools',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true },
  });
  return app;
}
