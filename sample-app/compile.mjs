// Compiles the library and the sample app to `dist-app`, unless nothing has changed since the last time. It does not check types;
// `npm run typecheck` does.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = ['lib', 'sample-app'];
const FILES = ['tsconfig.json', 'package.json'];
const OUT = join(root, 'dist-app');
const STAMP = join(OUT, '.compiled');

/** Names, sizes and times of all sources. */
function stateOfSources() {
  const below = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  return [...below, ...FILES.map((file) => join(root, file))]
    .map((file) => ({ file, ...statSync(file) }))
    .map(({ file, size, mtimeMs }) => `${file} ${size} ${mtimeMs}`)
    .sort()
    .join('\n');
}

function lastState() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

/** @returns whether `dist-app` is what the sources say */
export function compile() {
  const state = stateOfSources();
  if (lastState() === state) return true;
  process.stdout.write('Compiling the library and the sample app, a few seconds …\n');
  const started = performance.now();
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const project = join(root, 'sample-app/tsconfig.app.json');
  const flags = ['--noCheck', '--incremental', '--tsBuildInfoFile', join(OUT, '.tsbuildinfo')];
  const { status } = spawnSync(process.execPath, [tsc, '--project', project, ...flags], { stdio: 'inherit' });
  if (status !== 0) {
    process.stderr.write('The code does not compile; see the messages above.\n');
    return false;
  }
  mkdirSync(OUT, { recursive: true });
  writeFileSync(STAMP, state);
  process.stdout.write(`Compiled in ${((performance.now() - started) / 1000).toFixed(1)} s.\n`);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href && !compile()) process.exitCode = 1;
