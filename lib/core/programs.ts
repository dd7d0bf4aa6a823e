import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { access, constants, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { onExit } from 'signal-exit';
import { withFork, type ToolContext } from './context.js';
import { NotConfiguredError, UpstreamInvalidError, UpstreamTimeoutError } from './errors.js';

interface ProgramOptions {
  timeoutMs: number;
  /** Message of the error when the program is not installed, with the install command. */
  install: string;
}

export interface ProgramResult {
  /** Whether it ended with status 0. */
  isOk: boolean;
  stdout: string;
  stderr: string;
}

/**
 * The variables of the environment that programs get: where to find programs and temporary files, the language, proxies and certificates, and what Windows
 * needs to start a program. The host's keys are left out.
 */
const PASSED_ON =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|TZ|LANG|LANGUAGE|LC_\w+|(?:HTTPS?|ALL|NO|FTP)_PROXY|SSL_CERT_(?:FILE|DIR)|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;
/** Bytes of output; a plain bound. */
const MAX_OUTPUT = 64 * 1024 * 1024;
/** A group of its own, so that the programs that it starts die with it. Windows has no such groups. */
const detached = process.platform !== 'win32';

/**
 * Runs a program with an argument vector and without a shell. Kills it and all that it has started when its time is up, the caller leaves or
 * this process ends. Settles when it has ended, so that its files can be removed.
 *
 * @throws NotConfiguredError when it is not installed; UpstreamTimeoutError; UpstreamInvalidError when its output is too large; the
 *   context's reason when it is aborted
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, install }: ProgramOptions,
  context: ToolContext,
): Promise<ProgramResult> {
  context.signal.throwIfAborted();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  const child = spawn(program, args, { env, detached, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  for (const [stream, chunks] of [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const)
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT) kill(child);
      else chunks.push(chunk);
    });
  const end = atExit(() => kill(child));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
      reject(isMissing ? new NotConfiguredError(install) : error);
    });
    child.on('close', resolve);
  });
  const onTimeout = (): Error => new UpstreamTimeoutError(`The program did not end within ${timeoutMs} ms.`);
  try {
    const code = await withFork(context, { ms: timeoutMs, onTimeout }, () => ended);
    if (bytes > MAX_OUTPUT)
      throw new UpstreamInvalidError(`The output of the program is larger than ${MAX_OUTPUT} bytes.`);
    return { isOk: code === 0, stdout: String(Buffer.concat(stdout)), stderr: String(Buffer.concat(stderr)) };
  } catch (error) {
    kill(child);
    await ended.catch(() => undefined);
    throw error;
  } finally {
    end();
  }
}

/**
 * Looks for a program as the operating system does.
 * @param install message of the error, with the install command
 * @throws NotConfiguredError
 */
export async function checkProgram(program: string, install: string): Promise<void> {
  const folders = program.includes(sep) ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd'] : [''];
  const places = folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)));
  const found = await Promise.allSettled(places.map((place) => access(place, constants.X_OK)));
  if (found.every(({ status }) => status === 'rejected')) throw new NotConfiguredError(install);
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (detached) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended.
  }
}

/**
 * Runs `work` with a new folder that only this user can read (mode 0700). The folder is removed when the work ends, and when this process ends,
 * also by a signal.
 */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  // Synchronous: no signal comes between the folder and its ending.
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-tools-'));
  const end = atExit(() => rmSync(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    end();
  }
}

const endings = new Set<() => void>();
let isHooked = false;

/**
 * Calls `ending` when this process exits, or when a signal ends it. A host that listens to the signal ends the process itself, and is not
 * disturbed before. `signal-exit` knows its own copies: two listeners of our own that each leave the end to the other would keep the process
 * alive.
 *
 * @returns takes it back
 */
function atExit(ending: () => void): () => void {
  // Once and for good: taking the hook back would also undo what others have hooked since.
  if (!isHooked) onExit(() => endings.forEach((end) => end()));
  isHooked = true;
  endings.add(ending);
  return () => void endings.delete(ending);
}
