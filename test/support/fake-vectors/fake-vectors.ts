import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

/** What one call does instead of answering rightly. */
export type VectorFault =
  | 'server_error'
  | 'rate_limited'
  | 'unauthorized'
  | 'refused'
  | 'too_long'
  | 'hang'
  | 'reset'
  | 'html'
  | 'too_few'
  | 'not_numbers'
  | 'uneven';

/** A call that the server got. */
export interface VectorCall {
  texts: string[];
  body: Record<string, unknown>;
  headers: IncomingHttpHeaders;
  aborted: boolean;
}

/** A server that speaks OpenAI's `POST /embeddings` on a loopback socket. */
export interface FakeVectors {
  url: string;
  calls: VectorCall[];
  /** Most calls that were open at the same time. */
  maxRunning: number;
  /** Can be changed while it runs. */
  settings: {
    /** The vector of a text. */
    vectorOf: (text: string) => readonly number[];
    /** The fault of the n-th call, from 0. Default: none. */
    fault: (n: number, texts: readonly string[]) => VectorFault | undefined;
    /** Answers are held back until it resolves. */
    held?: Promise<void>;
  };
  close(): Promise<void>;
}

/** Starts the server on a free port. */
export async function startFakeVectors(
  vectorOf: FakeVectors['settings']['vectorOf'] = wordHashes,
): Promise<FakeVectors> {
  const calls: VectorCall[] = [];
  const settings: FakeVectors['settings'] = { vectorOf, fault: () => undefined };
  let running = 0;
  const fake = { maxRunning: 0 };
  const server = createServer((request, response) => {
    let json = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (json += chunk));
    request.on('end', () => void answer());
    const answer = async (): Promise<void> => {
      const body = JSON.parse(json) as Record<string, unknown>;
      const texts = body.input as string[];
      const call = { texts, body, headers: request.headers, aborted: false };
      const fault = settings.fault(calls.push(call) - 1, texts);
      fake.maxRunning = Math.max(fake.maxRunning, ++running);
      response.on('close', () => {
        running--;
        call.aborted = !response.writableFinished;
      });
      await settings.held;
      const fail = (status: number, message: string, headers = {}): void => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify({ error: { message, type: 'error', code: null } }));
      };
      if (fault === 'hang') return;
      if (fault === 'reset') return void request.socket.destroy();
      if (fault === 'server_error') return fail(500, 'boom');
      if (fault === 'rate_limited') return fail(429, 'slow down', { 'retry-after': '0' });
      if (fault === 'unauthorized') return fail(401, 'wrong key');
      if (fault === 'refused') return fail(400, 'no such dimensions');
      if (fault === 'too_long') return fail(400, "This model's maximum context length is 8192 tokens.");
      if (fault === 'html') {
        response.writeHead(200, { 'content-type': 'text/html' });
        return void response.end('<html>proxy</html>');
      }
      let vectors: unknown[][] = texts.map((text) => [...settings.vectorOf(text)]);
      if (fault === 'too_few') vectors = vectors.slice(1);
      if (fault === 'not_numbers') vectors = vectors.map((vector) => vector.map(() => null));
      if (fault === 'uneven') vectors[0] = vectors[0]!.slice(1);
      const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          object: 'list',
          model: body.model,
          data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
          usage: { prompt_tokens: tokens, total_tokens: tokens },
        }),
      );
    };
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(fake, {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    settings,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** The server's model through the real AI SDK. */
export function embeddingModel({ url }: Pick<FakeVectors, 'url'>, id = 'fake-embedding') {
  return createOpenAICompatible({ name: 'fake', baseURL: url, apiKey: 'key' }).embeddingModel(id);
}

const SIZE = 64;

/** Each word in a place of its own (by hash): texts that share words are near, others are not. */
export function wordHashes(text: string): number[] {
  const vector = new Array<number>(SIZE).fill(0);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let h = 0;
    for (const letter of word) h = (h * 31 + letter.codePointAt(0)!) >>> 0;
    vector[h % SIZE]! += 1;
  }
  return vector;
}
