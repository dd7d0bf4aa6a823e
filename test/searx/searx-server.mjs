import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const INSTALL =
  'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends searx';
const START_MS = 20_000;

/** What the index of the server holds. The JSON engine knows the second page as well: searx has to merge the two. */
export const DOCUMENTS = [
  {
    url: 'https://biology.example/organelles',
    title: 'Common organelles',
    content: 'Common organelles of a human cell are the nucleus, the mitochondria and the ribosomes.',
  },
  {
    url: 'https://biology.example/mitochondria',
    title: 'Mitochondria & ATP',
    content: 'Mitochondria are organelles that make most of the ATP of a cell; 2 < 30 membranes.',
  },
  {
    url: 'https://cells.example/golgi',
    title: 'Golgi apparatus',
    content: 'The Golgi apparatus is an organelle of the cell that packs proteins.',
  },
  {
    url: 'https://cells.example/lysosome',
    title: 'Lysosome',
    content: 'Lysosomes digest the waste of a cell.',
  },
];

/**
 * Starts a searx (Debian's package) on loopback with an sqlite index of `DOCUMENTS` and a JSON engine that answers from this
 * process, fails on the word `outage`, and knows one page more. Nothing is installed and nothing is left behind.
 *
 * @param {number} banSeconds for which an engine is left out after a failure; searx's default is 5
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function startSearx(banSeconds = 0) {
  const program = whereIsSearx();
  const folder = mkdtempSync(join(tmpdir(), 'searx-'));
  const jsonEngine = await startJsonEngine();
  const port = await freePort();
  let child;
  const stop = async () => {
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    jsonEngine.server.closeAllConnections();
    jsonEngine.server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    buildIndex(program, join(folder, 'documents.db'));
    // JSON is YAML.
    const settings = join(folder, 'settings.yml');
    writeFileSync(settings, JSON.stringify(settingsFor(port, jsonEngine.port, folder, banSeconds), null, 2));
    let log = '';
    child = spawn(program, {
      cwd: folder,
      env: { ...process.env, SEARX_SETTINGS_PATH: settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (log = (log + chunk).slice(-4000)));
    const url = `http://127.0.0.1:${port}`;
    await untilHealthy(url, child, () => log);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function whereIsSearx() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) => join(folder, 'searx-run')).find((path) => existsSync(path));
  if (!found) throw new Error(`searx is not installed. On Debian:\n  ${INSTALL}`);
  return found;
}

/** With the Python that searx itself runs on: it has sqlite with FTS5, whatever else is installed here. */
function buildIndex(program, path) {
  const python = readFileSync(program, 'utf8')
    .split('\n', 1)[0]
    .replace(/^#!\s*/, '')
    .trim()
    .split(' ');
  const script = `
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute('CREATE VIRTUAL TABLE docs USING fts5(url UNINDEXED, title, content)')
db.executemany('INSERT INTO docs VALUES (:url, :title, :content)', json.load(sys.stdin))
db.commit()`;
  const built = spawnSync(python[0], [...python.slice(1), '-c', script, path], {
    input: JSON.stringify(DOCUMENTS),
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`The index could not be built: ${built.stderr}`);
}

async function startJsonEngine() {
  const items = [
    DOCUMENTS[1],
    {
      url: 'https://news.example/organelle',
      title: 'A new organelle',
      content: 'Researchers report a new organelle of the cell.',
    },
  ];
  const server = createServer((request, response) => {
    const query = new URL(request.url, 'http://fake').searchParams.get('q') ?? '';
    response.writeHead(query.includes('outage') ? 500 : 200, { 'content-type': 'application/json' });
    const found = items.filter(({ content }) =>
      query
        .toLowerCase()
        .split(/\W+/)
        .some((word) => word.length > 3 && content.includes(word)),
    );
    response.end(
      JSON.stringify({
        items: found.map(({ url, title, content }) => ({ link: url, title, snippet: content })),
      }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: server.address().port };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function untilHealthy(url, child, log) {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`searx ended with ${child.exitCode}:\n${log()}`);
    const healthy = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return;
  }
  throw new Error(`searx was not ready within ${START_MS} ms:\n${log()}`);
}

/** Complete, because Debian's package has no default settings to build on. */
function settingsFor(port, jsonEnginePort, folder, banSeconds) {
  return {
    general: { debug: false, instance_name: 'searx', contact_url: false, enable_stats: false },
    brand: {
      git_url: '',
      git_branch: '',
      issue_url: '',
      docs_url: '',
      public_instances: '',
      wiki_url: '',
      twitter_url: '',
    },
    // By default no ban, or one test's outage would silence the engine for the next.
    search: {
      safe_search: 0,
      autocomplete: '',
      default_lang: '',
      ban_time_on_fail: banSeconds,
      max_ban_time_on_fail: 24 * banSeconds,
      prefer_configured_language: false,
    },
    server: {
      port,
      bind_address: '127.0.0.1',
      secret_key: 'only for tests',
      base_url: false,
      image_proxy: false,
      http_protocol_version: '1.0',
      method: 'GET',
      default_http_headers: {},
    },
    ui: {
      autofocus: true,
      archive_today: false,
      static_path: '/usr/share/python3-searx/static',
      templates_path: '/usr/share/python3-searx/templates',
      default_theme: 'oscar',
      default_locale: '',
      theme_args: { oscar_style: 'logicodev' },
    },
    outgoing: { request_timeout: 3.0, useragent_suffix: '', pool_connections: 100, pool_maxsize: 10 },
    checker: { off_when_debug: true },
    locales: { en: 'English', de: 'Deutsch' },
    engines: [
      {
        name: 'localjson',
        engine: 'json_engine',
        shortcut: 'lj',
        categories: 'general',
        enable_http: true,
        timeout: 3.0,
        search_url: `http://127.0.0.1:${jsonEnginePort}/?q={query}`,
        results_query: 'items',
        url_query: 'link',
        title_query: 'title',
        content_query: 'snippet',
      },
      {
        name: 'localfts',
        engine: 'sqlite',
        shortcut: 'lf',
        categories: 'general',
        result_template: 'default.html',
        database: join(folder, 'documents.db'),
        query_str: 'SELECT url, title, content FROM docs WHERE docs MATCH :query',
      },
    ],
    doi_resolvers: { 'doi.org': 'https://doi.org/' },
    default_doi_resolver: 'doi.org',
  };
}
