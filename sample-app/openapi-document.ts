import type { INestApplication } from '@nestjs/common';
import { apiKeySecurity } from '../lib/index.js';
import { VERSION } from '../lib/core/version.js';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { DEMO_ARTICLES } from './content/articles/index.js';

/** The OpenAPI document of the running app; the same whatever the environment. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('nestjs-tools')
    .setDescription(
      'Tools for video and web over HTTP, guarded by an API key: summarize a YouTube video, get its transcript, ask it a question, list videos, search the web, read a page, research a question.',
    )
    .setVersion(VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/')
    .addTag('tools', 'Tools that a backend offers to people, agents and generated clients.')
    .addApiKey(...apiKeySecurity())
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const body = document.paths['/v1/tools/read_page']?.post?.requestBody;
  // A page that is there without a network.
  if (body && 'content' in body)
    body.content['application/json']!.examples = { sample: { value: { url: DEMO_ARTICLES[0]!.url } } };
  return document;
}
