import { WORDS } from './pages.mjs';

let asked = 0;
/** A video that nobody has asked for. */
const video = (kind) => `${kind}-${++asked}`;
/** A query that nobody has asked. */
const query = (kind) => `${kind} coral reefs ${++asked}`;

/**
 * Each: what one honest request is, how long its caller thinks before the next where it is not 100 ms (`thinkMs`), and what the hostile caller does again and again, `hostileAtOnce` times at the same time;
 * how long a request may wait for work of another caller that runs (`waitsMs`, default 0). `options` for
 * the host stand in `host.mjs`, by name.
 */
export const SCENARIOS = {
  'silent names': {
    honest: (client) => client.ask('search_web', { query: query('small') }),
    hostile: (client) => client.ask('search_web', { query: query('silent') }),
    hostileAtOnce: 20,
  },
  'refusals by a filter': {
    honest: (client) => client.ask('summarize_content', { content_id: video('plain') }),
    hostile: (client) => client.ask('summarize_content', { content_id: video('forbidden') }),
    hostileAtOnce: 20,
  },
  'a queue of one': {
    // Everybody asks for the videos of the day; a new one comes every 300 ms.
    honest: (client) => client.ask('summarize_content', { content_id: videoOfTheDay(0) }),
    hostile: (client, i) => client.ask('summarize_content', { content_id: videoOfTheDay(i % 10) }),
    hostileAtOnce: 30,
  },
  'huge results': {
    honest: (client) => client.ask('search_web', { query: query('small') }),
    hostile: (client, i) =>
      i % 2
        ? client.ask('search_web', { query: query('huge') })
        : client.ask('summarize_content', { content_id: video('hours') }),
    hostileAtOnce: 20,
  },
  'jobs beyond the budget': {
    honest: (client) => client.job('summarize_content', { content_id: video('plain') }),
    hostile: (client) =>
      client.ask('summarize_content', { content_id: video('plain') }, { prefer: 'respond-async' }),
    hostileAtOnce: 20,
    needsRedis: true,
  },
  'questions that the engine is slow at': {
    honest: (client) => client.ask('search_web', { query: query('small') }),
    hostile: (client) => client.ask('search_web', { query: query('slow') }),
    hostileAtOnce: 6,
  },
  'misspelt questions to PostgreSQL': {
    honest: (client) => client.ask('search_web', { query: documentQuery() }),
    hostile: (client) => client.ask('search_web', { query: misspeltQuery() }),
    hostileAtOnce: 30,
    thinkMs: 1_000,
    // Statements of the hostile caller run on three of four connections, on the same processors.
    waitsMs: 1_000,
    needsPostgres: true,
  },
  'slow PDFs': {
    honest: (client) => client.page(`/small.pdf?${++asked}`),
    hostile: (client) => client.page(`/slow.pdf?${++asked}`),
    hostileAtOnce: 25,
    thinkMs: 8_000,
    // One PDF is read at a time.
    waitsMs: 5_000,
  },
  'long videos': {
    honest: (client) => client.ask('summarize_content', { content_id: video('plain') }),
    hostile: (client) => client.ask('summarize_content', { content_id: video('long') }),
    hostileAtOnce: 100,
    thinkMs: 1_000,
  },
  'prompts that the model is silent at': {
    honest: (client) => client.ask('summarize_content', { content_id: video('plain') }),
    hostile: (client) => client.ask('summarize_content', { content_id: video('mute') }),
    hostileAtOnce: 20,
  },
  'wrong keys': {
    honest: (client) => client.ask('search_web', { query: query('small') }),
    hostile: (client) => {
      client.key = `wrong-${++asked}`;
      return client.ask('search_web', { query: 'coral' });
    },
    hostileAtOnce: 20,
    hostileAddress: '127.0.0.2',
  },
};

/** Three words that stand in pages. */
const documentQuery = () => Array.from({ length: 3 }, () => pick(WORDS)).join(' ');

/** As many misspelt words as a query may have. */
function misspeltQuery() {
  let text = '';
  while (text.length < 380) {
    const word = pick(WORDS);
    text += `${word.slice(0, 2)}q${word.slice(3, -1)}w `;
  }
  return text.trim();
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];

function videoOfTheDay(ahead) {
  return `day-${Math.floor(Date.now() / 300) + ahead}`;
}
