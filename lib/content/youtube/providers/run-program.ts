import { spawn } from 'node:child_process';
import { NotConfiguredError, UpstreamInvalidError, UpstreamTimeoutError } from '../../../core/errors.js';

export interface RunOptions {
  /** Longest time, ms. The program is then killed. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Message for a host without the program. */
  install: string;
  /** Bytes of output; default 64 MiB. */
  maxBytes?: number;
}

export interface RunResult {
  code: number | null;
  stdout: string;
  /** The last 64 kB. */
  stderr: string;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;

/**
 * Runs a program with an argument vector and without a shell. Kills it when its time is up or the caller leaves.
 *
 * @throws NotConfiguredError when it is not installed; UpstreamTimeoutError; UpstreamInvalidError when its output is too large; the
 *   signal's reason when the signal fires
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, signal, install, maxBytes = MAX_BYTES }: RunOptions,
): Promise<RunResult> {
  return new Promise<RunResult>((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.kill('SIGKILL');
      settle();
    };
    const fail = (error: unknown): void => end(() => reject(error as Error));
    const onAbort = (): void => fail(signal.reason);
    const timer = setTimeout(
      () => fail(new UpstreamTimeoutError(`The program did not end within ${timeoutMs} ms.`)),
      timeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else fail(new UpstreamInvalidError(`The output of the program is larger than ${maxBytes} bytes.`));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR);
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ENOENT' || error.code === 'EACCES' ? new NotConfiguredError(install) : error),
    );
    child.once('close', (code) =>
      end(() => resolve({ code, stdout: Buffer.concat(chunks).toString('utf8'), stderr })),
    );
  });
}
