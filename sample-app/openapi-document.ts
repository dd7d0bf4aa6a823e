import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import packageJson from '../package.json';

/** The OpenAPI document of the running app; the same whatever the environment. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('nestjs-tools')
    .setDescription(
      'Two tools over HTTP, guarded by an API key: summarize a YouTube video, and search the web.',
    )
    .setVersion(packageJson.version)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/')
    .addTag('tools', 'Tools that a backend offers to people, agents and generated clients.')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Your API key.' },
      'ApiKeyAuth',
    )
    .build();
  return SwaggerModule.createDocument(app, config);
}
