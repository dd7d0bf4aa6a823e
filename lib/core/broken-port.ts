import { Logger } from '@nestjs/common';
import { UpstreamInvalidError } from './errors/index.js';

/**
 * The 502 for an implementation of a port, usually the host's own, that returned something of another shape. What exactly is wrong goes
 * into the log and not to the client: it is the host's to mend.
 *
 * @param port e.g. `transcript provider`
 * @param name of the implementation
 * @param fault what is wrong, without anything of what came, e.g. `segments` must be an array
 */
export function brokenPort(port: string, name: string, fault: string): UpstreamInvalidError {
  new Logger('ToolsModule').warn(`The ${port} "${name}" returned something that cannot be used: ${fault}.`);
  return new UpstreamInvalidError(`The ${port} "${name}" returned something that cannot be used.`);
}
