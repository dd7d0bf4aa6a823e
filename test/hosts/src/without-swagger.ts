import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { runHost } from './run-host.js';

// `@nestjs/swagger` is not installed in this host.
void runHost(() => NestFactory.create(AppModule, { logger: ['error'] }));
