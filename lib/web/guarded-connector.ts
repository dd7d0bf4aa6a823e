import type { LookupAddress } from 'node:dns';
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, rootCertificates } from 'node:tls';
import type { VettedTarget } from './address-guard.js';

/** One attempt to open a socket, told just before it is made. */
export interface Dial {
  address: string;
  port: number;
  /** The name in the URL that led here. */
  host: string;
}

/** How sockets are opened. */
export interface ConnectorOptions {
  /** Called before each attempt to open a socket, e.g. to count or log them. */
  onDial?: (dial: Dial) => void;
  /** PEM certificates of authorities trusted besides the well-known ones, e.g. an intranet's own. */
  ca?: string | readonly string[];
}

/**
 * A socket to one of the vetted addresses, encrypted for `https`. The name is not looked up again: the socket's `lookup`
 * is answered from the list, so that what was vetted is what is dialled, and all of it (both families, tried in turn).
 * A literal needs no lookup and is on the list itself. Sockets are not pooled: a reused one would skip the vetting.
 */
export function openSocket(secure: boolean, target: VettedTarget, { onDial, ca }: ConnectorOptions): Socket {
  const { host, port, addresses } = target;
  const options = { host, port, lookup: answerFrom(addresses), autoSelectFamily: true };
  const socket = secure
    ? connectTls({
        ...options,
        servername: isIP(host) === 0 ? host : '',
        ALPNProtocols: ['http/1.1'],
        ...(ca === undefined ? {} : { ca: [...rootCertificates, ...(typeof ca === 'string' ? [ca] : ca)] }),
      })
    : connectPlain(options);
  if (onDial)
    socket.on('connectionAttempt', (address, attemptedPort) =>
      onDial({ address, port: attemptedPort, host }),
    );
  return socket;
}

function answerFrom(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    // Not within the call: `net` connects in the callback, before anyone could listen to the socket.
    process.nextTick(() =>
      options.all ? callback(null, addresses) : callback(null, first?.address ?? '', first?.family),
    );
  };
}
