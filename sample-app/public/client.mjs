/** Calls the tools as any other client does: one POST, answered with server-sent events. */

/** An answer other than success, or no answer at all. */
export class CallError extends Error {
  /**
   * @param {object | undefined} body the error body; undefined when no server answered
   * @param {{ retryAfterSeconds?: number, mayRetry?: boolean }} [advice] from the headers of the answer
   */
  constructor(body, advice = {}) {
    super(String(body?.message ?? 'The server did not answer.'));
    this.body = body;
    this.retryAfterSeconds = advice.retryAfterSeconds;
    this.mayRetry = advice.mayRetry ?? body === undefined;
  }
}

/** The address of a tool. It is relative to the page, so that a proxy may serve both below a path. */
export const addressOf = (tool) => new URL(`v1/tools/${tool}`, document.baseURI).href;

/**
 * Calls a tool and resolves with the body of the result.
 *
 * @param {string} tool its name, e.g. `search_web`
 * @param {object} request the JSON body
 * @param {{ key: string, signal?: AbortSignal, onEvent?: (event: { name: string, data: any }) => void }} options `onEvent` receives
 *   `progress` and `delta`
 * @throws CallError
 */
export async function callTool(tool, request, { key, signal, onEvent }) {
  const response = await fetch(addressOf(tool), {
    method: 'POST',
    headers: {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      Accept: 'text/event-stream, application/json',
    },
    body: JSON.stringify(request),
    signal,
  }).catch((error) => {
    throw signal?.aborted ? error : new CallError(undefined);
  });
  if (!response.ok) throw await refusal(response);
  try {
    for await (const event of eventsOf(response.body)) {
      if (event.name === 'result') return event.data;
      if (event.name === 'error') throw failureOf(event.data);
      onEvent?.(event);
    }
  } catch (error) {
    throw signal?.aborted || error instanceof CallError ? error : new CallError(undefined);
  }
  throw new CallError(undefined);
}

/** An `error` event carries what the headers of a plain error say. */
function failureOf({ should_retry: mayRetry, retry_after_seconds: retryAfterSeconds, ...body }) {
  return new CallError(body, { mayRetry, retryAfterSeconds });
}

async function refusal(response) {
  const body = await response.json().catch(() => ({
    statusCode: response.status,
    error: response.statusText,
    message: 'The server answered with something other than JSON.',
  }));
  const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
  return new CallError(body, {
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    mayRetry: response.headers.get('X-Should-Retry') === 'true',
  });
}

/**
 * The events of a `text/event-stream` whose data is JSON.
 * Format: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 *
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncGenerator<{ name: string, data: any }>}
 */
export async function* eventsOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let unread = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      unread += value;
      const blocks = unread.split(/\r?\n\r?\n/);
      unread = blocks.pop();
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function eventOf(block) {
  let name = 'message';
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') name = value;
    if (field === 'data') data.push(value);
  }
  return data.length > 0 ? { name, data: JSON.parse(data.join('\n')) } : undefined;
}

/** The request as a command for a POSIX shell. The key appears only when it is the demo key. */
export function curlOf(tool, request, key) {
  const shown = key === 'demo-key' ? key : '$TOOLS_API_KEY';
  const quoted = `'${JSON.stringify(request).replaceAll("'", `'\\''`)}'`;
  return [
    `curl -s ${addressOf(tool)} \\`,
    `  -H "X-API-Key: ${shown}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted}`,
  ].join('\n');
}
