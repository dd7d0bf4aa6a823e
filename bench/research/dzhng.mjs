/**
 * dzhng/deep-research beside ours: its own command line, with its defaults, against the model and the search of `cost-server.mjs`.
 * The folder is a checkout with its packages: `git clone https://github.com/dzhng/deep-research && cd deep-research && git checkout f02c70f && npm ci --ignore-scripts`.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Of its defaults: questions to the user, a plan, a search with its pages, learnings, all three again, the report, s. */
export const CHAIN_S = 8;
/** What its prompts end with, where it waits for a line. */
const PROMPT = /(?:research\?|default 4\):|default 2\):|default report\):|Your answer:) $/;

/**
 * @param server `{ port, model }` of the fake server
 * @returns seconds from the question to the report
 */
export async function runDzhng(folder, question, { port, model }) {
  const root = resolve(folder);
  // It writes its report into the folder where it is started.
  const work = await mkdtemp(join(tmpdir(), 'dzhng-'));
  const lines = [question, '', '', ''];
  const tsx = spawn(join(root, 'node_modules/.bin/tsx'), [join(root, 'src/run.ts')], {
    cwd: work,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      OPENAI_KEY: 'key',
      OPENAI_ENDPOINT: model,
      CUSTOM_MODEL: 'fake-model',
      FIRECRAWL_KEY: 'key',
      FIRECRAWL_BASE_URL: `http://127.0.0.1:${port}`,
    },
  });
  let begun;
  let text = '';
  tsx.stdout.on('data', (piece) => {
    text += piece;
    if (!PROMPT.test(text)) return;
    text = '';
    begun ??= performance.now();
    tsx.stdin.write(`${lines.shift() ?? 'No preference.'}\n`);
  });
  const code = await new Promise((done) => tsx.on('close', done));
  const seconds = (performance.now() - begun) / 1000;
  await rm(work, { recursive: true });
  if (code !== 0 || !text.includes('Report has been saved'))
    throw new Error(`dzhng/deep-research did not end in a report: ${text.slice(-500)}`);
  return seconds;
}
