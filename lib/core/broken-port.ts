import { Logger } from '@nestjs/common';
import { UpstreamInvalidError } from './errors/index.js';
import { printable } from './text/printable.js';

/**
 * The 502 for an implementation of a port, usually the host's own, that returned something of another shape. What exactly is wrong goes
 * into the log and not to the client: it is the host's to mend.
 *
 * @param port e.g. `transcript provider`
 * @param name of the implementation
 * @param fault what is wrong, without anything of what came, e.g. `segments` must be an array
 */
export function brokenPort(port: string, name: string, fault: string): UpstreamInvalidError {
  const what = printable(`The ${port} "${name}" returned something that cannot be used`);
  new Logger('ToolsModule').warn(`${what}: ${fault}.`);
  return new UpstreamInvalidError(`${what}.`);
}
