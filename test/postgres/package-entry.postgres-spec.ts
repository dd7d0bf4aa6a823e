import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Files that a process has loaded after it has run a script on the built package. */
async function loadedBy(script: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [
    '-e',
    `${script}; console.log(JSON.stringify(Object.keys(require.cache)))`,
  ]);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as string[];
}

it('the package alone loads nothing of the entry, and the entry nothing of pg or of the ranking', async () => {
  const alone = await loadedBy(`require('nestjs-tools')`);
  expect(alone.filter((file) => /dist[\\/]postgres[\\/]|node_modules[\\/]pg/.test(file))).toEqual([]);
  const entry = await loadedBy(
    `require('nestjs-tools/postgres').postgresDocuments({ pool: { connect: async () => undefined } })`,
  );
  expect(entry.some((file) => /dist[\\/]postgres[\\/]/.test(file))).toBe(true);
  expect(entry.filter((file) => /node_modules[\\/]pg|document-index/.test(file))).toEqual([]);
});
