// `npm start`: compiles what has changed since the last start, then runs the sample app in this process. It does not check types;
// `npm run typecheck` does.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

process.chdir(root);
process.stdout.write('Compiling the library and the sample app, a few seconds …\n');
const started = performance.now();
const compiler = spawnSync(
  process.execPath,
  [
    require.resolve('typescript/bin/tsc'),
    ...['--project', 'sample-app/tsconfig.app.json', '--noCheck'],
    ...['--incremental', '--tsBuildInfoFile', 'dist-app/.tsbuildinfo'],
  ],
  { stdio: 'inherit' },
);
if (compiler.status === 0) {
  process.stdout.write(`Compiled in ${((performance.now() - started) / 1000).toFixed(1)} s. Starting …\n`);
  require('../dist-app/sample-app/main.js');
} else {
  process.stderr.write('The code does not compile; see the messages above.\n');
  process.exitCode = 1;
}
