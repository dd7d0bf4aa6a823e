import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pdfOf } from './pdf.mjs';
import { startFakeLlm } from '../../test/support/fake-llm/fake-llm.mjs';

/** How long a search engine and a page take to answer, ms. */
const ENGINE_MS = 150;
const PAGE_MS = 50;
/** Beyond every deadline. */
const SLOW_MS = 20_000;
/** A model's server: the first token, and the pace, as of a hosted small model. */
const MODEL = { ttftMs: 250, tokensPerSecond: 400, words: 100 };

const filled = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const PROSE =
  'Coral reefs are built by tiny animals. They live in warm and shallow water. Storms break them. ';
const SMALL_PAGE = `<!doctype html><title>Coral</title><p>${filled(PROSE, 4_000)}`;
const HUGE_PAGE = `<!doctype html><title>Coral</title><p>${filled(PROSE, 1024 * 1024)}`;
const PDFS = { '/small.pdf': pdfOf(1, 40), '/slow.pdf': pdfOf(50, 2_000) };

/** The upstreams of all scenarios: a search engine with its pages and PDFs, a DNS server that never answers, and a model's server. */
export async function startUpstreams() {
  const web = createServer(async ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://x');
    if (pathname === '/search') {
      const kind = searchParams.get('q').split(' ')[0];
      await sleep(kind === 'slow' ? SLOW_MS : ENGINE_MS, undefined, { ref: false });
      if (response.destroyed) return undefined;
      return response.end(JSON.stringify(hitsOf(kind, web.address().port)));
    }
    await sleep(PAGE_MS);
    const pdf = PDFS[pathname];
    if (pdf) return response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf);
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(pathname.startsWith('/huge') ? HUGE_PAGE : SMALL_PAGE);
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const dns = createSocket('udp4').on('message', () => undefined);
  dns.bind(0, '127.0.0.1');
  await once(dns, 'listening');
  const llm = await startFakeLlm({
    ...MODEL,
    fault: (_index, { prompt }) =>
      prompt.includes('forbidden') ? 'filtered' : prompt.includes('mute') ? 'hang' : undefined,
  });
  return {
    addresses: { web: web.address().port, dns: `127.0.0.1:${dns.address().port}`, llm: llm.url },
    llm,
    close: async () => {
      web.closeAllConnections();
      web.close();
      dns.close();
      await llm.close();
    },
  };
}

/** Ten hits: names whose DNS server is silent, pages of a MiB, or small pages. */
function hitsOf(kind, port) {
  const addressOf = (i) =>
    kind === 'silent'
      ? `http://page${Math.random().toString(36).slice(2)}.silent.example/${i}`
      : `http://127.0.0.1:${port}/${kind === 'huge' ? 'huge' : 'small'}/${i}`;
  return Array.from({ length: 10 }, (_, i) => ({
    url: addressOf(i),
    title: 'Coral',
    snippet: 'Coral reefs.',
  }));
}

/** A client with an address and a key of its own. */
export class Client {
  #agent;

  /** @param web port of the pages */
  constructor(url, web, key, localAddress = '127.0.0.1') {
    this.url = new URL(url);
    this.web = web;
    this.key = key;
    this.#agent = new Agent({ keepAlive: true, localAddress });
  }

  /** @returns status and body, once the answer is complete */
  send(method, path, body, headers = {}) {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: this.url.hostname,
          port: this.url.port,
          method,
          path,
          agent: this.#agent,
          headers: { 'x-api-key': this.key, 'content-type': 'application/json', ...headers },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
          response.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  ask(tool, body, headers) {
    return this.send('POST', `/v1/tools/${tool}`, body, headers);
  }

  /** Reads a page of the fake web. */
  page(path) {
    return this.ask('read_page', { url: `http://127.0.0.1:${this.web}${path}` });
  }

  /** Submits a request as a job and waits until it has ended. */
  async job(tool, body) {
    const { status, headers } = await this.ask(tool, body, { prefer: 'respond-async' });
    if (status !== 202) return { status };
    for (;;) {
      const { status: looked, text } = await this.send('GET', headers.location);
      if (looked !== 200) return { status: looked };
      const { status: state } = JSON.parse(text);
      if (state === 'done') return { status: 200 };
      if (state === 'failed') return { status: 500 };
      await sleep(20);
    }
  }

  close() {
    this.#agent.destroy();
  }
}
