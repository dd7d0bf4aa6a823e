// `npm start`: compiles the library and the sample app to `dist-app`, then runs the app in this process. It compiles like `nest build`, with
// the same `.swcrc`, without the second that the Nest CLI needs to start. Types are not checked; `npm run typecheck` does.
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

async function compile(file) {
  const target = join('dist-app', file);
  await mkdir(dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) return copyFile(file, target);
  const { code } = await transformFile(file, { configFile: 'sample-app/.swcrc' });
  return writeFile(target.replace(/\.ts$/, '.js'), code);
}

async function sourcesIn(folder) {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => /\.(?:ts|json)$/.test(file)).map((file) => join(folder, file));
}

const sources = await Promise.all(['lib', 'sample-app'].map(sourcesIn));
await Promise.all(sources.flat().map(compile));
createRequire(import.meta.url)('../dist-app/sample-app/main.js');
