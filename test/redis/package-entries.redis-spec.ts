import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Loads an entry of the built package in a process of its own and starts a host with it; returns the files that were loaded. */
async function loadedBy(script: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [
    '-e',
    `${script}.then(() => console.log(JSON.stringify(Object.keys(require.cache))))`,
  ]);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as string[];
}

const START = `
  const { Module } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  const { ToolsModule } = require('nestjs-tools');
  class Host {}
  const start = async (options) => {
    Module({ imports: [ToolsModule.forRoot({ apiKeys: ['key'], ...options })] })(Host);
    const app = await NestFactory.createApplicationContext(Host, { logger: false });
    await app.close();
  };`;
const OURS = /dist[\\/]redis[\\/]|ioredis|bullmq/;

it('a host that does not share loads no Redis code', async () => {
  const files = await loadedBy(`${START} start({})`);
  expect(files.some((file) => file.includes('core/shared-state'))).toBe(true);
  expect(files.filter((file) => OURS.test(file))).toEqual([]);
});

it('a host that shares loads ioredis when it starts', async () => {
  const files = await loadedBy(
    `${START} start({ shared: require('nestjs-tools/redis').redisShared({ url: 'redis://127.0.0.1:1' }) })`,
  );
  expect(files.some((file) => /ioredis/.test(file))).toBe(true);
});
