import fastifyCompress from '@fastify/compress';
import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import compression from 'compression';
import { raceTimeout } from '../../lib/core/async.js';
import { ToolsModule } from '../../lib/index.js';
import { ADAPTERS } from '../support/adapters.js';
import { closeHosts, startHost, type RunningHost } from '../support/host.js';
import { sendRaw } from '../support/raw-http.js';
import { SlowSource } from '../support/slow-source.js';

function compress(app: INestApplication): void {
  if (app.getHttpAdapter().getType() === 'express') app.use(compression({ threshold: 0 }));
  else void (app as NestFastifyApplication).register(fastifyCompress, { threshold: 0 });
}

describe.each(ADAPTERS)('a host on %s that compresses', (_name, adapter) => {
  let host: RunningHost;
  let source: SlowSource;
  afterEach(closeHosts);
  beforeEach(async () => {
    source = new SlowSource();
    const options = { apiKeys: ['k'], contentSources: [source] };
    host = await startHost([ToolsModule.forRoot(options)], adapter(), compress);
  });
  const headers = { 'X-API-Key': 'k', 'Content-Type': 'application/json', 'Accept-Encoding': 'br' };
  const body = JSON.stringify({ content_id: 'coral' });

  it('sends events as they happen', async () => {
    const response = await raceTimeout(
      fetch(`${host.url}/v1/tools/summarize_content`, {
        method: 'POST',
        headers: { ...headers, Accept: 'text/event-stream' },
        body,
      }),
      10_000,
    );
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    const reader = response.body!.getReader();
    const { value } = await raceTimeout(reader.read(), 10_000);
    expect(Buffer.from(value!).toString()).toContain('event: progress');
    source.loads[0]!.finish();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += Buffer.from(part.value).toString();
    expect(rest).toContain('event: result');
  });

  it('compresses a plain answer', async () => {
    const answer = sendRaw(host.url, {
      path: '/v1/tools/summarize_content',
      headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      body,
    });
    await source.begun(1);
    source.loads[0]!.finish();
    const { headers: answered } = await answer;
    expect(answered['content-encoding']).toBe('br');
  });
});
