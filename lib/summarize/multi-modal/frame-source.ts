import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../core/errors/index.js';
import type { ToolContext } from '../../core/tool-context.js';

/** Gets a sheet of a storyboard. A host gives its own for a proxy or for frames of another kind. */
export interface FrameSource {
  /** @throws upstream errors; the context's reason when it is aborted */
  fetchSheet(url: string, context: ToolContext): Promise<Uint8Array>;
}

/** Options of the embedded source. */
export interface HttpFrameSourceOptions {
  /** Hosts that sheets may come from, each with its subdomains. Default `ytimg.com`. */
  hosts?: readonly string[];
  /** Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** For the whole of one sheet, ms. Default 6,000. */
  timeoutMs?: number;
}

const MAX_BYTES = 3 * 1024 * 1024;

/**
 * Storyboard sheets over HTTPS. Their addresses come from outside, so only known hosts are asked and no redirect is followed.
 */
export class HttpFrameSource implements FrameSource {
  private readonly hosts: readonly string[];
  private readonly timeoutMs: number;

  constructor(private readonly options: HttpFrameSourceOptions = {}) {
    this.hosts = options.hosts ?? ['ytimg.com'];
    this.timeoutMs = options.timeoutMs ?? 6000;
  }

  async fetchSheet(url: string, context: ToolContext): Promise<Uint8Array> {
    if (!this.isAllowed(url))
      throw new UpstreamInvalidError('The storyboard is at an address that is not allowed.');
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(context.signal.reason);
    context.signal.throwIfAborted();
    context.signal.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(
      () =>
        controller.abort(
          new UpstreamTimeoutError(`A storyboard sheet took longer than ${this.timeoutMs} ms.`),
        ),
      this.timeoutMs,
    );
    try {
      const response = await (this.options.fetch ?? fetch)(url, {
        redirect: 'manual',
        signal: controller.signal,
      });
      if (response.status !== 200 || !response.body) {
        await response.body?.cancel();
        throw new UpstreamUnavailableError(`The storyboard is not available (status ${response.status}).`);
      }
      return await readBytes(response.body, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason;
      if (error instanceof UpstreamUnavailableError || error instanceof UpstreamInvalidError) throw error;
      throw new UpstreamUnavailableError('The storyboard cannot be reached.', { cause: error });
    } finally {
      clearTimeout(timer);
      context.signal.removeEventListener('abort', onAbort);
    }
  }

  private isAllowed(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const { protocol, hostname, username, port } = new URL(address);
    const known = this.hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    return known && protocol === 'https:' && username === '' && port === '';
  }
}

async function readBytes(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return Buffer.concat(chunks, size);
      size += value.byteLength;
      if (size > MAX_BYTES) {
        cancel();
        throw new UpstreamInvalidError(`A storyboard sheet is larger than ${MAX_BYTES} bytes.`);
      }
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
