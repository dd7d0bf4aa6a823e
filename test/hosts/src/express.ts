import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { documentOfTools } from './document-of-tools.js';
import { runHost } from './run-host.js';

void runHost(() => NestFactory.create(AppModule), documentOfTools);
