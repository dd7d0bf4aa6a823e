// Starts the sample app as the README says (`npm start`), sends both requests of the README, and looks at what comes back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const app = spawn('npm', ['start'], {
  env: { ...process.env, PORT: '0' },
  detached: true,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const stop = () => process.kill(-app.pid, 'SIGTERM');
const late = setTimeout(() => {
  stop();
  throw new Error('npm start did not come up within 60 s');
}, 60_000);

try {
  let printed = '';
  let url;
  for await (const chunk of app.stdout) {
    printed += chunk;
    url = /is listening on (\S+)/.exec(printed)?.[1];
    if (url && printed.includes('search_web')) break;
  }
  assert.ok(url, printed);
  console.log(printed);
  const ask = async (tool, body) => {
    const response = await fetch(`${url}/v1/tools/${tool}`, {
      method: 'POST',
      headers: { 'X-API-Key': 'demo-key', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = await response.json();
    assert.equal(response.status, 200, JSON.stringify(json));
    return json.data;
  };
  const { summary } = await ask('summarize_content', { content_id: 'sampleTalk1' });
  assert.ok(summary.split(/\s+/).length > 60, summary);
  const { llm } = await ask('search_web', {
    query: 'Common organelles within a human eukaryote',
    llm_answer: true,
  });
  assert.ok(llm.answerable_probability > 0.5, JSON.stringify(llm));
  for (const page of ['/docs', '/openapi.json']) assert.equal((await fetch(url + page)).status, 200, page);
  console.log(`${summary}\n\n${llm.answer} (${llm.answerable_probability})`);
} finally {
  clearTimeout(late);
  stop();
  await once(app, 'exit').catch(() => undefined);
}
