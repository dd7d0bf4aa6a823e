import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** Of the interface, which is also in the path; not of the package. */
const INTERFACE_VERSION = '1.0.0';

/** The OpenAPI document of the running app; the same whatever the environment. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('nestjs-tools')
    .setDescription(
      'Two tools over HTTP, guarded by an API key: summarize a YouTube video, and search the web.',
    )
    .setVersion(INTERFACE_VERSION)
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
