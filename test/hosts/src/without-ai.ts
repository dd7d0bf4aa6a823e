import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ToolsModule } from 'nestjs-tools';

const doGenerate = () => Promise.reject(new Error('not asked'));
const model = { specificationVersion: 'v3', provider: 'own', modelId: 'own-model', doGenerate };

/** The package `ai` is not installed in this host. */
@Module({ imports: [ToolsModule.forRoot({ controllers: false, model })] })
class AppModule {}

NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false }).then(
  () => process.stdout.write('it started'),
  (error: unknown) => process.stdout.write(String(error)),
);
