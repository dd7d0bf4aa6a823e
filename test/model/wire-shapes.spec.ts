import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withContext } from '../../lib/core/context.js';
import { ModelClient } from '../../lib/model/client.js';
import { UsageMeter } from '../../lib/model/usage-meter.js';
import type { LanguageModelLike, PromptPart } from '../../lib/model/ai-sdk.js';

const IMAGE = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]);
const BASE64 = Buffer.from(IMAGE).toString('base64');
const PARTS: PromptPart[] = [
  { type: 'text', text: 'before' },
  { type: 'image', data: IMAGE, mediaType: 'image/jpeg' },
  { type: 'text', text: 'after' },
];

interface Reply {
  status: number;
  type: string;
  body: string;
}
const events = (...values: unknown[]): Reply => ({
  status: 200,
  type: 'text/event-stream',
  body: values
    .map((value) => {
      const name = (value as { type?: string }).type;
      const data = typeof value === 'string' ? value : JSON.stringify(value);
      return `${name ? `event: ${name}\n` : ''}data: ${data}\n\n`;
    })
    .join(''),
});
const refusal = (status: number, body: unknown): Reply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

describe('wire shapes', () => {
  let server: Server;
  let url: string;
  let reply: Reply;
  let asked: { path: string; body: Record<string, unknown> }[];
  beforeEach(async () => {
    asked = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked.push({ path: request.url ?? '', body: JSON.parse(body) as Record<string, unknown> });
        response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = async (model: LanguageModelLike) => {
    const meter = new UsageMeter();
    const deltas: string[] = [];
    const answer = await withContext(5000, {}, (context) =>
      new ModelClient(model, { backOffMs: 5 }).generate(
        {
          stage: 'write',
          system: 'rules',
          parts: PARTS,
          maxOutputTokens: 300,
          onText: (delta) => deltas.push(delta),
        },
        context,
        meter,
      ),
    );
    return { answer, deltas, usage: meter.usage };
  };

  describe('OpenAI, chat completions', () => {
    const model = () => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'key' }).chat('gpt-4o');
    const chunk = (delta: unknown, finish: string | null = null) => ({
      id: 'c1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'gpt-4o',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });

    it('sends text and picture, and reads the stream and its usage', async () => {
      reply = events(
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Good ' }),
        chunk({ content: 'day.' }),
        chunk({}, 'stop'),
        {
          id: 'c1',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'gpt-4o',
          choices: [],
          usage: { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34 },
        },
        '[DONE]',
      );
      const { answer, deltas, usage } = await ask(model());
      expect(answer).toEqual({ text: 'Good day.', truncated: false });
      expect(deltas).toEqual(['Good ', 'day.']);
      expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 30, outputTokens: 4 });
      expect(asked[0]).toMatchObject({
        path: '/v1/chat/completions',
        body: {
          stream: true,
          messages: [
            { role: 'system', content: 'rules' },
            {
              role: 'user',
              content: [
                { type: 'text', text: 'before' },
                { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${BASE64}` } },
                { type: 'text', text: 'after' },
              ],
            },
          ],
        },
      });
    });

    it('reads the error for a prompt that is too long', async () => {
      reply = refusal(400, {
        error: {
          message:
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
        },
      });
      await expect(ask(model())).rejects.toMatchObject({ code: 'content_too_long' });
    });
  });

  describe('OpenAI, responses', () => {
    it('sends text and picture, and reads the stream', async () => {
      reply = events(
        { type: 'response.created', response: { id: 'r1', created_at: 1, model: 'gpt-5-mini' } },
        { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm1' } },
        { type: 'response.output_text.delta', item_id: 'm1', delta: 'Good day.' },
        { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'm1' } },
        { type: 'response.completed', response: { usage: { input_tokens: 31, output_tokens: 5 } } },
      );
      const { answer, usage } = await ask(
        createOpenAI({ baseURL: `${url}/v1`, apiKey: 'key' })('gpt-5-mini'),
      );
      expect(answer.text).toBe('Good day.');
      expect(usage).toMatchObject({ inputTokens: 31, outputTokens: 5 });
      expect(asked[0]!.path).toBe('/v1/responses');
      expect(JSON.stringify(asked[0]!.body)).toContain(
        `"type":"input_image","image_url":"data:image/jpeg;base64,${BASE64}"`,
      );
    });
  });

  describe('Anthropic', () => {
    const model = () => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'key' })('claude-sonnet-4-5');

    it('sends text and picture, and reads the stream and its usage', async () => {
      reply = events(
        {
          type: 'message_start',
          message: {
            id: 'm1',
            type: 'message',
            role: 'assistant',
            model: 'claude',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 32, output_tokens: 1 },
          },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good day.' } },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 6 },
        },
        { type: 'message_stop' },
      );
      const { answer, usage } = await ask(model());
      expect(answer).toEqual({ text: 'Good day.', truncated: false });
      expect(usage).toMatchObject({ inputTokens: 32, outputTokens: 6 });
      expect(asked[0]).toMatchObject({
        path: '/v1/messages',
        body: {
          max_tokens: 300,
          system: [{ type: 'text', text: 'rules' }],
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'before' },
                { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: BASE64 } },
                { type: 'text', text: 'after' },
              ],
            },
          ],
        },
      });
    });

    it('reads the errors for a long prompt and for overload', async () => {
      reply = refusal(400, {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'prompt is too long: 210000 tokens > 200000 maximum',
        },
      });
      await expect(ask(model())).rejects.toMatchObject({ code: 'content_too_long' });
      reply = refusal(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
      await expect(ask(model())).rejects.toMatchObject({ code: 'upstream_unavailable' });
      expect(asked).toHaveLength(1 + 3);
    });
  });

  describe('Gemini', () => {
    const model = () =>
      createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'key' })('gemini-2.5-flash');

    it('sends text and picture, and reads the stream and its usage', async () => {
      reply = events(
        {
          candidates: [{ content: { parts: [{ text: 'Good ' }], role: 'model' }, index: 0 }],
          usageMetadata: { promptTokenCount: 33, totalTokenCount: 33 },
        },
        {
          candidates: [
            { content: { parts: [{ text: 'day.' }], role: 'model' }, finishReason: 'STOP', index: 0 },
          ],
          usageMetadata: { promptTokenCount: 33, candidatesTokenCount: 7, totalTokenCount: 40 },
        },
      );
      const { answer, usage } = await ask(model());
      expect(answer).toEqual({ text: 'Good day.', truncated: false });
      expect(usage).toMatchObject({ inputTokens: 33, outputTokens: 7 });
      expect(asked[0]!.path).toContain('/models/gemini-2.5-flash:streamGenerateContent');
      expect(asked[0]!.body).toMatchObject({
        systemInstruction: { parts: [{ text: 'rules' }] },
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'before' },
              { inlineData: { mimeType: 'image/jpeg', data: BASE64 } },
              { text: 'after' },
            ],
          },
        ],
      });
    });

    it('reads a refusal by its filter and the error for a long prompt', async () => {
      reply = events({
        candidates: [{ content: { parts: [], role: 'model' }, finishReason: 'SAFETY', index: 0 }],
      });
      await expect(ask(model())).rejects.toMatchObject({ code: 'upstream_invalid', shouldRetry: false });
      reply = refusal(400, {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        },
      });
      await expect(ask(model())).rejects.toMatchObject({ code: 'content_too_long' });
    });
  });
});
