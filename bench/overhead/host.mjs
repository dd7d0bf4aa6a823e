// A host of the overhead bench, in a process of its own. Arguments: express | fastify, bare | tools, number of keys, [swagger].
import 'reflect-metadata';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Body, Controller, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsIn, IsString } from 'class-validator';

const [adapterName, variant, keys, swagger] = process.argv.slice(2);

/** The request of `summarize_content` as any host would validate it. */
class EchoDto {
  source_type = 'youtube';
  content_id;
  output_language = 'en';
  method = 'auto';
}
IsIn(['youtube'])(EchoDto.prototype, 'source_type');
IsString()(EchoDto.prototype, 'content_id');
IsIn(['en', 'pt', 'es', 'it', 'de', 'fr'])(EchoDto.prototype, 'output_language');
IsIn(['auto', 'simple', 'recursive', 'multi_modal'])(EchoDto.prototype, 'method');

/** Address of a page for `read_page`, of the tools only. */
let page;

/** Its answer to `same_answer`; the bench sends it. */
let prepared = {};

class BareController {
  echo(dto) {
    return dto;
  }

  /** Validates as `echo` does, and answers with an object as large as the tools' answer. */
  sameAnswer(dto) {
    return dto && prepared;
  }
}
Controller('v1/tools')(BareController);
route('echo', 'summarize_content');
route('sameAnswer', 'same_answer');

/** What the decorators of a method `@Post(path) name(@Body(validation) dto: EchoDto)` do. */
function route(name, path) {
  const { prototype } = BareController;
  Reflect.defineMetadata('design:paramtypes', [EchoDto], prototype, name);
  const validation = new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true });
  Body(validation)(prototype, name, 0);
  Post(path)(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
}

class AppModule {}
Module(
  variant === 'tools' ? { imports: [await toolsModule(Number(keys))] } : { controllers: [BareController] },
)(AppModule);

async function toolsModule(count) {
  const { ToolsModule, memoryTranscripts, documents } = createRequire(import.meta.url)(
    `${process.env.DIST}/index.js`,
  );
  const { TALK } = await import('./talk.mjs');
  const html = `<title>${TALK.title}</title><article><h1>${TALK.title}</h1><p>${TALK.text}</p></article>`;
  const site = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  ).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const authority = `127.0.0.1:${site.address().port}`;
  page = `http://${authority}/`;
  return ToolsModule.forRoot({
    apiKeys: Array.from({ length: count }, (_, index) => `key-${index}`),
    youtube: { transcripts: [memoryTranscripts({ benchTalk01: TALK })] },
    search: {
      providers: [documents([{ url: 'https://example.org/talk', title: TALK.title, text: TALK.text }])],
    },
    // Starts are measured with one key and the two tools that are on.
    readPage: count > 1 && { allowHosts: [authority], cacheTtlMs: 3_600_000 },
    limits: { requestsPerMinute: 1_000_000 },
  });
}

async function adapter() {
  if (adapterName === 'fastify') return new (await import('@nestjs/platform-fastify')).FastifyAdapter();
  return new (await import('@nestjs/platform-express')).ExpressAdapter();
}

const app = await NestFactory.create(AppModule, await adapter(), { logger: ['error'] });
if (swagger) {
  const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
  SwaggerModule.createDocument(app, new DocumentBuilder().build());
}
await app.listen(0, '127.0.0.1');
process.send({ url: await app.getUrl(), page, cpuUs: cpuUs(), mb: process.memoryUsage().rss / 2 ** 20 });
process.on('message', ({ answer }) => {
  prepared = answer ?? prepared;
  process.send({ cpuUs: cpuUs() });
});

/** Processor time of this process so far, microseconds. */
function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
