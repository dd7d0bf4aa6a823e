import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Starts a process of `tools-process.mjs` and waits until it is ready.
 *
 * @param {Record<string, string>} env its settings
 */
export async function startProcess(env) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('tools-process.mjs', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const gone = once(child, 'exit');
  const ready = once(createInterface({ input: child.stdout }), 'line');
  const first = await Promise.race([ready, gone.then(() => undefined)]);
  if (!first) throw new Error('The process ended before it was ready.');
  return {
    url: first[0].slice('ready '.length),
    /** Ends it as a host is ended: what is in progress gets its grace time. */
    stop: async () => {
      child.stdin.end();
      await gone;
    },
    /** It is gone at once and says nothing to anybody. */
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
