// Packs the package and installs it into hosts of every kind it says it fits. Usage: npm run check -- hosts [part of a host's name]
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES } from './cases.mjs';
import { checkPackage } from './check-package.mjs';
import { runIn, tryHost } from './try-host.mjs';

const AT_ONCE = 2;
const root = fileURLToPath(new URL('../../', import.meta.url));
const wanted = process.argv[2] ?? '';
const cases = CASES.filter(({ name }) => name.includes(wanted));

const scratch = await mkdtemp(join(tmpdir(), 'nestjs-tools-hosts-'));
try {
  const start = performance.now();
  const packed = JSON.parse(
    await runIn(root, 'npm', 'pack', '--json', '--silent', '--pack-destination', scratch),
  );
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
  const tarball = join(scratch, filename);

  const rows = {};
  const failures = [];
  const attempt = async (name, work) => {
    try {
      return { ...(await work()), result: 'ok' };
    } catch (error) {
      failures.push(`${name}\n${error.message}`);
      return { result: 'FAILED' };
    }
  };
  const folderOf = async (name) => {
    const folder = join(scratch, name);
    await mkdir(folder);
    return folder;
  };

  const alone = await attempt('the package', async () =>
    checkPackage(root, tarball, await folderOf('alone')),
  );
  const queue = [...cases.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, host] = next;
      const folder = await folderOf(`host-${index}`);
      rows[host.name] = await attempt(host.name, () => tryHost(host, folder, tarball));
      process.stderr.write(`${host.name}: ${rows[host.name].result}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));

  console.log('The package (attw, publint, declarations; installed without its peers)');
  console.table([alone]);
  console.table(Object.fromEntries(cases.map(({ name }) => [name, rows[name]])));
  console.log(`${cases.length} hosts in ${Math.round((performance.now() - start) / 1000)} s`);
  for (const failure of failures) console.error(`\n== ${failure}`);
  process.exitCode = failures.length > 0 || cases.length === 0 ? 1 : 0;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
