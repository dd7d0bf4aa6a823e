import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { integer, optional, options, parseOption, string, withDefault } from '../../core/schema.js';
import { callersBehind } from '../../core/async.js';
import { MissingPeerError } from '../../core/errors.js';
import { FairQueue } from '../../core/fair-queue.js';
import type { PdfReader } from '../fetch-page.js';
import { WebError } from '../web.errors.js';
import { cleanText } from '../../text/plain-text.js';
import { PDF_TEXT } from './pdf-text.js';

/** Bounds for reading a stranger's PDF. Everything is optional. */
interface UnpdfReaderOptions {
  /** Pages whose text is kept. Default 50. */
  maxPages?: number;
  /** Path of the library. Default: `unpdf` as resolved from the process's own folder. */
  modulePath?: string;
}

const OPTIONS = options({
  maxPages: withDefault(integer(1), 50),
  modulePath: optional(string({ min: 1 })),
});

/** Characters of text that are kept, as many as of any other page; a plain bound. */
const MAX_TEXT = 1024 * 1024;
/** Heap of the thread that reads, and memory that it may add to the process outside of it, MB. A PDF that needs more is given up. A plain bound. */
const MAX_MEMORY_MB = 128;
/** Longest time for one PDF, ms. The 50 pages of an ordinary one take a tenth of it. A plain bound. */
const TIMEOUT_MS = 5_000;
/** How often the memory of the process is looked at while a PDF is read, ms: pdf.js takes up to 150 MB a second; set by hand. */
const WATCH_MS = 20;

/** Runs in the thread. A string, since not every bundler would find a file next to this one. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { bytes, modulePath, maxPages, maxText } = workerData;
${PDF_TEXT}
(async () => {
  const { getDocumentProxy, getMeta } = require(modulePath);
  const document = await getDocumentProxy(bytes, { isEvalSupported: false, verbosity: 0 });
  const pages = [];
  for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(textOf(items));
    page.cleanup();
  }
  const { info } = await getMeta(document).catch(() => ({ info: {} }));
  const text = pages.join('\\n\\n');
  const title = typeof info?.Title === 'string' ? info.Title : '';
  const read = pages.length < document.numPages ? pages.length + ' of ' + document.numPages + ' pages' : '';
  return { text: text.slice(0, maxText), title, read: text.length > maxText ? maxText + ' characters' : read };
})().then((result) => parentPort.postMessage(result), (error) => parentPort.postMessage({ error: String(error) }));
`;

/**
 * Reads PDFs with the optional package `unpdf` (pdf.js without its viewer), for the page reader's option `pdf`. Each PDF is read in a thread
 * of its own, one at a time, which ends when the signal fires or its time or memory is used up. Callers take turns, however many PDFs each
 * has. V8 bounds the thread's heap. Nobody bounds what it holds outside (inflated streams), so the memory of the process is watched.
 *
 * @throws InvalidOptionError; MissingPeerError when `unpdf` is not installed
 */
export function unpdfReader(options: UnpdfReaderOptions = {}): PdfReader {
  const { maxPages, modulePath = locate() } = parseOption('unpdfReader', OPTIONS, options);
  const queue = new FairQueue({ slots: 1 });
  return async (bytes, signal) => {
    const input = { bytes: new Uint8Array(bytes), modulePath, maxPages, maxText: MAX_TEXT };
    const { text, title, read } = await queue.run({ callers: callersBehind(signal), signal }, () =>
      inThread(input, signal),
    );
    return {
      text: withWholeWords(text),
      ...(title ? { title: cleanText(title).slice(0, 300) } : {}),
      ...(read ? { read } : {}),
    };
  };
}

/** Words that were broken at the end of a line are joined where the text has the whole word elsewhere. */
function withWholeWords(text: string): string {
  if (!/\p{L}-\n\p{Ll}/u.test(text)) return text;
  const words = new Set(Array.from(text.matchAll(/\p{L}{2,60}/gu), ([word]) => word.toLowerCase()));
  return text.replace(
    /(?<!\p{L})(\p{L}{1,60})-\n(\p{Ll}{1,60})(?!\p{L})/gu,
    (broken, start: string, end: string) => (words.has((start + end).toLowerCase()) ? start + end : broken),
  );
}

interface ThreadResult {
  text?: string;
  title?: string;
  read?: string;
  error?: string;
}

function inThread(
  workerData: { bytes: Uint8Array; modulePath: string; maxPages: number; maxText: number },
  signal: AbortSignal,
): Promise<{ text: string; title?: string; read?: string }> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(THREAD, {
      eval: true,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, maxYoungGenerationSizeMb: 16 },
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
    const giveUp = (bound: string): void =>
      end(() => reject(new WebError('unreadable', `Reading the PDF takes more than ${bound}.`)));
    const before = process.memoryUsage();
    const watch = setInterval(() => {
      if (foreignGrowth(before) > MAX_MEMORY_MB * 1e6) giveUp(`${MAX_MEMORY_MB} MB of memory`);
    }, WATCH_MS);
    const timer = setTimeout(() => giveUp(`${TIMEOUT_MS / 1000} seconds`), TIMEOUT_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.once('error', (error) => end(() => reject(error)));
    worker.once('message', ({ text, title, read, error }: ThreadResult) =>
      end(() => {
        if (text === undefined) reject(new Error(error ?? 'no text'));
        else resolve({ text, title, read });
      }),
    );
    // Settles only when the thread has ended, so that two never run at once.
    worker.once('exit', () => {
      clearInterval(watch);
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (settle) settle();
      else reject(new Error('The thread ended without a result.'));
    });
  });
}

/**
 * Bytes that the process has gained since `before`, without those that this thread has gained. What this thread has freed is not
 * counted: V8 hands it back to the process some time later, or never.
 */
function foreignGrowth(before: NodeJS.MemoryUsage): number {
  const now = process.memoryUsage();
  const own = Math.max(0, now.heapTotal - before.heapTotal) + Math.max(0, now.external - before.external);
  return now.rss - before.rss - own;
}

function locate(): string {
  try {
    return createRequire(resolve('package.json')).resolve('unpdf');
  } catch {
    throw new MissingPeerError('unpdf', 'Reading PDFs');
  }
}
