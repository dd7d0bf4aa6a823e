import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Starts Chromium with a profile of its own. `close()` stops it and removes the profile. */
export async function startBrowser() {
  const executablePath = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
    (path) => path && existsSync(path),
  );
  if (!executablePath)
    throw new Error(
      'Chromium is missing. On Debian: apt-get install chromium. Elsewhere set CHROMIUM to its path.',
    );
  const profile = await mkdtemp(join(tmpdir(), 'nestjs-tools-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Starts the built sample app on a free port. Resolves when it listens and has answered a first search; with `warm: false`, when it
 * listens. `cwd` is the folder that it is started in.
 */
export async function startApp(env = {}, { warm = true, cwd = ROOT } = {}) {
  const app = spawn(process.execPath, [join(ROOT, 'dist-app/sample-app/main.js')], {
    cwd,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', YOUTUBE: 'off', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stopped = new Promise((resolve) => app.once('exit', resolve));
  for await (const line of createInterface({ input: app.stdout })) {
    const url = /is listening on (\S+)/.exec(line)?.[1];
    if (!url) continue;
    app.stdout.resume();
    if (warm) await warmUp(url, env.TOOLS_API_KEYS ?? 'demo-key');
    return {
      url,
      async stop() {
        app.kill();
        await stopped;
      },
    };
  }
  throw new Error('the sample app did not start; is it built (npm run build:app)?');
}

/** Sends a search until it succeeds: the first one loads the engine, which may take longer than its deadline on a busy machine. */
async function warmUp(url, key) {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { status } = await fetch(`${url}/v1/tools/search_web`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'What is a cell?', llm_answer: true }),
    });
    if (status === 200) return;
  }
  throw new Error('the sample app answered no search');
}

/**
 * Opens a page and records what must not happen on it: errors on the console, dialogs, requests to another origin.
 *
 * @param context from `startBrowser`
 * @param {string} url the page; requests may go to its origin only
 * @param {{ width?: number, height?: number, colorScheme?: 'light' | 'dark', expectedErrors?: RegExp }} [options] `expectedErrors` are
 *   lines on the console that belong to the case, such as those about a 400
 */
export async function openPage(
  context,
  url,
  { width = 1280, height = 900, colorScheme = 'light', expectedErrors } = {},
) {
  const page = await context.newPage();
  const { origin } = new URL(url);
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expectedErrors?.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(`${origin}/`) && !/^(data|blob):/.test(to)) complaints.push(`request to ${to}`);
  });
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  await page.goto(url);
  return {
    page,
    /** Fails if anything was recorded; closes the page. */
    async close() {
      assert.deepEqual(complaints, []);
      await page.close();
    },
  };
}
