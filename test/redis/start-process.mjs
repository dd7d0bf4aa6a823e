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
  // Warnings of the module may come before.
  let url;
  for await (const line of createInterface({ input: child.stdout })) {
    url = /^ready (.*)$/.exec(line)?.[1];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error('The process ended before it was ready.');
  child.stdout.resume();
  return {
    url,
    pid: child.pid,
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
