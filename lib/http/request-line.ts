import type { RequestEvent } from '../core/request-event.js';
import { printable } from '../core/text/printable.js';

/**
 * One line of the log: `search_web 200 ok 123 ms request_id=… key=billing method=answer provider=tavily engine=… cached=false
 * tokens=1200+85`. What is unknown is left out.
 */
export function requestLine(event: RequestEvent): string {
  const { tool, statusCode, outcome, milliseconds, requestId, key, method, provider, engine, cached, usage } =
    event;
  const fields: [string, string | boolean | undefined][] = [
    ['request_id', requestId],
    ['key', key?.name],
    ['method', method],
    ['provider', provider],
    ['engine', engine],
    ['cached', cached],
    ['tokens', usage && `${usage.inputTokens}+${usage.outputTokens}`],
  ];
  const known = fields.filter(([, value]) => value !== undefined);
  const pairs = known.map(([name, value]) => `${name}=${plain(String(value))}`);
  return [tool, statusCode, outcome, milliseconds, 'ms', ...pairs].join(' ');
}

/** A value with white space, quotes or what cannot be printed goes in quotes, so that it cannot pass for another field or line. */
function plain(value: string): string {
  return /^[^\s"=\p{Cc}\p{Cf}]+$/u.test(value) ? value : printable(JSON.stringify(value));
}
