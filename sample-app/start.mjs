// `npm start`: compiles the library and the sample app to `dist-app`, then runs the app. It compiles like `nest build`, with the same `.swcrc`,
// without the second that the Nest CLI needs to start. Types are not checked; `npm run typecheck` does.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILE = '--compile';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
if (process.argv[2] === COMPILE) await compileAll();
else {
  // In a process of its own: the 70 MB of the compiler would stay for as long as the app runs.
  const compiler = [fileURLToPath(import.meta.url), COMPILE];
  const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  createRequire(import.meta.url)('../dist-app/sample-app/main.js');
}

async function compileAll() {
  const { transformFile } = await import('@swc/core');
  const compile = async (file) => {
    const target = join('dist-app', file);
    await mkdir(dirname(target), { recursive: true });
    if (!file.endsWith('.ts')) return copyFile(file, target);
    const { code } = await transformFile(file, { configFile: 'sample-app/.swcrc' });
    return writeFile(target.replace(/\.ts$/, '.js'), code);
  };
  const sources = await Promise.all(['lib', 'sample-app'].map(sourcesIn));
  await Promise.all(sources.flat().map(compile));
}

async function sourcesIn(folder) {
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => /\.(?:ts|json)$/.test(file)).map((file) => join(folder, file));
}
