/**
 * Compiles the package and runs one bench.
 *
 *     npm run bench -- NAME [arguments]      bench/NAME.mjs; without a name: the names
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BENCH = fileURLToPath(new URL('.', import.meta.url));
/** Parts of others. */
const PARTS = ['run', 'llm-transcripts'];
/** Those that start the sample app. */
const NEED_THE_APP = ['ask-video', 'smoke', 'soak'];

const [name, ...options] = process.argv.slice(2);
const names = readdirSync(BENCH)
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
  .filter((file) => !PARTS.includes(file));
if (!names.includes(name)) {
  console.error(`npm run bench -- NAME [arguments]\nNAME is one of: ${names.join(', ')}`);
  process.exit(2);
}

function run(command, parts) {
  const { status } = spawnSync(command, parts, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

run('npm', ['run', '--silent', 'build']);
if (NEED_THE_APP.includes(name)) run('npm', ['run', '--silent', 'build:app']);
run(process.execPath, [`${BENCH}${name}.mjs`, ...options]);
