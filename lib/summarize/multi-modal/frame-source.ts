import { UpstreamInvalidError, UpstreamUnavailableError } from '../../core/errors.js';
import type { ToolContext } from '../../core/context.js';
import { requestBytes, type Fetch } from '../../core/upstream/request.js';

/** Gets a sheet of a storyboard. A host gives its own for a proxy or for frames of another kind. */
export interface FrameSource {
  /** @throws upstream errors; the context's reason when it is aborted */
  fetchSheet(url: string, context: ToolContext): Promise<Uint8Array>;
}

/** Options of the embedded source. */
interface HttpFrameSourceOptions {
  /** Hosts that sheets may come from, each with its subdomains. Default `ytimg.com`. */
  hosts?: readonly string[];
  /** Default: the global `fetch`. */
  fetch?: Fetch;
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
    const { fetch } = this.options;
    const request = {
      upstream: 'The storyboard',
      url,
      timeoutMs: this.timeoutMs,
      maxBytes: MAX_BYTES,
      fetch,
    };
    const { status, body } = await requestBytes(request, context);
    if (status !== 200 || body.length === 0)
      throw new UpstreamUnavailableError(`The storyboard is not available (status ${status}).`);
    return body;
  }

  private isAllowed(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const { protocol, hostname, username, port } = new URL(address);
    const known = this.hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    return known && protocol === 'https:' && username === '' && port === '';
  }
}
