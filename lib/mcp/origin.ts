import type { Socket } from 'node:net';
import type { ToolRequest } from '../core/http-exchange.js';

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1|::ffff:127(?:\.\d{1,3}){3})$/i;

/**
 * Checks the header `Origin`, which only browsers send. Accepted are an absent one, those of the option, pages of this machine, and pages of
 * this server.
 *
 * A server that listens on loopback and asks for no key is open to DNS rebinding: a web page binds its own name to 127.0.0.1, and then has
 * the very host that it sends. There, the server's own name counts only for callers with a credential.
 *
 * @param isKnown whether the request carries a credential
 * @returns the response (403) that refuses the request, or undefined
 */
export function originFault(
  { headers }: ToolRequest,
  socket: Pick<Socket, 'localAddress'> | null,
  allowed: readonly string[],
  isKnown: boolean,
): Response | undefined {
  const { origin, host = '' } = headers;
  if (origin === undefined || allowed.some((own) => own.replace(/\/$/, '') === origin)) return undefined;
  const page = URL.canParse(origin) ? new URL(origin) : undefined;
  if (page && /^https?:$/.test(page.protocol)) {
    if (LOOPBACK.test(page.hostname)) return undefined;
    const exposed = !LOOPBACK.test(socket?.localAddress ?? '');
    if (page.host === withoutDefaultPort(host, page.protocol) && (isKnown || exposed)) return undefined;
  }
  const message = `The origin ${JSON.stringify(origin.slice(0, 100))} may not call this server. The host can allow it with \`mcp.allowedOrigins\`.`;
  return Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status: 403 });
}

function withoutDefaultPort(host: string, protocol: string): string {
  return host.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '');
}
