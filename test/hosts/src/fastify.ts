import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { documentOfTools } from './document-of-tools.js';
import { runHost } from './run-host.js';

void runHost(
  () => NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter()),
  documentOfTools,
);
