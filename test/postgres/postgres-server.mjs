import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL =
  'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql';

/**
 * Starts Debian's PostgreSQL on loopback with an empty cluster in a temporary folder, as the user `postgres` where this process is root:
 * `initdb` refuses root.
 */
export async function startPostgres() {
  const bin = await binaries();
  const user = process.getuid?.() === 0 ? await idsOf('postgres') : {};
  const folder = await mkdtemp(join(tmpdir(), 'nestjs-tools-postgres-'));
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, cwd: folder },
  );
  const port = await freePort();
  let child;
  let gone;
  // Whatever ends this process, the server does not outlive it.
  const kill = () => child?.kill('SIGQUIT');
  process.once('exit', kill);
  const start = async () => {
    child = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', `${port}`, ...SETTINGS.flatMap((setting) => ['-c', setting])],
      { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    gone = once(child, 'exit');
    await new Promise((resolve, reject) => {
      let text = '';
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${text}`)));
      child.stderr.on('data', (chunk) => {
        text = `${text}${chunk}`.slice(-4000);
        if (text.includes('ready to accept connections')) resolve();
      });
    });
  };
  const crash = async () => {
    // SIGQUIT ends the server and its connections at once, without saving anything.
    kill();
    await gone;
  };
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    crash,
    restart: start,
    stop: async () => {
      await crash();
      process.off('exit', kill);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the tests write need not survive anything. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=60',
];

/** Folder of the programs: `POSTGRES_BIN`, e.g. of a build with pgvector, else of the newest version that is installed. */
async function binaries() {
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN;
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? await readdir(root) : [];
  const newest = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => b - a)[0];
  if (!newest) throw new Error(`There is no PostgreSQL here: ${INSTALL}`);
  return join(root, newest, 'bin');
}

async function idsOf(name) {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
  );
  return { uid, gid };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
