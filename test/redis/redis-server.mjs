import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';

const INSTALL =
  'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends redis-server';

/**
 * Starts Debian's `redis-server` on loopback; it keeps everything in memory and leaves nothing behind.
 *
 * @param {{ port?: number, args?: string[] }} [options] `port`: of one that was stopped, to start it again; default a free one
 */
export async function startRedis({ port, args = [] } = {}) {
  const at = port ?? (await freePort());
  const child = spawn(
    'redis-server',
    [
      '--port',
      `${at}`,
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      tmpdir(),
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // Whatever ends this process, the server does not outlive it.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const gone = once(child, 'exit').finally(() => process.off('exit', kill));
  await new Promise((resolve, reject) => {
    let text = '';
    child.once('error', () => reject(new Error(`There is no redis-server here: ${INSTALL}`)));
    child.once('exit', () => reject(new Error(`redis-server did not start: ${text}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('Ready to accept connections')) resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${at}`,
    port: at,
    /** It keeps its connections and answers nothing. */
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: async () => {
      kill();
      await gone;
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
