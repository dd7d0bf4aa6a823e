import { ERROR_CODES } from '../../lib/core/errors.js';
import type { RawResponse } from './raw-http.js';

/** Signs of the inside: stack frames, source files, folders, names of parsers and of classes. */
const INSIDE =
  /\n\s+at |node_modules|node:internal|\.(?:ts|js|mjs|cjs)\b|\/(?:home|usr|root|tmp|var|work|app)\/|dist\/|SyntaxError|TypeError|RangeError|FST_ERR|body-parser|ECONN|127\.0\.0\.1|zlib/;

/** Faults of an error answer against the documented form; empty where there is none. */
export function faultsOf(response: RawResponse, secrets: readonly string[] = []): string[] {
  const { status, headers, body, json } = response;
  const faults: string[] = [];
  const check = (ok: boolean, fault: string): void => void (ok || faults.push(fault));
  check(status >= 400 && status < 500, `status ${status}`);
  check(
    /^application\/json\b/.test(headers['content-type'] ?? ''),
    `content-type ${headers['content-type']}`,
  );
  const error = (json ?? {}) as Record<string, unknown>;
  check(error.statusCode === status, `statusCode ${String(error.statusCode)}`);
  check(typeof error.error === 'string' && error.error !== '', 'error is not a text');
  check(
    typeof error.message === 'string' ||
      (Array.isArray(error.message) && error.message.every((m) => typeof m === 'string')),
    'message is neither a text nor a list of texts',
  );
  check(typeof error.code === 'string' && error.code in ERROR_CODES, `code ${String(error.code)}`);
  check(
    typeof error.request_id === 'string' && error.request_id === headers['x-request-id'],
    `request_id ${String(error.request_id)}, header ${headers['x-request-id']}`,
  );
  check(
    /^(true|false)$/.test(headers['x-should-retry'] ?? ''),
    `x-should-retry ${headers['x-should-retry']}`,
  );
  check(body.length < 4000, `${body.length} bytes of error`);
  const everything = `${JSON.stringify(headers)}${body}`;
  check(!INSIDE.test(everything), `shows the inside: ${INSIDE.exec(everything)?.[0]}`);
  for (const secret of secrets) check(!everything.includes(secret), 'shows a key');
  return faults;
}
