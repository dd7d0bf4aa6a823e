import { ToolsError } from './tools.error.js';

/** 501: the method asked for needs something that the host has not configured; the message names the option. */
export class MethodUnavailableError extends ToolsError {
  constructor(message: string) {
    super('method_unavailable', message);
  }
}

/** 501: the tool needs something that the host has not configured; the message names the option. */
export class NotConfiguredError extends ToolsError {
  constructor(message: string) {
    super('not_configured', message);
  }
}

/** Thrown at start, never over HTTP: an option of the host is wrong. Says what was expected and what came. */
export class InvalidOptionError extends Error {
  /** In place of what came where that must not be shown: a mistyped secret is still a secret. */
  static readonly WITHHELD: unique symbol = Symbol('withheld');
  override readonly name = 'InvalidOptionError';

  /** @param received what came; left out where that is beside the point */
  constructor(option: string, expected: string, ...received: [received?: unknown]) {
    const came = received.length === 0 ? '' : `, received ${describe(received[0])}`;
    super(`nestjs-tools: option \`${option}\` must be ${expected}${came}`);
  }
}

/** Thrown when an optional peer is needed and not installed; the message has the install command. */
export class MissingPeerError extends Error {
  override readonly name = 'MissingPeerError';
  constructor(
    readonly peer: string,
    neededFor: string,
  ) {
    super(`${neededFor} needs the optional package \`${peer}\`: npm install ${peer}`);
  }
}

function describe(value: unknown): string {
  if (value === InvalidOptionError.WITHHELD)
    return 'something else, which is not shown: it may hold credentials';
  if (value === null) return 'null';
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, 80))}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object')
    return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no keys'}`;
  return typeof value;
}
