import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { operationIds } from './operation-ids.js';
import { runHost } from './run-host.js';

void runHost(() => NestFactory.create(AppModule, { logger: ['error'] }), operationIds);
