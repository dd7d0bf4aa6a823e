import { createServer } from 'node:http';
import { answerTo } from './answers.mjs';

/**
 * An OpenAI-compatible server on a loopback socket (`POST …/chat/completions`, streamed and not), with a pace, a window and
 * faults that can be set while it runs. Options and figures: `fake-llm.d.mts`.
 */
export async function startFakeLlm(options = {}) {
  const settings = {
    ttftMs: 0,
    tokensPerSecond: Infinity,
    prefillTokensPerSecond: Infinity,
    maxParallel: Infinity,
    retryAfter: '1',
    contextTokens: 128_000,
    words: 150,
    mode: 'right',
    counts: true,
    charactersPerToken: 4,
    ...options,
  };
  const calls = [];
  let running = 0;
  let maxRunning = 0;

  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => handle(request, response, body));
  });

  function handle(request, response, body) {
    const parsed = JSON.parse(body);
    const { prompt, system, images } = read(parsed.messages);
    const call = {
      index: calls.length,
      startedAt: performance.now(),
      status: 0,
      fault: undefined,
      promptTokens: Math.ceil((prompt.length + system.length) / 4) + images * 765,
      completionTokens: 0,
      aborted: false,
      closedAt: undefined,
      prompt,
      system,
      images,
      answer: '',
      headers: request.headers,
      body: parsed,
    };
    calls.push(call);
    running++;
    maxRunning = Math.max(maxRunning, running);
    const timers = new Set();
    let ended = false;
    const end = () => {
      if (ended) return;
      ended = true;
      running--;
      call.closedAt = performance.now();
      for (const timer of timers) clearTimeout(timer);
    };
    response.on('close', () => {
      call.aborted = !response.writableFinished && call.fault === undefined;
      if (call.fault === 'hang') call.aborted = true;
      end();
    });
    const later = (ms, work) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        if (!ended) work();
      }, ms);
      timers.add(timer);
    };
    const begin = (ms, work) => {
      if (settings.held) void settings.held.then(() => later(ms, work));
      else later(ms, work);
    };
    const fail = (status, error, headers = {}) => {
      call.status = status;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ error }));
    };
    const wait = settings.retryAfter === null ? {} : { 'retry-after': settings.retryAfter };

    if (running > settings.maxParallel) {
      call.fault = 'over_max_parallel';
      return fail(429, { message: 'Too many requests in flight', type: 'rate_limit_error' }, wait);
    }
    const fault = settings.fault?.(call.index, call);
    call.fault = typeof fault === 'object' ? fault.name : fault;
    if (typeof fault === 'object' && 'status' in fault) return fail(fault.status, fault.error, fault.headers);
    if (fault === 'rate_limited') {
      return fail(
        429,
        { message: 'Rate limit reached', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
        wait,
      );
    }
    if (fault === 'server_error')
      return fail(500, { message: 'The server had an error', type: 'server_error' });
    if (fault === 'hang') return undefined;
    if (fault === 'reset') return void request.socket.destroy();
    if (fault === 'html') {
      call.status = 200;
      response.writeHead(200, { 'content-type': 'text/html' });
      return response.end('<html><body>502 Bad Gateway</body></html>');
    }
    const output = settings.countsOutput ? (parsed.max_tokens ?? 0) : 0;
    if (call.promptTokens + output > settings.contextTokens) {
      call.fault = 'context_length_exceeded';
      return fail(400, {
        message: `This model's maximum context length is ${settings.contextTokens} tokens. However, your messages resulted in ${call.promptTokens + output} tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      });
    }
    call.status = 200;
    const replied =
      fault === 'empty' || fault === 'out_of_tokens' || fault === 'filtered'
        ? ''
        : (settings.answer ?? answerTo)(prompt, settings, call);
    const limit =
      (parsed.max_tokens ?? parsed.max_completion_tokens ?? Infinity) * settings.charactersPerToken;
    const answer = typeof replied === 'string' ? replied : replied.text;
    call.answer = answer.slice(0, limit);
    const tooLong = answer.length > limit || fault === 'out_of_tokens';
    const finish = replied.finish ?? (fault === 'filtered' ? 'content_filter' : tooLong ? 'length' : 'stop');
    const readMs = settings.ttftMs + (call.promptTokens / settings.prefillTokensPerSecond) * 1000;
    const usage = () => {
      const input = settings.counts ? call.promptTokens : 0;
      const output = settings.counts ? call.completionTokens : 0;
      return {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        ...settings.usage,
      };
    };
    const head = { id: `call-${call.index}`, created: 0, model: parsed.model };

    if (!parsed.stream) {
      call.completionTokens = Math.ceil(call.answer.length / 4);
      const ms = readMs + (call.completionTokens / settings.tokensPerSecond) * 1000;
      return begin(ms, () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        if (fault === 'malformed') return response.end('{"choices": [{"mess');
        response.end(
          JSON.stringify({
            ...head,
            object: 'chat.completion',
            choices: [
              { index: 0, message: { role: 'assistant', content: call.answer }, finish_reason: finish },
            ],
            usage: usage(),
          }),
        );
      });
    }

    const send = (value) =>
      response.write(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`);
    const chunk = (delta, reason = null) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    // Pieces of 50 ms, like a real server's; all at once where no pace is set.
    const step = settings.tokensPerSecond === Infinity ? Infinity : settings.tokensPerSecond * 0.05 * 4;
    let sent = 0;
    const next = () => {
      if (typeof fault === 'object' && sent >= (fault.after ?? 0)) {
        send({ error: fault.error });
        return response.end();
      }
      if (sent === 0) send(chunk({ role: 'assistant', content: '' }));
      if (fault === 'malformed' && sent > 0) {
        response.write('data: {"choices": [{"del\n\n');
        return response.end();
      }
      if (fault === 'truncated' && sent > 0) return response.end();
      if (fault === 'cut' && sent > 0) return void request.socket.destroy();
      if (fault === 'stall' && sent > 0) return undefined;
      const piece = call.answer.slice(sent, fault ? sent + Math.min(step, fault.after ?? 160) : sent + step);
      sent += piece.length;
      call.completionTokens = Math.ceil(sent / 4);
      if (piece) send(chunk({ content: piece }));
      if (sent < call.answer.length || (fault && call.answer !== ''))
        return later(step === Infinity ? 0 : 50, next);
      send(chunk({}, finish));
      if (parsed.stream_options?.include_usage)
        send({ ...head, object: 'chat.completion.chunk', choices: [], usage: usage() });
      send('[DONE]');
      response.end();
    };
    begin(readMs, () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      next();
    });
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    settings,
    calls,
    get running() {
      return running;
    },
    get maxRunning() {
      return maxRunning;
    },
    reset() {
      calls.length = 0;
      maxRunning = running;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

function read(messages) {
  let prompt = '';
  let system = '';
  let images = 0;
  for (const { role, content } of messages) {
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    for (const part of parts) {
      if (part.type === 'text' && role === 'system') system += part.text;
      else if (part.type === 'text') prompt += `${part.text}\n`;
      else images++;
    }
  }
  return { prompt, system, images };
}
