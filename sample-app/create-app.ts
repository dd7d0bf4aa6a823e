import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { SwaggerModule } from '@nestjs/swagger';
import { ToolsExceptionFilter } from '../lib/index.js';
import { AppModule } from './app.module.js';
import { openApiDocument } from './openapi-document.js';
import type { Settings } from './settings.js';

/**
 * The sample app, ready to listen: Swagger UI at `/docs`, the document at `/openapi.json`, and our error body for whatever goes wrong
 * before routing.
 *
 * @param adapter default: Express
 */
export async function createApp(
  settings: Settings,
  options: NestApplicationOptions = {},
  adapter?: AbstractHttpAdapter,
): Promise<INestApplication> {
  const module = AppModule.register(settings);
  const app = adapter
    ? await NestFactory.create(module, adapter, options)
    : await NestFactory.create(module, options);
  app.useGlobalFilters(app.get(ToolsExceptionFilter));
  app.enableShutdownHooks();
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'nestjs-tools',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true },
  });
  return app;
}
