import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { requireKnownKeys } from '../../core/check-options.js';
import { MissingPeerError } from '../../core/errors/index.js';
import { cleanLines, oneLine } from './visible-text.js';

/** Bounds for reading a stranger's PDF. Everything is optional. */
export interface UnpdfReaderOptions {
  /** Pages whose text is kept. Default 50. */
  maxPages?: number;
  /** Heap of the thread that reads, MB; one that needs more is ended. Default 128. */
  maxHeapMb?: number;
  /** Where the library is. Default: `unpdf` as the process's own folder resolves it. */
  modulePath?: string;
}

/** Runs in the thread. A string, since a file beside this one would not be found by every bundler. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { bytes, modulePath, maxPages } = workerData;
(async () => {
  const { extractText, getDocumentProxy, getMeta } = require(modulePath);
  const document = await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
  const { text } = await extractText(document, { mergePages: false });
  const { info } = await getMeta(document).catch(() => ({ info: {} }));
  return { text: text.slice(0, maxPages).join('\\n\\n'), title: typeof info?.Title === 'string' ? info.Title : '' };
})().then((result) => parentPort.postMessage(result), (error) => parentPort.postMessage({ error: String(error) }));
`;

/**
 * Reads PDFs with the optional package `unpdf` (pdf.js without its viewer; one package, 2.6 MB), for the page reader's
 * option `pdf`. In a thread of its own with bounded memory, ended when the signal fires: a PDF can keep its reader busy
 * for as long as its author likes. One at a time; the others wait their turn.
 *
 * @throws InvalidOptionError; MissingPeerError when `unpdf` is not installed
 */
export function unpdfReader(
  options: UnpdfReaderOptions = {},
): (bytes: Buffer, signal: AbortSignal) => Promise<{ text: string; title?: string }> {
  requireKnownKeys('unpdfReader', options, ['maxPages', 'maxHeapMb', 'modulePath']);
  const { maxPages = 50, maxHeapMb = 128, modulePath = locate() } = options;
  let turn: Promise<unknown> = Promise.resolve();
  return (bytes, signal) => {
    const reading = turn.then(() =>
      inThread({ bytes: new Uint8Array(bytes), modulePath, maxPages }, maxHeapMb, signal),
    );
    turn = reading.catch(() => undefined);
    return reading;
  };
}

interface ThreadResult {
  text?: string;
  title?: string;
  error?: string;
}

function inThread(
  workerData: { bytes: Uint8Array; modulePath: string; maxPages: number },
  maxHeapMb: number,
  signal: AbortSignal,
): Promise<{ text: string; title?: string }> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(THREAD, {
      eval: true,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 16 },
      env: {},
      stdout: true,
      stderr: true,
    });
    let settle: (() => void) | undefined;
    const end = (outcome: () => void): void => {
      settle ??= outcome;
      void worker.terminate();
    };
    const onAbort = (): void => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('error', (error) => end(() => reject(error)));
    worker.once('message', ({ text, title, error }: ThreadResult) =>
      end(() => {
        if (text === undefined) reject(new Error(error ?? 'no text'));
        else resolve({ text: cleanLines(text), ...(title ? { title: oneLine(title).slice(0, 300) } : {}) });
      }),
    );
    // Settled only once the thread is gone, so that the next one does not run beside it.
    worker.once('exit', () => {
      signal.removeEventListener('abort', onAbort);
      if (settle) settle();
      else reject(new Error('The thread ended without a result.'));
    });
  });
}

function locate(): string {
  try {
    return createRequire(resolve('package.json')).resolve('unpdf');
  } catch {
    throw new MissingPeerError('unpdf', 'Reading PDFs');
  }
}
