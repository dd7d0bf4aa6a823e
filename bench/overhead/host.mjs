// A host of the overhead bench, in a process of its own. Arguments: express | fastify, bare | tools, number of keys.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Body, Controller, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsIn, IsString } from 'class-validator';

const [adapterName, variant, keys] = process.argv.slice(2);

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

class EchoController {
  echo(dto) {
    return dto;
  }
}
Controller('v1/tools')(EchoController);
Reflect.defineMetadata('design:paramtypes', [EchoDto], EchoController.prototype, 'echo');
Body(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }))(
  EchoController.prototype,
  'echo',
  0,
);
Post('summarize_content')(
  EchoController.prototype,
  'echo',
  Object.getOwnPropertyDescriptor(EchoController.prototype, 'echo'),
);

class AppModule {}
Module(
  variant === 'tools' ? { imports: [await toolsModule(Number(keys))] } : { controllers: [EchoController] },
)(AppModule);

async function toolsModule(count) {
  const { ToolsModule, memoryTranscripts, documents } = createRequire(import.meta.url)('../../dist/index.js');
  const { TALK } = await import('./talk.mjs');
  return ToolsModule.forRoot({
    apiKeys: Array.from({ length: count }, (_, index) => `key-${index}`),
    youtube: { transcripts: [memoryTranscripts({ benchTalk01: TALK })] },
    search: {
      providers: [documents([{ url: 'https://example.org/talk', title: TALK.title, text: TALK.text }])],
    },
    limits: { requestsPerMinute: 1_000_000 },
  });
}

async function adapter() {
  if (adapterName === 'fastify') return new (await import('@nestjs/platform-fastify')).FastifyAdapter();
  return new (await import('@nestjs/platform-express')).ExpressAdapter();
}

const app = await NestFactory.create(AppModule, await adapter(), { logger: ['error'] });
await app.listen(0, '127.0.0.1');
process.send({ url: await app.getUrl(), cpuUs: cpuUs() });
process.once('SIGINT', () => process.exit());
process.on('message', () => process.send({ cpuUs: cpuUs() }));

/** Processor time of this process so far, microseconds. */
function cpuUs() {
  const { user, system } = process.cpuUsage();
  return user + system;
}
