// Starts the sample app as the README says (`npm start`), sends the requests of the README, and compares the answers with those that the
// README shows. With `--update` it writes the answers of today into the README.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { asShown } from './as-shown.mjs';

const README = new URL('../README.md', import.meta.url);
const UPDATE = 'node .ci/start-and-ask.mjs --update && npx prettier --write README.md';
const update = process.argv.includes('--update');
const readme = readFileSync(README, 'utf8');
/** A curl, and the JSON in the next block. */
const examples = [
  ...readme.matchAll(
    /^```sh\ncurl \S+ https?:\/\/[^/]+(\S+)[^`]*? -d '(.*)'\n```\n[^`]*?```json\n([^`]*)```$/gm,
  ),
].map(([, path, request, answer]) => ({ path, request, answer }));
assert.equal(examples.length, 2, 'the README shows two requests, each with its answer');

const app = spawn('npm', ['start'], {
  env: { ...process.env, PORT: '0' },
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
const stop = () => process.kill(-app.pid, 'SIGTERM');
const late = setTimeout(() => {
  stop();
  throw new Error('npm start did not come up within five minutes');
}, 300_000);

try {
  const url = await addressOf(app);
  clearTimeout(late);
  let updated = readme;
  for (const { path, request, answer } of examples) {
    const shown = JSON.parse(answer);
    const now = asShown(shown, await ask(url + path, request));
    updated = updated.replace(answer, () => `${JSON.stringify(now, null, 2)}\n`);
    if (!update)
      assert.deepEqual(shown, now, `the README shows another answer to ${request}; run: ${UPDATE}`);
    console.log(`${request}\n${JSON.stringify(now, null, 2)}\n`);
  }
  if (update) writeFileSync(README, updated);
  for (const page of ['/', '/docs', '/openapi.json', '/health'])
    assert.equal((await fetch(url + page)).status, 200, page);
  assert.match(printed, /summarize_content 200 ok \d+ ms request_id=/, 'a line for each request');
  assertTakenPortIsNamed(new URL(url).port);
} finally {
  clearTimeout(late);
  stop();
  await once(app, 'exit').catch(() => undefined);
}

/** A second start on the same port compiles nothing, ends, and says how to choose another port. */
function assertTakenPortIsNamed(port) {
  const { status, stdout, stderr } = spawnSync('npm', ['start'], {
    env: { ...process.env, PORT: port },
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, new RegExp(`Port ${port} is in use\\. Choose another one: PORT=\\d+ npm start`));
  assert.doesNotMatch(stdout, /Compiling/);
}

/** Address that the app prints, once it has printed all it has to say. */
function addressOf({ stdout }) {
  return new Promise((resolve, reject) => {
    stdout.on('data', (chunk) => {
      printed += chunk;
      const url = /is listening on (\S+)/.exec(printed)?.[1];
      if (url && printed.includes('search_web')) resolve(url);
    });
    stdout.once('end', () => reject(new Error(`npm start ended:\n${printed}`)));
  });
}

/** Asks again after a 504: on a busy machine the first search, which loads the engine, may meet its deadline. */
async function ask(url, body) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'X-API-Key': 'demo-key', 'Content-Type': 'application/json' },
      body,
    });
    const json = await response.json();
    if (response.status === 504 && attempt < 10) continue;
    assert.equal(response.status, 200, JSON.stringify(json));
    return json;
  }
}
