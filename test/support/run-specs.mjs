import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts a server, runs the specs that need it with its address in the environment, and stops it. Arguments of the command are handed on
 * to jest.
 *
 * @param {() => Promise<{ url: string, stop(): Promise<void> }>} start
 * @param {string} variable that tells the specs the address
 * @param {string} testRegex which specs
 */
export async function runSpecs(start, variable, testRegex) {
  const server = await start().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      ...process.argv.slice(2),
      '--testRegex',
      testRegex,
    ],
    { stdio: 'inherit', env: { ...process.env, [variable]: server.url } },
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => jest.kill(signal));
  const [code] = await once(jest, 'exit');
  await server.stop();
  process.exitCode = code ?? 1;
}
