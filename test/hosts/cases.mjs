/**
 * @typedef {object} HostCase
 * @property {string} name
 * @property {'express' | 'fastify' | 'without-swagger'} main file of `src/` that is started
 * @property {boolean} esm whether the host is written as ES modules
 * @property {Record<string, string>} dependencies what the host installs besides the package
 * @property {boolean} [jest] whether the host has tests of its own, which are then run in its Jest
 * @property {boolean} [vitest] the same in vitest
 * @property {string} [jestOnNode] package with the Node of another major version, on which its tests run in Jest too
 * @property {boolean} [production] whether the main file of docs/production.md runs here as well
 * @property {boolean} [withoutValidator] whether the package says what it needs when `class-validator` is gone
 * @property {boolean} [withoutAi] whether a start with a model and without the package `ai` is tried
 */

const EXPRESS = '@nestjs/platform-express';
const FASTIFY = '@nestjs/platform-fastify';
const SWAGGER = '@nestjs/swagger';

/** What the global `ValidationPipe` of the hosts needs; the package itself does not. */
const PIPE = { 'class-transformer': '^0.5.1' };

/** What the option `mcp` of the hosts needs when an agent asks. */
const MCP = { '@modelcontextprotocol/server': '^2.4.0' };

/** Jest 30 loads ES modules by `require` from this version on. */
const NODE_24 = `node-${process.platform}-${process.arch}`;

const nest = (major, typescript, extra) => ({
  '@nestjs/common': `^${major}.0.0`,
  '@nestjs/core': `^${major}.0.0`,
  'class-validator': '^0.14.0',
  'reflect-metadata': '^0.2.0',
  rxjs: '^7.8.0',
  typescript,
  '@types/node': typescript.startsWith('~4') ? '~18.8.0' : '^20.0.0',
  ...extra,
});

/** @type {HostCase[]} */
export const CASES = [
  {
    name: 'Nest 10, CommonJS, Express',
    main: 'express',
    esm: false,
    jest: true,
    dependencies: nest(10, '~5.3.0', {
      ...PIPE,
      ...MCP,
      [EXPRESS]: '^10.0.0',
      [SWAGGER]: '^7.4.0',
      '@nestjs/testing': '^10.0.0',
      jest: '^29.7.0',
      '@jest/globals': '^29.7.0',
    }),
  },
  {
    name: 'Nest 10, CommonJS, TypeScript 4.9',
    main: 'express',
    esm: false,
    dependencies: nest(10, '~4.9.5', { ...PIPE, [EXPRESS]: '^10.0.0', [SWAGGER]: '^7.4.0' }),
  },
  {
    name: 'Nest 10, CommonJS, Fastify',
    main: 'fastify',
    esm: false,
    withoutValidator: true,
    dependencies: nest(10, '~5.3.0', { ...PIPE, ...MCP, [FASTIFY]: '^10.0.0', [SWAGGER]: '^7.4.0' }),
  },
  {
    name: 'Nest 11, CommonJS, Express, pino, helmet',
    main: 'express',
    esm: false,
    jest: true,
    production: true,
    dependencies: nest(11, '~5.9.0', {
      ...PIPE,
      helmet: '^8.0.0',
      'nestjs-pino': '^4.0.0',
      'pino-http': '^10.0.0',
      [EXPRESS]: '^11.0.0',
      [SWAGGER]: '^11.0.0',
      '@nestjs/testing': '^11.0.0',
      jest: '^30.0.0',
      '@jest/globals': '^30.0.0',
    }),
  },
  {
    name: 'Nest 11, CommonJS, Fastify',
    main: 'fastify',
    esm: false,
    dependencies: nest(11, '~5.9.0', { ...PIPE, ...MCP, [FASTIFY]: '^11.0.0', [SWAGGER]: '^11.0.0' }),
  },
  {
    // `@nestjs/swagger` 12 cannot be installed next to TypeScript 7.
    name: 'Nest 12, ESM, TypeScript 7, no Swagger, no class-transformer',
    main: 'without-swagger',
    esm: true,
    withoutAi: true,
    dependencies: nest(12, '~7.0.0', { [EXPRESS]: '^12.0.0' }),
  },
  {
    name: 'Nest 12, ESM, Express, vitest, jest',
    main: 'express',
    esm: true,
    vitest: true,
    jestOnNode: NODE_24,
    dependencies: nest(12, '~6.0.0', {
      ...PIPE,
      ...MCP,
      [EXPRESS]: '^12.0.0',
      [SWAGGER]: '^12.0.0',
      '@nestjs/testing': '^12.0.0',
      vitest: '^3.2.0',
      jest: '^30.0.0',
      '@jest/globals': '^30.0.0',
      [NODE_24]: '^24.9.0',
    }),
  },
  {
    name: 'Nest 12, ESM, Fastify',
    main: 'fastify',
    esm: true,
    dependencies: nest(12, '~6.0.0', { ...PIPE, ...MCP, [FASTIFY]: '^12.0.0', [SWAGGER]: '^12.0.0' }),
  },
];
