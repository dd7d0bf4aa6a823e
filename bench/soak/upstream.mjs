import http from 'node:http';
import { pick } from './random.mjs';

/** How the upstream behaves, with weights: well most of the time, else each fault that a caller must survive. */
const FAULTS = [
  [70, 'well'],
  [4, 'status 500'],
  [4, 'status 429'],
  [4, 'reset'],
  [4, 'cut off'],
  [4, 'html'],
  [3, 'hang'],
  [3, 'drip'],
  [4, 'empty'],
];

/** A search engine and a store of transcripts on loopback, that answer about what they are asked for and misbehave at random. */
export async function startUpstream(random) {
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://upstream');
    const subject = searchParams.get('q');
    const body = JSON.stringify(pathname === '/search' ? hitsOn(subject) : transcriptOf(subject));
    misbehave(pick(random, FAULTS), response, body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function misbehave(fault, response, body) {
  const json = { 'Content-Type': 'application/json' };
  switch (fault) {
    case 'well':
      return response.writeHead(200, json).end(body);
    case 'status 500':
      return response.writeHead(500, json).end('{"error":"internal"}');
    case 'status 429':
      return response.writeHead(429, { ...json, 'Retry-After': '1' }).end('{}');
    case 'reset':
      return response.socket.resetAndDestroy();
    case 'cut off':
      response.writeHead(200, { ...json, 'Content-Length': body.length });
      response.write(body.slice(0, body.length / 2));
      return setTimeout(() => response.destroy(), 5);
    case 'html':
      return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>');
    case 'hang':
      return undefined;
    case 'drip': {
      response.writeHead(200, json);
      const timer = setInterval(() => response.write(' '), 50);
      return response.on('close', () => clearInterval(timer));
    }
    case 'empty':
      return response.writeHead(200, json).end();
    default:
      throw new Error(`no such fault: ${fault}`);
  }
}

const hitsOn = (subject) => ({
  hits: Array.from({ length: 5 }, (_, i) => ({
    url: `https://example.org/${subject}/${i}`,
    title: `Page ${i} on ${subject}`,
    passages: [`The subject ${subject} is explained on page ${i} of this collection. It has ${i + 2} parts.`],
  })),
});

const transcriptOf = (subject) => ({
  title: `Talk on ${subject}`,
  language: 'en',
  captions: 'manual',
  chapters: [],
  durationMs: 60_000,
  segments: Array.from({ length: 6 }, (_, i) => ({
    startMs: i * 10_000,
    endMs: i * 10_000 + 9_000,
    text: `Part ${i + 1} of the talk on ${subject} explains how ${subject} grew in year ${2000 + i}, and why it matters to everybody.`,
  })),
});
