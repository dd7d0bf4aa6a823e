import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { runHost } from './run-host.js';

// Neither `@nestjs/swagger` nor `class-transformer` is installed in this host.
void runHost(() => NestFactory.create(AppModule), undefined, false);
